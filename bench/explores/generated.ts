/**
 * Tables of generated tasks, in two shapes. Dates follow the rows, as in a store that grows; or they do
 * not, and nothing can be told of neighbours.
 */
import type { Row } from '../../src/textindex/index.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { TASKS, type Task, tasks, world } from '../../test/worlds/tasks.ts';
import { fill } from '../filled.ts';
import { exploreClasses } from './classes.ts';
import type { Generated } from './scanned.ts';

const SEED = 7;
const YEAR_MS = 365 * 86_400_000;
const from = world(SEED);
const ids = [...tasks(20_000, SEED, from)].map(({ cells }) => cells[0] as string);
const DATES = TASKS.columns.flatMap(({ expect }, i) => (expect === 'date' ? [i] : []));

function* datedAtRandom(rows: Iterable<Task>): Generator<Row> {
  const next = randomFrom(SEED + 1);
  for (const row of rows) {
    const cells = [...row.cells];
    for (const i of DATES) {
      if (cells[i] instanceof Date) cells[i] = new Date(Date.UTC(2025, 0, 1) + next() * YEAR_MS);
    }
    yield { id: row.id, cells };
  }
}

const tableOf = (
  shape: Generated['shape'],
  shaped: (rows: Iterable<Task>) => Iterable<Row>,
): Generated => ({
  shape,
  definition: TASKS,
  fill: (table, count) => fill(table, shaped(tasks(count, SEED, from)), from),
  classes: (_count, seed) => exploreClasses(from, (n) => ids[n % ids.length]!, seed),
});

export const GENERATED: readonly Generated[] = [
  tableOf('dates follow the rows', (rows) => rows),
  tableOf('dates at random', datedAtRandom),
];
