import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { BSONRegExp, type ClientSession, type Timestamp } from 'mongodb';
import { type Gate, gate } from '../support/until.ts';
import { randomFrom } from '../worlds/random.ts';
import { effort } from './support/effort.ts';
import { until, untilLive, untilReached } from './support/following.ts';
import type { Shown } from './support/mapSink.ts';
import { Truth } from './support/truth.ts';
import { useFollowed } from './support/useFollowed.ts';

const APP = 'sync-ddl';
const ROWS = 50;
const VERSIONS = 4 * effort;

/** The collection's contents from a time in (after, by] on: rows of one version, or none at all. */
interface Era {
  readonly version: number | null;
  readonly after: Timestamp;
  readonly by: Timestamp;
}

describe('collections that are dropped, renamed and created', () => {
  const { database, start, startWriters, fail, here, timeOf } = useFollowed(APP);
  const rows = (v: number) =>
    Array.from({ length: ROWS }, (_, i) => ({ _id: (v * 1_000 + i) as never, v }));

  const now = async (): Promise<Timestamp> =>
    (await database.client.db('admin').command({ ping: 1 })).operationTime;

  /** Does something to `tasks` and notes between which times the new state began. */
  const era = async (
    version: number | null,
    act: (session: ClientSession) => Promise<unknown>,
  ): Promise<Era> => {
    const after = await now();
    return { version, after, by: await timeOf(act) };
  };

  const insertAll = (v: number) => (session: ClientSession) =>
    session.withTransaction(() => database.db.collection('tasks').insertMany(rows(v), { session }));

  const CHANGES: Record<string, (v: number) => Promise<Era[]>> = {
    'drop and create': async (v) => [
      await era(null, (session) => database.db.collection('tasks').drop({ session })),
      await era(v, insertAll(v)),
    ],
    'rename over it': async (v) => {
      await database.db.collection('staging').insertMany(rows(v));
      return [
        await era(v, (session) =>
          database.db.collection('staging').rename('tasks', { dropTarget: true, session }),
        ),
      ];
    },
    'rename away and back': async (v) => {
      const old = await database.db.collection('tasks').findOne();
      return [
        await era(null, (session) => database.db.collection('tasks').rename('away', { session })),
        await era(old!.v, (session) => database.db.collection('away').rename('tasks', { session })),
        await era(v, (session) =>
          session.withTransaction(async () => {
            await database.db.collection('tasks').deleteMany({}, { session });
            await database.db.collection('tasks').insertMany(rows(v), { session });
          }),
        ),
      ];
    },
    $out: async (v) => {
      await database.db.collection('source').deleteMany({});
      await database.db.collection('source').insertMany(rows(v));
      return [
        await era(v, (session) =>
          database.db
            .collection('source')
            .aggregate([{ $out: 'tasks' }], { session })
            .toArray(),
        ),
      ];
    },
    dropDatabase: async (v) => [
      await era(null, (session) => database.db.dropDatabase({ session })),
      await era(v, insertAll(v)),
    ],
    'change, and drop before the change is read': async (v) => {
      const changed = v - 0.5;
      const eras = [];
      for (const version of [changed, v]) {
        eras.push(
          await era(version, (session) =>
            session.withTransaction(() =>
              database.db.collection('tasks').updateMany({}, { $set: { v: version } }, { session }),
            ),
          ),
        );
      }
      eras.push(await era(null, (session) => database.db.collection('tasks').drop({ session })));
      eras.push(await era(v, insertAll(v)));
      return eras;
    },
    'an index build': async (v) => [
      await era(v, async (session) => {
        await session.withTransaction(async () => {
          await database.db.collection('tasks').deleteMany({}, { session });
          await database.db.collection('tasks').insertMany(rows(v), { session });
        });
        await database.db.collection('tasks').createIndex({ [`f${v}`]: 1 }, { session });
      }),
    ],
  };

  beforeEach(async () => {
    await database.db.dropDatabase();
    await database.db.collection('users').insertOne({ _id: 1 as never });
  });

  for (const [name, change] of Object.entries(CHANGES)) {
    it(`shows only what was there, when it was: ${name}`, async function test() {
      this.timeout(120_000 * effort);
      const eras = [await era(0, insertAll(0))];
      const { follower, sink } = await start.live(here());
      for (let v = 1; v <= VERSIONS; v++) {
        eras.push(...(await change(v)));
        // Some follow one another at once, some when all is live again.
        if (v % 2 === 0) {
          // Until it has heard of the change it is live with the rows of before.
          await untilReached(follower, await now());
          await untilLive(follower);
          await database.db.collection('users').insertOne({});
          await untilReached(follower, await now());
        }
      }
      await database.db.collection('users').insertOne({});
      await untilReached(follower, await now());
      await untilLive(follower);
      for (const shown of sink.shown) checkEra(shown, eras);
      expect(versionOf(sink.shown.at(-1)!)).to.equal(VERSIONS);
      expect(sink.shown.filter((shown) => versionOf(shown) !== undefined).length).to.be.greaterThan(
        VERSIONS,
      );
    });
  }

  it('loads a collection whose validator holds a pattern that JavaScript has not', async () => {
    await database.db.dropCollection('tasks').catch(() => {});
    const validator = { note: { $not: new BSONRegExp('(?i)^secret') } };
    await database.db.createCollection('tasks', { validator });
    await database.db.collection('tasks').insertMany(rows(1));
    const { sink } = await start.live(here());
    expect(sink.tables.get('tasks')!.size).to.equal(ROWS);
  });

  it('keeps the other collections live', async () => {
    await database.db.collection('tasks').insertMany(rows(0));
    let held: Gate | undefined;
    const { follower } = await start.live({
      ...here(),
      options: { step: (step) => (step === 'described' ? held?.passed : undefined) },
    });
    held = gate();
    try {
      await database.db.collection('tasks').drop();
      await until(follower, ({ phase }) => phase === 'reloading');
      expect(follower.isLive(['users'])).to.equal(true);
      expect(follower.isLive(['users', 'tasks'])).to.equal(false);
      const time = await timeOf((session) =>
        database.db.collection('users').insertOne({ _id: 2 as never }, { session }),
      );
      await untilReached(follower, time);
      expect(follower.state.phase).to.equal('reloading');
    } finally {
      held.open();
    }
    await untilLive(follower);
  });

  it('leaves a collection out of an advance under way when it is dropped meanwhile', async () => {
    await database.db.collection('tasks').insertMany(rows(0));
    const { follower, sink, said } = await start.live({ ...here(), appName: APP });
    // The advance has read users and waits for tasks, when users goes.
    const late = { failCommands: ['find'], blockConnection: true, blockTimeMS: 2_000 };
    const read = await fail({ ...late, namespace: `${database.name}.tasks` }, 1);
    await database.client.withSession((session) =>
      session.withTransaction(async () => {
        await database.db.collection('users').updateOne({}, { $set: { v: 1 } }, { session });
        await database.db.collection('tasks').updateMany({}, { $set: { v: 1 } }, { session });
      }),
    );
    await read.met();
    await database.db.collection('users').drop();
    await untilReached(follower, await now());
    await untilLive(follower);
    expect(sink.tables.get('users')!.size).to.equal(0);
    expect(versionOf(sink.shown.at(-1)!)).to.equal(1);
    expect(said.lines.join('\n')).not.to.include('has to begin again');
    const missing = 'the collection is missing: its table is empty until it is there';
    expect(said.warnings).to.deep.equal([`${missing} {"table":"users","collection":"users"}`]);
    await database.db.collection<{ _id: string }>('staging').insertOne({ _id: 'n1' });
    await database.db.renameCollection('staging', 'users');
    await untilReached(follower, await now());
    await untilLive(follower);
    expect(said.lines.join('\n')).to.include('another collection was renamed to its name');
    // After the drop users was shown as empty, and never with the row that the advance had read.
    const seen = sink.shown.map(({ tables }) => tables.get('users')?.get('n1')?.cells[1]);
    expect(seen).not.to.include(1);
  });

  it('loads a collection that comes while its absence is taken in', async () => {
    const users = database.db.collection('users');
    const tasks = database.db.collection('tasks');
    await users.insertOne({});
    let found = false;
    const held = gate();
    const step = (at: string, name: string) => {
      if (at !== 'slice' || name !== 'tasks') return;
      found = true;
      return held.passed;
    };
    const options = { step, staleMs: 10_000 };
    const { follower, sink } = await start({ ...here(), appName: APP, options });
    await until(follower, () => found);
    await tasks.insertOne({ _id: 1 as never });
    const [told] = [await era(1, (session) => users.insertOne({}, { session }))];
    await untilReached(follower, told.by);
    // The stream does not tell yet that it goes again.
    const late = await fail(
      { failCommands: ['getMore'], blockConnection: true, blockTimeMS: 1_500 },
      1,
    );
    await users.insertOne({});
    await late.met();
    const { by: there } = await era(1, (session) => tasks.findOne({}, { session }));
    await tasks.drop();
    held.open();
    await until(follower, () => follower.isLive(['tasks']));
    const shown = sink.shown.at(-1)!;
    const wanted = shown.at.lessThanOrEqual(there) ? 1 : 0;
    expect(shown.tables.get('tasks')!.size, `at ${shown.at}`).to.equal(wanted);
  });

  it('hears of a collection that comes empty, or with documents that have no events', async () => {
    const { follower } = await start.live(here());
    const tasks = () => follower.state.collections[1]!;
    expect(tasks().reason).to.include('missing');
    await database.db.createCollection('tasks');
    await until(follower, () => tasks().phase === 'live' && tasks().reason === '');
    await database.db.collection('tasks').drop();
    await until(follower, () => tasks().phase === 'live' && tasks().reason !== '');
    const clone = { cloneCollectionAsCapped: 'users', toCollection: 'tasks', size: 4_096 };
    await database.db.command(clone);
    await until(follower, () => tasks().phase === 'off');
    expect(tasks().reason).to.include('capped');
  });

  it('finds out about a collection that became capped', async () => {
    await database.db.collection('tasks').insertMany(rows(0));
    const { follower } = await start.live(here());
    await database.db.command({ convertToCapped: 'tasks', size: 100_000 });
    await until(follower, ({ collections }) => collections[1]!.phase === 'off');
    expect(follower.isLive(['tasks'])).to.equal(false);
    await database.db.collection('tasks').drop();
    await until(follower, ({ collections }) => collections[1]!.phase === 'live');
    expect(follower.isLive(['tasks'])).to.equal(true);
  });

  it('shows only states that were while writers write and collections come and go', async function test() {
    this.timeout(120_000 * effort);
    const { follower, sink, specs } = await start.live(here());
    const writers = startWriters(database.client, database.db, 3, randomFrom(3));
    const truth = new Truth(database.db, specs);
    const end = performance.now() + 1_500 * effort;
    while (performance.now() < end) {
      await sleep(100);
      await truth.check(sink);
      await database.db.collection('tasks').drop();
      await sleep(100);
      // The server refuses it where a writer creates the collection again at the same moment.
      const copy = database.db.collection('users').aggregate([{ $out: 'tasks' }]);
      await copy.toArray().catch((error: Error) => {
        if (!error.message.includes('changed during processing')) throw error;
      });
    }
    await writers.stop();
    await database.db.collection('users').insertOne({});
    await untilReached(follower, await now());
    await untilLive(follower);
    await sleep(50);
    sink.shown.splice(0, sink.shown.length - 1);
    await truth.check(sink);
    expect(truth.differences).to.deep.equal([]);
    expect(follower.isLive(['users', 'tasks'])).to.equal(true);
  });

  /** Undefined when the collection was not shown, null when it was shown as empty. */
  const versionOf = ({ tables }: Shown): number | null | undefined => {
    const table = tables.get('tasks');
    if (!table) return undefined;
    const versions = new Set([...table.values()].map(({ cells }) => cells[1] as number));
    expect(versions.size, 'versions at once').to.be.lessThan(2);
    expect([0, ROWS], 'all or nothing').to.include(table.size);
    return [...versions][0] ?? null;
  };

  const checkEra = (shown: Shown, eras: readonly Era[]): void => {
    const version = versionOf(shown);
    if (version === undefined) return;
    const begun = eras.filter(({ after }) => after.lessThan(shown.at));
    const certain = eras.findLastIndex(({ by }) => by.lessThanOrEqual(shown.at));
    const possible = begun.slice(Math.max(0, certain)).map((one) => one.version);
    expect(possible, `at ${shown.at}`).to.include(version);
  };
});
