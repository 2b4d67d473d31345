import { expect } from 'chai';
import fc from 'fast-check';
import { GRID, SURE, ZONED } from '../../src/textindex/kernel/abi.ts';
import type { Pointer } from '../../src/textindex/storage/brands.ts';
import { type Bench, bitsOf, onKernel } from './kernelBench.ts';

const SEGMENT_BITS = 7;
const SEGMENT_ROWS = 2 ** SEGMENT_BITS;
const SEGMENTS = 3;
const ROWS = SEGMENTS * SEGMENT_ROWS;

const rows = fc.uniqueArray(fc.integer({ min: 0, max: ROWS - 1 }), { maxLength: 200 });
const bits = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 528, maxLength: 528 });
const numbers = (max: number) =>
  fc.array(fc.integer({ min: 0, max }), { minLength: ROWS, maxLength: ROWS });

/** A column's ordinals, a segment of each of three widths; the table that the kernel is given. */
function ordinalTable(bench: Bench, ordinals: readonly number[]): Pointer {
  const table = [4, 8, 16].flatMap((width, segment) => {
    const held = ordinals.slice(segment * SEGMENT_ROWS, (segment + 1) * SEGMENT_ROWS);
    const bytes = width === 4 ? pairsOf(held) : held.flatMap((n) => [n, 0].slice(0, width / 8));
    return [bench.bytes(bytes), width];
  });
  return bench.list(table);
}

/** Numbers below 16, two a byte. */
const pairsOf = (held: readonly number[]): number[] =>
  held.flatMap((n, i) => (i % 2 === 0 ? n + (held[i + 1] ?? 0) * 16 : []));

/** A column's numbers, a segment of each width. */
function doubleTable(bench: Bench, doubles: readonly number[]): Pointer {
  const records = [8, 4, 5].flatMap((width, segment) =>
    numbersOf(bench, doubles.slice(segment * SEGMENT_ROWS, (segment + 1) * SEGMENT_ROWS), width),
  );
  return bench.bytes(records);
}

/** The bytes of a segment's NUMBERS; codes stand for whole numbers from -5 on, and -Infinity. */
function numbersOf(bench: Bench, doubles: readonly number[], width: number): number[] {
  const base = width === 4 ? -60 : -(2 ** 35);
  const divisor = width === 4 ? 10 : 1;
  const codes = doubles.map((double) =>
    double === Number.NEGATIVE_INFINITY ? 0 : double * divisor - base,
  );
  const high = width === 5 ? codes.map((code) => code / 2 ** 32) : [];
  const bytesOf = ({ buffer }: Float64Array | Uint32Array) => [...new Uint8Array(buffer)];
  const chunk = bench.bytes(
    width === 8
      ? bytesOf(Float64Array.from(doubles))
      : [...bytesOf(Uint32Array.from(codes)), ...high],
  );
  return [...bytesOf(Uint32Array.of(chunk, width)), ...bytesOf(Float64Array.of(base, divisor))];
}

/** Buckets between whole numbers, in cells of any length: the last bucket holds whatever comes after its beginning. */
function gridOf(bench: Bench, edges: readonly number[], to: number, scale: number): Pointer {
  const from = edges[0]!;
  const buckets = edges.length - 1;
  const lastCell = Math.ceil((edges.at(-1)! - from) * scale);
  const cells = Array.from({ length: lastCell + 1 }, (_, cell) => {
    const bucket = placeAmong(edges, from + Math.max(0, cell - 1) / scale);
    const next = bucket + 1 < buckets ? edges[bucket + 1]! : Number.POSITIVE_INFINITY;
    return next > from + (cell + 2) / scale ? bucket + SURE : bucket;
  });
  const boundaries = [...edges.slice(0, -1), Number.POSITIVE_INFINITY];
  const grid = bench.struct(GRID, {
    boundaries: bench.bytes(new Uint8Array(Float64Array.from(boundaries).buffer)),
    ...{ buckets, lastCell },
    // Nobody may look behind the cells: all would be of the first bucket there.
    cells: bench.list([...cells, ...Array(2_000).fill(SURE)]),
  });
  for (const [field, value] of [
    [GRID.from, from],
    [GRID.to, to],
    [GRID.scale, scale],
  ] as const) {
    bench.memory.f64[(grid + field) / 8] = value;
  }
  return grid;
}

/** The bucket of a number: the last one holds whatever comes after its beginning. */
const placeAmong = (edges: readonly number[], x: number) =>
  Math.min(
    edges.length - 2,
    edges.findLastIndex((edge) => edge <= x),
  );

const scales = fc.constantFrom(0.3, 0.7, 1, 2.5, 40);
/** Dates are counted up to here; behind the last edge they are in the last bucket. */
const ends = fc.constantFrom(0, 5, Number.POSITIVE_INFINITY);

