/**
 * `npm run fixtures -- --tasks 1000000 --seed 7`: loads the hand-made set, and any number of
 * generated records around it, into the store that MONGODB_URI names or the embedded one.
 *
 * Exit codes: 0 done, 1 refused or failed, 2 the command line is wrong, 130 interrupted.
 */
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { ensureIndexes } from '../../mongo/indexes.ts';
import { runningEmbedded, startEmbedded } from '../embedded/server.ts';
import { type FixturePlan, type PlanOptions, planOf } from '../fixtures/generate/plan.ts';
import { type LoadReport, loadFixtures, StoreOccupied } from '../fixtures/load/load.ts';
import { showLoading } from './loadProgress.ts';
import { sentenceFor } from './sentence.ts';

const HELP = `npm run fixtures -- [options]

Loads demo data: the hand-made set in fixtures/, and generated records around it if asked for.
The same options always make the same data. A load that was interrupted is continued by running
it again; one that is complete does nothing.

  --set             the hand-made set alone (what happens without options, too)
  --tasks <n>       generate n tasks, and what belongs to them
  --seed <n>        what the generated records are drawn from (1)
  --users <n>       (10 x the square root of the tasks: 10000 for a million)
  --projects <n>    (2 x the square root of the tasks: 2000 for a million)
  --schedules <n>   (one for 20 tasks)
  --logs <n>        log lines, 12 for each of the newest tasks (as many as tasks, at most 100000)
  --replace         throw away what these collections hold: users, projects, schedules, tasks,
                    task_logs, snapshots. Without it a store that holds other data is left alone
  --uri <uri>       the store (MONGODB_URI; unset: the embedded one in DATA_DIR, default .data;
                    where a demo or service runs on that folder, its store)
  --db <name>       the database (MONGODB_DB, default table_search)
  --help            this text`;

/** A command line that cannot be understood; the message says what is wrong. */
class UsageError extends Error {}

interface Request {
  readonly plan: FixturePlan;
  readonly replace: boolean;
  readonly uri: string | undefined;
  readonly dbName: string;
  readonly dataDir: string;
}

const COUNTS = ['tasks', 'seed', 'users', 'projects', 'schedules', 'logs'] as const;

/** @returns 'help' when that was asked for. */
function requestOf(args: readonly string[], env: NodeJS.ProcessEnv): Request | 'help' {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const counts = {
    tasks: text,
    seed: text,
    users: text,
    projects: text,
    schedules: text,
    logs: text,
  };
  const options = { ...counts, set: flag, replace: flag, help: flag, uri: text, db: text };
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) return 'help';
  const given = COUNTS.filter((name) => values[name] !== undefined);
  if (values.set && given.length > 0) {
    throw new UsageError(`--set is the hand-made set alone, without --${given[0]}`);
  }
  const wanted: PlanOptions = Object.fromEntries(
    given.map((name) => [name, countOf(name, values[name]!)]),
  );
  const uri = values.uri?.trim() || env.MONGODB_URI?.trim() || undefined;
  return {
    plan: planOf(wanted),
    replace: values.replace,
    uri: uri === 'embedded' ? undefined : uri,
    dbName: values.db?.trim() || env.MONGODB_DB?.trim() || 'table_search',
    dataDir: env.DATA_DIR?.trim() || '.data',
  };
}

function countOf(name: string, text: string): number {
  const count = Number(text.replaceAll('_', ''));
  if (!/^\d[\d_]*$/.test(text) || !Number.isSafeInteger(count)) {
    throw new UsageError(`--${name} takes a whole number, such as 50000`);
  }
  return count;
}

async function run(request: Request, signal: AbortSignal): Promise<LoadReport> {
  const store = await openStore(request);
  const progress = showLoading(process.stderr);
  try {
    return await loadFixtures(store.client.db(request.dbName), {
      plan: request.plan,
      replace: request.replace,
      buildIndexes: ensureIndexes,
      onProgress: progress.onProgress,
      signal,
    });
  } finally {
    progress.stop();
    await store.close();
  }
}

/**
 * The store that was named; else the embedded mongod: the one that a demo or service runs on the folder
 * right now, or one of our own for as long as this command runs.
 */
async function openStore({ uri, dataDir }: Request) {
  const named = uri ?? (await runningEmbedded(dataDir))?.uri;
  const own = named === undefined ? await startOwn(dataDir) : undefined;
  const client = new MongoClient(named ?? own!.uri, {
    appName: 'table-search-fixtures',
    serverSelectionTimeoutMS: 5_000,
  });
  const close = async (): Promise<void> => {
    await client.close();
    await own?.stop();
  };
  await client.connect().catch(async (error) => {
    await close();
    throw error;
  });
  return { client, close };
}

function startOwn(dataDir: string) {
  const say = (_: object, message: string): void => console.error(message);
  return startEmbedded({ dataDir, log: { info: say, warn: say, error: say } });
}

/** Fewer tasks are written too soon to time them. */
const WORTH_A_RATE = 10_000;

function told(report: LoadReport): string {
  const { outcome, replaced, written, seconds, tasksPerSecond } = report;
  if (outcome === 'present') return 'This data is there already; nothing was written.';
  const counts = Object.entries(written).map(([name, count]) => `${count} ${name}`);
  const lines = [
    `${outcome === 'continued' ? 'Continued and finished' : 'Loaded'}: ${counts.join(', ')}`,
    `in ${seconds.toFixed(1)} s; indexes are built.`,
  ];
  if ((written.tasks ?? 0) >= WORTH_A_RATE) {
    lines.push(`${Math.round(tasksPerSecond)} tasks a second while tasks were written.`);
  }
  if (replaced !== undefined) lines.unshift(`Thrown away: ${replaced}`);
  return lines.join('\n');
}

function explained(error: unknown): string | undefined {
  if (!(error instanceof StoreOccupied)) return sentenceFor(error);
  return `${error.message}\nNothing was written. --replace throws that data away, --db names another database.`;
}

function isUsage(error: unknown): error is Error {
  const parsing = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  return error instanceof UsageError || error instanceof RangeError || parsing === true;
}

async function main(): Promise<number> {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  process.once('SIGTERM', () => interrupt.abort());
  let request: Request | 'help';
  try {
    request = requestOf(process.argv.slice(2), process.env);
  } catch (error) {
    if (!isUsage(error)) throw error;
    console.error(`${error.message}\n--help lists what there is.`);
    return 2;
  }
  if (request === 'help') {
    console.log(HELP);
    return 0;
  }
  try {
    console.log(told(await run(request, interrupt.signal)));
    return 0;
  } catch (error) {
    if (interrupt.signal.aborted) {
      const without = request.replace ? ' without --replace' : '';
      console.error(`Interrupted. The same command${without} continues where this one stopped.`);
      return 130;
    }
    const sentence = explained(error);
    if (sentence === undefined) throw error;
    console.error(sentence);
    return 1;
  }
}

process.exitCode = await main();
