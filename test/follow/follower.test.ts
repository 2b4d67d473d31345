import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Binary, type ClientSession, Decimal128, Long, MinKey, ObjectId, Timestamp } from 'mongodb';
import { HEARTBEAT_COLLECTION } from '../../src/follow/heartbeat.ts';
import type { Row, RowId } from '../../src/textindex/index.ts';
import { failCommand, failNone } from '../support/failCommand.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { openCursors } from '../support/openCursors.ts';
import { startStandalone } from '../support/replicaSet.ts';
import { until as untilSo } from '../support/until.ts';
import { randomFrom } from '../worlds/random.ts';
import { effort } from './support/effort.ts';
import { until, untilLive, untilReached } from './support/following.ts';
import { MapSink, type Table } from './support/mapSink.ts';
import { insertBroken } from './support/rawInsert.ts';
import { Truth } from './support/truth.ts';
import { useFollowed } from './support/useFollowed.ts';
import { WRITES } from './support/writers.ts';

const APP = 'sync-follower';

/** Has tables from the start, as of a checkpoint. */
class RestoredSink extends MapSink {
  /** The tables whose loading began again. */
  readonly begun: string[] = [];
  /** How many rows each slice took out. */
  readonly taken: number[] = [];
  /** The moments by which the follower asked for outdated rows, by the table. */
  readonly asked = new Map<string, Timestamp>();

  constructor(tables: ReadonlyMap<string, Table>) {
    super();
    for (const [name, rows] of tables) {
      super.begin(name);
      while (this.prepare(name));
      while (this.finish(name));
      this.tables.set(name, new Map(rows));
    }
  }

  override begin(collection: string): void {
    this.begun.push(collection);
    super.begin(collection);
  }

  override outdated(collection: string, at: Timestamp): readonly RowId[] {
    this.asked.set(collection, at);
    return super.outdated(collection);
  }

  override load(collection: string, rows: readonly Row[], gone: readonly RowId[]): void {
    this.taken.push(gone.length);
    super.load(collection, rows, gone);
  }
}

