/**
 * The long storm: writers, faults and DDL for as long as asked, every state that was shown compared
 * with the store's own at that time.
 *
 *     tsx bench/sync/main.ts soak [seconds, default 600] [seed]
 *
 * Ends with exit code 1 at the first difference, when the follower does not come live again within
 * a minute, or when the heap has grown. The mongod is the tests' (`TEST_MONGODB_URI` names another
 * one, which must have test commands enabled).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { createFollower } from '../../src/follow/follower.ts';
import { specOf } from '../../test/follow/support/following.ts';
import { MapSink } from '../../test/follow/support/mapSink.ts';
import { Truth } from '../../test/follow/support/truth.ts';
import { startWriters } from '../../test/follow/support/writers.ts';
import { mochaGlobalTeardown, testMongoUri } from '../../test/support/mongod.ts';
import { randomFrom } from '../../test/worlds/random.ts';

const SECONDS = Number(process.argv[2] ?? 600);
const SEED = Number(process.argv[3] ?? Date.now() % 100_000);
const APP = 'soak';
const DB = `soak_${process.pid}`;
/** Megabytes that the heap may have grown by between a fifth of the time and its end. */
const GROWTH = 40;

const uri = await testMongoUri();
const random = randomFrom(SEED);
const writing = await MongoClient.connect(uri);
const following = await MongoClient.connect(uri, { appName: APP });
const db = writing.db(DB);
const admin = writing.db('admin');
const specs = [specOf('users'), specOf('tasks')];
const sink = new MapSink();
const log = { info: () => {}, warn: () => {}, error: console.error };
const follower = createFollower({ client: following, dbName: DB, collections: specs, sink, log });
const truth = new Truth(db, specs);
console.log(`seed ${SEED}, ${SECONDS} s`);

const fail = (data: object, times: number) =>
  admin.command({
    configureFailPoint: 'failCommand',
    mode: { times },
    data: { ...data, appName: APP },
  });

/** Replaces a collection. What was shown of its past cannot be read any more, and is let go. */
const replace = async (act: () => Promise<unknown>) => {
  await truth.check(sink);
  await act();
  const { operationTime } = await admin.command({ ping: 1 });
  const past = sink.shown.findIndex(({ at }) => at.greaterThan(operationTime));
  sink.shown.splice(0, past < 0 ? sink.shown.length : past);
};

/** What may happen, with how often. */
const EVENTS: readonly (readonly [weight: number, event: () => Promise<unknown>])[] = [
  [10, async () => {}],
  [3, () => fail({ failCommands: ['getMore'], closeConnection: true }, 2)],
  [3, () => fail({ failCommands: ['find'], closeConnection: true }, 2)],
  [3, () => fail({ failCommands: ['getMore'], errorCode: 43 }, 1)],
  [3, () => fail({ failCommands: ['find'], errorCode: 246 }, 3)],
  [2, () => fail({ failCommands: ['find'], errorCode: 239 }, 2)],
  [2, () => fail({ failCommands: ['getMore'], errorCode: 286 }, 1)],
  [2, () => fail({ failCommands: ['aggregate', 'listCollections'], closeConnection: true }, 4)],
  [2, () => admin.command({ killAllSessions: [] })],
  [1, () => db.collection('users').createIndex({ v: 1, [`x${Math.floor(random() * 9)}`]: 1 })],
  [1, () => replace(() => db.collection('tasks').drop())],
  [
    1,
    () =>
      db
        .collection('users')
        .aggregate([{ $out: 'tasks' }])
        .toArray(),
  ],
  [0.2, () => replace(() => db.dropDatabase())],
];

function anyEvent(): () => Promise<unknown> {
  let left = random() * EVENTS.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, event] of EVENTS) {
    left -= weight;
    if (left < 0) return event;
  }
  return EVENTS[0]![1];
}

let failure = '';
let baseline = 0;
const writers = startWriters(writing, db, 3, random);
const began = performance.now();
const elapsed = () => (performance.now() - began) / 1000;
let told = 0;
while (elapsed() < SECONDS && failure === '') {
  await anyEvent()().catch(() => {});
  await sleep(100 + random() * 400);
  await truth.check(sink);
  const heap = process.memoryUsage().heapUsed / 1e6;
  if (baseline === 0 && elapsed() > SECONDS / 5) baseline = heap;
  if (elapsed() - told > 20) {
    told = elapsed();
    console.log(
      `${told.toFixed(0)} s: ${writers.done()} writes, ${sink.advances} advances, ${truth.compared} tables ` +
        `compared, ${truth.unreadable} unreadable, ${follower.state.phase}, heap ${heap.toFixed(0)} MB`,
    );
  }
  if (truth.differences.length > 0) failure = truth.differences.slice(0, 3).join('\n');
  if (follower.state.phase !== 'live' && !(await comesLive())) {
    failure = `not live again: ${JSON.stringify(follower.state)}`;
  }
}
await writers.stop();
if (failure === '' && !(await comesLive())) failure = 'not live at the end';
await sleep(200);
await truth.check(sink);
failure ||= truth.differences.join('\n');
const grown = process.memoryUsage().heapUsed / 1e6 - baseline;
if (failure === '' && grown > GROWTH) failure = `the heap grew by ${grown.toFixed(0)} MB`;
console.log(
  failure ||
    `right: ${truth.compared} tables after ${sink.advances} advances, ${writers.done()} writes`,
);
await follower.stop();
await db.dropDatabase();
await following.close();
await writing.close();
await mochaGlobalTeardown();
process.exitCode = failure === '' ? 0 : 1;

async function comesLive(): Promise<boolean> {
  for (let i = 0; i < 600; i++) {
    if (follower.state.phase === 'live') return true;
    await sleep(100);
    await truth.check(sink);
  }
  return false;
}
