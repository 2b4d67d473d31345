/**
 * A primary that another one replaces, as searches under way and the follower meet it, on a replica set
 * of three behind proxies.
 *
 *     silent     searches ──▶ A   the others elect B: the same searches ──▶ B, long before the driver
 *                                 finds that it hears nothing of A
 *     rolled     look ─▶ A │ A alone drops the collection │ read: empty │ A dies │ look ─▶ B: as before
 *     back
 */
import { expect } from 'chai';
import { type Db, type Document, MongoClient } from 'mongodb';
import { DataPolicy } from '../../src/apps/admin/policy.ts';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { decodeAll } from '../../src/store/bson/decode.ts';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { PipelineExecutor } from '../../src/tables/pipeline/pipelineExecutor.ts';
import { Quota } from '../../src/tables/search/quota.ts';
import type { Fold } from '../../src/textindex/index.ts';
import { user } from '../conformance/documents.ts';
import { Cluster } from '../faults/cluster.ts';
import { principal } from '../serve/edge.ts';
import { until } from '../support/until.ts';
import { type Ask, planOf } from './asks.ts';
import { type System, startSystem } from './system.ts';

const DB = 'replaced';
const USERS = 5;
const NEW = 6;

const ALL_USERS: Ask = {
  ...{ view: 'users', projectId: '', memberId: 1, http: false },
  body: {
    filters: {},
    pagination: { page: 1, per_page: 10 },
    sorting: { sort_by: 'id', sort_order: 'asc' },
  },
};

describe('a primary that is replaced', function suite() {
  this.timeout(120_000);
  let cluster: Cluster;
  let fold: Fold;
  const plan = () => planOf(ALL_USERS, fold).plan;

  before(async () => {
    cluster = await Cluster.start();
    await cluster.client.connect();
    const users = Array.from({ length: USERS }, (_, i) => user(i + 1));
    await cluster.client
      .db(DB)
      .collection('users')
      .insertMany(users as never[]);
    fold = await new CaseFolding(cluster.client.db(DB)).fold();
  });
  after(() => cluster?.stop());

  describe('while it is silent', () => {
    /** The driver by itself would notice no sooner than this. */
    const NOTICED_MS = 90_000;
    let system: System;

    before(async () => {
      const slow = `connectTimeoutMS=${NOTICED_MS}&heartbeatFrequencyMS=${NOTICED_MS}`;
      const uri = `${cluster.serviceUri}&${slow}`;
      const caseFolding = new CaseFolding(cluster.client.db(DB));
      system = await startSystem({ uri, dbName: DB, caseFolding });
      await until(() => system.index.state().state === 'live', 'the index is not live');
    });
    after(async () => {
      cluster.restore();
      await system?.stop();
      await cluster.whole();
    });

    it('keeps neither searches nor the index once there is another one', async () => {
      const old = await cluster.primary();
      for (const front of cluster.fronts(old)) front.silence();
      const underWay = Array.from({ length: 4 }, () =>
        system.pipeline.run(plan(), undefined, new Deadline(NOTICED_MS / 2)),
      );
      cluster.isolate(old);
      for (const { total } of await Promise.all(underWay)) expect(total).to.equal(USERS);
      const byIndex = async () =>
        (await system.search.run(plan(), new Deadline(NOTICED_MS / 2))).route === 'index';
      await until(byIndex, 'the index does not answer');
      // The searches above were told, since they had longer. The stream gives a silent server up after five
      // seconds itself, about as long as an election takes here: whichever came first.
      expect(system.warnings.join('\n')).to.match(
        /the primary that was asked was replaced|no answer came in time/,
      );
    });
  });

  describe('with what only it had', () => {
    let client: MongoClient;
    before(async () => {
      client = await MongoClient.connect(cluster.serviceUri, { serverSelectionTimeoutMS: 2_000 });
    });
    after(() => client?.close());

    it('grants no right, and takes none away', async () => {
      const policy = new DataPolicy({ db: client.db(DB) });
      const refusal = (id: number) => policy.refusal(principal(id)).read();
      const alone = { writeConcern: { w: 1 } } as const;
      const users = cluster.client.db(DB).collection<{ _id: number; active: boolean }>('users');
      const replicate = await cluster.set.stopReplication(cluster.client);
      try {
        await users.insertOne({ _id: NEW, active: true }, alone);
        await users.updateOne({ _id: 1 }, { $set: { active: false } }, alone);
        expect(await refusal(NEW)).to.include('there is no user');
        expect(await refusal(1)).to.equal('');
      } finally {
        await replicate();
      }
      await until(async () => (await refusal(NEW)) === '', 'the majority lacks it');
      expect(await refusal(1)).to.include('not active');
      await users.deleteOne({ _id: NEW });
    });

    it('leaves no trace of a drop in an answer that it served a part of', async () => {
      const dead = await cluster.primary();
      let replicate = async () => {};
      const dropAlone = async () => {
        // The read waits until the majority has the state that the look before it showed.
        const majority = { writeConcern: { w: 'majority' } } as const;
        await cluster.client.db(DB).collection('others').insertOne({}, majority);
        replicate = await cluster.set.stopReplication(cluster.client);
        await cluster.client.db(DB).command({ drop: 'users', writeConcern: { w: 1 } });
      };
      const isReplaced = async () => {
        const hello = await client.db('admin').command({ hello: 1 });
        return hello.isWritablePrimary === true && hello.me !== me;
      };
      const { me } = await client.db('admin').command({ hello: 1 });
      const die = async () => {
        await dead.kill();
        await replicate();
        await until(() => isReplaced().catch(() => false as const), 'no other primary', 60_000);
      };
      let looks = 0;
      const reads: Document[] = [];
      const meanwhile = async (command: Document, send: () => Promise<Document>) => {
        if ('aggregate' in command && reads.length === 0) await dropAlone();
        if ('listCollections' in command && ++looks === 2) await die();
        const reply = await send();
        if ('aggregate' in command) reads.push(decodeAll(reply.cursor.firstBatch));
        return reply;
      };
      const pipeline = new PipelineExecutor({
        db: interrupted(client.db(DB), meanwhile),
        resources: RESOURCES,
        running: new Quota({ what: 'pipelines', overall: 1, waiting: 1 }),
      });
      try {
        const { total } = await pipeline.run(plan(), undefined, new Deadline(60_000));
        // The server takes a name's meaning from its own catalogue, not from the majority's data.
        expect(reads[0]).to.deep.equal([{ count: [], page: [] }]);
        expect(total).to.equal(USERS);
      } finally {
        await dead.start();
      }
    });
  });
});

/** The database, whose commands others send on. */
function interrupted(
  db: Db,
  send: (command: Document, goOn: () => Promise<Document>) => Promise<Document>,
): Db {
  const command = (document: Document, options: object) =>
    send(document, () => db.command(document, options));
  return Object.create(db, { command: { value: command } }) as Db;
}
