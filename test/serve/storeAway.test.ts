/**
 * Searches while the store is away. The index answers from memory, as of the moment that it had
 * reached, for as long as the setting says. Changes are refused, and with 0 as the setting searches
 * too.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient, type Timestamp } from 'mongodb';
import { useDatabase } from '../support/database.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { readTime } from '../support/readTime.ts';
import { ReplicaSet } from '../support/replicaSet.ts';
import { startService, type TestAnswer, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { MISSING, PROJECT_B, storePeople } from './edge.ts';

describe('a search while the store is away', () => {
  const database = useDatabase();
  let network: NetworkProxy;
  let service: TestService;
  let token: string;

  beforeEach(async () => {
    await database.db.dropDatabase();
    await storePeople(database.db);
    network = await NetworkProxy.to(database.uri);
  });
  afterEach(async () => {
    await service.stop();
    await network.close();
  });

  async function start(staleMs: number): Promise<void> {
    const settings = { staleAnswersMs: staleMs, QUERY_TIMEOUT_MS: '3000', STORE_INDEXES: 'on' };
    service = await startService(network.uri, database.name, settings);
    await service.live();
    token = await service.token(1, true);
    // The client of rights connects when it is first needed.
    await until(async () => route(await search()) === 'index', 'the index does not answer');
  }

  const search = (as = token) => service.post('/api/v2/users/search', {}, as);
  const route = ({ headers }: TestAnswer) => headers.get('search-route');

  for (const [how, begin, end] of [
    ['cut off', () => network.cut(), () => network.restore()],
    ['silent', () => network.silence(), () => network.restore()],
  ] as const) {
    it(`is answered from memory when it is ${how}, then refused, then answered of now`, async () => {
      await start(2_500);
      const before = await search();
      await begin();
      await database.db.collection('users').deleteOne({ _id: 4 as never });
      let ages = 0;
      const refusal = await until(
        async () => {
          const answer = await search();
          if (answer.status !== 200) return answer;
          expect(answer.body).eql(before.body);
          const [shown, shownBefore] = [answer, before].map(({ headers }) =>
            readTime(headers.get('search-as-of')!),
          ) as [Timestamp, Timestamp];
          expect(shown.lessThan(shownBefore)).equal(false);
          const age = answer.headers.get('age');
          if (age !== null) ages += 1;
          expect(age ?? '0').match(/^[0-3]$/);
          return false;
        },
        'it is answered for ever',
        30_000,
      );
      expect(refusal.status).equal(503);
      expect(refusal.headers.get('retry-after')).match(/^\d+$/);
      expect(ages, 'answers that say how old they are').greaterThan(3);
      await end();
      const after = await until(
        async () => {
          const answer = await search();
          return answer.status === 200 && !answer.headers.has('age') && answer;
        },
        'it is not back',
        30_000,
      );
      expect(after.body.meta.pagination.total_items).equal(3);
    });
  }

  it('is refused where the setting is 0', async () => {
    await start(0);
    network.cut();
    await until(async () => (await search()).status === 503, 'it is answered', 20_000);
    const { headers } = await search();
    expect(headers.get('age')).equal(null);
  });

  it('is not answered of a moment before a change that was made through the service', async () => {
    await start(2_500);
    const _id = '0b8f4a52-6a43-4d3c-9b6e-0d5a5a1f0001';
    const schedule = { _id, scope: 'system', enabled: true };
    await database.db.collection('schedules').insertOne(schedule as never);
    const schedules = async () => await service.post('/api/v2/admin/schedules/search', {}, token);
    const enabled = ({ body }: TestAnswer) => body.data?.[0]?.enabled;
    await until(async () => enabled(await schedules()) === true, 'the schedule is not there');
    const enable = (is: boolean) =>
      service.ask('PATCH', `/api/v2/admin/schedules/${_id}`, { token, body: { enabled: is } });
    expect((await enable(false)).status).equal(200);
    network.cut();
    await until(async () => {
      const answer = await schedules();
      if (answer.status === 200) expect(enabled(answer)).equal(false);
      return answer.status === 503 && answer.body.code === 'StoreUnavailable';
    }, 'it is answered');
    // A change needs the store.
    expect((await enable(true)).status).equal(503);
  });

  it('refuses requests that nobody can answer, and lives', async () => {
    await start(20_000);
    const tasks = [2024, 2025].map((_id) => ({
      ...{ _id, scope: 'system', date_queued: new Date(Date.UTC(_id)) },
    }));
    await database.db.collection('tasks').insertMany(tasks as never[]);
    const explore = (interval: string) => {
      const body = { histogram: { field: 'date_queued', interval } };
      return service.post('/api/v2/admin/tasks/search/explore', body, token);
    };
    const counted = ({ body }: TestAnswer) => body.histogram?.buckets.length;
    // The index has to answer: when the store is cut, it may lag behind what the pipeline has
    // shown.
    await until(async () => {
      const answer = await explore('P1M');
      return counted(answer) === 13 && route(answer) === 'index';
    }, 'the index does not have the tasks');
    network.cut();
    const { status, body } = await explore('PT1H');
    expect([status, body.code]).eql([400, 'TooManyBuckets']);
    expect(counted(await explore('P1M'))).equal(13);
  });

  it('has a right that is good for nothing else', async () => {
    const _id = '0b8f4a52-6a43-4d3c-9b6e-0d5a5a1f0001';
    const schedule = { _id, scope: 'project', project_id: PROJECT_B, enabled: true };
    await database.db.collection('schedules').insertOne(schedule as never);
    await start(20_000);
    const member = await service.token(3);
    const path = `/api/v2/projects/${PROJECT_B}/schedules`;
    const schedules = () => service.post(`${path}/search`, {}, member);
    await until(async () => route(await schedules()) === 'index');
    network.silence();
    // Older than the second for which a right in memory would admit the caller.
    const isOld = async () => Number((await schedules()).headers.get('age')) >= 2;
    await until(isOld, 'it is not answered alone');
    const removal = service.ask('DELETE', `${path}/${_id}`, { token: member });
    // The right is taken away while the store cannot be asked: it refuses the removal once it can.
    await database.db
      .collection('projects')
      .updateOne({ identifier: PROJECT_B }, { $set: { members: [] } });
    network.restore();
    expect((await removal).status).oneOf([404, 503]);
    expect(await database.db.collection('schedules').countDocuments()).equal(1);
    await until(async () => (await schedules()).status === 404, 'the right goes on');
  });

  it('has a right that is as old as the answer, and ends with it', async () => {
    await start(2_500);
    const member = await service.token(3);
    const projects = () => service.post('/api/v2/projects/search', {}, member);
    const before = await until(async () => {
      const answer = await projects();
      return route(answer) === 'index' && answer;
    });
    expect(before.body.meta.pagination.total_items).equal(1);
    network.cut();
    await database.db
      .collection('users')
      .updateOne({ _id: 3 as never }, { $set: { active: false } });
    const began = performance.now();
    await until(
      async () => {
        const { status, body } = await projects();
        if (status === 200) expect(body).eql(before.body);
        return status === 503;
      },
      'the right goes on',
      30_000,
    );
    expect(performance.now() - began).greaterThan(1_000);
    network.restore();
    const denied = await until(
      async () => {
        const answer = await projects();
        return answer.status !== 503 && answer;
      },
      'it is not back',
      30_000,
    );
    expect(denied.status).equal(401);
  });

  it('is refused with its age where memory that is old says so', async () => {
    await start(20_000);
    const [member, stranger] = [await service.token(3), await service.token(2)];
    const ask = (project: string, token: string) =>
      service.post(`/api/v2/projects/${project}/tasks/search`, {}, token);
    await until(async () => route(await ask(PROJECT_B, member)) === 'index');
    const now = await ask(PROJECT_B, stranger);
    expect([now.status, now.headers.get('age')]).eql([404, null]);
    network.silence();
    const aged = async () => (await ask(PROJECT_B, stranger)).headers.has('age');
    await until(aged, 'its refusal does not say how old it is', 15_000);
    // A foreign project and a missing one look alike.
    const [foreign, missing] = [await ask(PROJECT_B, stranger), await ask(MISSING, stranger)];
    expect([foreign.status, missing.status]).eql([404, 404]);
    expect(missing.headers.get('age')).match(/^\d+$/);
    expect({ ...foreign.body, request_id: '' }).eql({ ...missing.body, request_id: '' });
    network.restore();
    const back = async () => !(await ask(PROJECT_B, stranger)).headers.has('age');
    await until(back, 'its refusal stays old', 15_000);
  });
});

describe('searches while a primary is elected', function suite() {
  this.timeout(120_000);
  const DB = 'elected';
  let set: ReplicaSet;
  let client: MongoClient;
  let service: TestService;

  before(async () => {
    set = await ReplicaSet.start({ electionTimeoutMs: 3_000 });
    client = await MongoClient.connect(set.uri);
    await storePeople(client.db(DB));
    service = await startService(set.uri, DB, { STORE_INDEXES: 'on' });
    await service.live();
  });
  after(async () => {
    await service?.stop();
    await client?.close();
    await set?.stop();
  });

  it('are all answered, each with what there was at its time', async () => {
    const token = await service.token(1, true);
    const search = () =>
      service.post('/api/v2/users/search', { pagination: { page: 1, per_page: 1 } }, token);
    await until(async () => (await search()).headers.get('search-route') === 'index');
    /** How many users there are from each time on; at first four. */
    const history: { readonly time: Timestamp; readonly users: number }[] = [];
    let over = false;
    const writer = (async () => {
      const writeConcern = { w: 'majority' } as const;
      const collection = client.db(DB).collection<{ _id: number }>('users', { writeConcern });
      for (let users = 5; !over; ) {
        const session = client.startSession();
        try {
          const change = { $set: { active: true } };
          await collection.updateOne({ _id: users }, change, { upsert: true, session });
          history.push({ time: session.operationTime!, users: users++ });
        } catch {
          // Whether it was done is not known: it is done again.
        }
        await session.endSession();
      }
    })();
    const seen: { readonly asOf: Timestamp; readonly users: number; readonly isOld: boolean }[] =
      [];
    const reader = async () => {
      let last: Timestamp | undefined;
      while (!over) {
        const { status, headers, body } = await search();
        expect(status, JSON.stringify(body)).equal(200);
        const asOf = readTime(headers.get('search-as-of')!)!;
        if (last) expect(asOf.lessThan(last), 'back in time').equal(false);
        last = asOf;
        const users = body.meta.pagination.total_items as number;
        seen.push({ asOf, users, isOld: headers.has('age') });
        await sleep(10);
      }
    };
    const readers = [1, 2, 3, 4].map(reader);
    await until(() => history.length > 20);
    await (await set.primary(client)).kill();
    const before = history.length;
    await until(() => history.length > before + 20, 'no primary is elected', 60_000);
    await service.live();
    over = true;
    await Promise.all([writer, ...readers]);
    expect(seen.filter(({ isOld }) => isOld).length, 'answered without a primary').greaterThan(10);
    for (const { asOf, users } of seen) {
      // A write's own time is at or after that of its commit, and before the next one's.
      const least = history.findLast(({ time }) => time.lessThanOrEqual(asOf))?.users ?? 4;
      expect(users).within(least, least + 1);
    }
  });
});
