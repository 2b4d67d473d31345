/**
 * Faults of the store's history: writes that the majority never had, and moments that no member
 * has.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { failCommand } from '../support/failCommand.ts';
import { until } from '../support/until.ts';
import { alone } from './cluster.ts';
import type { Fault } from './fault.ts';
import type { Stage } from './stage.ts';

/** The first id of the documents that are written to be rolled back. */
const ROLLED_BACK = 70_000;

const rollbackId = (client: MongoClient): Promise<number> =>
  client
    .db('admin')
    .command({ replSetGetRBID: 1 })
    .then(({ rbid }) => Number(rbid));

const isPrimary = (client: MongoClient): Promise<boolean> =>
  client
    .db('admin')
    .command({ hello: 1 })
    .then(({ isWritablePrimary }) => Boolean(isWritablePrimary));

/** The number of rollbacks, of all members together. */
async function rollbacks({ cluster }: Stage): Promise<number> {
  const ids = await Promise.all(cluster.set.members.map((member) => alone(member, rollbackId)));
  return ids.reduce((a, b) => a + b);
}

let rollbacksBefore = 0;

export const rollBack: Fault = {
  name: 'rollback',
  what: 'an isolated primary takes writes that the majority never has, and rolls them back',
  clouds: true,
  async inject(stage) {
    rollbacksBefore = await rollbacks(stage);
    const primary = await stage.cluster.primary();
    stage.cluster.isolate(primary);
    await alone(primary, (client) => writeAlone(client, stage));
    // Without a successor it would be elected again, having written last, and keep all of it.
    await until(async () => {
      const others = stage.cluster.others(primary).map((member) => alone(member, isPrimary));
      return (await Promise.all(others)).includes(true);
    }, 'the isolated primary has no successor');
    await stage.wait();
  },
  async verify(stage) {
    const rolledBack = (await rollbacks(stage)) > rollbacksBefore;
    const kept = await stage.db
      .collection('users')
      .countDocuments({ _id: { $gte: ROLLED_BACK as never } });
    return [
      ...(rolledBack ? [] : ['nothing was rolled back']),
      ...(kept === 0 ? [] : [`${kept} writes of an isolated primary were kept`]),
    ];
  },
};

/** Until it is primary no more. */
async function writeAlone(client: MongoClient, stage: Stage): Promise<void> {
  const db = client.db(stage.db.databaseName, { writeConcern: { w: 1 } });
  for (let n = 0; n < 2_000; n++) {
    try {
      await db.collection('users').insertOne({ _id: (ROLLED_BACK + n) as never, email: 'lost@x' });
      await db.collection('tasks').updateMany({}, { $set: { worker: 'lost' } });
    } catch {
      return;
    }
    await sleep(20);
  }
}

/** The service's own name to the servers. */
const SERVICE = 'table-search';

export const dropUnknownToMajority: Fault = {
  name: 'lost-drop',
  what: 'schedules are loaded anew while the primary has dropped them, which the majority never learns',
  clouds: true,
  async inject(stage) {
    const { cluster, db } = stage;
    const primary = await cluster.primary();
    const resume = await cluster.set.stopReplication(cluster.client);
    try {
      await alone(primary, async (client) => {
        await client.db(db.databaseName).command({ drop: 'schedules', writeConcern: { w: 1 } });
        // The streams end for good, so that all collections are loaded again.
        const ends = { failCommands: ['getMore'], errorCode: 286, appName: SERVICE };
        await failCommand(client, { times: stage.instances.length }, ends);
        await stage.wait(0.4);
      });
      await primary.kill();
    } finally {
      await resume();
    }
    await stage.wait(0.8);
    await primary.start();
  },
  async verify({ db }) {
    const left = await db.collection('schedules').estimatedDocumentCount();
    return left > 0 ? [] : ['the drop was not lost'];
  },
};

const BALLAST_BYTES = 3_000_000;
const BALLAST_AT_ONCE = 4;

export const lostHistory: Fault = {
  name: 'lost-history',
  what: 'the store is silent for the instances until the oplog has been overwritten',
  async inject(stage) {
    const { cluster, history } = stage;
    const since = await history.read();
    for (const front of cluster.fronts()) front.silence();
    const ballast = cluster.client.db('ballast').collection('ballast');
    const documents = () =>
      Array.from({ length: BALLAST_AT_ONCE }, () => ({ pad: 'x'.repeat(BALLAST_BYTES) }));
    await until(
      async () => {
        await ballast.insertMany(documents(), { writeConcern: { w: 'majority' } });
        await history.read();
        // The server removes entries of the oplog only after a checkpoint has them.
        await cluster.tell(cluster.set.members, { fsync: 1 });
        const oldest = await Promise.all(
          cluster.set.members.map((member) => alone(member, oldestEntry)),
        );
        return oldest.every((at) => at.greaterThan(since));
      },
      'the oplog was not overwritten',
      90_000,
    );
    await cluster.client.db('ballast').dropDatabase();
  },
  async verify({ instances }) {
    const silent = instances.filter(
      ({ lines }) => !lines.some(({ msg }) => String(msg).includes('has to begin again')),
    );
    return silent.map(({ name }) => `instance ${name} opened no stream anew`);
  },
};

async function oldestEntry(client: MongoClient) {
  const oplog = client.db('local').collection('oplog.rs');
  const [first] = await oplog.find().sort({ $natural: 1 }).limit(1).toArray();
  return first!.ts;
}
