import { expect } from 'chai';
import fc from 'fast-check';
import type { Pointer } from '../../src/textindex/storage/brands.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';
import { bitsOf, isSet, onKernel } from './kernelBench.ts';

const BYTES = 48 * 16;
const sparse = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 255 }), { minLength: BYTES, maxLength: BYTES }),
  fc.constant(Array(BYTES).fill(255)),
  fc.array(fc.integer({ min: 0, max: BYTES * 8 - 1 }), { maxLength: 9 }).map((list) => {
    const bytes = Array(BYTES).fill(0) as number[];
    for (const bit of list) bytes[bit >> 3]! |= 1 << (bit & 7);
    return bytes;
  }),
);
const rows = fc.array(fc.integer({ min: 0, max: BYTES * 8 - 1 }), { maxLength: 60 });

/** Puts an ordinal of so many bits into a segment's, which are zeros. */
function putOrdinal(memory: Memory, chunk: Pointer, width: number, row: number, ordinal: number) {
  const { u8, u16, u32 } = memory;
  if (width === 4) u8[chunk + (row >> 1)]! |= ordinal << ((row & 1) * 4);
  else if (width === 8) u8[chunk + row] = ordinal;
  else if (width === 16) u16[chunk / 2 + row] = ordinal;
  else u32[chunk / 4 + row] = ordinal;
}

