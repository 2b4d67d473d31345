/** Collections that are dropped between the reads of one pipeline search: its answer is of one moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Db, MongoClient, type Timestamp } from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { PipelineExecutor } from '../../src/tables/pipeline/pipelineExecutor.ts';
import { AllRowsReader } from '../../src/tables/rows/allRows.ts';
import { Quota } from '../../src/tables/search/quota.ts';
import { Search } from '../../src/tables/search/search.ts';
import type { Fold } from '../../src/textindex/index.ts';
import { project, task, uuid } from '../conformance/documents.ts';
import { put, useDatabase } from '../support/database.ts';
import { failCommand } from '../support/failCommand.ts';
import { type Ask, planOf } from './asks.ts';
import { letGo } from './hold.ts';
import { APP_NAME } from './system.ts';

const MAJORITY = { writeConcern: { w: 'majority' } } as const;

describe('a pipeline search under which a collection is dropped', () => {
  const database = useDatabase();
  let client: MongoClient;
  let fold: Fold;
  before(async () => {
    client = await MongoClient.connect(database.uri, { appName: APP_NAME });
    fold = await new CaseFolding(database.db).fold();
  });
  after(() => client?.close());
  beforeEach(async () => {
    const { db } = database;
    await db.dropDatabase();
    const within = { scope: 'project', project_id: uuid(1) };
    await put(db, {
      projects: [project(1, { name: 'Apollo' })],
      tasks: [task(1, within), task(2, within)],
    });
  });
  afterEach(() => letGo(database.client));

  const executor = (db = client.db(database.name)) =>
    new PipelineExecutor({
      db,
      resources: RESOURCES,
      running: new Quota({ what: 'pipelines', overall: 4, waiting: 4 }),
    });

  const run = async (filters: Ask['body']['filters'], pipeline = executor()) => {
    const sorting = { sort_by: 'id', sort_order: 'asc' as const };
    const body = { filters, pagination: { page: 1, per_page: 10 }, sorting };
    const ask: Ask = { view: 'tasks', projectId: '', memberId: 1, http: false, body };
    const { total, rows, asOf } = await pipeline.run(
      planOf(ask, fold).plan,
      undefined,
      new Deadline(10_000),
    );
    return { total, joined: rows.map(({ joined }) => joined.project_name?.length), asOf };
  };

  for (const gone of ['tasks', 'projects']) {
    for (const filters of [{ project_name: 'apo' }, {}]) {
      it(`${gone}, with ${JSON.stringify(filters)}`, async () => {
        // The read after the first one waits.
        const mode = 'project_name' in filters ? 'alwaysOn' : { skip: 1 };
        const held = { failCommands: ['aggregate'], blockConnection: true, blockTimeMS: 200 };
        const point = await failCommand(database.client, mode, { appName: APP_NAME, ...held });
        const under = run(filters);
        await point.met();
        const dropped = await database.client.withSession(async (session) => {
          await database.db.collection(gone).drop({ session });
          return session.operationTime!;
        });
        const { total, joined, asOf } = await under;
        const before = { total: 2, joined: [1, 1] };
        const without = 'project_name' in filters ? { total: 0, joined: [] } : undefined;
        const after =
          gone === 'tasks' ? { total: 0, joined: [] } : (without ?? { total: 2, joined: [0, 0] });
        expect({ total, joined }).to.deep.equal(asOf.lessThan(dropped) ? before : after);
      });
    }
  }

  it('that was made and filled within the search', async () => {
    const { db } = database;
    const tasks = db.collection('tasks');
    const within = { scope: 'project', project_id: uuid(1) };
    await tasks.drop();
    const made = client.db(database.name);
    let [looks, isThere] = [0, false];
    /** Makes the collection after the first of two looks, and drops it after the read of the page, five times. */
    const command: Db['command'] = async (...given) => {
      const reply = await made.command(...given);
      if ('listCollections' in given[0]) {
        looks += 1;
        if (looks % 2 === 0 || looks > 10) return reply;
        await tasks.insertMany([task(1, within), task(2, within)] as never, MAJORITY);
        isThere = true;
      } else if ('aggregate' in given[0] && isThere) {
        await tasks.drop();
        isThere = false;
      }
      return reply;
    };
    const { total, joined } = await run(
      {},
      executor(Object.assign(Object.create(made), { command })),
    );
    expect(looks).equal(12);
    expect({ total, joined }).deep.equal({ total: 0, joined: [] });
  });

  it('that was made and filled within an export: its rows are as many as it tells', async () => {
    const { db } = database;
    const tasks = db.collection('tasks');
    await tasks.drop();
    const made = client.db(database.name);
    let [looks, reads] = [0, 0];
    /** Makes the collection after the first look, and drops it after the first read. */
    const command: Db['command'] = async (...given) => {
      const reply = await made.command(...given);
      if ('listCollections' in given[0] && ++looks === 1) {
        await tasks.insertMany([task(1, {}), task(2, {})] as never, MAJORITY);
      } else if ('aggregate' in given[0] && ++reads === 1) await tasks.drop();
      return reply;
    };
    const at: Db = Object.assign(Object.create(made), { command });
    const pipeline = executor(at);
    const reading = { db: at, resources: RESOURCES, pipeline, timeoutMs: 5_000 };
    const all = new AllRowsReader({ ...reading, search: new Search({ pipeline }) });
    const sorting = { sort_by: 'id', sort_order: 'asc' as const };
    const body = { filters: {}, pagination: { page: 1, per_page: 10 }, sorting };
    const { plan } = planOf({ view: 'tasks', projectId: '', memberId: 1, http: false, body }, fold);
    const hold = () => ({ release: () => {} });
    const rows = await all.open(plan, [], new Deadline(10_000), {
      ...{ caller: 'ana', hold, step: async (work) => work() },
      readLarge: async (_, read) => ({ read: await read(), hold: hold() }),
    });
    let given = 0;
    for await (const some of rows.rows) given += some.length;
    expect({ looks, total: rows.total, given }).deep.equal({ looks: 3, total: 0, given: 0 });
  });

  const changesAfter = (time: Timestamp, of: object) =>
    database.client
      .db('local')
      .collection('oplog.rs')
      .find({ ts: { $gt: time }, ns: `${database.name}.$cmd`, ...of })
      .sort({ ts: -1 })
      .toArray();

  it('shows nothing of a drop as of a moment before it', async () => {
    const { db } = database;
    const { operationTime } = await db.admin().command({ ping: 1 });
    for (let round = 0; round < 20; round++) {
      const [answer] = await Promise.all([
        sleep(round % 4).then(() => run({ scope: 'project', task_id: uuid(1) })),
        sleep(round % 3).then(() => db.collection('tasks').drop()),
        db.collection('others').insertOne({}),
      ]);
      const [drop] = await changesAfter(operationTime, { 'o.drop': 'tasks' });
      expect(answer.total).to.equal(answer.asOf.lessThan(drop!.ts) ? 1 : 0);
      await db.collection('tasks').insertOne(task(1, { scope: 'project' }) as never);
    }
  });

  it('knows nothing of what names stood for at an earlier search', async () => {
    const { db, name } = database;
    const parked = db.collection('parked');
    const away = { 'o.renameCollection': `${name}.tasks` };
    const { operationTime } = await db.admin().command({ ping: 1 });
    for (let round = 0; round < 20; round++) {
      const pipeline = executor();
      await db.collection('tasks').rename('parked');
      expect((await run({}, pipeline)).total).to.equal(0);
      await parked.rename('tasks');
      // After this write the latest moment that can be read has the collection, too.
      await db.collection('others').insertOne({}, { writeConcern: { w: 'majority' } });
      const [answer] = await Promise.all([
        sleep(round % 4).then(() => run({}, pipeline)),
        sleep(round % 3).then(() => db.collection('tasks').rename('parked')),
      ]);
      const [gone] = await changesAfter(operationTime, away);
      expect(answer.total).to.equal(answer.asOf.lessThan(gone!.ts) ? 2 : 0);
      await parked.rename('tasks');
    }
  });
});
