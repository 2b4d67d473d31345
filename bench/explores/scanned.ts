/**
 * Explores over generated tables: answers are compared with the scan's over a small table before any is
 * timed over a large one. Each explore is asked for the first time.
 */
import type { ExploreRequest, TableDefinition, TextTable } from '../../src/textindex/api.ts';
import { createScan } from '../../test/oracles/scan.ts';
import { percentile, time } from '../measure.ts';
import { product } from '../product.ts';
import { definitionUnderTest, layoutUnderTest } from '../without.ts';
import { type ClassOf, drawsOf, type ExploreTimes } from './classes.ts';

const { createIndex } =
  await product<typeof import('../../src/textindex/index.ts')>('textindex/index');
const { standardFold } =
  await product<typeof import('../../src/textindex/caseFold.ts')>('textindex/caseFold');

const fold = standardFold();

export interface Generated {
  readonly shape: ExploreTimes['shape'];
  readonly definition: TableDefinition;
  fill(table: TextTable, count: number): void;
  classes(count: number, seed: number): readonly ClassOf<ExploreRequest>[];
}

const CHECKS = 3;
const WARM_UP = 20;

/** Throws where an answer is not the scan's; returns how many were compared. */
export function check({ definition, fill, classes }: Generated, count: number): number {
  const tables = [
    createIndex(definition, { fold, expectedRows: count }),
    createScan(definition, { fold }),
  ];
  for (const table of tables) fill(table, count);
  let compared = 0;
  for (const { name, draw } of classes(count, 3)) {
    for (let i = 0; i < CHECKS; i++) {
      const request = draw();
      const [got, wanted] = tables.map((table) => JSON.stringify(table.explore(request)));
      if (got !== wanted) throw new Error(`${name}: ${JSON.stringify(request)}\n${got}\n${wanted}`);
      compared++;
    }
  }
  return compared;
}

export function timeAll(generated: Generated, count: number, draws: number): ExploreTimes[] {
  const { shape, definition, fill } = generated;
  const options = { fold, expectedRows: count, layout: layoutUnderTest };
  const table = createIndex(definitionUnderTest(definition), options);
  fill(table, count);
  const classes = generated.classes(count, 11);
  for (const { draw } of classes) for (let i = 0; i < WARM_UP; i++) table.explore(draw());
  return classes.map((one) => {
    const { name, measure, share, draw } = one;
    const ms: number[] = [];
    const hits: number[] = [];
    for (let i = drawsOf(one, draws); i > 0; i--) {
      const request = draw();
      ms.push(
        time(() => {
          hits.push(table.explore(request).total);
        }),
      );
    }
    const times = { p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) };
    return { name, measure, share, shape, hits: percentile(hits, 0.5), ...times, peers: {} };
  });
}
