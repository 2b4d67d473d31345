import { expect } from 'chai';
import fc from 'fast-check';
import type { RowNumber } from '../../src/textindex/storage/brands.ts';
import { RowDoubles } from '../../src/textindex/storage/rowDoubles.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';

const SEGMENT_BITS = 7;
const ROWS = 3 * 2 ** SEGMENT_BITS;
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

const tinySpace = () => new Space({ ...DEFAULT_LAYOUT, segmentBits: SEGMENT_BITS });

describe('a double for each row', () => {
  it('is what was put last, whatever the others of its segment are', () => {
    const close = fc.integer({ min: NOW, max: NOW + DAY });
    const apart = fc.integer({ min: NOW - 9_000 * DAY, max: NOW + 9_000 * DAY });
    const odd = fc.constantFrom(
      -0,
      0,
      0.5,
      1 / 3,
      2 ** 31,
      -(2 ** 53),
      2 ** 60,
      Infinity,
      -Infinity,
    );
    const seconds = fc.integer({ min: 0, max: 9_000_000 }).map((ms) => ms / 1_000);
    const number = fc.oneof(
      { weight: 40, arbitrary: close },
      { weight: 8, arbitrary: fc.constant(-Infinity) },
      { weight: 2, arbitrary: apart },
      { weight: 9, arbitrary: seconds },
      { weight: 1, arbitrary: odd },
    );
    const puts = fc.array(fc.tuple(fc.integer({ min: 0, max: ROWS - 1 }), number), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(puts, (list) => {
        const doubles = new RowDoubles(tinySpace());
        const held = new Map<number, number>();
        for (const [row, put] of list) {
          doubles.set(row as RowNumber, put);
          // Minus zero is zero.
          held.set(row, put + 0);
          const all = [...held.keys()].map((one) => doubles.at(one as RowNumber));
          expect(all).deep.equal([...held.values()]);
          const read = new Float64Array(held.size);
          doubles.read(Uint32Array.from(held.keys()), read);
          expect([...read]).deep.equal(all);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('takes 4 bytes for dates of weeks and seconds, 5 for dates of years, 8 for thirds', () => {
    const bytesFor = (numbers: readonly number[]) => {
      const space = tinySpace();
      const { used } = space.memory;
      const doubles = new RowDoubles(space);
      for (const [row, number] of numbers.entries()) doubles.set(row as RowNumber, number);
      return Math.floor((space.memory.used - used) / 2 ** SEGMENT_BITS);
    };
    expect(bytesFor([NOW, -Infinity, NOW + 30 * DAY, NOW - 10 * DAY])).equal(4);
    expect(bytesFor([NOW, NOW + 5_000 * DAY, -Infinity])).equal(5);
    expect(bytesFor([0, 12.345, 0.001, 86_400, -Infinity, 1_234.5])).equal(4);
    expect(bytesFor([NOW, NOW + DAY + 0.5])).equal(5);
    expect(bytesFor([0, -0, 12.5])).equal(4);
    expect(bytesFor([1, 1 / 3])).equal(8);
  });
});
