/**
 * The in-process bench of the index: answers are compared with a brute force before they are timed.
 *
 *     node --expose-gc --import tsx bench/textindex/main.ts --rows 1000000 [--out file.json]
 *          [--small 10000] [--seed 7] [--checks 2] [--least 1]
 *          [--ids random|ordered] [--shape usual|many|distinct|long|otherIds|oneProject]
 *
 * Each search is a new draw and timed once. On a machine that others use, `--least 3` times each
 * three times and keeps the least, which leaves out the moments when another process ran.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { PageRequest, TextTable } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import {
  type IdKind,
  type Shape,
  TASKS,
  type Task,
  tasks,
  USUAL,
  uuid,
  type World,
  world,
} from '../../test/worlds/tasks.ts';
import { heldBytes, percentile, round, threadMs, time } from '../measure.ts';
import { definitionUnderTest, layoutUnderTest } from '../without.ts';
import { oracle } from './oracle.ts';
import { type QueryClass, queryClasses } from './queries.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    small: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '7' },
    checks: { type: 'string', default: '2' },
    least: { type: 'string', default: '1' },
    draws: { type: 'string', default: '150' },
    ids: { type: 'string', default: 'random' },
    shape: { type: 'string', default: 'usual' },
    only: { type: 'string' },
    out: { type: 'string' },
  },
});
const seed = Number(options.seed);
const fold = standardFold();
/** Data that are not as the definition's hints say. */
const SHAPES: Readonly<Record<string, Partial<Shape>>> = {
  usual: {},
  many: { folders: 225_000, workers: 100_000 },
  distinct: { emails: 1_000_000, folders: 1_000_000, workers: 1_000_000 },
  long: { folders: 20_000, folderLength: 1_000 },
  otherIds: { otherIds: 3 },
  oneProject: { projects: 1 },
};
const shape = SHAPES[options.shape];
if (!shape) throw new Error(`--shape is one of ${Object.keys(SHAPES).join(', ')}`);
const MIX = 4000;
const SLICE_MS = 4;

interface Built {
  readonly table: TextTable;
  readonly rowsPerSecond: number;
  /** The same by the time this thread really ran, where Linux tells it. */
  readonly rowsPerCpuSecond: number | undefined;
  readonly sliceP999: number;
  readonly maintainMs: number;
  readonly bytesPerRow: number;
}

/** Puts rows in as a reader would, in slices of 4 ms, then maintains until nothing is left. */
function build(count: number, from: World): Built {
  const before = heldBytes();
  const table = createIndex(definitionUnderTest(TASKS), {
    ...{ fold, layout: layoutUnderTest },
  });
  const slices: number[] = [];
  let spent = 0;
  let ran = 0;
  for (const { id, name } of from.projects) table.relate('project_id', id, 'project_name', [name]);
  let batch: Task[] = [];
  const flush = () => {
    const ranBefore = threadMs();
    for (let i = 0; i < batch.length; ) {
      const start = performance.now();
      let ms = 0;
      while (i < batch.length && ms < SLICE_MS) {
        for (let n = 0; n < 16 && i < batch.length; n++) table.put(batch[i++]!);
        ms = performance.now() - start;
      }
      slices.push(ms);
      spent += ms;
    }
    ran += threadMs() - ranBefore;
    batch = [];
  };
  for (const task of tasks(count, seed, from)) {
    batch.push(task);
    if (batch.length === 5000) flush();
  }
  flush();
  const loaded = spent;
  const ranLoaded = threadMs();
  for (let more = true; more; ) {
    const ms = time(() => {
      more = table.maintain(SLICE_MS);
    });
    slices.push(ms);
    spent += ms;
  }
  return {
    table,
    rowsPerSecond: Math.round((count / spent) * 1000),
    rowsPerCpuSecond:
      ran > 0 ? Math.round((count / (ran + threadMs() - ranLoaded)) * 1000) : undefined,
    sliceP999: round(percentile(slices, 0.999), 1),
    maintainMs: round(spent - loaded, 0),
    bytesPerRow: round((heldBytes() - before) / count, 1),
  };
}

function classesFor(count: number, from: World, drawSeed: number): QueryClass[] {
  const ids: string[] = [];
  let i = 0;
  for (const task of tasks(Math.min(count, 20_000), seed, from)) {
    if (i++ % 7 === 0) ids.push(task.cells[0] as string);
  }
  const next = randomFrom(drawSeed);
  return queryClasses(from, () => ids[Math.floor(next() * ids.length)]!, drawSeed);
}

/** Compares draws of each class with the brute force; returns how many answers were right. */
function verify(table: TextTable, count: number, from: World): number {
  const rows = [...tasks(count, seed, from)];
  const answer = oracle(rows, from, fold);
  let right = 0;
  for (const { name, draw } of classesFor(count, from, 3)) {
    for (let i = 0; i < Number(options.checks); i++) {
      const request = draw();
      const [got, wanted] = [table.search(request), answer(request)].map((r) => JSON.stringify(r));
      if (got !== wanted) {
        throw new Error(`${name}: ${JSON.stringify(request)}\ngot    ${got}\nwanted ${wanted}`);
      }
      right++;
    }
  }
  return right;
}

