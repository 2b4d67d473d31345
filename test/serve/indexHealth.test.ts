/** `/readyz` and `/metrics` of an index that really follows a store. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { watch } from '../support/eventStream.ts';
import { failCommand, failNone } from '../support/failCommand.ts';
import { useFolder } from '../support/folder.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { startOverAnyStore, startService, type TestService } from '../support/service.ts';
import { until as itIs } from '../support/until.ts';
import { asRouter } from './asRouter.ts';
import { storePeople } from './edge.ts';

interface Ready {
  readonly status: number;
  readonly store: { readonly state: string };
  readonly index: {
    readonly state: string;
    readonly reason?: string;
    readonly frontier: string | null;
    readonly lag_ms: number;
    readonly bytes: number;
    readonly collections: Readonly<
      Record<string, { phase: string; reason?: string; documents: number }>
    >;
  };
}

const COLLECTIONS = ['audit', 'projects', 'schedules', 'tasks', 'users'];
const TASKS = 20_000;

async function readyz(service: TestService): Promise<Ready> {
  const { status, body } = await service.ready();
  return { ...body, status };
}

async function gauges(service: TestService): Promise<(name: string) => number> {
  const figures = await service.figures();
  return (name) => {
    expect(figures, name).include.keys(name);
    return figures.get(name)!;
  };
}

/** Asks until it is so: loading and following take their time. */
async function until(service: TestService, so: (ready: Ready) => boolean): Promise<Ready> {
  let ready = await readyz(service);
  const isSo = async () => {
    ready = await readyz(service);
    return so(ready);
  };
  await itIs(isSo, () => JSON.stringify(ready), 60_000);
  return ready;
}

