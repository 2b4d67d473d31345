import { expect } from 'chai';
import fc from 'fast-check';
import type { ColumnDefinition, RowId, Scalar } from '../../src/textindex/api.ts';
import { Fold } from '../../src/textindex/caseFold.ts';
import type { PartitionedOptions } from '../../src/textindex/partitions/partitioned.ts';
import { scalarKey } from '../../src/textindex/scalars.ts';
import { SEED } from '../support/seed.ts';
import { definition, type Step, step } from './arbitraries.ts';
import { shown } from './explored.ts';
import { movingKernel, whileMoving } from './movingMemory.ts';
import { Pair } from './pair.ts';
import { TINY_LAYOUT } from './tinyLayout.ts';

const RUNS = Number(process.env.RUNS ?? 10);

/** Layouts in which blocks split, segments follow each other and lists become bitmaps early. */
const LAYOUTS: readonly (readonly [string, Partial<PartitionedOptions>])[] = [
  ['tiny layout', { layout: TINY_LAYOUT }],
  [
    'small layout',
    {
      layout: {
        segmentBits: 7,
        blockRows: 8,
        denseRows: 8,
        freshRows: 40,
        precomputeRows: 30,
        fewHits: 4,
        listedRows: 10,
        probedRows: 30,
        visibleRows: 20,
        walkedBlocks: 2,
        infixTextBytes: 64,
        largeTextBytes: 64,
        textBlockBits: 0,
      },
    },
  ],
  ['its own layout', {}],
  ['partitions of 64 rows', { partitionRows: 64, layout: TINY_LAYOUT }],
  [
    'partitions of 16 rows, sorted when all have come',
    { partitionRows: 16, expectedRows: 90_000, layout: { segmentBits: 7, blockRows: 8 } },
  ],
  [
    'rows sorted when all have come',
    { expectedRows: 20_000, layout: { segmentBits: 7, blockRows: 8 } },
  ],
  // Letters that no server calls equal, hexadecimal ones among them: the index must not assume.
  [
    'an odd fold',
    {
      fold: Fold.from([
        [0x61, 0x66],
        [0x416, 0x31],
      ]),
      layout: { segmentBits: 7, blockRows: 4, denseRows: 8, freshRows: 3, precomputeRows: 8 },
    },
  ],
];

function run(step: Step, pair: Pair): void {
  switch (step.do) {
    case 'put':
      for (const row of step.rows) pair.put(row);
      break;
    case 'remove':
      for (const id of step.ids) pair.remove(id);
      break;
    case 'relate':
      pair.relate(step.to[0], step.value, step.to[1], step.texts);
      break;
    case 'search':
      for (const request of step.requests) pair.search(request);
      break;
    case 'explore':
      for (const request of step.requests) pair.explore(request);
      break;
    case 'read':
      for (const id of step.ids) compareValues(pair, id, step.columns);
      break;
    case 'maintain':
      pair.maintain(step.budget);
  }
  expect(pair.index.size).to.equal(pair.scan.size);
}

function compareValues({ index, scan }: Pair, id: RowId, columns: readonly string[]): void {
  const [got, wanted] = [index, scan].map((table) => table.valuesOf(id, columns));
  expect(got === undefined, shown({ id })).to.equal(wanted === undefined);
  for (const [i, name] of columns.entries()) {
    const values = got?.[i];
    if (got && !values) expect(isKept(name), `${name} is not kept`).to.equal(false);
    else expect(keysOf(values), `${name} of ${shown({ id })}`).to.deep.equal(keysOf(wanted?.[i]));
  }
}

/** A column's values are kept unless nothing can be asked of it. */
const isKept = (name: string): boolean =>
  (definition.columns as readonly ColumnDefinition[]).some(
    ({ name: known, expect: _, ...uses }) => known === name && Object.keys(uses).length > 0,
  );

const keysOf = (values: readonly Scalar[] = []) => [...new Set(values.map(scalarKey))].sort();

/** The step with the first element of each array instead of it: much is shorter without arrays. */
function withoutArrays(step: Step): Step {
  if (step.do !== 'put') return step;
  const rows = step.rows.map(({ id, cells }) => ({
    id,
    cells: cells.map((cell) => (Array.isArray(cell) ? ((cell[0] ?? null) as Scalar) : cell)),
  }));
  return { ...step, rows };
}

describe('index', function () {
  this.timeout(240_000);
  const cases = LAYOUTS.flatMap(([name, options]) => [
    { name, options, adapt: (step: Step) => step },
    { name: `${name}, no arrays`, options, adapt: withoutArrays },
  ]);
  for (const { name, options, adapt } of cases) {
    it(`answers as the scan does, whatever happens (${name}; SEED=${SEED} RUNS=${RUNS})`, () => {
      answersAsTheScan(options, adapt);
    });
  }

  it(`answers as the scan does while its memory moves (SEED=${SEED} RUNS=${RUNS})`, () => {
    const options = { kernel: movingKernel, layout: TINY_LAYOUT };
    whileMoving(() => answersAsTheScan(options, (step) => step));
  });
});

function answersAsTheScan(options: Partial<PartitionedOptions>, adapt: (step: Step) => Step): void {
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 40, size: 'max' }), (steps) => {
      const pair = new Pair(definition, options);
      for (const step of steps) run(adapt(step), pair);
      pair.index.check();
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.SHRINK === 'off' },
  );
}
