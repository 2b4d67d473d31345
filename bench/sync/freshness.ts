/**
 * How soon a change is in the tables after its majority acknowledgement, and whether any is lost.
 *
 *     tsx bench/sync/main.ts freshness [seconds, default 10]
 *
 * A process of its own writes at a steady rate, each change a new number in a document that is not
 * changed again for a while, and notes when it was acknowledged. This process follows and notes at
 * the end of which advance the number was there. Both read the same monotonic clock. At the end every
 * table is compared with the store, and every number must have been seen.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { changedKey } from '../../src/follow/changedId.ts';
import { createFollower } from '../../src/follow/follower.ts';
import type { Advance } from '../../src/follow/sink.ts';
import { MapSink } from '../../test/follow/support/mapSink.ts';
import { mochaGlobalTeardown, testMongoUri } from '../../test/support/mongod.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { insertTasks, taskSpec } from './tasks.ts';

const SECONDS = Number(process.argv[2] ?? 10);
const DOCUMENTS = 50_000;
const RATES = [10, 2_000];
const DB = `bench_fresh_${process.pid}`;
const spec = taskSpec('tasks');

/** Milliseconds on the clock that all processes of the machine share. */
const clock = (): number => Number(process.hrtime.bigint()) / 1e6;

interface Job {
  readonly uri: string;
  readonly db: string;
  readonly rate: number;
  readonly first: number;
  readonly count: number;
}

/** Notes when each folder name, which the writer numbers, is there. */
class WatchingSink extends MapSink {
  readonly seen = new Map<number, number>();

  override apply(advance: Advance): void {
    super.apply(advance);
    const now = clock();
    for (const { changes } of advance.changed) {
      for (const { row } of changes) {
        const folder = row?.cells[7];
        if (typeof folder === 'string' && folder.startsWith('#')) {
          const n = Number(folder.slice(1));
          if (!this.seen.has(n)) this.seen.set(n, now);
        }
      }
    }
  }
}

if (process.send) process.on('message', (job) => void write(job as Job));
else await measure();

async function measure(): Promise<void> {
  const uri = await testMongoUri();
  const client = await MongoClient.connect(uri);
  const tasks = client.db(DB).collection<Document>('tasks');
  const sink = new WatchingSink();
  sink.keep = false;
  try {
    await insertTasks(tasks, DOCUMENTS, randomFrom(7));
    const log = { info: () => {}, warn: console.warn, error: console.error };
    const follower = createFollower({ client, dbName: DB, collections: [spec], sink, log });
    while (follower.state.phase !== 'live') await new Promise((done) => setTimeout(done, 20));
    let first = 0;
    for (const rate of RATES) {
      const count = Math.max(50, rate * SECONDS);
      const advances = sink.advances;
      const cpu = process.cpuUsage();
      const began = clock();
      const acknowledged = await inOwnProcess({ uri, db: DB, rate, first, count });
      const elapsed = clock() - began;
      const { user, system } = process.cpuUsage(cpu);
      await new Promise((done) => setTimeout(done, 500));
      const lags = acknowledged.map(
        ([n, at]) => (sink.seen.get(n) ?? Number.POSITIVE_INFINITY) - at,
      );
      const lost = lags.filter((lag) => lag === Number.POSITIVE_INFINITY).length;
      const sorted = lags.map((lag) => Math.max(0, lag)).toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
      console.log(
        `${rate}/s (${((acknowledged.length / elapsed) * 1000).toFixed(0)}/s reached): ` +
          `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms after the acknowledgement; ` +
          `${lost} of ${acknowledged.length} lost; ${(((sink.advances - advances) / elapsed) * 1000).toFixed(0)} advances/s; ` +
          `${((user + system) / elapsed / 10).toFixed(0)} % of a core`,
      );
      first += count;
      if (lost > 0) process.exitCode = 1;
    }
    await compare(sink, tasks);
    await follower.stop();
  } finally {
    await client.db(DB).dropDatabase();
    await client.close();
    await mochaGlobalTeardown();
  }
}

async function compare(sink: MapSink, tasks: Collection<Document>): Promise<void> {
  let differing = 0;
  for await (const document of tasks.find({}, { projection: spec.projection, raw: true })) {
    const row = spec.extract(document as unknown as Uint8Array);
    const shown = sink.tables.get('tasks')!.get(changedKey(row.id));
    if (JSON.stringify(shown) !== JSON.stringify(row)) differing++;
  }
  console.log(`${differing} of ${sink.tables.get('tasks')!.size} rows differ from the store`);
  if (differing > 0) process.exitCode = 1;
}

/** Number and time of the acknowledgement of each change. */
async function inOwnProcess(job: Job): Promise<[n: number, at: number][]> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: process.execArgv });
  child.send(job);
  const [acknowledged] = await once(child, 'message');
  child.disconnect();
  await once(child, 'exit');
  return acknowledged as [number, number][];
}

async function write({ uri, db, rate, first, count }: Job): Promise<void> {
  const client = await MongoClient.connect(uri, { writeConcern: { w: 'majority' } });
  const tasks = client.db(db).collection<Document>('tasks');
  const acknowledged: [number, number][] = [];
  const under: Promise<void>[] = [];
  const began = clock();
  for (let n = 0; n < count; n++) {
    const wait = began + (n * 1000) / rate - clock();
    if (wait > 1) await new Promise((done) => setTimeout(done, wait));
    const number = first + n;
    const filter = { _id: (number % DOCUMENTS) as never };
    const write = tasks.updateOne(filter, { $set: { folder: `#${number}` } });
    under.push(write.then(() => void acknowledged.push([number, clock()])));
  }
  await Promise.all(under);
  await client.close();
  process.send!(acknowledged);
}
