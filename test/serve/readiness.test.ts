/**
 * `/readyz` says ready exactly while searches are answered in time: by the index, by memory alone while
 * the store is away, by pipelines where these have a chance. A search without a chance is refused at once.
 */
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { failCommand, failNone } from '../support/failCommand.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { startOverAnyStore, startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { storePeople } from './edge.ts';

/** Pipelines take 270 ms, by the assumed time of a document: longer than a search has. */
const MANY = 100_000;
/** More than come at once from the store; pipelines take 27 ms. */
const FEW = 10_000;
const SHORT = { QUERY_TIMEOUT_MS: '250' };

const ALL = '/api/v2/admin/tasks/search';
const taskId = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** Services over so many tasks. */
function useTasks(count: number) {
  const database = useDatabase();
  let service: TestService | undefined;

  before(async () => {
    await storePeople(database.db);
    for (let from = 0; from < count; from += 10_000) {
      const tasks = Array.from({ length: 10_000 }, (_, i) => ({
        _id: from + i,
        task_id: taskId(from + i),
        scope: 'system',
      }));
      await database.db.collection<{ _id: number }>('tasks').insertMany(tasks);
    }
  });
  afterEach(async () => {
    await failNone(database.client);
    await end();
  });

  async function end(): Promise<void> {
    await service?.stop();
    service = undefined;
  }

  /** Its token is the admin's. */
  async function started(one: TestService) {
    service = one;
    const token = await one.token(1, true);
    const search = (body: unknown = {}, path = ALL) => one.post(path, body, token);
    return { ...one, search };
  }

  /** Starts a service whose load of the tasks goes no further than their first documents. */
  async function startHeld(settings: Readonly<Record<string, string>>) {
    await failCommand(database.client, 'alwaysOn', {
      failCommands: ['getMore'],
      namespace: `${database.name}.tasks`,
      ...{ blockConnection: true, blockTimeMS: 10_000 },
    });
    const all = { STORE_INDEXES: 'on', ...settings };
    const held = await started(await startOverAnyStore(database.uri, database.name, all));
    await until(async () => {
      const { index } = (await held.ready()).body;
      return index.collections.tasks?.documents > 0;
    }, 'the load of the tasks has not begun');
    return held;
  }

  return { database, end, started, startHeld };
}

describe('readiness where pipelines have no chance', function suite() {
  this.timeout(180_000);
  const { database, started, startHeld } = useTasks(MANY);

  it('waits for a load while pipelines have no chance; such searches are refused at once', async () => {
    const held = await startHeld(SHORT);
    const { status, body } = await held.ready();
    expect(status).equal(503);
    expect(body).include({ status: 'not ready' });
    expect(body.store).eql({ state: 'up' });
    expect(body.index).include({ state: 'loading' });
    for (const path of ['', '/explore', '/explain', '/export']) {
      // A busy machine may take all the time of a search before the service looks at it.
      const answer = await until(async () => {
        const began = performance.now();
        const one = await held.search({}, ALL + path);
        const isLate = performance.now() - began >= Number(SHORT.QUERY_TIMEOUT_MS);
        return !(isLate && one.body.code === 'SearchTimeout') && one;
      }, `${path} always takes too long`);
      expect(answer.status, path).equal(503);
      expect(answer.body.code, path).equal('IndexLoading');
      expect(Number(answer.headers.get('retry-after')), path).within(1, 600);
    }
    // Other tables are there, and a database index leads to a task.
    const users = await until(async () => {
      const answer = await held.search({}, '/api/v2/users/search');
      return answer.status === 200 && answer;
    }, 'users cannot be searched');
    expect(users.headers.get('search-route')).equal('index');
    const exact = await until(async () => {
      const answer = await held.search({ filters: { task_id: taskId(77) } });
      expect(answer.body.code).not.equal('IndexLoading');
      return answer.status === 200 && answer;
    }, 'a task cannot be found by its id');
    expect(exact.body.meta.pagination.total_items).equal(1);
    expect(exact.headers.get('search-route')).equal('pipeline');

    await failNone(database.client);
    await until(
      async () => (await held.ready()).status === 200,
      'it does not become ready',
      60_000,
    );
    expect((await held.search()).headers.get('search-route')).equal('index');
  });

  it('refuses no search where there is no index to wait for', async () => {
    const settings = { ...SHORT, SEARCH_INDEX: 'off' };
    const service = await started(await startService(database.uri, database.name, settings));
    for (let i = 0; i < 3; i++) {
      const { status, body } = await service.search({ filters: { q: 'nothing at all' } });
      if (status !== 200) expect(body.code).equal('SearchTimeout');
    }
  });
});