describe('kernels count', () => {
  it('rows of values that are in a set', () => {
    fc.assert(
      fc.property(bits, bits, fc.array(rows, { minLength: 1, maxLength: 5 }), (a, b, lists) => {
        const results = onKernel((bench) => {
          const { kernel } = bench;
          const set = bench.bytes(a);
          const ordinals = bench.list(lists.map((_, ordinal) => ordinal));
          const lens = bench.list(lists.map(({ length }) => length));
          const ptrs = bench.list(
            lists.map((list) =>
              list.length === 1 ? list[0]! : list.length === 0 ? 0 : bench.list(list),
            ),
          );
          const counts = bench.list(lists.map(() => 2));
          kernel.countLists(set, ordinals, lists.length, ptrs, lens, counts);
          return {
            both: kernel.countAnd(set, bench.bytes(b), 528),
            counts: bench.readList(counts, lists.length),
          };
        });
        const held = new Set(bitsOf(a));
        expect(results).to.deep.equal({
          both: bitsOf(a.map((byte, i) => byte & b[i]!)).length,
          counts: lists.map((list) => 2 + list.filter((row) => held.has(row)).length),
        });
      }),
      { numRuns: 30 },
    );
  });

  it('numbers, and pairs of them', () => {
    fc.assert(
      fc.property(rows, numbers(250), numbers(4), (list, drawn, buckets) => {
        const ordinals = drawn.map((n, row) => (row < SEGMENT_ROWS ? n % 16 : n));
        const results = onKernel((bench) => {
          const { kernel } = bench;
          const out = bench.list(list);
          const from = bench.list(list);
          const table = ordinalTable(bench, ordinals);
          kernel.ordinalsOf(from, list.length, table, SEGMENT_BITS, out);
          const held = bench.readList(out, list.length);
          const tallied = bench.list(Array(251).fill(1));
          kernel.tallyOrdinals(from, list.length, table, SEGMENT_BITS, tallied);
          const other = bench.list(list.map((row) => buckets[row]!));
          const pairs = bench.list(Array(5 * 251).fill(0));
          kernel.tallyPairs(other, out, list.length, 251, pairs);
          return {
            held,
            tallied: bench.readList(tallied, 251),
            pairs: bench.readList(pairs, 5 * 251),
          };
        });
        const counts = Array(251).fill(1);
        const pairs = Array(5 * 251).fill(0);
        for (const row of list) {
          counts[ordinals[row]!]++;
          pairs[buckets[row]! * 251 + ordinals[row]!]++;
        }
        expect(results).to.deep.equal({
          held: list.map((row) => ordinals[row]),
          tallied: counts,
          pairs,
        });
      }),
      { numRuns: 30 },
    );
  });

  it('dates by bucket and by ordinal, 64 at a time where they lie in one', () => {
    const zones = ROWS / 64;
    const zone = fc.tuple(fc.integer({ min: -2, max: 30 }), fc.constantFrom(0, 0, 1, 9, 30));
    const some = fc.array(zone, { minLength: zones, maxLength: zones });
    const set = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 48, maxLength: 48 });
    const widths = fc.constantFrom(4, 5, 8);
    const bounds = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(
        some,
        set,
        set,
        bounds,
        numbers(6),
        fc.record({ bytes: widths, packed: fc.boolean(), scale: scales, more: ends }),
        (zoned, a, b, unsorted, ordinals, { bytes, packed, scale, more }) => {
          const edges = [...unsorted].sort((x, y) => x - y);
          const [from, to] = [edges[0]!, edges.at(-1)! + more];
          const buckets = edges.length - 1;
          // Each zone's dates lie anywhere between its ends, by the row's ordinal.
          const dates = ordinals.map((ordinal, row) => {
            const [least, length] = zoned[row >> 6]!;
            return least + Math.floor((ordinal * length) / 6);
          });
          const bucketOf = (x: number) => (x >= from && x < to ? placeAmong(edges, x) : buckets);
          const size = (buckets + 1) * 7;
          const results = [0, 7].map((width) =>
            onKernel((bench) => {
              const chunk = Float64Array.from(
                zoned.flatMap(([least, length]) => [least, least + length]),
              );
              const counts = bench.list(Array(size).fill(2));
              const struct = bench.struct(ZONED, {
                bits: bench.bytes(a),
                dates: bench.bytes(b),
                zones: bench.bytes(new Uint8Array(chunk.buffer)),
                ordinals: bench.bytes(packed ? pairsOf(ordinals) : ordinals),
                ordinalWidth: packed ? 4 : 8,
                numbers: bench.bytes(numbersOf(bench, dates, bytes)),
              });
              const grid = gridOf(bench, edges, to, scale);
              bench.kernel.countZones(struct, 48, grid, counts, width);
              return bench.readList(counts, size);
            }),
          );
          for (const [i, result] of results.entries()) {
            const counts = Array(size).fill(2);
            for (const row of bitsOf(a.map((byte, at) => byte & b[at]!))) {
              const bucket = bucketOf(dates[row]!);
              counts[i === 0 ? bucket : bucket * 7 + ordinals[row]!]++;
            }
            expect(result).to.deep.equal(counts);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('dates by bucket', () => {
    const infinite = fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    const date = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -5, max: 40 }) }, infinite);
    const dates = fc.array(date, { minLength: ROWS, maxLength: ROWS });
    const bounds = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(rows, dates, bounds, scales, ends, (list, drawn, unsorted, scale, more) => {
        const doubles = drawn.map((one, row) => (row < SEGMENT_ROWS || one < 99 ? one : -one));
        const edges = [...unsorted].sort((a, b) => a - b);
        const buckets = edges.length - 1;
        const [from, to] = [edges[0]!, edges.at(-1)! + more];
        const results = onKernel((bench) => {
          const { kernel } = bench;
          const table = doubleTable(bench, doubles);
          const rowsAt = bench.list(list);
          const out = bench.list(list);
          const grid = gridOf(bench, edges, to, scale);
          kernel.bucketsOf(rowsAt, list.length, table, SEGMENT_BITS, grid, out);
          const read = bench.bytes(new Uint8Array(list.length * 8));
          kernel.doublesOf(rowsAt, list.length, table, SEGMENT_BITS, read);
          const dates = [...bench.memory.f64.subarray(read / 8, read / 8 + list.length)];
          return { found: bench.readList(out, list.length), dates };
        });
        expect(results).to.deep.equal({
          found: list.map((row) => {
            const x = doubles[row]!;
            if (!Number.isFinite(x)) return buckets + 1;
            return x >= from && x < to ? placeAmong(edges, x) : buckets;
          }),
          dates: list.map((row) => doubles[row]!),
        });
      }),
      { numRuns: 30 },
    );
  });
});
