/** Numbers of values over several dictionaries, while values come and go. */
import { expect } from 'chai';
import fc from 'fast-check';
import { Values } from '../../src/textindex/dictionary/values.ts';
import { SharedValues } from '../../src/textindex/partitions/sharedValues.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';
import { SEED } from '../support/seed.ts';

const PARTITIONS = 3;
const VALUES = 6;

describe('numbers of values in several partitions', () => {
  it(`are the same exactly for equal values, and few (SEED=${SEED})`, () => {
    const step = fc.record({
      place: fc.nat(PARTITIONS - 1),
      value: fc.nat(VALUES - 1),
      isNumbered: fc.boolean(),
      isCut: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const all = Array.from({ length: PARTITIONS }, () => new Values(new Space(DEFAULT_LAYOUT)));
        const shared = new SharedValues();
        for (const { place, value, isNumbered, isCut } of steps) {
          const known = all[place]!.find(value);
          if (known === undefined) all[place]!.add();
          else all[place]!.remove(known);
          if (isCut) shared.number(all, Number.NEGATIVE_INFINITY);
          if (isNumbered) check();
        }
        check();

        function check(): void {
          expect(shared.number(all)).to.equal(false);
          const byValue = new Map<number, Set<number>>();
          for (const values of all) {
            for (let value = 0; value < VALUES; value++) {
              const ordinal = values.find(value);
              if (ordinal === undefined) continue;
              const number = values.shared.byOrdinal[ordinal]!;
              expect(number).to.be.within(1, shared.end - 1);
              byValue.set(value, (byValue.get(value) ?? new Set()).add(number));
            }
          }
          const numbers = [...byValue.values()].flatMap((some) => [...some]);
          expect(numbers.length).to.equal(byValue.size);
          expect(new Set(numbers).size).to.equal(byValue.size);
          expect(shared.end).to.be.below(200);
        }
      }),
      { numRuns: 300, seed: SEED },
    );
  });
});
