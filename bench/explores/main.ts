/**
 * The in-process bench of explores: answers are compared with the scan's before any is timed.
 *
 *     node --expose-gc --import tsx bench/explores/main.ts --rows 1000000
 *          [--checked 5000] [--draws 120] [--least 3] [--only histogram] [--out file.json]
 *
 * Each explore is drawn anew; of `--least` tries of one the least counts, since others run beside it.
 * `search` is the same page without conditions and counts.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ExploreRequest, TextTable } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/indexTable.ts';
import { createScan } from '../../test/oracles/scan.ts';
import { TASKS, tasks, world } from '../../test/worlds/tasks.ts';
import { heldBytes, percentile, round, time } from '../measure.ts';
import { exploreClasses } from './classes.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    checked: { type: 'string', default: '5000' },
    draws: { type: 'string', default: '120' },
    least: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    out: { type: 'string' },
  },
});
const SEED = 7;
const fold = standardFold();
const from = world(SEED);
const ids = [...tasks(20_000, SEED, from)].map(({ cells }) => cells[0] as string);
const classes = (seed: number) =>
  exploreClasses(from, (n) => ids[n % ids.length]!, seed).filter(({ name }) =>
    name.includes(options.only),
  );

function filled(table: TextTable, count: number): TextTable {
  for (const { id, name } of from.projects) table.relate('project_id', id, 'project_name', [name]);
  for (const task of tasks(count, SEED, from)) table.put(task);
  while (table.maintain(50));
  return table;
}

/** Throws where an answer is not the scan's; returns how many were compared. */
function check(count: number): number {
  const index = filled(createIndex(TASKS, { fold, expectedRows: count }), count);
  const scan = filled(createScan(TASKS, { fold }), count);
  let compared = 0;
  for (const { name, draw } of classes(3)) {
    for (let i = 0; i < 3; i++) {
      const request = draw();
      const [got, wanted] = [index, scan].map((table) => JSON.stringify(table.explore(request)));
      if (got !== wanted) throw new Error(`${name}: ${JSON.stringify(request)}\n${got}\n${wanted}`);
      compared++;
    }
  }
  return compared;
}

const least = (act: () => void) =>
  Math.min(...Array.from({ length: Number(options.least) }, () => time(act)));

function timed(table: TextTable, name: string, draw: () => ExploreRequest) {
  for (let i = 0; i < 20; i++) table.explore(draw());
  const requests = Array.from({ length: Number(options.draws) }, draw);
  const explores = requests.map((request) => least(() => table.explore(request)));
  const searches = requests.map((request) => least(() => table.search(request)));
  const totals = requests.map((request) => table.explore(request).total);
  return {
    name,
    hits: percentile(totals, 0.5),
    p50: round(percentile(explores, 0.5)),
    p99: round(percentile(explores, 0.99)),
    search: round(percentile(searches, 0.5)),
  };
}

const compared = check(Number(options.checked));
console.error(`${compared} answers of ${compared} are the scan's`);
const count = Number(options.rows);
const before = heldBytes();
const table = filled(createIndex(TASKS, { fold, expectedRows: count }), count);
const bytesPerRow = round((heldBytes() - before) / count, 1);
console.error(`${count} rows of ${bytesPerRow} bytes`);
const results = classes(11).map(({ name, draw }) => {
  const one = timed(table, name, draw);
  const { hits, p50, p99, search } = one;
  const figures = `p50 ${p50.toFixed(3)}  p99 ${p99.toFixed(3)}  search ${search.toFixed(3)}`;
  console.error(`${name.padEnd(36)} ${String(hits).padStart(9)} hits  ${figures}`);
  return one;
});
const report = { date: new Date().toISOString(), rows: count, bytesPerRow, compared, results };
if (options.out) writeFileSync(options.out, `${JSON.stringify(report, undefined, 2)}\n`);
