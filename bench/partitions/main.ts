/**
 * The cost of partitions: the same rows in one index and in several, the same questions to both.
 * Each question is asked of each for the first time, and the answers must be equal.
 *
 *     npx tsx bench/partitions/main.ts --rows 3000000 --partitions 3
 *          [--draws 60] [--seed 7]
 *
 * Times depend on the machine and on its other work; the ratios, within one run, do not.
 */
import { parseArgs } from 'node:util';
import { standardFold } from '../../src/textindex/caseFold.ts';
import type { ExploreRequest, PageRequest, TextTable } from '../../src/textindex/index.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { createPartitioned } from '../../src/textindex/partitions/partitioned.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { TASKS, tasks, world } from '../../test/worlds/tasks.ts';
import { exploreClasses } from '../explores/classes.ts';
import { fill } from '../filled.ts';
import { percentile, time } from '../measure.ts';
import { queryClasses } from '../textindex/queries.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '3000000' },
    partitions: { type: 'string', default: '3' },
    draws: { type: 'string', default: '60' },
    seed: { type: 'string', default: '7' },
  },
});
const rows = Number(options.rows);
const seed = Number(options.seed);
const draws = Number(options.draws);
const from = world(seed);

function fillWhole(table: TextTable): void {
  const { putMs, afterMs } = fill(table, tasks(rows, seed, from), from);
  const perRow = Math.round(table.bytes / rows);
  console.log(
    `${Math.round((rows / putMs) * 1000)} rows/s, then ${Math.round(afterMs)} ms, ${perRow} bytes a row`,
  );
}

interface Class {
  readonly name: string;
  readonly draw: () => PageRequest | ExploreRequest;
}

const ask = (table: TextTable, request: PageRequest | ExploreRequest) =>
  'facets' in request ? table.explore(request) : table.search(request);

function compare(
  kind: string,
  classes: readonly Class[],
  [one, several]: readonly TextTable[],
): void {
  for (const { name, draw } of classes) {
    for (let i = 0; i < draws / 3; i++) for (const table of [one!, several!]) ask(table, draw());
    const times: [number[], number[]] = [[], []];
    for (let i = 0; i < draws; i++) {
      const request = draw();
      const answers = [one!, several!].map((table, which) => {
        let answer: unknown;
        times[which]!.push(time(() => (answer = ask(table, request))));
        return JSON.stringify(answer);
      });
      if (answers[0] !== answers[1]) {
        throw new Error(
          `${name}: ${JSON.stringify(request)}\n${answers.join('\n').slice(0, 4000)}`,
        );
      }
    }
    const [alone, apart] = times.map((all) => percentile(all, 0.5));
    const ratio = (apart! / alone!).toFixed(2);
    console.log(
      `${kind} ${name.padEnd(44)} ${alone!.toFixed(3)} ms → ${apart!.toFixed(3)} ms, × ${ratio}`,
    );
  }
}

const fold = standardFold();
// Room for rows that go to other partitions would count as bytes of these.
const means = { fold, expectedRows: rows, mostReserved: 0 };
const tables = [
  createIndex(TASKS, means),
  createPartitioned(TASKS, {
    ...means,
    partitionRows: Math.ceil(rows / Number(options.partitions)),
  }),
];
for (const table of tables) fillWhole(table);

const ids: string[] = [];
for (const { cells } of tasks(20_000, seed, from)) ids.push(cells[0] as string);
const next = randomFrom(5);
const sample = (n = Math.floor(next() * ids.length)) => ids[n % ids.length]!;
compare(
  'search',
  queryClasses(from, () => sample(), 11),
  tables,
);
compare('explore', exploreClasses(from, sample, 11), tables);
