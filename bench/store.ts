/**
 * The store that everything is measured on: a real mongod with real-looking data in two sizes.
 *
 *     mongod (embedded, on a folder) ── bench_1000000   tasks and what belongs to them
 *                                    └─ bench_10000     the same in small, for growth
 *
 * The data comes from the fixtures' generator, always from the same seed; a database that is
 * complete already is used as it is.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { LOG } from './log.ts';
import { product } from './product.ts';

const { startEmbedded } =
  await product<typeof import('../src/dev/embedded/server.ts')>('dev/embedded/server');
const { loadFixtures } =
  await product<typeof import('../src/dev/fixtures/load/load.ts')>('dev/fixtures/load/load');
const { planOf } = await product<typeof import('../src/dev/fixtures/generate/plan.ts')>(
  'dev/fixtures/generate/plan',
);
const { buildIndexes } = await product<typeof import('../src/apps/admin/databaseIndexes.ts')>(
  'apps/admin/databaseIndexes',
);

const SEED = 7;

const planFor = (tasks: number) => planOf({ tasks, seed: SEED, logs: 0 });

/** A database that holds so many tasks. */
export interface Place {
  readonly uri: string;
  readonly dbName: string;
  readonly tasks: number;
}

export interface BenchStore {
  readonly uri: string;
  readonly mongod: string;
  /** The database of that size, loaded when it is not there yet. */
  place(tasks: number): Promise<Place>;
  stop(): Promise<void>;
}

/** @param folder kept with its data; left out, a temporary one that goes with the mongod. */
export async function openBenchStore(folder: string | undefined): Promise<BenchStore> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'table-search-bench-')));
  const mongod = await startEmbedded({ dataDir, log: LOG });
  const client = await MongoClient.connect(mongod.uri);
  const { version } = await client.db('admin').command({ buildInfo: 1 });
  return {
    uri: mongod.uri,
    mongod: version,
    async place(tasks) {
      const dbName = `bench_${tasks}`;
      const report = await loadFixtures(client.db(dbName), {
        plan: planFor(tasks),
        buildIndexes,
      });
      console.error(`${dbName}: ${report.outcome} in ${report.seconds.toFixed(1)} s`);
      return { uri: mongod.uri, dbName, tasks };
    },
    async stop() {
      await client.close();
      await mongod.stop();
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
