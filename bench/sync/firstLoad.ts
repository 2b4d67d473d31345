/**
 * How fast a collection is loaded, against what the driver can read at all.
 *
 *     tsx bench/sync/main.ts firstLoad [documents, default 200000]
 *
 * Both read the same fields of the same documents in the same run, in turn, three times. The bare
 * scan only counts raw documents; the load extracts rows, puts them into a Map and yields in between.
 * What it loaded is compared with what was read before any time is shown. The mongod is the tests'
 * (`TEST_MONGODB_URI` names another one).
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { changedKey } from '../../src/follow/changedId.ts';
import { createFollower } from '../../src/follow/follower.ts';
import { MapSink } from '../../test/follow/support/mapSink.ts';
import { mochaGlobalTeardown, testMongoUri } from '../../test/support/mongod.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { insertTasks, taskSpec } from './tasks.ts';

const COUNT = Number(process.argv[2] ?? 200_000);
const ROUNDS = 3;
const quiet = { info: () => {}, warn: console.warn, error: console.error };
const spec = taskSpec('tasks');

const k = (rate: number): string => (rate / 1000).toFixed(1);

const client = await MongoClient.connect(await testMongoUri());
const dbName = `bench_sync_${process.pid}`;
const db = client.db(dbName);
try {
  const tasks = db.collection<Document>('tasks');
  await insertTasks(tasks, COUNT, randomFrom(7));
  await checkAnswers(tasks);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await bareScan(tasks);
    const loaded = await firstLoad();
    ratios.push(loaded.rate / bare);
    console.log(
      `bare ${k(bare)}k/s   load ${k(loaded.rate)}k/s   ratio ${(loaded.rate / bare).toFixed(2)}` +
        `   event loop held ${loaded.p999.toFixed(1)} ms p99.9, ${loaded.max.toFixed(1)} ms max`,
    );
  }
  console.log(
    `ratio, median of ${ROUNDS}: ${ratios.toSorted()[ROUNDS >> 1]!.toFixed(2)} (bar 0.6)`,
  );
} finally {
  await db.dropDatabase();
  await client.close();
  await mochaGlobalTeardown();
}

/** Documents a second. */
async function bareScan(tasks: Collection<Document>): Promise<number> {
  const started = performance.now();
  const cursor = tasks.find({}, { projection: spec.projection, raw: true });
  let count = 0;
  while (await cursor.hasNext()) count += cursor.readBufferedDocuments().length;
  if (count !== COUNT) throw new Error(`read ${count} of ${COUNT}`);
  return (COUNT / (performance.now() - started)) * 1000;
}

async function firstLoad(): Promise<{ rate: number; p999: number; max: number; sink: MapSink }> {
  const sink = new MapSink();
  sink.keep = false;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  const follower = createFollower({ client, dbName, collections: [spec], sink, log: quiet });
  await new Promise<void>((resolve) => {
    follower.onStateChange(({ phase }) => {
      if (phase === 'live') resolve();
    });
  });
  const rate = (COUNT / (performance.now() - started)) * 1000;
  delay.disable();
  await follower.stop();
  const ms = (percentile: number) => delay.percentile(percentile) / 1e6;
  return { rate, p999: ms(99.9), max: delay.max / 1e6, sink };
}

async function checkAnswers(tasks: Collection<Document>): Promise<void> {
  const { sink } = await firstLoad();
  const table = sink.tables.get('tasks')!;
  if (table.size !== COUNT) throw new Error(`loaded ${table.size} of ${COUNT}`);
  for await (const document of tasks.find({}, { projection: spec.projection, raw: true })) {
    const row = spec.extract(document as unknown as Uint8Array);
    const loaded = table.get(changedKey(row.id));
    if (JSON.stringify(loaded) !== JSON.stringify(row)) throw new Error(`differs: ${row.id}`);
  }
}