describe('follower', () => {
  const { database, start, startWriters, fail, here, timeOf, refill, expectTrue } =
    useFollowed(APP);

  /** The tables of a life that has ended, after this write, and their moment: as the next one restores them. */
  async function ended(
    options: Parameters<typeof start.live>[0]['options'] = {},
    write: Parameters<typeof timeOf>[0] = writeToUser,
  ) {
    const { end, follower, sink: before } = await start.live({ ...here(), options });
    await untilReached(follower, await timeOf(write));
    const moment = await follower.standStill(async (one) => one);
    await end();
    const sink = new RestoredSink(before.tables);
    const { at, anchor, uuids } = moment!;
    const tables = new Map(
      [...uuids].map(([name, uuid]) => [name, { uuid, rows: sink.tables.get(name)!.size }]),
    );
    return { sink, restored: { at, anchor, tables } };
  }

  beforeEach(() => refill(50, 3_000));

  for (const name of [...Object.keys(WRITES), 'all together']) {
    it(`shows only states that were: ${name}`, async function test() {
      this.timeout(30_000 + 10_000 * effort);
      await database.db.collection('tasks').deleteMany({ _id: { $gt: 100 as never } });
      const { follower, sink, specs } = await start.live(here());
      const truth = new Truth(database.db, specs);
      const names = name === 'all together' ? Object.keys(WRITES) : [name, 'insert', 'remove'];
      const writers = startWriters(database.client, database.db, 4, randomFrom(1), names);
      const end = performance.now() + effort * (name === 'all together' ? 1_200 : 350);
      while (performance.now() < end || truth.compared <= 3 || writers.done() <= 3) {
        await truth.check(sink);
        await sleep(5);
      }
      await writers.stop();
      await untilReached(follower, await timeOf(writeToUser));
      await truth.check(sink);
      expect(truth.differences).to.deep.equal([]);
      expect(truth.unreadable).to.equal(0);
      expect(truth.compared).to.be.greaterThan(3);
      expect(writers.done()).to.be.greaterThan(3);
    });
  }

  it('has its own write in the next state', async () => {
    const { follower, sink } = await start.live(here());
    for (let v = 1; v <= 100; v++) {
      const time = await timeOf((session) =>
        database.db
          .collection('users')
          .updateOne({ _id: 7 as never }, { $set: { v } }, { session }),
      );
      await untilReached(follower, time);
      expect(sink.tables.get('users')!.get('n7')!.cells[1]).to.equal(v);
    }
  });

  it('makes an event where there was none for long, so that the oplog reaches back to the latest one', async () => {
    await start.live({ ...here(), options: { quietS: 1, awaitMs: 50 } });
    const beat = async () => (await database.db.collection(HEARTBEAT_COLLECTION).findOne())?.at;
    const others = database.client.db(`${database.name}_others`).collection('others');
    // The beats of the start have all come.
    await sleep(500);
    const before = await beat();
    try {
      await untilSo(async () => {
        await others.insertOne({});
        return (await beat()).getHighBitsUnsigned() > before.getHighBitsUnsigned();
      });
    } finally {
      await database.client.db(`${database.name}_others`).dropDatabase();
    }
  });

  it('reaches the time of a write that it does not follow', async () => {
    const { follower } = await start.live({ ...here(), options: { awaitMs: 10_000 } });
    const began = performance.now();
    for (let i = 0; i < 10; i++) {
      const time = await timeOf((session) =>
        database.db.collection('elsewhere').insertOne({ i }, { session }),
      );
      await untilReached(follower, time);
    }
    expect(performance.now() - began, 'ten of them').to.be.lessThan(10_000);
    expect(await database.db.collection(HEARTBEAT_COLLECTION).countDocuments()).to.equal(1);
  });

  const writeToUser = (session: ClientSession) => {
    const users = database.db.collection<{ _id: number }>('users');
    return users.updateOne({ _id: 0 }, { $inc: { v: 1 } }, { session });
  };

  it('takes rows out in slices that a restored table has no more when it goes live', async () => {
    const { sink, restored } = await ended();
    sink.old.push(...Array.from({ length: 1_000 }, (_, n) => n + 1));
    await start.live({ ...here(), sink, restored });
    expect(sink.begun).eql([]);
    for (const { tables } of sink.shown) {
      expect(tables.get('users')?.size ?? 1).equal(1);
      expect(tables.get('tasks')?.size ?? 2_000).equal(2_000);
    }
    expect(sink.live.size).equal(2);
    expect(Math.max(...sink.taken)).within(1, 8);
    for (const [name, asked] of sink.asked) {
      const { at } = sink.shown.find(({ tables }) => tables.has(name))!;
      expect(asked.greaterThan(at), name).equal(false);
    }
  });

  it('does not go live before the stream has passed what a restored table read before it began again', async () => {
    const { sink, restored } = await ended();
    const tasks = database.db.collection('tasks');
    const setAll = (v: number) => tasks.updateMany({}, { $set: { v } });
    await setAll(1);
    const held = { failCommands: ['getMore'], blockConnection: true, blockTimeMS: 2_500 };
    let isAhead = false;
    let slices = 0;
    const { specs } = await start.live({
      ...{ ...here(), sink, restored, appName: APP },
      options: {
        ...{ awaitMs: 50, staleMs: 10_000 },
        async step(at, name) {
          if (name !== 'tasks') return;
          if (at === 'begun' && !isAhead) {
            // The stream tells of the first changes, and is held up before the next ones.
            isAhead = true;
            await sleep(500);
            await fail(held, 1);
            await sleep(200);
            await setAll(2);
          }
          // So few are left that the next attempt reads none.
          if (at === 'slice' && ++slices === 9) throw new Error('a load that fails on its way');
        },
      },
    });
    await expectTrue({ sink, specs });
    expect(sink.begun).eql([]);
    expect(sink.tables.get('tasks')!.get('n1')!.cells[1]).equal(2);
  });

  it('goes on from a moment whose latest event is of a collection that it no longer follows', async () => {
    const { sink, restored } = await ended({ heartbeats: false });
    const { said } = await start.live({ ...here(), collections: ['tasks'], sink, restored });
    expect(sink.begun).eql([]);
    expect(said.warnings).eql([]);
  });

  it('keeps restored tables where their latest event leaves the oplog while nothing is told of', async () => {
    const { sink, restored } = await ended({ heartbeats: false });
    const proxy = await NetworkProxy.to(database.uri);
    try {
      const uri = `${proxy.uri}&connectTimeoutMS=500&heartbeatFrequencyMS=500`;
      const { follower, end } = await start({
        ...{ ...here(), uri, collections: ['tasks'], sink, restored, appName: APP },
        options: { heartbeats: false, awaitMs: 50 },
      });
      // Writes that it does not follow move the stream on.
      await untilSo(async () => {
        await database.db.collection('elsewhere').insertOne({});
        return follower.state.phase === 'live';
      });
      proxy.cut();
      await until(follower, ({ phase }) => phase === 'behind');
      // The stream is opened again, and then its latest event is asked for.
      const failure = { failCommands: ['aggregate'], errorCode: 286, appName: APP };
      const { met } = await failCommand(database.client, { skip: 1 }, failure);
      proxy.restore();
      await met();
      await failNone(database.client);
      await untilLive(follower);
      expect(sink.begun).eql([]);
      await end();
    } finally {
      await proxy.close();
    }
  });

  it('says that history is lost where it goes after the stream was opened at a moment', async () => {
    const { sink, restored } = await ended();
    let isAsked = false;
    const { said } = await start.live({
      ...{ ...here(), sink, restored, appName: APP },
      // Asked between the opening and the search for the latest event of the moment.
      async tablesFit() {
        if (!isAsked) await fail({ failCommands: ['aggregate'], errorCode: 286 }, 1);
        isAsked = true;
        return true;
      },
    });
    expect(new Set(sink.begun)).eql(new Set(['users', 'tasks']));
    expect(said.warnings.join()).include('ChangeStreamHistoryLost').not.include('another history');
  });

  it('waits for a store that has to read a long oplog before the stream is open', async () => {
    const { sink, restored } = await ended();
    const real = globalThis.setTimeout;
    // Waits of half a minute and more are over a hundred times as soon.
    const sooner = (work: () => void, ms = 0) => real(work, ms < 30_000 ? ms : ms / 100);
    globalThis.setTimeout = Object.assign(sooner, real) as typeof setTimeout;
    try {
      await fail({ failCommands: ['aggregate'], blockConnection: true, blockTimeMS: 1_300 }, 4);
      const { said } = await start.live({ ...here(), sink, restored, appName: APP });
      expect(sink.begun).eql([]);
      expect(said.lines.filter((line) => line.startsWith('change stream interrupted'))).lengthOf(3);
    } finally {
      globalThis.setTimeout = real;
    }
  });

  it('goes on from a moment whose first changes since do not fit into a reply', async () => {
    const { sink, restored } = await ended();
    const long = Array.from({ length: 1_200 }, (_, i) => ({ _id: `${i} ${'x'.repeat(20_004)}` }));
    const tasks = database.db.collection<{ _id: string }>('tasks');
    const time = await timeOf((session) => tasks.insertMany(long, { session }));
    const { follower, specs } = await start.live({ ...here(), sink, restored });
    await untilReached(follower, time);
    expect(sink.begun).eql([]);
    sink.shown.splice(0, sink.shown.length - 1);
    expect(sink.tables.get('tasks')!.size).equal(4_200);
    await expectTrue({ sink, specs });
  });

  it('finds the latest event of a moment before others that are too large for one reply', async () => {
    const elsewhere = database.db.collection<{ _id: string }>('elsewhere');
    await elsewhere.insertOne({ _id: '' });
    const { sink, restored } = await ended({ heartbeats: false }, (session) =>
      session.withTransaction(async () => {
        // The user's event is the second one of its time.
        await elsewhere.insertOne({ _id: 'a' }, { session });
        await writeToUser(session);
      }),
    );
    const long = (n: number) => ({ _id: `${n}`.padEnd(1_500_000, 'x') });
    for (let n = 0; n < 12; n++) await elsewhere.insertOne(long(n));
    await start.live({ ...here(), sink, restored });
    expect(sink.begun).eql([]);
  });

  it('takes restored tables up before it loads one that has no checkpoint', async () => {
    const first = await start.live({ ...here(), collections: ['tasks'] });
    await untilReached(first.follower, await timeOf(writeToUser));
    const moment = await first.follower.standStill(async (one) => one);
    await first.end();
    const sink = new RestoredSink(first.sink.tables);
    const begun: string[] = [];
    const step = (at: string, name: string) => void (at === 'begun' && begun.push(name));
    const uuid = moment!.uuids.get('tasks')!;
    const restored = { ...moment!, tables: new Map([['tasks', { uuid, rows: 3_000 }]]) };
    await start.live({ ...here(), sink, restored, options: { step } });
    expect(sink.begun).eql(['users']);
    expect(begun).eql(['tasks', 'users']);
  });

  it('loads all where the store has not come to the moment of the restored tables', async () => {
    const { sink, restored } = await ended();
    const ahead = { ...restored, at: restored.at + (3_600n << 32n) };
    await start.live({ ...here(), sink, restored: ahead });
    expect(new Set(sink.begun)).eql(new Set(['users', 'tasks']));
  });

  it('takes rows out in slices that left a window while the frontier could not move', async () => {
    const sink = new RestoredSink(new Map());
    const { follower } = await start.live({
      ...{ ...here(), sink, filter: () => ({}), options: { maxStepS: 1 } },
    });
    await untilReached(follower, await timeOf(writeToUser));
    const begun = [...sink.begun];
    sink.asked.clear();
    sink.old.push(...Array.from({ length: 1_000 }, (_, n) => n + 1));
    // Where the machine is busy, the stream may be late, and the frontier moves in shorter steps.
    const stands = async ({ at }: { readonly at: bigint }) => {
      const past = Number(at >> 32n) + 2;
      return await untilSo(async () => (await timeOf(writeToUser)).getHighBitsUnsigned() >= past);
    };
    await untilSo(async () => {
      await follower.standStill(stands);
      await untilReached(follower, await timeOf(writeToUser));
      return sink.asked.size === 2;
    });
    await untilReached(follower, await timeOf(writeToUser));
    await untilLive(follower);
    expect(sink.begun).eql(begun);
    expect([...sink.asked.keys()]).to.have.members(['users', 'tasks']);
    expect(sink.live.size).equal(2);
    expect(sink.taken.filter((n) => n > 0).length).at.least(2 * (1_000 / 8));
    expect(Math.max(...sink.taken)).equal(8);
    for (const [name, size] of [
      ['users', 1],
      ['tasks', 2_000],
    ] as const) {
      expect(sink.tables.get(name)?.size, name).equal(size);
    }
  });

  it('stays live while tables are held still, however long, and then catches up', async () => {
    const { follower, sink } = await start.live({
      ...here(),
      options: { staleMs: 50, awaitMs: 50 },
    });
    const users = database.db.collection('users');
    const change = (v: number) =>
      timeOf((session) => users.updateOne({ _id: 0 as never }, { $set: { v } }, { session }));
    await untilReached(follower, await change(1));
    await untilLive(follower);
    const held = await follower.standStill(async () => {
      // So many that the stream is not read any further.
      await users.insertMany(Array.from({ length: 1_000 }, (_, n) => ({ held: n })));
      const time = await change(2);
      const before = sink.shown.length;
      await sleep(500);
      const { phase } = follower.state;
      return { time, phase, isLive: follower.isLive(['users']), shown: sink.shown.length - before };
    });
    expect({ ...held, time: undefined }).eql({
      ...{ time: undefined, phase: 'live', isLive: true, shown: 0 },
    });
    await untilReached(follower, held!.time);
    expect(sink.tables.get('users')!.size).equal(await users.countDocuments());
  });

  it('loads a table that breaks while the stream waits for changes to be taken in', async () => {
    const { follower, sink } = await start.live({ ...here(), collections: ['users'] });
    await untilReached(follower, await timeOf(writeToUser));
    const users = database.db.collection('users');
    await follower.standStill(async () => {
      // So many that the stream is not read any further.
      await users.insertMany(Array.from({ length: 1_000 }, (_, n) => ({ held: n })));
      await sleep(500);
      follower.restart('users', 'its table broke', 0);
    });
    await untilLive(follower, 10_000);
    expect(sink.tables.get('users')!.size).equal(await users.countDocuments());
  });

  it('says no to a time that is not reached by the deadline, and when it is stopped', async () => {
    const { follower } = await start.live(here());
    const never = new Timestamp({ t: 0xffff_ffff, i: 1 });
    expect(await follower.waitFor(never, 0)).to.equal(false);
    expect(await follower.waitFor(never, 30)).to.equal(false);
    const waiting = follower.waitFor(never, 60_000);
    const stopped = follower.stop();
    // A search that waits for the frontier in a loop ends at once.
    expect(follower.isLive(['users'])).to.equal(false);
    await stopped;
    expect(await waiting).to.equal(false);
    expect(await follower.waitFor(never, 60_000)).to.equal(false);
  });

  it('shows a transaction whole, even one of several batches', async () => {
    const { follower, sink } = await start.live(here());
    for (let v = 1; v <= 3; v++) {
      const time = await timeOf((session) =>
        session.withTransaction(() =>
          database.db.collection('tasks').updateMany({}, { $set: { v } }, { session }),
        ),
      );
      await untilReached(follower, time);
    }
    const seen = sink.shown.map(({ tables }) => {
      const rows = [...(tables.get('tasks')?.values() ?? [])];
      return rows.length === 0 ? 'none' : [...new Set(rows.map((row) => row.cells[1]))].join();
    });
    expect([...new Set(seen)].filter((v) => v !== 'none')).to.deep.equal(['0', '1', '2', '3']);
  });

  it('loads small collections first and tells how far it is', async () => {
    const told: string[] = [];
    const { follower } = await start({
      ...here(),
      options: {
        step: (step, collection) => {
          if (step === 'batch') told.push(`${collection} ${follower.state.phase}`);
        },
      },
    });
    await untilLive(follower);
    expect([...new Set(told)]).to.deep.equal(['users loading', 'tasks loading']);
    const [users, tasks] = follower.state.collections;
    expect(users).to.include({ name: 'users', phase: 'live', read: 50, estimated: 50 });
    expect(tasks).to.include({ name: 'tasks', phase: 'live', read: 3_000, estimated: 3_000 });
  });

  it('turns a collection off whose table would grow too large; the others go on', async () => {
    const sink = new MapSink();
    sink.limit = 60;
    const { follower } = await start.live({ ...here(), sink });
    expect(follower.state.collections[1]).to.include({ phase: 'off', reason: 'the table is full' });
    expect(follower.isLive(['users'])).to.equal(true);
    expect(follower.isLive(['users', 'tasks'])).to.equal(false);
    expect(sink.tables.has('tasks')).to.equal(false);

    const more = Array.from({ length: 20 }, (_, i) => ({ _id: (100 + i) as never }));
    await database.db.collection('users').insertMany(more);
    await until(follower, ({ collections }) => collections[0]!.phase === 'off');
    expect(follower.isLive(['users'])).to.equal(false);
  });

  it('does not follow views and capped collections, and says why', async () => {
    await database.db.createCollection('capped', { capped: true, size: 4_096 });
    await database.db.createCollection('view', { viewOn: 'users', pipeline: [] });
    const collections = ['users', 'capped', 'view'];
    const { follower } = await start.live({ ...here(), collections });
    const reasons = follower.state.collections.map(({ phase, reason }) => `${phase} ${reason}`);
    expect(reasons[0]).to.equal('live ');
    expect(reasons[1]).to.match(/^off .*capped/);
    expect(reasons[2]).to.match(/^off .*view/);
  });

  it('is off on a server that has no change streams, and says why', async () => {
    const alone = await startStandalone();
    try {
      const { follower, end } = await start({ uri: alone.uri, dbName: database.name });
      await until(follower, ({ phase }) => phase === 'off');
      expect(follower.state.reason).to.include('standalone');
      expect(follower.state.collections.map(({ phase }) => phase)).to.deep.equal(['off', 'off']);
      expect(follower.isLive(['users'])).to.equal(false);
      expect(await follower.waitFor(new Timestamp({ t: 1, i: 1 }), 60_000)).to.equal(false);
      await end();
    } finally {
      await alone.stop();
    }
  });

  it('asks for ids of every kind', async () => {
    const { follower, sink } = await start.live(here());
    const ids = [
      'text',
      '\ufffd',
      '',
      null,
      true,
      new Date(5),
      new ObjectId(),
      new Binary(Buffer.from('x')),
      Long.fromString('9007199254740993'),
      Decimal128.fromString('0.1'),
      1.5,
      new MinKey(),
      { a: 1, b: { c: Long.fromNumber(1) } },
      Decimal128.fromString('77777'),
    ];
    for (const v of [1, 2]) {
      const updates = ids.map((_id) => ({ q: { _id }, u: { $set: { v } }, upsert: true }));
      await database.db.command({ update: 'users', updates });
    }
    const time = await timeOf((session) =>
      database.db.collection('users').insertOne({ _id: 99_999 as never }, { session }),
    );
    await untilReached(follower, time);
    const rows = [...sink.tables.get('users')!.values()].filter(({ cells }) => cells[1] === 2);
    expect(rows.length).to.equal(ids.length);
    await database.db.collection('users').deleteMany({ v: 2 });
    const gone = await timeOf((session) =>
      database.db.collection('users').deleteOne({ _id: 99_999 as never }, { session }),
    );
    await untilReached(follower, gone);
    expect(sink.tables.get('users')!.size).to.equal(50);
  });

  it('gives a collection up that has an id that cannot be asked for', async () => {
    const { follower } = await start.live(here());
    await insertBroken(database.client, database.name, 'users', { _id: 1_000, text: 'bro~ken' });
    const time = await timeOf((session) =>
      database.db.collection('users').insertOne({}, { session }),
    );
    await untilReached(follower, time);
    await untilLive(follower);
    expect(follower.isLive(['users'])).to.equal(true);
    await insertBroken(database.client, database.name, 'users', { _id: 'bro~ken' });
    await until(follower, ({ collections }) => collections[0]!.phase === 'off');
    expect(follower.state.collections[0]!.reason).to.include('_id');
    expect(follower.isLive(['tasks'])).to.equal(true);
    const { follower: next } = await start.live(here());
    expect(next.state.collections[0]!.reason).to.equal(follower.state.collections[0]!.reason);
  });

  it('follows ids so long that a reply of the stream would be too large', async function test() {
    this.timeout(120_000);
    const { follower, sink, specs } = await start.live(here());
    // Events of some 60 kB: the id is in the event, and twice as long in its token. With ids of
    // this length the server fills a reply beyond what it can send.
    const many = Array.from({ length: 1_200 }, (_, i) => ({ _id: `${i} ${'x'.repeat(20_004)}` }));
    const time = await timeOf((session) =>
      session.withTransaction(() =>
        database.db.collection('tasks').insertMany(many as never[], { session }),
      ),
    );
    await untilReached(follower, time);
    expect(sink.tables.get('tasks')!.size).to.equal(4_200);
    // Where the stream is slower than the loads, both collections go live in one step.
    const sizes = new Set(sink.shown.flatMap(({ tables }) => tables.get('tasks')?.size ?? []));
    expect([...sizes]).to.deep.equal([3_000, 4_200]);
    sink.shown.splice(0, sink.shown.length - 1);
    await expectTrue({ sink, specs });
  });

  it('loads again rather than change very many documents in one step', async () => {
    const options = { maxAdvance: 1_000 };
    const { follower, sink, said, phases } = await start.live({ ...here(), options });
    const time = await timeOf((session) =>
      session.withTransaction(() =>
        database.db.collection('tasks').updateMany({}, { $set: { v: 1 } }, { session }),
      ),
    );
    await until(follower, () => phases.includes('reloading'));
    await untilLive(follower);
    await untilReached(follower, time);
    expect(said.lines.join('\n')).to.include('more changed at once');
    const values = [...sink.tables.get('tasks')!.values()].map(({ cells }) => cells[1]);
    expect(new Set(values)).to.deep.equal(new Set([1]));
  });

  it('stops in the middle of a load, whatever its table still needs', async () => {
    const sink = new MapSink();
    sink.slices = Number.POSITIVE_INFINITY;
    let slices = 0;
    const step = (at: string) => {
      if (at === 'slice') slices++;
    };
    const { end } = await start({ ...here(), sink, options: { step } });
    await untilSo(() => slices > 10);
    await end();
    const stopped = slices;
    await sleep(20);
    expect(slices).to.equal(stopped);
  });

  it('never says a frontier that goes back, and frees its cursors when stopped', async () => {
    const dbName = `${database.name}_freed`;
    const options = { awaitMs: 20_000 };
    const there = { ...here(), dbName, appName: APP, options };
    const users = database.client.db(dbName).collection('users');
    // A collection that is created only later is loaded again, and the state may tell of that alone.
    await users.insertOne({});
    const { follower, sink, phases } = await start.live(there);
    // The stream's cursor is left behind on the server, and another one opened.
    await fail({ failCommands: ['getMore'], closeConnection: true }, 1);
    await users.insertOne({});
    await until(follower, () => phases.includes('behind'));
    await untilLive(follower);
    expect(sink.shown.length).to.be.greaterThan(0);
    const cursors = () => openCursors(database.client, { $regex: `^${dbName}\\.` });
    expect(await cursors()).to.have.lengthOf(1);
    await follower.stop();
    await untilSo(async () => {
      // A command that waits for the oplog notices that it was killed when the oplog grows.
      await database.db.collection('elsewhere').insertOne({});
      return (await cursors()).length === 0;
    }, 'cursors stay open');
    await database.client.db(dbName).dropDatabase();
  });
});
