import { expect } from 'chai';
import fc from 'fast-check';
import { elementAt, splitAt } from '../../src/textindex/partitions/ranks.ts';
import { SEED } from '../support/seed.ts';

const compare = (a: number, b: number) => a - b;
/** Elements that are read at most, where places are known: of those apart only the first ones, and the result. */
const MOST: Readonly<Record<string, number>> = { apart: 6, uneven: 60 };
/** Without `isKnown` a sequence is read by position alone. */
const sequence = (isKnown: boolean) => (list: readonly number[]) => ({
  count: list.length,
  at: (rank: number) => {
    expect(rank).to.be.within(0, list.length - 1);
    return list[rank]!;
  },
  ...(isKnown && { before: (one: number) => list.filter((other) => other < one).length }),
});

describe('ranks over several sequences', () => {
  it(`splits them where all of them, sorted, are split (SEED=${SEED})`, () => {
    const lists = fc.array(
      fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }).map((of) => of.sort(compare)),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(lists, fc.nat(150), fc.nat(20), fc.boolean(), (of, wish, near, isKnown) => {
        const sequences = of.map(sequence(isKnown));
        const all = of.flat().sort(compare);
        const rank = Math.min(wish, all.length);
        const split = splitAt(sequences, rank, compare, near);
        const before = of.flatMap((list, i) => list.slice(0, split[i]));
        expect(before.length).to.be.within(Math.max(0, rank - near), rank);
        const greatest = Math.max(...before, Number.NEGATIVE_INFINITY);
        if (before.length > 0) expect(greatest).to.be.at.most(all[rank - 1]!);
        if (rank < all.length) {
          expect(elementAt(sequences, rank, compare)).to.equal(all[rank]);
        }
      }),
      { numRuns: 2_000, seed: SEED },
    );
  });

  for (const isKnown of [true, false]) {
    it(`reads few elements, wherever the rank is (${isKnown ? 'known' : 'unknown'} places)`, () => {
      const COUNT = 10_000_000;
      const shapes: Record<string, readonly ((rank: number) => number)[]> = {
        alike: [(rank) => rank * 3, (rank) => rank * 3 + 1, (rank) => rank * 3 + 2],
        apart: [(rank) => rank, (rank) => rank + COUNT, (rank) => rank + 2 * COUNT],
        same: [() => 7, () => 7, () => 7],
        uneven: [
          (rank) => rank ** 3,
          (rank) => Math.sqrt(rank) * 1e17,
          (rank) => 2 ** (rank / 2e5),
        ],
      };
      for (const [name, values] of Object.entries(shapes)) {
        for (const rank of [1, COUNT, COUNT * 1.5, COUNT * 3 - 1]) {
          let read = 0;
          const counted = values.map((at) => ({
            count: COUNT,
            at: (place: number) => {
              read++;
              return at(place);
            },
            ...(isKnown && { before: (one: number) => placeOf(at, one) }),
          }));
          elementAt(counted, rank, compare);
          const most = !isKnown ? 150 : (MOST[name] ?? 20);
          expect(read, `${name}, rank ${rank}`).to.be.at.most(most);
        }
      }

      function placeOf(at: (rank: number) => number, one: number): number {
        let [low, high] = [0, COUNT];
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (at(middle) < one) low = middle + 1;
          else high = middle;
        }
        return low;
      }
    });
  }
});
