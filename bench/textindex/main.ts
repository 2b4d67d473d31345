/**
 * The index alone, over data of several shapes: answers are compared with a scan before others are timed.
 *
 *     npx tsx bench/textindex/main.ts --rows 1000000 [--draws 150] [--least 1]
 *          [--only <part of a class's name>] [--shape usual|many|distinct|long|otherIds|oneProject]
 *
 * Each search is a new draw and timed once. On a machine that others use, `--least 3` times each
 * three times and keeps the least, which leaves out the moments when another process ran. The variable
 * BENCH_WITHOUT leaves out mechanisms, as `--without` of `npm run bench` does.
 */
import { parseArgs } from 'node:util';
import type { TextTable } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { createScan } from '../../test/oracles/scan.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { type Shape, TASKS, tasks, USUAL, world } from '../../test/worlds/tasks.ts';
import { fill } from '../filled.ts';
import { heldBytes, percentile, time } from '../measure.ts';
import { definitionUnderTest, layoutUnderTest } from '../without.ts';
import { type QueryClass, queryClasses } from './queries.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    least: { type: 'string', default: '1' },
    draws: { type: 'string', default: '150' },
    shape: { type: 'string', default: 'usual' },
    only: { type: 'string', default: '' },
  },
});

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

const SEED = 7;
/** Rows of the tables whose answers are compared, and answers of each class. */
const CHECKED_ROWS = 50_000;
const CHECKS = 2;
const rows = Number(options.rows);
const fold = standardFold();
const from = world(SEED, { ...USUAL, ...shape });
const ids = [...tasks(20_000, SEED, from)].map(({ cells }) => cells[0] as string);

const newIndex = () =>
  createIndex(definitionUnderTest(TASKS), { ...{ fold, layout: layoutUnderTest } });

function classesOf(seed: number): QueryClass[] {
  const next = randomFrom(seed);
  const all = queryClasses(from, () => ids[Math.floor(next() * ids.length)]!, seed);
  return all.filter(({ name }) => name.includes(options.only));
}

/** Compares answers of each class with the scan's; returns how many there were. */
function check(): number {
  const [index, scan] = [newIndex(), createScan(TASKS, { fold })];
  for (const table of [index, scan]) fill(table, tasks(CHECKED_ROWS, SEED, from), from);
  let right = 0;
  for (const { name, draw } of classesOf(3)) {
    for (let i = 0; i < CHECKS; i++) {
      const request = draw();
      const [got, wanted] = [index, scan].map((table) => JSON.stringify(table.search(request)));
      if (got !== wanted) {
        throw new Error(`${name}: ${JSON.stringify(request)}\ngot    ${got}\nwanted ${wanted}`);
      }
      right++;
    }
  }
  return right;
}

function timeClass(table: TextTable, { name, draw }: QueryClass): void {
  const draws = Number(options.draws);
  for (let i = 0; i < draws / 3; i++) table.search(draw());
  const ms: number[] = [];
  const hits: number[] = [];
  for (let i = 0; i < draws; i++) {
    const request = draw();
    const tries = Array.from({ length: Number(options.least) }, () =>
      time(() => table.search(request)),
    );
    ms.push(Math.min(...tries));
    hits.push(table.search(request).total);
  }
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(ms, share).toFixed(3));
  const total = String(percentile(hits, 0.5)).padStart(9);
  console.log(`${name.padEnd(28)} ${total} hits  p50 ${p50}  p95 ${p95}`);
}

console.log(`${check()} answers are those of a scan`);
const before = heldBytes();
const table = newIndex();
const { putMs, afterMs } = fill(table, tasks(rows, SEED, from), from);
const perSecond = Math.round((rows / (putMs + afterMs)) * 1_000);
const perRow = ((heldBytes() - before) / rows).toFixed(1);
console.log(`${rows} rows, ${perSecond} a second, ${perRow} bytes each`);
for (const one of classesOf(11)) timeClass(table, one);
