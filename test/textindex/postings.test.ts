/** Posting lists, of one row to a bitmap of many, with rows that are not where they should be. */
import { expect } from 'chai';
import fc from 'fast-check';
import { Ordinals } from '../../src/textindex/dictionary/ordinals.ts';
import { Postings } from '../../src/textindex/dictionary/postings.ts';
import type { Ordinal, RowNumber } from '../../src/textindex/storage/brands.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';

const ROWS = 128;
const OTHERS = [100, 101, 102] as RowNumber[];

describe('postings', () => {
  const ORDINAL = 3 as Ordinal;
  const OTHER = 4 as Ordinal;
  const ORDINALS = [2, 3, 4] as Ordinal[];

  for (const count of [0, 1, 2, 5, 64]) {
    it(`of ${count} rows throw for a row that is not among them, and stay as they were`, () => {
      const postings = new Postings(
        new Space({ ...DEFAULT_LAYOUT, segmentBits: 7, denseRows: 32 }),
      );
      postings.open(OTHER);
      for (let row = 10 as RowNumber; row < 10 + count; row++) postings.add(ORDINAL, row);
      // In the memory right after the list: a search that does not end with the list finds it.
      for (const row of OTHERS) postings.add(OTHER, row);
      const before = postings.rowsOf(ORDINAL);
      for (const row of [0, 9, 100, 101] as RowNumber[]) {
        expect(() => postings.delete(ORDINAL, row), String(row)).to.throw('invariant broken');
      }
      postings.check();
      expect(postings.rowsOf(ORDINAL)).to.deep.equal(before);
      for (const row of before) postings.delete(ORDINAL, row);
      expect(postings.rowsOf(ORDINAL)).to.deep.equal([]);
      expect(postings.rowsOf(OTHER)).to.have.members(OTHERS);
    });
  }

  it('hold the same rows as plain sets, from one row to a bitmap and back', () => {
    const step = fc.record({
      ordinal: fc.constantFrom(...ORDINALS),
      row: fc.nat(ROWS - 1).map((n) => n as RowNumber),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 400 }), (steps) => {
        const space = new Space({ ...DEFAULT_LAYOUT, segmentBits: 7, denseRows: 16 });
        space.addSegment();
        const postings = new Postings(space);
        const sets = new Map(ORDINALS.map((ordinal) => [ordinal, new Set<RowNumber>()]));
        postings.open(OTHER);
        const follow = (ordinal: Ordinal, row: RowNumber) => {
          const set = sets.get(ordinal)!;
          if (set.delete(row)) postings.delete(ordinal, row);
          else {
            set.add(row);
            postings.add(ordinal, row);
          }
          expect(postings.countOf(ordinal)).to.equal(set.size);
        };
        for (const { ordinal, row } of steps) follow(ordinal, row);
        postings.check();
        for (const [ordinal, set] of sets) {
          expect(postings.rowsOf(ordinal)).to.have.members([...set]);
          for (const row of [...set]) follow(ordinal, row);
          expect(postings.rowsOf(ordinal)).to.deep.equal([]);
        }
        expect(postings.dense.size).to.equal(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('ordinals of rows', () => {
  it('are what was set last, whatever the others of their segment are', () => {
    const ordinal = fc.oneof(fc.nat(15), fc.nat(300), fc.nat(70_000));
    const sets = fc.array(fc.tuple(fc.nat(3 * 128 - 1), ordinal), { maxLength: 80 });
    fc.assert(
      fc.property(sets, (list) => {
        const ordinals = new Ordinals(new Space({ ...DEFAULT_LAYOUT, segmentBits: 7 }));
        const held = new Map<number, number>();
        for (const [row, one] of list) {
          ordinals.set(row as RowNumber, one as Ordinal);
          held.set(row, one);
        }
        for (let row = 0; row < 3 * 128; row++) {
          expect(ordinals.get(row as RowNumber)).equal(held.get(row) ?? 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('take half a byte a row in a column of a dozen values', () => {
    const space = new Space(DEFAULT_LAYOUT);
    const ordinals = new Ordinals(space);
    const { used } = space.memory;
    for (let row = 0; row < 65_536; row++) ordinals.set(row as RowNumber, (row % 16) as Ordinal);
    expect(space.memory.used - used).equal(32_768);
  });
});
