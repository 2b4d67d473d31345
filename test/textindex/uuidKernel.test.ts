import { expect } from 'chai';
import fc from 'fast-check';
import { ANY_MARK, BUCKETS, LOOK, PLACES_BYTES, RECORD } from '../../src/textindex/kernel/abi.ts';
import { NULL_POINTER } from '../../src/textindex/storage/brands.ts';
import { bitsOf, both } from './kernelBench.ts';

/** The orders in which a window sorts by its nibbles. */
const ORDERS = [
  [0, 1, 2, 3],
  [1, 2, 3, 0],
  [1, 2, 0, 3],
] as const;

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
      unsound: fc.integer({ min: 1, max: 9 }),
      window: fc.integer({ min: 0, max: 28 }),
      order: fc.constantFrom(0 as const, 1 as const, 2 as const),
      at: fc.nat(),
      known: fc.integer({ min: 0, max: 3 }),
      mark: fc.boolean(),
      also: fc.option(fc.nat(31), { nil: undefined }),
      most: fc.integer({ min: 1, max: 128 }),
    });
    fc.assert(
      fc.property(input, ({ uuids, absent, unsound, window, order, known, ...rest }) => {
        const has = uuids.map((_, row) => row % (absent + 1) !== absent);
        const sound = has.map((there, row) => there && row % (unsound + 1) !== unsound);
        const wanted = uuids[rest.at % uuids.length]!;
        const places = ORDERS[order].map((nibble) => window + nibble);
        const asked = [...places.slice(0, known), ...(rest.mark ? places.slice(3) : [])];
        const also = rest.also === undefined ? [] : [rest.also];
        const same = (row: number, at: readonly number[]) =>
          at.every((place) => uuids[row]![place] === wanted[place]);
        const results = both((bench) => {
          const { kernel, memory } = bench;
          const data = bench.bytes(uuids.flatMap(packed));
          const there = bench.bytes(bitsFor(has));
          const starts = memory.allocZero(BUCKETS * 2);
          const list = memory.allocZero(2 * uuids.length);
          const marks = memory.allocZero(uuids.length);
          const count = uuids.length;
          const listed = kernel.uuidSort(data, there, count, window, order, starts, marks, list);
          const fields = { uuids: data, has: there, sound: bench.bytes(bitsFor(sound)) };
          const record = memory.allocZero(RECORD.bytes * 2);
          // The second of two segments, so that the rows start at 128; the first is empty.
          for (const [name, value] of Object.entries({
            ...fields,
            ...{ lists: list, marks, starts, listed, rows: count },
          })) {
            const offset = RECORD.bytes + RECORD[name as keyof typeof RECORD];
            memory.u32[(record + offset) / 4] = value;
          }
          const pattern = bench.bytes(patternOf(wanted, also));
          const low = [0, 1, 2].reduce(
            (sum, i) => sum * 16 + (i < known ? wanted[places[i]!]! : 0),
            0,
          );
          const mark = rest.mark ? wanted[places[3]!]! : ANY_MARK;
          const look = { window: 0, low, high: low + 16 ** (3 - known) - 1, mark };
          const looks = memory.allocZero(LOOK.bytes);
          for (const [name, value] of Object.entries({
            ...look,
            pattern: also.length > 0 ? pattern : 0,
          })) {
            memory.u32[(looks + LOOK[name as keyof typeof LOOK]) / 4] = value;
          }
          const work = memory.alloc(PLACES_BYTES);
          const bitmap = memory.allocZero(32);
          const out = memory.allocZero(rest.most * 4);
          kernel.uuidFind(record, 2, 7, looks, 1, work, bitmap, NULL_POINTER, 0);
          const found = kernel.uuidFind(record, 2, 7, looks, 1, work, NULL_POINTER, out, rest.most);
          const rows = bench.list(uuids.map((_, row) => 128 + row));
          const matched = memory.alloc(uuids.length * 4);
          const n = kernel.uuidSplit(record, 7, rows, uuids.length, pattern, 1, matched);
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
          .map((row) => 128 + row);
        const byKey = rows.filter((row) => has[row]).sort((a, b) => keyOf(a) - keyOf(b) || a - b);
        function keyOf(row: number): number {
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
