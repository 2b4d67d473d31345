import { expect } from 'chai';
import fc from 'fast-check';
import type { RowId, TableImage, TextTable } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { type IndexOptions, restoringIndex } from '../../src/textindex/indexTable.ts';
import type { Partition } from '../../src/textindex/partitions/partition.ts';
import {
  createPartitioned,
  type PartitionedOptions,
} from '../../src/textindex/partitions/partitioned.ts';
import { RestText } from '../../src/textindex/rests/restText.ts';
import { scalarKey } from '../../src/textindex/scalars.ts';
import { StateReader, StateWriter } from '../../src/textindex/storage/state.ts';
import { SEED } from '../support/seed.ts';
import { definition, type Step, step } from './arbitraries.ts';
import { comparable } from './explored.ts';
import { TINY_LAYOUT } from './tinyLayout.ts';

const RUNS = Number(process.env.RUNS ?? 3);
const text = new RestText();

const OPTIONS: IndexOptions = {
  fold: standardFold(),
  layout: TINY_LAYOUT,
};

type Change = Extract<Step, { do: 'put' | 'remove' | 'relate' | 'maintain' }>;

const isChange = (step: Step): step is Change =>
  ['put', 'remove', 'relate', 'maintain'].includes(step.do);

function change(table: TextTable, step: Change): void {
  if (step.do === 'put') {
    for (const row of step.rows) table.put({ ...row, rest: Buffer.from(restOf(row.id)) });
  }
  if (step.do === 'remove') for (const id of step.ids) table.remove(id);
  if (step.do === 'relate') table.relate(step.to[0], step.value, step.to[1], step.texts);
  if (step.do === 'maintain') while (table.maintain(step.budget)) if (step.budget === 0) break;
}

/** The rest of a row: long enough that symbols are found after some dozen rows. */
const restOf = (id: RowId): string => JSON.stringify({ id: scalarKey(id), note: 'x'.repeat(900) });

function restAt(table: TextTable, id: RowId): string | undefined {
  const shown = table.shown(id, []);
  shown?.rest.read(text);
  return shown && String(text);
}

/** The answers to a step that asks. */
function answers(table: TextTable, step: Step): unknown {
  if (step.do === 'search') return step.requests.map((request) => table.search(request));
  if (step.do === 'explore') {
    return step.requests.map((request) => comparable(table.explore(request)));
  }
  if (step.do === 'read') {
    return step.ids.map((id) => [table.valuesOf(id, step.columns), restAt(table, id)]);
  }
  return undefined;
}

/** Copies a table by its images; `meanwhile` is called while they are being written. */
function copyOf(
  table: TextTable,
  options: PartitionedOptions,
  meanwhile: (turn: number) => void,
): TextTable {
  while (table.maintain(Number.POSITIVE_INFINITY));
  let turn = 0;
  const written = (image: TableImage) => {
    const chunks: Uint8Array[] = [];
    for (const some of image.state()) {
      // They hold until the next step.
      chunks.push(Buffer.concat(some));
      meanwhile(turn++);
    }
    const memory = Buffer.alloc(image.memory.length);
    const piece = Math.ceil(memory.length / 8);
    for (let from = 0; from < memory.length; from += piece) {
      memory.set(image.memory.subarray(from, from + piece), from);
      meanwhile(turn++);
    }
    return { state: Buffer.concat(chunks), memory };
  };
  const images = table.images!();
  const copies = images.map(written);
  for (const image of images) image.close();
  return createPartitioned(definition, options, copies.map(restored));
}

function restored({ state, memory }: { state: Uint8Array; memory: Uint8Array }): Partition {
  const restoring = restoringIndex(definition, OPTIONS, state);
  for (;;) {
    const { done, value } = restoring.next();
    if (!done) continue;
    value.memory.set(memory);
    return value.table;
  }
}

describe('image of a table', function () {
  this.timeout(240_000);

  const cases = { 'one partition': OPTIONS, partitions: { ...OPTIONS, partitionRows: 24 } };
  for (const [name, options] of Object.entries(cases)) {
    it(`makes a table that answers and changes as the first one (${name}; SEED=${SEED} RUNS=${RUNS})`, () => {
      const steps = fc.array(step, { minLength: 4, maxLength: 30, size: 'max' });
      const asks = fc.array(
        step.filter((one) => !isChange(one)),
        { minLength: 2, maxLength: 6 },
      );
      fc.assert(
        fc.property(steps, asks, steps, (before, asked, after) => {
          const table = createPartitioned(definition, options);
          for (const one of before.filter(isChange)) change(table, one);
          // Searches go on while it is written, and take and give back memory.
          const copy = copyOf(table, options, (turn) =>
            answers(table, asked[turn % asked.length]!),
          );
          copy.check();
          for (const one of asked) {
            expect(answers(copy, one)).to.deep.equal(answers(table, one));
          }
          for (const one of after) {
            expect(answers(copy, one)).to.deep.equal(answers(table, one));
            if (isChange(one)) for (const each of [table, copy]) change(each, one);
          }
          expect(copy.size).to.equal(table.size);
          copy.check();
          table.check();
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: process.env.SHRINK === 'off' },
      );
    });
  }

  it('has no value of a kind that nobody wrote', () => {
    const writer = new StateWriter();
    writer.text('?');
    const state = Buffer.concat(writer.take(true));
    expect(() => new StateReader(state).scalar()).to.throw('kind of scalar');
  });
});
