/** The allocator: blocks never overlap, are aligned, and come back whole. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Pointer } from '../../src/textindex/storage/brands.ts';
import { Memory, Vector } from '../../src/textindex/storage/memory.ts';

/** A block: the bytes asked for, and the byte that it was filled with. */
interface Block {
  readonly at: Pointer;
  readonly bytes: number;
  readonly filled: number;
}

const size = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 300, max: 70_000 }),
  fc.constantFrom(16, 4096, 65_536, 131_072, 200_000),
);
const step = fc.oneof(
  fc.record({ alloc: size, zero: fc.boolean() }),
  fc.record({ free: fc.nat() }),
);

function checkFill(memory: Memory, { at, bytes, filled }: Block): void {
  const wrong = memory.u8.subarray(at, at + bytes).findIndex((byte) => byte !== filled);
  expect(wrong, `block of ${bytes} at ${at}`).to.equal(-1);
}

describe('the allocator', () => {
  it('lends blocks that are aligned and that no other block writes to, and takes them back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const memory = new Memory();
        const empty = memory.used;
        const blocks: Block[] = [];
        let filled = 0;
        for (const one of steps) {
          if ('free' in one) {
            const [block] = blocks.splice(one.free % Math.max(1, blocks.length), 1);
            if (!block) continue;
            checkFill(memory, block);
            memory.free(block.at, block.bytes);
            continue;
          }
          const at = one.zero ? memory.allocZero(one.alloc) : memory.alloc(one.alloc);
          expect(at % 16).to.equal(0);
          filled = (filled % 255) + 1;
          const block = { at, bytes: one.alloc, filled };
          if (one.zero) checkFill(memory, { ...block, filled: 0 });
          memory.u8.fill(block.filled, at, at + one.alloc);
          blocks.push(block);
        }
        for (const block of blocks) {
          checkFill(memory, block);
          memory.free(block.at, block.bytes);
        }
        expect(memory.used).to.equal(empty);
      }),
      { numRuns: 100 },
    );
  });

  it('lends freed blocks again instead of growing', () => {
    const memory = new Memory();
    const round = () => {
      const blocks = Array.from({ length: 200 }, (_, i) => [memory.alloc(64 + i * 40), i] as const);
      for (const [at, i] of blocks) memory.free(at, 64 + i * 40);
    };
    round();
    const { bytes } = memory;
    for (let i = 0; i < 50; i++) round();
    expect(memory.bytes).to.equal(bytes);
  });

  it('lends no block again that was in use when it was held, until it is let go', () => {
    const memory = new Memory();
    const block = memory.alloc(4096);
    memory.hold();
    const { length } = memory.image;
    memory.free(block, 4096);
    expect(memory.alloc(4096)).not.to.equal(block);
    expect(memory.image.length).to.equal(length);
    memory.letGo();
    expect(memory.alloc(4096)).to.equal(block);
  });

  it('keeps what a vector holds when it moves', () => {
    const memory = new Memory();
    const [a, b] = [new Vector(memory), new Vector(memory)];
    for (let i = 0; i < 5000; i++) {
      a.push(i);
      b.push(i * 3);
    }
    expect(a.toArray()).to.deep.equal(Array.from({ length: 5000 }, (_, i) => i));
    expect(b.at(4999)).to.equal(14_997);
  });
});