describe('an index that follows', function following() {
  this.timeout(120_000);
  const database = useDatabase();
  const folder = useFolder('health');
  let service: TestService | undefined;

  before(async () => {
    await storePeople(database.db);
    const tasks = Array.from({ length: TASKS }, (_, n) => ({
      _id: n + 1,
      task_id: `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`,
      scope: 'system',
      user_email: `person-${n}@example.org`,
    }));
    await database.db.collection<{ _id: number }>('tasks').insertMany(tasks);
  });
  afterEach(() => service?.stop());

  const taskTotal = async (running: TestService) => {
    const token = await running.token(1, true);
    const answer = await running.post('/api/v2/admin/tasks/search', {}, token);
    expect(answer.body.meta.pagination.total_items).equal(TASKS);
    return answer.headers.get('search-route');
  };

  it('shows its state, its lag and its size in both places', async () => {
    service = await startService(database.uri, database.name);
    const { status, store, index } = await until(
      service,
      (now) => now.index.state === 'live' && now.index.lag_ms === 0,
    );
    expect({ status, store }).eql({ status: 200, store: { state: 'up' } });
    expect(index).not.property('reason');
    expect(index.frontier).match(/^\d+\.\d+$/);
    expect(Object.keys(index.collections).sort()).eql(COLLECTIONS);
    for (const one of Object.values(index.collections)) expect(one.phase).equal('live');
    expect(index.collections.tasks).include({ phase: 'live', documents: TASKS });
    expect(index.collections.users!.documents).equal(4);

    const gauge = await gauges(service);
    expect(gauge('index_state{state="live"}')).equal(1);
    for (const other of ['off', 'loading', 'behind', 'reloading']) {
      expect(gauge(`index_state{state="${other}"}`)).equal(0);
    }
    expect(gauge('index_lag_seconds')).within(0, 10);
    expect(gauge('index_bytes')).within(index.bytes / 2, index.bytes * 2);
    expect(index.bytes).greaterThan(2 ** 20);
    expect(await taskTotal(service)).equal('index');
    expect((await gauges(service))('searches_total{view="admin tasks",route="index"}')).equal(1);

    const before = index.frontier;
    await database.db.collection<{ _id: number }>('users').insertOne({ _id: 99 });
    const later = await until(service, (now) => now.index.collections.users!.documents === 5);
    expect(later.index.frontier).not.equal(before);
  });

  it('has figures by view and route, by table, and of the connections to the store', async () => {
    service = await startService(database.uri, database.name);
    await until(service, (now) => now.index.state === 'live');
    expect(await taskTotal(service)).equal('index');
    const value = await gauges(service);
    expect(value('search_seconds_count{view="admin tasks",route="index"}')).equal(1);
    expect(value('table_live{table="tasks"}')).equal(1);
    const documents = await database.db.collection('users').countDocuments();
    expect(value('table_documents{table="users"}')).equal(documents);
    expect(value('table_bytes{table="tasks"}')).above(100_000);
    for (const state of ['in_use', 'waiting']) {
      expect(value(`store_connections{state="${state}"}`), state).within(0, 32);
    }
  });

  it('says up to when its checkpoint has all changes, whether or not it can be written', async () => {
    const timeOf = async (of: TestService) => {
      return (await gauges(of))('checkpoint_timestamp_seconds');
    };
    const startIn = async (CHECKPOINT_DIR: string, said: string) => {
      service = await startService(database.uri, database.name, { CHECKPOINT_DIR });
      const { logLines } = service;
      await until(service, () => logLines.some((line) => line.includes(said)));
      return service;
    };
    try {
      const written = await startIn(folder, '"checkpoint written"');
      const before = Date.now() / 1_000;
      // Nothing has changed since.
      expect(await timeOf(written)).within(before, Date.now() / 1_000);
      const documents = (await readyz(written)).index.collections.users!.documents;
      await database.db.collection<{ _id: number }>('users').insertOne({ _id: 98 });
      await until(written, ({ index }) => index.collections.users!.documents > documents);
      const latest = await timeOf(written);
      expect(latest).lessThan(before);
      await sleep(20);
      expect(await timeOf(written)).equal(latest);
      await written.stop();
      const ended = Date.now() / 1_000;
      const again = await startIn(folder, '"checkpoint read"');
      await database.db.collection<{ _id: number }>('users').insertOne({ _id: 97 });
      await until(again, ({ index }) => index.collections.users!.documents > documents + 1);
      // Its file is of the instance before.
      expect(await timeOf(again)).within(before - 1, ended);
      await again.stop();
      writeFileSync(join(folder, 'full'), 'a file is no folder');
      const began = Date.now() / 1_000;
      const refused = await startIn(join(folder, 'full'), 'no checkpoint is written');
      const failed = Date.now() / 1_000;
      expect(await timeOf(refused)).within(began, failed);
    } finally {
      const own = { _id: { $in: [97, 98] } };
      await database.db.collection<{ _id: number }>('users').deleteMany(own);
    }
  });

  it('says which collection is too large for it, why, and answers that by pipeline', async () => {
    service = await startService(database.uri, database.name, { SEARCH_MAX_BYTES: '1mb' });
    const { status, index } = await until(
      service,
      (now) => now.index.state === 'live' && now.index.collections.tasks?.phase === 'off',
    );
    expect(status).equal(200);
    expect(index.collections.tasks!.reason).include('SEARCH_MAX_BYTES').include('1048576');
    expect(await taskTotal(service)).equal('pipeline');
    expect((await gauges(service))('index_left_total{reason="off"}')).equal(1);
    expect(service.logLines.join()).include('the index left searches to the pipeline');
  });

  it('stays off on a sharded cluster, says why, and the pipeline answers', async () => {
    const router = await NetworkProxy.to(database.uri, { reply: asRouter });
    try {
      service = await startService(`mongodb://127.0.0.1:${router.port}/`, database.name);
      const { status, index } = await until(service, (now) => now.index.state === 'off');
      expect(status).equal(200);
      expect(index.reason).match(/^sharded cluster: /);
      expect(await taskTotal(service)).equal('pipeline');
      expect((await gauges(service))('index_state{state="off"}')).equal(1);
      await service.stop();
    } finally {
      service = undefined;
      await router.close();
    }
  });

  it('waits for a store that is away, and tells no address of it', async () => {
    const host = '127.0.0.1:1';
    service = await startOverAnyStore(`mongodb://${host}/?serverSelectionTimeoutMS=200`, 'nowhere');
    const { status, index } = await until(service, (now) => now.index.reason !== 'starting');
    expect(status).equal(503);
    expect(index.state).equal('loading');
    expect(index.reason).equal('waiting for the store');
    expect((await service.ready()).text).not.include(host);
  });

  it('is told to a watch first, from before documents are counted', async () => {
    const slow = { blockConnection: true, blockTimeMS: 1_000 };
    await failCommand(database.client, 'alwaysOn', { failCommands: ['count'], ...slow });
    try {
      service = await startOverAnyStore(database.uri, database.name);
      await until(service, ({ index }) => index.reason === 'its documents are being counted');
      const token = await service.token(1, true);
      const url = `${service.url}/api/v2/admin/tasks/search/explore`;
      const watching = await watch(url, { body: {}, token });
      await watching.first('answer');
      const { event, data } = watching.events[0]!;
      watching.leave();
      expect([event, data.loaded]).eql(['state', 0]);
    } finally {
      await failNone(database.client);
    }
  });

  it('writes and builds nothing in a store where that is switched off, and follows all the same', async () => {
    const name = `${database.name}_untouched`;
    const db = database.client.db(name);
    try {
      await storePeople(db);
      service = await startService(database.uri, name, {
        heartbeats: false,
        STORE_INDEXES: 'off',
      });
      await until(service, ({ index }) => index.state === 'live');
      await db.collection<{ _id: number }>('users').insertOne({ _id: 99 });
      await until(service, ({ index }) => index.collections.users!.documents === 5);
      const there = await db.listCollections().toArray();
      expect(there.map((one) => one.name).sort()).eql(['projects', 'users']);
      for (const one of there) expect(await db.collection(one.name).indexes()).length(1);
    } finally {
      await service?.stop();
      service = undefined;
      await db.dropDatabase();
    }
  });

  it('is off when it is told to be, and says so', async () => {
    service = await startService(database.uri, database.name, { SEARCH_INDEX: 'off' });
    const { status, index } = await readyz(service);
    expect({ status, index }).eql({
      status: 200,
      index: { state: 'off', reason: 'SEARCH_INDEX is off.' },
    });
    expect((await gauges(service))('index_state{state="off"}')).equal(1);
    expect(await taskTotal(service)).equal('pipeline');
  });
});
