/** Temporary memory: nothing that is taken overlaps, and all of it is free when the next operation begins. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { BitmapHandle } from '../../src/textindex/storage/brands.ts';
import { plus } from '../../src/textindex/storage/brands.ts';
import { Memory } from '../../src/textindex/storage/memory.ts';
import { Scratch } from '../../src/textindex/storage/scratch.ts';

const BITMAP_BYTES = 64;

function scratchOn(memory: Memory): Scratch {
  const scratch = new Scratch(memory);
  scratch.resizeBitmaps(BITMAP_BYTES);
  return scratch;
}

describe('scratch memory', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 90_000 }));

  it('lends what overlaps with nothing else, and takes no more when an operation is repeated', () => {
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 40 }), (sizes) => {
        const memory = new Memory();
        const scratch = scratchOn(memory);
        const operation = () => {
          scratch.reset();
          const taken: [from: number, to: number][] = [];
          for (const bytes of sizes) {
            const at = scratch.take(bytes);
            expect(at % 16).to.equal(0);
            taken.push([at, at + bytes]);
            const bitmap = scratch.bitmap();
            taken.push([bitmap, bitmap + BITMAP_BYTES]);
          }
          taken.sort((a, b) => a[0] - b[0]);
          for (let i = 1; i < taken.length; i++) {
            expect(taken[i]![0]).to.be.at.least(taken[i - 1]![1]);
          }
        };
        // The first grows chunk by chunk, the second keeps the largest and may need one that holds all.
        for (let i = 0; i < 3; i++) operation();
        const { used } = memory;
        operation();
        expect(memory.used).to.equal(used);
      }),
      { numRuns: 40 },
    );
  });

  it('clears a bitmap that was written to, whether it was given back or not', () => {
    const memory = new Memory();
    const scratch = scratchOn(memory);
    const write = (bitmap: BitmapHandle) => memory.u8.fill(7, bitmap, bitmap + BITMAP_BYTES);
    const kept = scratch.bitmap();
    const given = scratch.bitmap();
    write(kept);
    write(given);
    scratch.giveBack(given);
    scratch.reset();
    for (const bitmap of [scratch.bitmap(), scratch.bitmap()]) {
      expect([kept, given]).to.include(bitmap);
      const bytes = memory.u8.subarray(bitmap, bitmap + BITMAP_BYTES);
      expect(bytes.every((byte) => byte === 0)).to.equal(true);
    }
  });

  it('lends one that was given back clean again as it is', () => {
    const scratch = scratchOn(new Memory());
    const bitmap = scratch.bitmap();
    scratch.giveBack(bitmap, true);
    scratch.reset();
    expect(scratch.bitmap()).to.equal(bitmap);
  });

  it('takes the tail of the last piece back, and of none that lies in another chunk', () => {
    const scratch = scratchOn(new Memory());
    const first = scratch.take(1000);
    scratch.cut(plus(first, 100));
    expect(scratch.take(16)).to.equal(plus(first, 112));
    const next = scratch.take(1_000_000);
    scratch.cut(first);
    expect(scratch.take(16)).to.equal(plus(next, 1_000_000));
  });
});
