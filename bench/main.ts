/**
 * `npm run bench` measures everything that the index has to reach, in one run, each part in a
 * process of its own. It prints the tables, and keeps them in `bench/results/` with the figures as
 * JSON.
 *
 *     store ─► searches (index, pipeline, PostgreSQL, SQLite)
 *           ─► explores (the same, and DuckDB, ClickHouse) ─► export
 *           ─► build ─► load, memory ─► restart ─► HTTP ─► writes, control ─► live ─► own table, open ─► report
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BuildResult } from './build/main.ts';
import type { CheckpointResult } from './checkpoint/main.ts';
import type { ExploresResult } from './explores/main.ts';
import type { ExportResult } from './export/main.ts';
import type { HttpResult } from './http/main.ts';
import { inOwnProcess } from './job.ts';
import type { LiveResult } from './live/main.ts';
import type { LoadResult } from './load/main.ts';
import { describeMachine } from './machine.ts';
import type { OpenResult } from './open/main.ts';
import type { OwnResult } from './own/main.ts';
import { writeReadmes, writeResultPage } from './report/pages.ts';
import { printReport } from './report/print.ts';
import type { Measured, Paces, Report } from './report/report.ts';
import { rowsOf } from './report/rows.ts';
import type { RestartResult } from './restart/main.ts';
import type { ScaleResult } from './scale/main.ts';
import type { SearchesResult } from './searches/main.ts';
import { type BenchStore, openBenchStore, type Place } from './store.ts';
import { leaveOut, MECHANISM_NAMES } from './without.ts';
import type { ControlResult } from './writes/control/main.ts';
import type { WritesResult } from './writes/main.ts';

const HELP = `npm run bench -- [options]

  --tasks <n>      tasks in the large store (1000000)
  --small <n>      tasks in the small one, for growth (10000)
  --orders <n>     orders of an own table (1000000)
  --only <parts>   some of: searches, explores, export, build, load, restart, http, writes, live, own, open;
                   and where they are named: scale, for tens of millions of tasks; checkpoint, ten minutes
  --keep <folder>  keeps the stores there, so that the next run need not load them
  --no-peers       without PostgreSQL, SQLite, DuckDB and ClickHouse
  --seconds <n>    of writing, at each of two paces; half of it idle before (60)
  --no-result      prints, and keeps no JSON
  --without <some> leaves out mechanisms of the text index where a part builds one, and keeps no JSON:
                   ${MECHANISM_NAMES}
  --readme         only puts the last result into its page, README.md and bench/README.md`;

const PARTS = [
  'searches',
  'explores',
  'export',
  'build',
  'load',
  'restart',
  'http',
  'writes',
  'live',
  'own',
  'open',
] as const;
type Part = (typeof PARTS)[number] | 'scale' | 'checkpoint';

/** Changed documents a second; how many one write changes where it changes some. */
const RATE = 2_000;
const TOGETHER = 20;
/** How long tasks are changed, while a checkpoint is written and after that. */
const CHECKPOINT_SECONDS = 600;

const RESULTS = fileURLToPath(new URL('results/', import.meta.url));

