/**
 * Explores over generated tables, in two shapes: dates that follow the rows, as in a store that grows,
 * and dates that do not, where nothing can be told of neighbours.
 *
 * Answers are compared with the scan's over a small table before any is timed over a large one. Each
 * explore is asked for the first time.
 */

import type { ExploreRequest, TextTable } from '../../src/textindex/api.ts';
import type { Row } from '../../src/textindex/index.ts';
import { createScan } from '../../test/oracles/scan.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { TASKS, tasks, world } from '../../test/worlds/tasks.ts';
import { percentile, time } from '../measure.ts';
import { product } from '../product.ts';
import { definitionUnderTest, layoutUnderTest } from '../without.ts';
import { type ClassOf, type ExploreTimes, exploreClasses, type Generated } from './classes.ts';

const { createIndex } =
  await product<typeof import('../../src/textindex/index.ts')>('textindex/index');
const { standardFold } =
  await product<typeof import('../../src/textindex/caseFold.ts')>('textindex/caseFold');

const SEED = 7;
const YEAR_MS = 365 * 86_400_000;
const fold = standardFold();
const from = world(SEED);
const ids = [...tasks(20_000, SEED, from)].map(({ cells }) => cells[0] as string);
const classesOf = (seed: number) => exploreClasses(from, (n) => ids[n % ids.length]!, seed);

function* rowsOf(count: number, shape: Generated): Generator<Row> {
  const next = randomFrom(SEED + 1);
  const dates = TASKS.columns.flatMap(({ expect }, i) => (expect === 'date' ? [i] : []));
  for (const row of tasks(count, SEED, from)) {
    if (shape === 'dates follow the rows') yield row;
    else {
      const cells = [...row.cells];
      for (const i of dates) {
        if (cells[i] instanceof Date) cells[i] = new Date(Date.UTC(2025, 0, 1) + next() * YEAR_MS);
      }
      yield { id: row.id, cells };
    }
  }
}

function filled(table: TextTable, count: number, shape: Generated): TextTable {
  for (const { id, name } of from.projects) table.relate('project_id', id, 'project_name', [name]);
  for (const row of rowsOf(count, shape)) table.put(row);
  while (table.maintain(50));
  return table;
}

/** Throws where an answer is not the scan's; returns how many were compared. */
export function checkGenerated(count: number, shape: Generated): number {
  const index = filled(createIndex(TASKS, { fold, expectedRows: count }), count, shape);
  const scan = filled(createScan(TASKS, { fold }), count, shape);
  let compared = 0;
  for (const { name, draw } of classesOf(3)) {
    for (let i = 0; i < 3; i++) {
      const request = draw();
      const [got, wanted] = [index, scan].map((table) => JSON.stringify(table.explore(request)));
      if (got !== wanted) throw new Error(`${name}: ${JSON.stringify(request)}\n${got}\n${wanted}`);
      compared++;
    }
  }
  return compared;
}

export function timeGenerated(count: number, shape: Generated, draws: number): ExploreTimes[] {
  const options = { fold, expectedRows: count, layout: layoutUnderTest };
  const table = filled(createIndex(definitionUnderTest(TASKS), options), count, shape);
  const classes = classesOf(11);
  for (const { draw } of classes) for (let i = 0; i < 20; i++) table.explore(draw());
  return classes.map((one) => timed(table, one, shape, draws));
}

function timed(
  table: TextTable,
  { name, measure, share, draw }: ClassOf<ExploreRequest>,
  shape: Generated,
  draws: number,
): ExploreTimes {
  const ms: number[] = [];
  const hits: number[] = [];
  for (let i = 0; i < draws; i++) {
    const request = draw();
    ms.push(
      time(() => {
        hits.push(table.explore(request).total);
      }),
    );
  }
  const times = { p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) };
  return { name, measure, share, shape, hits: percentile(hits, 0.5), ...times, peers: {} };
}
