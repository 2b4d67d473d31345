import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient, UUID } from 'mongodb';
import { inWords } from '../../src/follow/faults.ts';
import { Follower, type FollowerState } from '../../src/follow/follower.ts';
import { Ended } from '../../src/store/deadline.ts';
import { type Failure, failCommand, failNone } from '../support/failCommand.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { openCursors } from '../support/openCursors.ts';
import { until as untilSo } from '../support/until.ts';
import { randomFrom } from '../worlds/random.ts';
import { effort } from './support/effort.ts';
import {
  type Following,
  Said,
  specOf,
  until,
  untilLive,
  untilReached,
} from './support/following.ts';
import { MapSink } from './support/mapSink.ts';
import { Truth } from './support/truth.ts';
import { useFollowed } from './support/useFollowed.ts';

const APP = 'sync-faults';

describe('faults', () => {
  const { database, start, startWriters, fail, timeOf, refill } = useFollowed(APP);
  const here = () => ({ uri: database.uri, dbName: database.name, appName: APP });

  beforeEach(() => refill(50, 300));

  /** Writers write, the fault comes, everything shown is compared; then all must be live again. */
  const storm = async (
    { follower, sink, specs }: Following,
    fault: () => Promise<unknown>,
  ): Promise<void> => {
    const truth = new Truth(database.db, specs);
    const writers = startWriters(database.client, database.db, 2, randomFrom(2));
    await sleep(60);
    await truth.check(sink);
    await fault();
    await sleep(150 * effort);
    await untilLive(follower);
    await truth.check(sink);
    await writers.stop();
    await endsRight(follower, sink, truth);
  };

  const endsRight = async (
    follower: Following['follower'],
    sink: Following['sink'],
    truth: Truth,
  ): Promise<void> => {
    const time = await timeOf((session) =>
      database.db.collection('users').insertOne({}, { session }),
    );
    await untilReached(follower, time);
    await untilLive(follower);
    await truth.check(sink);
    expect(truth.differences).to.deep.equal([]);
    expect(truth.compared).to.be.greaterThan(1);
  };

  const FAULTS: Record<string, readonly [failure: Failure, times: number]> = {
    'the connection is cut under the stream': [
      { failCommands: ['getMore'], closeConnection: true },
      3,
    ],
    'the connection is cut when the stream is resumed': [
      { failCommands: ['getMore', 'aggregate'], closeConnection: true },
      6,
    ],
    'the connection is cut under a read': [{ failCommands: ['find'], closeConnection: true }, 4],
    'the stream’s cursor is gone': [{ failCommands: ['getMore'], errorCode: 43 }, 2],
    'the primary steps down under the stream': [{ failCommands: ['getMore'], errorCode: 10107 }, 2],
    'the server interrupts the stream': [{ failCommands: ['getMore'], errorCode: 11601 }, 2],
    'the state cannot be read yet': [{ failCommands: ['find'], errorCode: 246 }, 5],
    'the state cannot be read any more': [{ failCommands: ['find'], errorCode: 239 }, 5],
    'a read takes too long': [{ failCommands: ['find'], errorCode: 50 }, 3],
    'the server names no reason that is known': [
      { failCommands: ['find', 'getMore'], errorCode: 8 },
      4,
    ],
  };

  for (const [name, [failure, times]] of Object.entries(FAULTS)) {
    it(`goes on when ${name}`, async function test() {
      this.timeout(120_000 * effort);
      const following = await start.live(here());
      await storm(following, () => fail(failure, times));
      expect(
        following.said.lines.filter((line) => line.includes('has to begin again')),
      ).to.deep.equal([]);
    });
  }

  const LOSSES: Record<string, number> = {
    'its history is lost': 286,
    'the server gives it up': 280,
    'the oplog has overtaken it': 136,
    'its token is refused': 260,
  };

  for (const [name, errorCode] of Object.entries(LOSSES)) {
    it(`opens a new stream and loads again when ${name}`, async function test() {
      this.timeout(120_000 * effort);
      const following = await start.live(here());
      const before = following.follower.frontier!;
      await storm(following, async () => {
        await fail({ failCommands: ['getMore'], errorCode }, 1);
        await untilSo(() => following.phases.includes('reloading'), 'the loss is not met');
      });
      expect(following.phases).to.include.members(['loading', 'live', 'reloading']);
      expect(following.said.lines.join('\n')).to.include('has to begin again');
      expect(following.follower.frontier!.greaterThan(before)).to.equal(true);
    });
  }

  it('loads again when the name stands for another collection and the stream does not say so', async () => {
    const following = await start.live(here());
    const errorExtraInfo = {
      db: database.name,
      collectionUUID: new UUID(),
      expectedCollection: 'users',
      actualCollection: null,
    };
    // The failpoint is one collection's, so that its refusals follow one another.
    const namespace = `${database.name}.tasks`;
    const failure = { failCommands: ['find'], errorCode: 361, errorExtraInfo, namespace };
    await storm(following, async () => {
      await fail(failure, 6);
      const { lines } = following.said;
      await untilSo(() => lines.join('\n').includes('loading the collection again'));
    });
  });

  it('starts though the first commands fail', async () => {
    await fail(
      { failCommands: ['aggregate', 'find', 'listCollections'], closeConnection: true },
      6,
    );
    const following = await start.live(here());
    await storm(following, async () => {});
  });

  it('is behind, not wrong, while the stream does not answer', async function test() {
    this.timeout(120_000 * effort);
    const following = await start({ ...here(), options: { staleMs: 300, awaitMs: 100 } });
    const { follower } = following;
    await untilLive(follower);
    await fail({ failCommands: ['getMore'], blockConnection: true, blockTimeMS: 2_000 }, 1);
    await until(follower, ({ phase }) => phase === 'behind');
    expect(follower.isLive(['users'])).to.equal(false);
    await untilLive(follower);
    expect(follower.isLive(['users'])).to.equal(true);
    await storm(following, async () => {});
  });

  it('is behind while the reads it needs are refused', async () => {
    const { follower } = await start.live({ ...here(), options: { staleMs: 200 } });
    await fail({ failCommands: ['find'], errorCode: 8 }, 40);
    await database.db.collection('users').insertOne({});
    await until(follower, ({ phase }) => phase === 'behind');
    await fail({ failCommands: ['ping'], errorCode: 8 }, 1);
    await untilLive(follower);
  });

  it('goes on after the network was cut, and after it fell silent', async function test() {
    this.timeout(120_000 * effort);
    const proxy = await NetworkProxy.to(database.uri);
    try {
      const uri = `${proxy.uri}&serverSelectionTimeoutMS=500&connectTimeoutMS=500&heartbeatFrequencyMS=500`;
      const following = await start.live({ ...here(), uri });
      await storm(following, async () => {
        proxy.cut();
        await until(following.follower, ({ phase }) => phase === 'behind');
        await sleep(300);
        proxy.restore();
      });
      await storm(following, async () => {
        proxy.silence();
        await until(following.follower, ({ phase }) => phase === 'behind');
        await sleep(1_500);
        proxy.restore();
      });
      expect(
        following.said.lines.filter((line) => line.includes('has to begin again')),
      ).to.deep.equal([]);
    } finally {
      await proxy.close();
    }
  });

  it('goes on when its cursors and sessions are killed again and again', async function test() {
    this.timeout(120_000 * effort);
    const following = await start.live(here());
    await storm(following, async () => {
      for (let i = 0; i < 4 * effort; i++) {
        const admin = database.client.db('admin');
        const cursors = await openCursors(database.client, `${database.name}.$cmd.aggregate`);
        await database.db.command({ killCursors: '$cmd.aggregate', cursors });
        if (i % 3 === 0) await admin.command({ killAllSessions: [] });
        await sleep(60);
      }
    });
  });

  it('does without heartbeats when the account may only read', async () => {
    await fail({ failCommands: ['update'], errorCode: 13 }, 1);
    const { follower } = await start.live(here());
    expect(follower.state.heartbeats).to.equal(false);
    const time = await timeOf((session) =>
      database.db.collection('elsewhere').insertOne({}, { session }),
    );
    await untilReached(follower, time);
  });

  it('is off when the account may not follow, and says so', async () => {
    await fail({ failCommands: ['aggregate'], errorCode: 13 }, 1);
    const { follower } = await start(here());
    await until(follower, ({ phase }) => phase === 'off');
    expect(follower.state.reason).to.include('Unauthorized');
    expect(follower.isLive(['users'])).to.equal(false);
  });

  it('is off when every collection is, and says so', async () => {
    await fail({ failCommands: ['listCollections'], errorCode: 13 }, 2);
    const { follower } = await start(here());
    const off = ({ collections }: FollowerState) =>
      collections.every((one) => one.phase === 'off' && one.reason.includes('Unauthorized'));
    await until(follower, off);
    expect(follower.state).include({ phase: 'off', reason: 'no collection can be followed' });
  });

  it('loads a collection once the account may read it, which is off until then', async () => {
    const { follower, sink, specs } = await start.live({ ...here(), options: { deniedMs: 100 } });
    await fail({ failCommands: ['listCollections'], errorCode: 13 }, 3);
    follower.restart('users', 'a test wants it', 0);
    const phaseOf = (name: string) =>
      follower.state.collections.find((one) => one.name === name)!.phase;
    await until(follower, () => phaseOf('users') === 'off');
    expect(follower.isLive(['tasks'])).to.equal(true);
    const told: string[] = [];
    follower.onStateChange(() => told.push(phaseOf('users')));
    const writers = startWriters(database.client, database.db, 2, randomFrom(2));
    await until(follower, () => phaseOf('users') === 'live');
    expect([...new Set(told)]).to.deep.equal(['loading', 'loaded', 'live']);
    await writers.stop();
    await endsRight(follower, sink, new Truth(database.db, specs));
  });

  it('gives up a live collection whose right is taken away, until it is granted again', async () => {
    const { follower, sink, specs } = await start.live({ ...here(), options: { deniedMs: 100 } });
    const denied = { errorCode: 13, appName: APP, namespace: `${database.name}.users` };
    await failCommand(database.client, 'alwaysOn', { ...denied, failCommands: ['find'] });
    const write = (name: string) =>
      timeOf((session) =>
        database.db
          .collection(name)
          .updateOne({ _id: 0 as never }, { $inc: { v: 1 } }, { session }),
      );
    await write('users');
    await until(follower, ({ collections }) => collections[0]!.phase === 'off');
    expect(follower.state.collections[0]!.reason).to.include('Unauthorized');
    await untilReached(follower, await write('tasks'));
    expect(follower.isLive(['tasks'])).to.equal(true);
    await failNone(database.client);
    await untilLive(follower);
    await endsRight(follower, sink, new Truth(database.db, specs));
  });

  it('stays off until the account may follow, then loads', async () => {
    await fail({ failCommands: ['aggregate'], errorCode: 13 }, 3);
    const { follower, said } = await start({ ...here(), options: { deniedMs: 200 } });
    await until(follower, ({ phase }) => phase === 'off');
    const told: string[] = [];
    follower.onStateChange(({ phase, collections }) => {
      told.push(phase, ...collections.map((one) => one.phase));
    });
    const attempts = () => said.lines.filter((line) => line.includes('has to begin again')).length;
    const seen = new Set<string>();
    while (attempts() < 3) {
      const { phase, collections } = follower.state;
      for (const one of [phase, ...collections.map((each) => each.phase)]) seen.add(one);
      await sleep(1);
    }
    expect([...seen]).to.deep.equal(['off']);
    expect(said.warnings.filter((line) => line.includes('has to begin again'))).to.have.length(1);
    expect(told).to.deep.equal([]);
    await untilLive(follower);
    expect(follower.isLive(['users', 'tasks'])).to.equal(true);
  });

  it('stays off, with all collections, while further attempts fail for another reason', async () => {
    await fail({ failCommands: ['aggregate'], errorCode: 13 }, 1);
    const { follower, said } = await start({ ...here(), options: { deniedMs: 500 } });
    await until(follower, ({ phase }) => phase === 'off');
    await fail({ failCommands: ['aggregate'], errorCode: 286 }, 1);
    const attempts = () => said.lines.filter((line) => line.includes('has to begin again')).length;
    await untilSo(() => attempts() === 2, 'no second attempt');
    const { phase, collections } = follower.state;
    expect([phase, ...collections.map((one) => one.phase)]).to.deep.equal(['off', 'off', 'off']);
    await untilLive(follower);
  });

  it('tells in words why a command to the store was given up', () => {
    expect(inWords(new Ended('lost'))).to.equal('the primary that was asked was lost');
    expect(inWords(new Ended('time'))).to.equal('no answer came in time');
  });

  it('waits for a server that is not there', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1/?replicaSet=none', {
      serverSelectionTimeoutMS: 50,
    });
    const follower = new Follower({
      db: client.db('nowhere'),
      collections: [specOf('users')],
      sink: new MapSink(),
      log: new Said(),
    });
    await until(follower, ({ reason }) => reason !== 'starting');
    expect(follower.state.phase).to.equal('loading');
    expect(follower.state.reason, 'no address: it is public').to.equal(
      'MongoServerSelectionError: no server of the store answers',
    );
    expect(follower.frontier).to.equal(null);
    await follower.stop();
    await client.close();
  });
});