describe('kernels', () => {
  it('combine and count bitmaps', () => {
    fc.assert(
      fc.property(sparse, sparse, sparse, (a, b, c) => {
        const results = onKernel((bench) => {
          const { kernel } = bench;
          const source = bench.bytes(b);
          const run = (act: (dst: Pointer) => void) => {
            const dst = bench.bytes(a);
            act(dst);
            return bench.read(dst, BYTES);
          };
          return {
            or: run((dst) => kernel.or(dst, source, BYTES)),
            and: run((dst) => kernel.and(dst, source, BYTES)),
            andNot: run((dst) => kernel.andNot(dst, source, BYTES)),
            count: kernel.count(source, BYTES),
            united: [16, 96, BYTES].map((bytes) => {
              const dst = bench.bytes(a);
              const others = [source, bench.bytes(c)];
              const table = Array.from({ length: BYTES / bytes }, (_, segment) =>
                [dst, ...others].map((one) => one + segment * bytes),
              );
              const segments = BYTES / bytes;
              kernel.unite(dst, bench.list(table.flat()), 3, segments, bytes);
              const united = bench.read(dst, BYTES);
              const kept = bench.bytes(a);
              const two = bench.list(table.flatMap((sources) => sources.slice(1)));
              const left = kernel.keep(kept, two, 2, segments, bytes);
              return { united, kept: bench.read(kept, BYTES), left };
            }),
          };
        });
        const of = (f: (x: number, y: number, z: number) => number) =>
          a.map((x, i) => f(x, b[i]!, c[i]!) & 255);
        expect(results).to.deep.equal({
          or: of((x, y) => x | y),
          and: of((x, y) => x & y),
          andNot: of((x, y) => x & ~y),
          count: bitsOf(b).length,
          united: Array(3).fill({
            united: of((x, y, z) => x | y | z),
            kept: of((x, y, z) => x & (y | z)),
            left: bitsOf(of((x, y, z) => x & (y | z))).length,
          }),
        });
      }),
      { numRuns: 60 },
    );
  });

  it('find the bits whose numbers are within bounds', () => {
    const bound = fc.integer({ min: 0, max: 7 });
    fc.assert(
      fc.property(sparse, sparse, sparse, bound, bound, (a, b, c, low, high) => {
        const found = onKernel((bench) => {
          const dst = bench.bytes(Array(BYTES).fill(0b10101010));
          bench.kernel.between(dst, bench.bytes([...a, ...b, ...c]), 3, low, high, BYTES);
          return bench.read(dst, BYTES);
        });
        const numbers = Array.from({ length: BYTES * 8 }, (_, bit) =>
          [a, b, c].reduce((sum, plane, i) => sum + (isSet(plane, bit) ? 2 ** i : 0), 0),
        );
        const within = numbers.flatMap((number, bit) =>
          bit % 2 === 1 && number >= low && number <= high ? [bit] : [],
        );
        expect(bitsOf(found)).to.deep.equal(within);
      }),
      { numRuns: 60 },
    );
  });

  it('move between lists and bitmaps', () => {
    fc.assert(
      fc.property(
        sparse,
        rows,
        fc.array(rows, { minLength: 1, maxLength: 6 }),
        (bits, list, lists) => {
          const results = onKernel((bench) => {
            const { kernel } = bench;
            const source = bench.bytes(bits);
            const from = bench.list(list);
            const out = bench.list(Array(BYTES * 8).fill(0));
            const ordinals = bench.list(lists.map((_, ordinal) => ordinal));
            const lens = bench.list(lists.map((rows) => rows.length));
            const ptrs = bench.list(
              lists.map((rows) => (rows.length === 1 ? rows[0]! : bench.list(rows))),
            );
            const set = bench.bytes(bits);
            kernel.setLists(set, ordinals, lists.length, ptrs, lens);
            const one = bench.bytes(bits);
            kernel.setBits(one, from, list.length);
            return {
              set: bitsOf(bench.read(set, BYTES)),
              one: bitsOf(bench.read(one, BYTES)),
              sum: kernel.sumAt(ordinals, lists.length, lens),
              collected: bench.readList(out, kernel.collect(source, BYTES, 7, out, BYTES * 8)),
              first: bench.readList(out, kernel.collect(source, BYTES, 0, out, 5)),
              filtered: bench.readList(out, kernel.filter(from, list.length, source, out)),
            };
          });
          const before = bitsOf(bits);
          const sorted = (rows: Iterable<number>) => [...new Set(rows)].sort((a, b) => a - b);
          const all = new Set(lists.flat());
          expect(results).to.deep.equal({
            set: sorted([...before, ...all]),
            one: sorted([...before, ...list]),
            sum: lists.flat().length,
            collected: before.map((row) => row + 7),
            first: before.slice(0, 5),
            filtered: list.filter((row) => isSet(bits, row)),
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gather lists of rows and split them', () => {
    const input = fc.record({
      bits: sparse,
      lists: fc.array(rows, { minLength: 1, maxLength: 6 }),
      ordinals: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 60, maxLength: 60 }),
      members: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 90 }),
      width: fc.constantFrom(4, 8, 16, 32),
    });
    fc.assert(
      fc.property(input, ({ bits, lists, ordinals, members, width }) => {
        const ordinalOf = (row: number) => ((row >> 7) % 2 ? ordinals[row % 60]! % 2 ** width : 0);
        const results = onKernel((bench) => {
          const { kernel, memory } = bench;
          const numbers = bench.list(lists.map((_, ordinal) => ordinal));
          const lens = bench.list(lists.map((rows) => rows.length));
          const ptrs = bench.list(
            lists.map((rows) => (rows.length === 1 ? rows[0]! : bench.list(rows))),
          );
          const seen = bench.bytes(bits);
          const out = bench.list(lists.flat());
          const added = kernel.addLists(seen, numbers, lists.length, ptrs, lens, out);
          const once = bench.readList(out, added);
          const again = kernel.addNew(seen, out, added, bench.list(once));
          const full = bitsOf(bench.read(seen, BYTES));
          kernel.clearBits(seen, out, added);

          const matched = bench.list(once);
          const list = bench.list(once);
          const byBits = kernel.splitBits(list, added, bench.bytes(bits.toReversed()), matched);
          const splitByBits = [
            bench.readList(matched, byBits),
            bench.readList(list, added - byBits),
          ] as const;

          const table = bench.list(Array(BYTES / 8).fill(0));
          for (let segment = 1; segment < BYTES / 16; segment += 2) {
            const chunk = memory.allocZero(16 * width);
            for (let row = 0; row < 128; row++) {
              putOrdinal(memory, chunk, width, row, ordinalOf(segment * 128 + row));
            }
            memory.u32[table / 4 + segment * 2] = chunk;
            memory.u32[table / 4 + segment * 2 + 1] = width;
          }
          const wanted = bench.bytes(Array(48).fill(0));
          kernel.setBits(wanted, bench.list(members), members.length);
          const list2 = bench.list(once);
          const ordinals = bench.list(once);
          kernel.ordinalsOf(list2, added, table, 7, ordinals);
          const marked = bench.bytes(Array(48).fill(0));
          kernel.setRepeated(marked, ordinals, added);
          const byOrdinals = kernel.splitByOrdinals(list2, added, ordinals, wanted, matched);
          return {
            marked: bitsOf(bench.read(marked, 48)),
            once,
            again,
            full,
            cleared: bitsOf(bench.read(seen, BYTES)),
            splitByBits,
            ordinals: bench.readList(ordinals, added),
            splitByOrdinals: [
              bench.readList(matched, byOrdinals),
              bench.readList(list2, added - byOrdinals),
            ],
          };
        });
        const before = new Set(bitsOf(bits));
        const once = [...new Set(lists.flat())].filter((row) => !before.has(row));
        const split = (holds: (row: number) => boolean) => [
          once.filter(holds),
          once.filter((row) => !holds(row)),
        ];
        expect(results).to.deep.equal({
          marked: [...new Set(once.map(ordinalOf))].sort((a, b) => a - b),
          once,
          again: 0,
          full: [...before, ...once].sort((a, b) => a - b),
          cleared: [...before].sort((a, b) => a - b),
          splitByBits: split((row) => isSet(bits.toReversed(), row)),
          ordinals: once.map(ordinalOf),
          splitByOrdinals: split((row) => members.includes(ordinalOf(row))),
        });
      }),
      { numRuns: 100 },
    );
  });
});
