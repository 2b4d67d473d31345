/**
 * `npm run fixtures`, `table-search fixtures --tasks 1000000 --seed 7`: loads the hand-made set and
 * any number of generated records into the store of MONGODB_URI, or into the embedded one.
 */
import { MongoClient } from 'mongodb';
import { buildIndexes } from '../../apps/admin/databaseIndexes.ts';
import { CliError, usage } from '../../cli/failure.ts';
import { Interrupted, interruption } from '../../cli/interruption.ts';
import { Progress } from '../../progress.ts';
import { textIn } from '../../settings.ts';
import { dateTime } from '../../tables/query/dateTime.ts';
import { dataDirOf } from '../demoSecret.ts';
import { runningEmbedded } from '../embedded/running.ts';
import { startEmbedded } from '../embedded/server.ts';
import { type FixturePlan, type PlanOptions, planOf } from '../fixtures/generate/plan.ts';
import { type LoadReport, loadFixtures, StoreOccupied } from '../fixtures/load/load.ts';

/** As the command line has them. */
export interface FixturesOptions extends PlanOptions {
  readonly now?: string;
  readonly replace?: true;
  readonly uri?: string;
  readonly db?: string;
}

function requestOf(options: FixturesOptions, env: NodeJS.ProcessEnv) {
  const { now, replace = false, ...wanted } = options;
  const uri = options.uri ?? textIn(env, 'MONGODB_URI');
  return {
    load: { plan: planFor(wanted), now: momentOf(now), replace },
    uri: uri === 'embedded' ? undefined : uri,
    dbName: options.db ?? textIn(env, 'MONGODB_DB') ?? 'table_search',
    dataDir: dataDirOf(env),
  };
}

function momentOf(given: string | undefined): Date {
  if (given === undefined) return new Date();
  const moment = dateTime(given);
  if (!moment) throw usage('--now takes a moment, such as 2026-11-20T10:00:00Z.');
  return moment;
}

function planFor(wanted: PlanOptions): FixturePlan {
  try {
    return planOf(wanted);
  } catch (error) {
    throw error instanceof RangeError ? usage(error.message) : error;
  }
}

/**
 * Loads into the named store, else into the embedded mongod of the folder. If no demo or service runs one
 * right now, the command starts its own and ends it.
 */
async function run({
  load,
  uri,
  dbName,
  dataDir,
}: ReturnType<typeof requestOf>): Promise<LoadReport> {
  const named = uri ?? (await runningEmbedded(dataDir))?.uri;
  const own = named === undefined ? await startOwn(dataDir) : undefined;
  // Until there is something to end in order, Ctrl-C ends the process at once.
  const signal = interruption();
  const client = new MongoClient(named ?? own!.uri, {
    appName: 'table-search-fixtures',
    serverSelectionTimeoutMS: 5_000,
  });
  const progress = new Progress(process.stderr);
  try {
    await client.connect();
    return await loadFixtures(client.db(dbName), {
      ...{ ...load, buildIndexes, signal },
      onProgress: ({ phase, done, total }) => progress.show(phase, done, total),
    });
  } finally {
    progress.end();
    await client.close();
    await own?.stop();
  }
}

function startOwn(dataDir: string) {
  const say = (_: object, message: string): void => console.error(message);
  return startEmbedded({ dataDir, log: { info: say, warn: say, error: say } });
}

function told({ outcome, replaced, written, seconds, now }: LoadReport): string {
  if (outcome === 'present') {
    const dated = now ? `, as of ${now.toISOString()}` : '';
    return `This data is there already${dated}; nothing was written.`;
  }
  const counts = Object.entries(written).map(([name, count]) => `${count} ${name}`);
  const loaded = `Loaded: ${counts.join(', ')}\nin ${seconds.toFixed(1)} s; indexes are built.`;
  return replaced === undefined ? loaded : `Thrown away: ${replaced}\n${loaded}`;
}

/**
 * Loads the data that the options name.
 *
 * @throws CliError for wrong options, for failures, and when it is interrupted
 */
export async function runFixtures(options: FixturesOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const request = requestOf(options, env);
  try {
    console.log(told(await run(request)));
  } catch (error) {
    if (interruption().aborted) {
      throw new Interrupted('The same command with --replace begins anew.');
    }
    if (!(error instanceof StoreOccupied)) throw error;
    const advice = '--replace throws that data away, --db names another database.';
    throw new CliError(`${error.message} Nothing was written. ${advice}`);
  }
}
