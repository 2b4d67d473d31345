import { expect } from 'chai';
import fc from 'fast-check';
import {
  BUCKETS,
  LOOKUP,
  PATTERNS,
  PLACES_BYTES,
  SCAN,
  UUIDS,
} from '../../src/textindex/kernel/abi.ts';
import { bitsOf, onKernel } from './kernelBench.ts';

/** The order of a window's nibbles: its bucket, then the mark. */
const ORDER = [2, 3, 4, 0, 1] as const;

const packed = (nibbles: readonly number[]) =>
  nibbles.flatMap((nibble, i) => (i % 2 ? [] : [nibble * 16 + nibbles[i + 1]!]));

/** A bitmap of 128 rows. */
function bitsFor(rows: readonly boolean[]): number[] {
  const bytes: number[] = Array(16).fill(0);
  for (const [row, set] of rows.entries()) if (set) bytes[row >> 3]! |= 1 << (row & 7);
  return bytes;
}

/** Mask and value of the 16 bytes: the nibbles at these places as in this UUID. */
function patternOf(uuid: readonly number[], places: readonly number[]): number[] {
  const at = (make: (place: number) => number) =>
    packed(uuid.map((_, place) => (places.includes(place) ? make(place) : 0)));
  return [...at(() => 15), ...at((place) => uuid[place]!)];
}

describe('kernels for UUIDs', () => {
  it('sort UUIDs by a window and find them by it', () => {
    const nibble = fc.constantFrom(0, 0, 1, 15);
    const uuid = fc.array(nibble, { minLength: 32, maxLength: 32 });
    const input = fc.record({
      uuids: fc.array(uuid, { minLength: 1, maxLength: 128 }),
      absent: fc.integer({ min: 1, max: 9 }),
      unsound: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      window: fc.integer({ min: 0, max: 27 }),
      at: fc.nat(),
      known: fc.integer({ min: 0, max: 3 }),
      marks: fc.subarray([3, 4] as const),
      also: fc.option(fc.nat(31), { nil: undefined }),
      unpaired: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      most: fc.integer({ min: 1, max: 128 }),
    });
    fc.assert(
      fc.property(input, ({ uuids, absent, unsound, window, known, marks, ...rest }) => {
        const has = uuids.map((_, row) => row % (absent + 1) !== absent);
        const isSound = (row: number) => row % ((unsound ?? 0) + 1) !== unsound;
        const sound = has.map((there, row) => there && isSound(row));
        const wanted = uuids[rest.at % uuids.length]!;
        const places = ORDER.map((nibble) => window + nibble);
        const asked = [...places.slice(0, known), ...marks.map((at) => places[at]!)];
        const markOf = (make: (place: number) => number) =>
          marks.reduce((sum, at) => sum + make(places[at]!) * (at === 3 ? 16 : 1), 0);
        const also = rest.also === undefined ? [] : [rest.also];
        const { unpaired } = rest;
        const paired = has.map((_, row) => row % ((unpaired ?? 1) + 1) !== unpaired);
        const same = (row: number, at: readonly number[]) =>
          at.every((place) => uuids[row]![place] === wanted[place]);
        const results = onKernel((bench) => {
          const { kernel, memory } = bench;
          const data = bench.bytes(uuids.flatMap(packed));
          const count = uuids.length;
          const list = memory.allocZero(2 * count);
          const segment = {
            uuids: data,
            has: bench.bytes(bitsFor(has)),
            sound: unsound === undefined ? 0 : bench.bytes(bitsFor(sound)),
            lists: list,
            marks: memory.allocZero(count),
            starts: memory.allocZero(BUCKETS * 2),
            rows: count,
            stride: 16,
            bitmaps: bench.bytes([...Array(16).fill(0), ...bitsFor(paired)]),
          };
          const listed = kernel.uuidSort(bench.struct(UUIDS, segment), 0, window);
          // The second of two segments, so that the rows start at 128; the first is empty.
          const segments = bench.struct({ ...UUIDS, bytes: UUIDS.bytes * 2 }, {});
          const second = bench.struct(UUIDS, { ...segment, listed });
          memory.u8.copyWithin(segments + UUIDS.bytes, second, second + UUIDS.bytes);
          const patterns = bench.bytes([1, ...Array(15).fill(0), ...patternOf(wanted, also)]);
          const low = [0, 1, 2].reduce(
            (sum, i) => sum * 16 + (i < known ? wanted[places[i]!]! : 0),
            0,
          );
          const scan = bench.struct(SCAN, {
            window: 0,
            low,
            high: low + 16 ** (3 - known) - 1,
            mark: markOf((place) => wanted[place]!),
            mask: markOf(() => 15),
            pattern: also.length > 0 ? patterns + PATTERNS.first : 0,
            pair: also.length > 0 && unpaired !== undefined ? 16 : 0,
          });
          const bitmap = memory.allocZero(32);
          const out = memory.allocZero(rest.most * 4);
          const find = (target: { bitmap: number; list: number; most: number }) => {
            const work = memory.alloc(PLACES_BYTES);
            const lookup = { scans: scan, count: 1, places: work, ...target };
            return kernel.uuidFind(segments, 2, 7, bench.struct(LOOKUP, lookup));
          };
          find({ bitmap, list: 0, most: 0 });
          const found = find({ bitmap: 0, list: out, most: rest.most });
          const rows = bench.list(uuids.map((_, row) => 128 + row));
          const matched = memory.alloc(uuids.length * 4);
          const n = kernel.uuidSplit(segments, 7, rows, uuids.length, patterns, matched);
          return {
            listed,
            list: Array.from(memory.u16.subarray(list / 2, list / 2 + listed)),
            set: bitsOf(bench.read(bitmap, 32)),
            found:
              found > rest.most ? 'many' : bench.readList(out, found).toSorted((a, b) => a - b),
            matched: bench.readList(matched, n),
            left: bench.readList(rows, uuids.length - n),
          };
        });
        const rows = uuids.map((_, row) => row);
        const found = rows
          .filter((row) => sound[row] && same(row, [...asked, ...also]))
          .filter((row) => paired[row] || also.length === 0)
          .map((row) => 128 + row);
        const byKey = rows.filter((row) => has[row]).sort((a, b) => keyFor(a) - keyFor(b) || a - b);
        function keyFor(row: number): number {
          return places.slice(0, 3).reduce((sum, place) => sum * 16 + uuids[row]![place]!, 0);
        }
        expect(results).to.deep.equal({
          listed: byKey.length,
          list: byKey,
          set: found,
          found: found.length > rest.most ? 'many' : found,
          matched: rows.filter((row) => has[row] && same(row, also)).map((row) => 128 + row),
          left: rows.filter((row) => !(has[row] && same(row, also))).map((row) => 128 + row),
        });
      }),
      { numRuns: 300 },
    );
  });
});