describe('readiness where pipelines answer', function suite() {
  this.timeout(180_000);
  const { database, end, started, startHeld } = useTasks(FEW);

  it('does not wait for a load while pipelines answer', async () => {
    const held = await startHeld({});
    expect((await held.ready()).status).equal(200);
    const answer = await held.search();
    expect(answer.status).equal(200);
    expect(answer.headers.get('search-route')).equal('pipeline');
    expect(answer.body.meta.pagination.total_items).equal(FEW);
  });

  it('starts the index though a table cannot be counted, and says so', async () => {
    await failCommand(database.client, 'alwaysOn', {
      ...{ failCommands: ['count'], errorCode: 13, namespace: `${database.name}.tasks` },
    });
    const service = await started(await startService(database.uri, database.name));
    const { collections } = await until(async () => {
      const { index } = (await service.ready()).body;
      return index.collections.tasks?.phase === 'off' && index;
    }, 'the index does not start');
    expect(collections.tasks.reason).include('Unauthorized');
    await until(async () => {
      const users = await service.search({}, '/api/v2/users/search');
      return users.headers.get('search-route') === 'index';
    }, 'the users are not in the index');
    expect((await service.search()).headers.get('search-route')).equal('pipeline');
    const warning = 'a collection could not be counted';
    expect(service.logLines.filter((line) => line.includes(warning))).to.have.length(1);
  });

  it('builds database indexes for pipelines after the load', async () => {
    const names = async () =>
      (await database.db.collection('tasks').listIndexes().toArray()).map(({ name }) => name);
    await database.db.collection('tasks').dropIndexes();
    const held = await startHeld({});
    await until(async () => (await names()).includes('task_id_1__id_1'), 'no index for paths');
    await until(async () => (await names()).includes('status_1__id_1'), 'no index for changes');
    expect(await names()).not.include('date_queued_1__id_1');
    await failNone(database.client);
    await held.live();
    await until(async () => (await names()).includes('date_queued_1__id_1'), 'no index for sorts');
  });

  it('goes on while memory answers for a store that is away, and no longer', async () => {
    const network = await NetworkProxy.to(database.uri);
    try {
      const settings = { staleAnswersMs: 3_000, QUERY_TIMEOUT_MS: '3000' };
      const away = await started(await startService(network.uri, database.name, settings));
      await away.live();
      await away.search();

      network.cut();
      const cutAt = performance.now();
      // Ready, and answered; nothing in between says otherwise.
      while (performance.now() - cutAt < 2_500) {
        const { status, body } = await away.ready();
        const answer = await away.search();
        // The end of that time may come between the two.
        if (performance.now() - cutAt >= 2_500) break;
        expect(status, JSON.stringify(body)).equal(200);
        expect(answer.status, JSON.stringify(answer.body)).equal(200);
      }
      await until(async () => (await away.ready()).status === 503, 'it stays ready', 20_000);
      expect((await away.search()).status).equal(503);
      network.restore();
      await until(async () => (await away.ready()).status === 200, 'it stays not ready', 60_000);
      await until(
        async () => (await away.search()).status === 200,
        'it is ready, but does not answer',
      );
    } finally {
      await end();
      await network.close();
    }
  });
});