const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    small: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '1000000' },
    only: { type: 'string', default: PARTS.join() },
    keep: { type: 'string' },
    'no-peers': { type: 'boolean', default: false },
    'no-result': { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    readme: { type: 'boolean', default: false },
    without: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else if (options.readme) writeReadmes(RESULTS);
else await bench();

async function bench(): Promise<void> {
  if (options.without !== undefined) leaveOut(options.without);
  const parts = new Set(options.only.split(',') as Part[]);
  const folder = path.resolve(options.keep ?? mkdtempSync(path.join(tmpdir(), 'bench-')));
  mkdirSync(folder, { recursive: true });
  // PostgreSQL runs as a user of its own, who has to get to its folder.
  chmodSync(folder, 0o755);
  const store = await openBenchStore(path.join(folder, 'mongod'));
  try {
    const report = await measure(store, parts, folder);
    printReport(report);
    if (!options['no-result'] && options.without === undefined) keep(report);
  } finally {
    await store.stop();
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(store: BenchStore, parts: Set<Part>, folder: string): Promise<Report> {
  const busyBefore = loadavg()[0]!;
  const asksTasks = [...parts].some((one) => one !== 'own' && one !== 'open');
  const place = async (tasks: number): Promise<Place> =>
    asksTasks ? store.place(tasks) : { uri: store.uri, dbName: '', tasks };
  const small = await place(Number(options.small));
  const large = await place(Number(options.tasks));
  // No task is changed twice.
  const seconds = Math.min(Number(options.seconds), Math.floor(large.tasks / RATE));
  const measured: Measured = {
    ...(parts.has('searches') && { searches: await searches(large, small, folder) }),
    ...(parts.has('explores') && { explores: await explores(large, folder) }),
    ...(parts.has('export') && {
      export: await part<ExportResult>('export/main.ts', { place: large }),
    }),
    ...(parts.has('build') && {
      build: await part<BuildResult>('build/main.ts', { place: large }),
    }),
    ...(parts.has('load') && {
      load: await part<LoadResult>('load/main.ts', { place: large, index: 'on', rounds: 3 }),
      rowless: await part<LoadResult>('load/main.ts', {
        ...{ place: large, index: 'on', rounds: 0, settings: { ROWS_MEMORY_BYTES: '0' } },
      }),
      without: await part<LoadResult>('load/main.ts', { place: large, index: 'off', rounds: 0 }),
    }),
    ...(parts.has('restart') && {
      restart: await part<RestartResult>('restart/main.ts', { place: large, folder }),
    }),
    ...(parts.has('http') && {
      http: await part<HttpResult>('http/main.ts', { place: large, seconds: 5, rounds: 3 }),
    }),
    ...(parts.has('writes') && {
      writes: await paces<WritesResult>('writes/main.ts', large, seconds),
      control: await paces<ControlResult>('writes/control/main.ts', large, seconds),
    }),
    ...(parts.has('live') && {
      live: await part<LiveResult>('live/main.ts', {
        place: large,
        seconds: Number(options.seconds),
      }),
    }),
    ...(parts.has('checkpoint') && {
      checkpoint: await part<CheckpointResult>('checkpoint/main.ts', {
        ...{ place: large, folder, seconds: CHECKPOINT_SECONDS },
      }),
    }),
    ...(parts.has('scale') && {
      scale: await part<ScaleResult>('scale/main.ts', { place: large, draws: 60 }),
    }),
    ...(parts.has('own') && { own: await own(store.uri, folder) }),
    ...(parts.has('open') && { open: await part<OpenResult>('open/main.ts', ofOrders(store.uri)) }),
  };
  const machine = describeMachine(store.mongod);
  return {
    date: new Date().toISOString(),
    tasks: large.tasks,
    machine,
    loadAverage: [busyBefore, loadavg()[0]!],
    rows: rowsOf(measured, large.tasks),
    measured,
  };
}

function searches(large: Place, small: Place, folder: string): Promise<SearchesResult> {
  return part('searches/main.ts', {
    large,
    small,
    draws: 150,
    peerBudgetMs: 1_000,
    ...peersOf(large, folder),
  });
}

function explores(place: Place, folder: string): Promise<ExploresResult> {
  const job = { place, draws: 60, peerBudgetMs: 1_500, ...peersOf(place, folder) };
  return part('explores/main.ts', job);
}

/** Answers are compared with the pipeline's where orders are few; peers are asked where they are many. */
async function own(uri: string, folder: string): Promise<OwnResult> {
  const orders = Number(options.orders);
  const few = Math.min(orders, 20_000);
  await part('own/main.ts', { ...ofOrders(uri, few), draws: 10, compared: 2 });
  return part('own/main.ts', {
    ...{ ...ofOrders(uri, orders), draws: 60, compared: 0 },
    ...(!options['no-peers'] && { peersFolder: path.join(folder, 'peers-own') }),
  });
}

function ofOrders(uri: string, orders = Number(options.orders)) {
  return { uri, orders, dbName: `bench_orders_${orders}` };
}

function peersOf({ tasks }: Place, folder: string): { readonly peersFolder?: string } {
  return options['no-peers'] ? {} : { peersFolder: path.join(folder, `peers-${tasks}`) };
}

async function paces<R>(main: string, place: Place, seconds: number): Promise<Paces<R>> {
  const job = { place, rate: RATE, seconds };
  return {
    grouped: await part<R>(main, { ...job, together: TOGETHER }),
    single: await part<R>(main, { ...job, together: 1 }),
  };
}

function part<R>(main: string, job: object): Promise<R> {
  console.error(`\n${path.dirname(main)} …`);
  return inOwnProcess<R>(main, job);
}

function keep(report: Report): void {
  mkdirSync(RESULTS, { recursive: true });
  const name = `${report.date.slice(0, 16).replaceAll(':', '')}-${report.tasks}.json`;
  writeFileSync(path.join(RESULTS, name), `${JSON.stringify(report, undefined, 1)}\n`);
  writeResultPage(RESULTS, name);
  console.log(`kept as bench/results/${name}, its tables beside it`);
}
