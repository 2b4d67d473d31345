import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient, type Timestamp } from 'mongodb';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { ReplicaSet, stepDownTwice } from '../support/replicaSet.ts';
import { gate, until as untilTrue } from '../support/until.ts';
import { randomFrom } from '../worlds/random.ts';
import {
  type Following,
  timeOf,
  until,
  untilLive,
  untilReached,
  useFollowing,
} from './support/following.ts';
import { Truth } from './support/truth.ts';
import { useWriters } from './support/useWriters.ts';

const DB = 'election';

describe('elections, on a replica set of three', function suite() {
  this.timeout(90_000);
  let set: ReplicaSet;
  let client: MongoClient;
  const start = useFollowing();
  const startWriters = useWriters();

  before(async () => {
    set = await ReplicaSet.start();
    client = await MongoClient.connect(set.uri, { retryWrites: true });
    const many = Array.from({ length: 50 }, (_, i) => ({ _id: i as never, v: 0 }));
    await client
      .db(DB)
      .collection('users')
      .insertMany(many, { writeConcern: { w: 'majority' } });
    await client
      .db(DB)
      .collection('tasks')
      .insertMany(many, { writeConcern: { w: 'majority' } });
  });
  after(async () => {
    await client?.close();
    await set?.stop();
  });

  /** Writers with w: 1, so that some of what they write is rolled back. */
  const storm = async (following: Following, fault: () => Promise<unknown>): Promise<void> => {
    const { follower, sink, specs } = following;
    const truth = new Truth(client.db(DB), specs);
    const writing = await MongoClient.connect(set.uri, { writeConcern: { w: 1 } });
    const writers = startWriters(writing, writing.db(DB), 2, randomFrom(4));
    await sleep(300);
    await truth.check(sink);
    await fault();
    await untilLive(follower, 30_000);
    await sleep(300);
    await writers.stop();
    await writing.close();
    const time = await majorityWrite(client);
    await untilReached(follower, time, 30_000);
    await untilLive(follower, 30_000);
    await truth.check(sink);
    expect(truth.differences).to.deep.equal([]);
    expect(truth.compared).to.be.greaterThan(3);
  };

  it('goes on after the primary has stepped down, twice', async () => {
    const following = await start.live({ uri: set.uri, dbName: DB });
    await storm(following, () => stepDownTwice(client));
    // A stream goes on on another member: nothing had to be loaded again.
    expect(
      following.said.lines.filter((line) => line.includes('has to begin again')),
    ).to.deep.equal([]);
  });

  it('goes on after the primary was killed', async () => {
    const following = await start.live({ uri: set.uri, dbName: DB });
    await storm(following, () => set.killPrimary(client, 2_000));
    expect(
      following.said.lines.filter((line) => line.includes('has to begin again')),
    ).to.deep.equal([]);
  });

  it('shows no write that is not the majority’s, and loads none that only the primary has', async () => {
    const pauses = await Promise.all(
      (await secondaries(client)).map((uri) => MongoClient.connect(uri)),
    );
    const replicate = (mode: 'alwaysOn' | 'off') =>
      Promise.all(
        pauses.map((one) =>
          one.db('admin').command({ configureFailPoint: 'rsSyncApplyStop', mode }),
        ),
      );
    try {
      const early = await start.live({ uri: set.uri, dbName: DB });
      await replicate('alwaysOn');
      const users = client.db(DB).collection('users');
      const session = client.startSession();
      await users.insertOne({ _id: 'alone' as never, v: 1 }, { session, writeConcern: { w: 1 } });
      const late = await start({ uri: set.uri, dbName: DB });
      await sleep(500);
      expect(early.sink.tables.get('users')!.has('salone')).to.equal(false);
      expect(late.follower.isLive(['users'])).to.equal(false);
      await replicate('off');
      for (const { follower, sink } of [early, late]) {
        await untilLive(follower, 30_000);
        await untilReached(follower, session.operationTime!, 30_000);
        expect(sink.tables.get('users')!.has('salone')).to.equal(true);
      }
      await session.endSession();
    } finally {
      await replicate('off');
      await Promise.all(pauses.map((one) => one.close()));
    }
  });

  it('asks for the case folding again when another server answers', async () => {
    const own = await MongoClient.connect(set.uri, { monitorCommands: true });
    try {
      let asked = 0;
      own.on('commandStarted', ({ commandName }) => {
        if (commandName === 'aggregate') asked++;
      });
      const caseFolding = new CaseFolding(own.db(DB));
      caseFolding.watch();
      const fold = await caseFolding.fold();
      await caseFolding.fold();
      expect(asked).to.equal(1);
      await stepDownTwice(client);
      // The driver may hear of it a little later.
      await untilTrue(async () => {
        expect(await caseFolding.fold().catch(() => fold)).to.equal(fold);
        return asked > 1;
      });
    } finally {
      await own.close();
    }
  });

  it('takes no collection for gone that only the primary has dropped', async () => {
    const documents = await client.db(DB).collection('tasks').countDocuments();
    expect(documents).to.be.greaterThan(0);
    const [begin, described] = [gate(), gate()];
    const step = (at: string, name: string) => {
      if (name !== 'tasks') return;
      if (at === 'described') described.open();
      return at === 'begun' ? begin.passed : undefined;
    };
    const { follower, sink } = await start({ uri: set.uri, dbName: DB, options: { step } });
    await until(follower, () => follower.isLive(['users']));
    const dead = await set.primary(client);
    const goOn = await set.stopReplication(client);
    try {
      await client.db(DB).command({ drop: 'tasks', writeConcern: { w: 1 } });
      begin.open();
      await described.passed;
      await dead.kill();
    } finally {
      await goOn();
    }
    // Another one is primary for certain before the first is back, which has more to show.
    await untilTrue(() => majorityWrite(client).catch(() => false), 'no other primary', 30_000);
    await dead.start();
    await untilReached(follower, await majorityWrite(client), 30_000);
    await untilLive(follower, 30_000);
    const sizes = sink.shown.map(({ tables }) => tables.get('tasks')?.size);
    expect(sizes).not.to.include(0);
    expect(sizes.at(-1)).to.equal(documents);
  });
});

async function secondaries(client: MongoClient): Promise<string[]> {
  const { hosts, primary } = await client.db('admin').command({ hello: 1 });
  return (hosts as string[])
    .filter((host) => host !== primary)
    .map((host) => `mongodb://${host}/?directConnection=true`);
}

const majorityWrite = (client: MongoClient): Promise<Timestamp> =>
  timeOf(client, (session) =>
    client
      .db(DB)
      .collection('users')
      .insertOne({}, { session, writeConcern: { w: 'majority' } }),
  );
