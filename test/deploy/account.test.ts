/**
 * The account of deploy/mongodb: with it the whole service works, the index included, and it may do
 * nothing else. On a mongod with users that setUp.mjs prepares.
 */
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { createClient } from '../../clients/typescript/index.ts';
import { loadFixtures } from '../../src/dev/fixtures/load/load.ts';
import { type GuardedStore, startGuardedStore } from '../support/guardedStore.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const DATABASE = 'with_account';
const VIEWS = [
  'adminTasks',
  'adminSchedules',
  'users',
  'ownProjects',
  'adminProjects',
  'audit',
] as const;

describe('the account in MongoDB', function account() {
  this.timeout(120_000);
  let store: GuardedStore;
  let root: MongoClient;
  let own: MongoClient;
  const running: TestService[] = [];

  before(async () => {
    store = await startGuardedStore(DATABASE);
    root = await MongoClient.connect(store.rootUri);
    own = await MongoClient.connect(store.uri);
    await loadFixtures(root.db(DATABASE));
  });
  after(async () => {
    for (const service of running) await service.stop();
    await own?.close();
    await root?.close();
    await store?.stop();
  });

  async function clientOf(settings: Record<string, string> = {}) {
    const service = await startService(store.uri, DATABASE, { STORE_INDEXES: 'on', ...settings });
    running.push(service);
    const token = await service.token(1, true);
    return { service, client: createClient({ baseUrl: service.url, token }) };
  }

  it('is brought up to date by running setUp.mjs again', async () => {
    expect(await store.setUp()).match(
      /^the replica set is there\nthe user root is there\nuser table_search/,
    );
  });

  it('is refused in one line, by an error that says what to do', async () => {
    const refusal = await store.setUp({ MONGODB_PASSWORD: '' }).catch(({ stderr }) => stderr);
    expect(refusal).equal(
      "setUp.mjs: MONGODB_PASSWORD is not set: choose the password of the service's account\n",
    );
  });

  it('is never the administrator, whose rights would be gone', async () => {
    const refusal = await store.setUp({ MONGODB_USER: 'root' }).catch(({ stderr }) => stderr);
    expect(refusal).equal(
      'setUp.mjs: MONGODB_USER is root, the administrator: name another account\n',
    );
    const { users } = await root.db('admin').command({ usersInfo: 'root' });
    expect(users[0].roles).eql([{ role: 'root', db: 'admin' }]);
  });

  it('lets the index follow the store, and all be searched', async () => {
    const { client, service } = await clientOf();
    const tasks = client.table('adminTasks');
    await until(async () => (await tasks.search()).info.route === 'index', 'the index is not live');
    for (const view of VIEWS) {
      const table = client.table(view);
      const { meta } = await table.search();
      const explored = await table.explore();
      expect(explored.meta.pagination.total_items, view).equal(meta.pagination.total_items);
      const rows = await table.export({});
      let count = 0;
      for await (const _ of rows) count += 1;
      expect(count, view).equal(meta.pagination.total_items);
      expect((await table.explain()).total_items, view).equal(meta.pagination.total_items);
    }
    // A write of somebody else is seen, with the heartbeat that this account may write.
    await root
      .db(DATABASE)
      .collection('tasks')
      .updateOne({ _id: 3 as never }, { $set: { worker: 'seen' } });
    const seen = { filters: { q: 'seen' } };
    await until(async () => (await tasks.search(seen)).data.length === 1, 'a write is not seen');
    const beats = root.db(DATABASE).collection('search_heartbeat');
    await until(async () => (await beats.countDocuments()) === 1, 'there is no heartbeat');
    expect(service.logLines.filter((line) => /Unauthorized|not authorized/.test(line))).eql([]);
  });

  it('lets pipelines answer, and build their database indexes', async () => {
    const { client, service } = await clientOf({ SEARCH_INDEX: 'off' });
    for (const view of VIEWS) {
      expect((await client.table(view).search()).info.route, view).equal('pipeline');
      expect((await client.table(view).explain()).pipeline, view).not.equal(null);
    }
    const indexes = async () => (await root.db(DATABASE).collection('tasks').indexes()).length;
    await until(async () => (await indexes()) > 5, 'no database indexes are built');
    expect(service.logLines.filter((line) => /Unauthorized|not authorized/.test(line))).eql([]);
  });

  it('lets everything be changed that the service changes, with its audit', async () => {
    const { client } = await clientOf({ SEARCH_INDEX: 'off' });
    const db = root.db(DATABASE);
    const started = { status: 'STARTED', scope: 'project' };
    const { project_id, task_id } = (await db.collection('tasks').findOne(started))!;
    await client.tasks.preserve({ project_id, task_id }, true);
    await client.tasks.cancel(task_id);
    await client.tasks.cleanUp();
    const schedules = await db.collection('schedules').find({ enabled: true }).toArray();
    const [off, gone] = schedules.filter(({ _id }) => /^[\da-f-]{36}$/.test(String(_id)));
    await client.schedules.disable({ schedule_id: String(off!._id) });
    await client.schedules.delete({ schedule_id: String(gone!._id) });
    const view = { table: 'tasks', name: 'All', address: '' };
    const { view_id } = await client.call('createView', { path: {}, body: view });
    await client.call('changeView', { path: { view_id }, body: { name: 'Every' } });
    await client.call('deleteView', { path: { view_id } });
    const { data } = await client.table('audit').search({ pagination: { per_page: 100 } });
    expect(data.map(({ action }) => action)).include.members([
      ...['task.preserve', 'task.cancel', 'schedule.disable', 'schedule.delete'],
    ]);
    const page = await client.tasks.log({ task_id });
    expect(page.data.length).greaterThan(0);
    const withSnapshot = await db.collection('tasks').findOne({ snapshot_file_id: { $ne: null } });
    const { stream } = await client.tasks.snapshot(withSnapshot!.task_id);
    expect((await new Response(stream).text()).length).greaterThan(10);
  });

  it('may do nothing else', async () => {
    const db = own.db(DATABASE);
    const id = { _id: 1 as never };
    const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
      'insert a task': () => db.collection('tasks').insertOne({ forged: true }),
      'delete a task': () => db.collection('tasks').deleteOne(id),
      'make itself a member': () =>
        db.collection('projects').updateOne(id, { $set: { members: [] } }),
      'change a user': () => db.collection('users').updateOne(id, { $set: { active: true } }),
      'insert a schedule': () => db.collection('schedules').insertOne({ forged: true }),
      'rewrite the audit': () => db.collection('audit').updateMany({}, { $set: { actor: '2' } }),
      'delete from the audit': () => db.collection('audit').deleteMany({}),
      'write into a log': () => db.collection('task_logs').insertOne({ forged: true }),
      'replace a snapshot': () => db.collection('snapshots.files').deleteMany({}),
      'drop a collection': () => db.collection('tasks').drop(),
      'drop the database': () => db.dropDatabase(),
      'read another database': () => own.db('another').collection('tasks').findOne(),
      'read the users of the store': () => own.db('admin').collection('system.users').findOne(),
      'make a user': () => own.db('admin').command({ createUser: 'x', pwd: 'x', roles: ['root'] }),
      'give itself more': () =>
        own.db('admin').command({ grantRolesToUser: 'table_search', roles: ['root'] }),
    };
    for (const [what, attempt] of Object.entries(attempts)) {
      const refusal = await attempt().then(
        () => 'it was done',
        (error: { codeName?: string }) => error.codeName,
      );
      expect(refusal, what).equal('Unauthorized');
    }
  });
});
