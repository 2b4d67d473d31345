/**
 * Explores that are watched: after the last change the last event is what the same explore answers, for
 * each of many watchers; and nobody is shown what they may not see, or for longer than they may.
 *
 * `LIVE_WATCHERS` says how many watch (60), `PROPERTY_SEED` what they ask.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Document } from 'mongodb';
import { mintToken } from '../../src/auth/mint.ts';
import { ADMIN, ANA, BO, PEOPLE, project, schedule, task, uuid } from '../conformance/documents.ts';
import { useDatabase } from '../support/database.ts';
import { type Watching, watch } from '../support/eventStream.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { openSocket } from './rawSocket.ts';

const WATCHERS = Number(process.env.LIVE_WATCHERS ?? 60);
const SEED = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);

const ADMIN_TASKS = '/api/v2/admin/tasks/search';
const TASKS_OF = (n: number) => `/api/v2/projects/${uuid(n)}/tasks/search`;
const LIMITS = { MAX_WATCHES_PER_USER: '500', MAX_REQUESTS_PER_USER: '500' };

const FOLDERS = ['in', 'out', 'Ablage'];
const STATUS = ['PENDING', 'SUCCESS', 'FAILURE'];

function taskOf(n: number, turn = 0): Document {
  const own = n % 3 > 0;
  return task(n, {
    ...(own && { scope: 'project', project_id: uuid(1 + ((n + turn) % 3)) }),
    user_email: n % 2 === 0 ? 'ana@mail.test' : null,
    status: STATUS[(n + turn) % 3],
    folder: FOLDERS[(n * turn) % 3],
    date_queued: new Date(Date.UTC(2026, 0, 1 + ((n * 7 + turn) % 40))),
  });
}

const condition = fc.constantFrom<Document>(
  { field: 'status', in: ['FAILURE'] },
  { field: 'status', not_in: ['FAILURE', 'SUCCESS'] },
  { field: 'project_id', in: [uuid(1), uuid(2)] },
  { field: 'folder', in: ['in', null] },
  { field: 'date_queued', from: '2026-01-05T00:00:00Z', to: '2026-01-20T00:00:00Z' },
);
const ofTasks = fc.record(
  {
    filters: fc.constantFrom<Document>({}, { q: 'ana' }, { user_email: 'ANA' }, { q: 'project 2' }),
    pagination: fc.constantFrom({ per_page: 5 }, { per_page: 3, page: 4 }),
    sorting: fc.constantFrom({ sort_by: 'date_queued' }, { sort_by: 'id', sort_order: 'asc' }),
    select: fc.array(condition, { maxLength: 2 }),
    facets: fc.constantFrom<Document[]>([{ field: 'status' }], [{ field: 'project_id' }]),
    histogram: fc.constant({ field: 'date_queued', interval: 'P1W', by: 'status' }),
  },
  { requiredKeys: [] },
);
const ofProjects = fc.constantFrom<Document>(
  {},
  { filters: { q: 'ana' } },
  { facets: [{ field: 'type' }] },
);
const anyWatch = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom(ADMIN_TASKS, TASKS_OF(1), TASKS_OF(2)), ofTasks),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant('/api/v2/admin/projects/search'), ofProjects) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('/api/v2/users/search'), fc.constant({})) },
);

describe('watched explores', function live() {
  this.timeout(90_000);
  const database = useDatabase();
  const open: Watching[] = [];
  let service: TestService;
  let tokens: string[];

  async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    service = await startService(database.uri, database.name, { ...LIMITS, ...settings });
    tokens = [];
    for (const id of [ADMIN, ANA, BO]) tokens[id] = await service.token(id, id === ADMIN);
  }
  const live = () =>
    until(async () => {
      const { headers } = await service.post(`${ADMIN_TASKS}/explore`, {}, tokens[ADMIN]);
      return headers.get('search-route') === 'index';
    });
  const watching = async (path: string, body: unknown, token = tokens[ADMIN]!) => {
    const one = await watch(`${service.url}${path}/explore`, { body, token });
    open.push(one);
    return one;
  };
  const explored = async (path: string, body: unknown, token = tokens[ADMIN]!) =>
    (await service.post(`${path}/explore`, body, token)).body;
  const collection = (name: string) => database.db.collection<Document & { _id: number }>(name);

  beforeEach(async () => {
    const { db } = database;
    const store: Readonly<Record<string, readonly Document[]>> = {
      users: PEOPLE,
      projects: [1, 2, 3].map((n) => project(n)),
      schedules: [schedule(1)],
      tasks: Array.from({ length: 60 }, (_, n) => taskOf(n + 1)),
    };
    for (const [name, documents] of Object.entries(store)) {
      await db.collection(name).deleteMany({});
      await db.collection(name).insertMany([...documents]);
    }
  });
  afterEach(async () => {
    for (const one of open.splice(0)) one.leave();
    await service.stop();
  });

  it(`end with what is there, whatever changed: ${WATCHERS} watchers, seed ${SEED}`, async () => {
    await start();
    await live();
    const asked = fc.sample(anyWatch, { numRuns: WATCHERS, seed: SEED });
    const watched = await Promise.all(
      asked.map(async ([path, body]) => ({ path, body, events: await watching(path, body) })),
    );
    for (const { events } of watched) await events.first('answer');
    const tasks = collection('tasks');
    for (let turn = 1; turn <= 40; turn++) {
      const n = 1 + ((turn * 17) % 60);
      if (turn % 5 === 0) await tasks.deleteOne({ _id: n });
      else await tasks.replaceOne({ _id: n }, taskOf(n, turn) as never, { upsert: true });
      if (turn % 10 === 3) {
        await collection('projects').updateOne({ _id: 2 }, { $set: { name: `Named ${turn}` } });
        await collection('users').updateOne({ _id: ANA }, { $set: { last_name: `L${turn}` } });
      }
      if (turn === 20) {
        const all = await tasks.find().toArray();
        await tasks.drop();
        await tasks.insertMany(all);
      }
    }
    for (const { path, body, events } of watched) {
      await until(
        async () => {
          const { meta, ...fresh } = await explored(path, body);
          const { meta: shown, ...last } = events.answer!.data;
          return JSON.stringify([fresh, meta]) === JSON.stringify([last, shown]);
        },
        `the last event differs: ${path} ${JSON.stringify(body)}`,
        30_000,
      );
    }
    for (const { events } of watched) {
      const answers = events.events.filter(({ event }) => event === 'answer');
      for (const [i, one] of answers.slice(1).entries()) {
        expect(JSON.stringify(one.data)).not.to.equal(JSON.stringify(answers[i]!.data));
      }
    }
  });

  it('say nothing while nothing changes that they show', async () => {
    await start();
    await live();
    const of2 = await watching(TASKS_OF(2), { facets: [{ field: 'status' }] });
    const all = await watching(ADMIN_TASKS, { facets: [{ field: 'status' }] });
    await Promise.all([of2.first('answer'), all.first('answer')]);
    expect(of2.headers.get('content-type')).to.equal('text/event-stream');
    expect(of2.comments).to.equal(1);
    await collection('tasks').insertOne(
      task(900, { scope: 'project', project_id: uuid(1) }) as never,
    );
    await until(() => all.events.length === 2);
    expect(all.answer!.id).to.match(/^\d+\.\d+$/);
    expect(of2.events).to.have.length(1);
  });

  it('never show what their caller may not see', async () => {
    await start();
    await live();
    await collection('projects').updateOne({ _id: 2 }, { $set: { members: [] } });
    const own = await watching('/api/v2/projects/search', {}, tokens[ANA]);
    const of1 = await watching(TASKS_OF(1), { facets: [{ field: 'project_id' }] }, tokens[ANA]);
    await Promise.all([own.first('answer'), of1.first('answer')]);
    for (let n = 0; n < 10; n++) {
      const foreign = { scope: 'project', project_id: uuid(2), folder: `foreign ${n}` };
      await collection('tasks').insertOne(task(900 + n, foreign) as never);
      await collection('projects').updateOne({ _id: 2 }, { $set: { name: `foreign ${n}` } });
    }
    await collection('tasks').insertOne(
      task(990, { scope: 'project', project_id: uuid(1), folder: 'own' }) as never,
    );
    await until(() => JSON.stringify(of1.answer!.data).includes('"own"'));
    for (const { events } of [own, of1]) expect(JSON.stringify(events)).not.to.include('foreign');
  });

  it('end when a membership, a user or a project is gone, within a second', async () => {
    await start();
    await live();
    const member = await watching(TASKS_OF(1), {}, tokens[ANA]);
    const user = await watching('/api/v2/users/search', {}, tokens[BO]);
    const admin = await watching(TASKS_OF(3), {});
    for (const one of [member, user, admin]) await one.first('answer');
    const changes = [
      [member, () => collection('projects').updateOne({ _id: 1 }, { $set: { members: [] } })],
      [user, () => collection('users').updateOne({ _id: BO }, { $set: { active: false } })],
      [admin, () => collection('projects').deleteOne({ _id: 3 })],
    ] as const;
    for (const [one, change] of changes) {
      await change();
      const changed = performance.now();
      const end = await one.first('end');
      expect(end.data.reason).to.include('right');
      // The bound is a second; a busy machine has more.
      expect(end.at - changed).to.be.below(3_000);
      await until(() => one.over);
    }
  });

  it('end with their token', async () => {
    await start();
    await live();
    const secret = 'a secret for tests only, of more than 32 bytes';
    const none = { authIssuer: undefined, authAudience: undefined };
    const token = await mintToken({ userId: ADMIN, admin: true, lifeS: 3 }, secret, none);
    const events = await watching(ADMIN_TASKS, {}, token);
    expect((await events.first('end')).data.reason).to.include('expired');
    await until(() => events.over);
  });

  it('end when the service stops', async () => {
    await start();
    await live();
    const events = await watching(ADMIN_TASKS, {});
    await events.first('answer');
    const stopped = service.stop();
    expect((await events.first('end')).data.reason).to.include('stopping');
    await stopped;
  });

  it('are answered by pipeline every five seconds while the index cannot', async () => {
    await start({ SEARCH_INDEX: 'off' });
    const events = await watching(ADMIN_TASKS, { facets: [{ field: 'status' }] });
    const first = await events.first('answer');
    expect((await events.first('state')).data).to.deep.equal({
      index: 'unavailable',
      reason: 'SEARCH_INDEX is off.',
    });
    await collection('tasks').deleteMany({ _id: { $lte: 30 } });
    await until(() => events.answer !== first);
    expect(events.answer!.at - first.at).to.be.above(4_000);
    const { data, facets } = await explored(ADMIN_TASKS, { facets: [{ field: 'status' }] });
    expect(events.answer!.data).to.deep.include({ data, facets });
    await collection('projects').updateOne({ _id: 1 }, { $set: { members: [] } });
    const member = await watching(TASKS_OF(2), {}, tokens[ANA]);
    await member.first('answer');
    await collection('projects').updateOne({ _id: 2 }, { $set: { members: [] } });
    await member.first('end');
  });

  it('are so many for one caller, and for all', async () => {
    await start({ SEARCH_INDEX: 'off', MAX_WATCHES_PER_USER: '2', MAX_WATCHES: '4' });
    const status = async (id: number) =>
      (await watching('/api/v2/users/search', {}, tokens[id])).status;
    expect([await status(ANA), await status(ANA), await status(ANA)]).to.deep.equal([
      200, 200, 429,
    ]);
    expect([await status(BO), await status(ADMIN)]).to.deep.equal([200, 200]);
    await collection('users').insertOne({ ...PEOPLE[2], _id: 77 });
    tokens[77] = await service.token(77);
    expect(await status(77)).to.equal(503);
    open[0]!.leave();
    await until(async () => (await status(77)) === 200);
  });

  it('show a reader who was slow the latest, and not what it missed', async () => {
    await start({ DB_ITEM_LIMIT: '1000' });
    await live();
    const args = { text: 'x'.repeat(100_000) };
    await collection('tasks').updateMany({}, { $set: { args } });
    const body = JSON.stringify({ pagination: { per_page: 60 } });
    const socket = await openSocket(Number(new URL(service.url).port));
    socket.pause();
    const sent = `POST ${ADMIN_TASKS}/explore HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${tokens[ADMIN]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(sent);
    const quick = await watching(ADMIN_TASKS, { pagination: { per_page: 60 } });
    for (let turn = 0; turn < 5; turn++) {
      const had = await until(() => quick.answer);
      await collection('tasks').updateOne({ _id: 1 }, { $set: { folder: `turn ${turn}.` } });
      await until(() => quick.answer !== had);
    }
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.resume();
    await until(() => text.includes('"turn 4.'));
    const shown = text.match(/"folder":"turn \d\./g) ?? [];
    expect(shown.length).to.be.at.most(2);
    socket.destroy();
  });
});