function timeSearch(table: TextTable, request: PageRequest): number {
  const times = Array.from({ length: Number(options.least) }, () =>
    time(() => table.search(request)),
  );
  return Math.min(...times);
}

interface Timed {
  readonly p50: number;
  readonly p95: number;
  readonly hits: number;
}

function timeClasses(table: TextTable, count: number, from: World): Map<string, Timed> {
  const results = new Map<string, Timed>();
  const draws = Number(options.draws);
  for (const { name, draw } of classesFor(count, from, 11)) {
    if (options.only && !name.includes(options.only)) continue;
    for (let i = 0; i < draws / 3; i++) table.search(draw());
    const spent: number[] = [];
    const hits: number[] = [];
    for (let i = 0; i < draws; i++) {
      const request = draw();
      spent.push(timeSearch(table, request));
      hits.push(table.search(request).total);
    }
    results.set(name, {
      p50: percentile(spent, 0.5),
      p95: percentile(spent, 0.95),
      hits: percentile(hits, 0.5),
    });
  }
  return results;
}

function timeMix(table: TextTable, count: number, from: World): number[] {
  const classes = classesFor(count, from, 19);
  const next = randomFrom(23);
  const requests = Array.from({ length: MIX }, () =>
    classes[Math.floor(next() * classes.length)]!.draw(),
  );
  return requests.map((request) => timeSearch(table, request));
}

/**
 * Changes as workers make them: a state moves on, a date is set; one in five is a new task. Returns
 * changes a second by the clock, and by the time this thread really ran.
 */
function changesPerSecond(table: TextTable, count: number, from: World): [number, number] {
  const next = randomFrom(29);
  const rows = [...tasks(Math.min(count, 50_000), seed, from)];
  let id = count;
  let changes = 0;
  let spent = 0;
  let ran = 0;
  while (changes < 100_000) {
    const batch = Array.from({ length: 1000 }, () => {
      const { id: known, cells } = rows[Math.floor(next() * rows.length)]!;
      const changed = [...cells];
      changed[9] = ['STARTED', 'SUCCESS', 'FAILURE'][Math.floor(next() * 3)]!;
      changed[13] = new Date(Date.UTC(2025, 0, 1) + Math.floor(next() * 1e9));
      if (next() >= 0.2) return { id: known, cells: changed };
      changed[0] = uuid(next);
      return { id: ++id, cells: changed };
    });
    const ranBefore = threadMs();
    spent += time(() => {
      for (const row of batch) table.put(row);
      for (let i = 0; i < 20; i++) table.remove(Math.floor(next() * count));
      table.maintain(1);
    });
    ran += threadMs() - ranBefore;
    changes += batch.length + 20;
  }
  while (table.maintain(SLICE_MS));
  return [Math.round((changes / spent) * 1000), Math.round((changes / ran) * 1000)];
}

function benchIndex() {
  const from = world(seed, options.ids as IdKind, { ...USUAL, ...shape });
  const count = Number(options.rows);
  const small = build(Number(options.small), from);
  const smallTimes = timeClasses(small.table, Number(options.small), from);
  const large = build(count, from);
  console.error(JSON.stringify({ ...large, table: undefined }));
  const checks = Number(options.checks);
  const right = checks > 0 ? verify(large.table, count, from) : 0;
  if (checks > 0) console.error(`${right} answers of ${right} right`);
  const classes = [...timeClasses(large.table, count, from)].map(([name, timed]) => {
    const growth = Math.max(timed.p50, 0.05) / Math.max(smallTimes.get(name)!.p50, 0.05);
    return {
      name,
      hits: timed.hits,
      p50: round(timed.p50),
      p95: round(timed.p95),
      growth: round(growth, 1),
    };
  });
  console.error(
    classes
      .map(
        (c) =>
          `${c.name.padEnd(28)} ${String(c.hits).padStart(9)} hits  p50 ${c.p50.toFixed(3)}  p95 ${c.p95.toFixed(3)}  x${c.growth}`,
      )
      .join('\n'),
  );
  const mix = timeMix(large.table, count, from);
  const [changed, changedByCpu] = changesPerSecond(large.table, count, from);
  const result = {
    rows: count,
    rowsPerSecond: large.rowsPerSecond,
    rowsPerCpuSecond: large.rowsPerCpuSecond,
    sliceP999: large.sliceP999,
    maintainMs: large.maintainMs,
    bytesPerRow: large.bytesPerRow,
    answersRight: right,
    classes,
    mix: {
      p50: round(percentile(mix, 0.5)),
      p95: round(percentile(mix, 0.95)),
      p99: round(percentile(mix, 0.99)),
    },
    changesPerSecond: changed,
    changesPerCpuSecond: changedByCpu,
  };
  console.error(JSON.stringify({ ...result, classes: undefined }));
  return result;
}

const report = {
  date: new Date().toISOString(),
  machine: `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
  results: [benchIndex()],
};
const json = JSON.stringify(report, undefined, 2);
if (options.out) writeFileSync(options.out, `${json}\n`);
else console.log(json);
