/** The oracle's part for counts by value and by time. */
import { type CountKernel, GRID, NUMBERS, SURE, ZONED } from '../../src/textindex/kernel/abi.ts';
import { hasBit } from '../../src/textindex/storage/bits.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';
import { ordinalIn, ordinalReader } from './plainLists.ts';

export function plainCounts(memory: Memory): CountKernel {
  const ordinalAt = ordinalReader(memory);
  const field = (at: number, offset: number) => memory.u32[(at + offset) >>> 2]!;
  const double = (at: number, offset: number) => memory.f64[(at + offset) >>> 3]!;
  /** Whether a number is in a grid. */
  const isInside = (at: number, number: number) =>
    number >= double(at, GRID.from) && number < double(at, GRID.to);
  /** The number of one of the rows of a segment. */
  const numberIn = (numbers: number, rows: number, offset: number) => {
    const { u8, u32, f64 } = memory;
    const chunk = field(numbers, NUMBERS.chunk);
    const width = field(numbers, NUMBERS.width);
    if (width === 8) return f64[(chunk >>> 3) + offset]!;
    const high = width === 5 ? u8[chunk + rows * 4 + offset]! : 0;
    const code = u32[(chunk >>> 2) + offset]! + high * 2 ** 32;
    if (code === 0) return -Infinity;
    return (double(numbers, NUMBERS.base) + code) / double(numbers, NUMBERS.divisor);
  };
  const doubleAt = (row: number, table: number, segmentBits: number) => {
    const rows = 2 ** segmentBits;
    return numberIn(table + (row >>> segmentBits) * NUMBERS.bytes, rows, row % rows);
  };
  return {
    countAnd(a, b, bytes) {
      const { u8 } = memory;
      let total = 0;
      for (let i = 0; i < bytes * 8; i++) {
        if (hasBit(u8, a, i) && hasBit(u8, b, i)) total++;
      }
      return total;
    },
    countLists(bits, ordinals, n, ptrs, lens, counts) {
      const { u8, u32 } = memory;
      for (let i = 0; i < n; i++) {
        const ordinal = u32[(ordinals >>> 2) + i]!;
        const length = u32[(lens >>> 2) + ordinal]!;
        const list = u32[(ptrs >>> 2) + ordinal]!;
        const rows = length === 1 ? [list] : u32.subarray(list >>> 2, (list >>> 2) + length);
        if (list === 0 && length !== 1) continue;
        for (const row of rows) if (hasBit(u8, bits, row)) u32[(counts >>> 2) + ordinal]!++;
      }
    },
    ordinalsOf(list, n, table, segmentBits, out) {
      const { u32 } = memory;
      for (let i = 0; i < n; i++) {
        u32[(out >>> 2) + i] = ordinalAt(u32[(list >>> 2) + i]!, table, segmentBits);
      }
    },
    doublesOf(list, n, table, segmentBits, out) {
      const { u32, f64 } = memory;
      for (let i = 0; i < n; i++) {
        f64[(out >>> 3) + i] = doubleAt(u32[(list >>> 2) + i]!, table, segmentBits);
      }
    },
    bucketsOf(list, n, table, segmentBits, grid, out) {
      const { u32, f64 } = memory;
      const boundaries = field(grid, GRID.boundaries) >>> 3;
      const buckets = field(grid, GRID.buckets);
      const cells = field(grid, GRID.cells) >>> 2;
      const bucketOf = (date: number): number => {
        if (!isInside(grid, date)) return Math.abs(date) === Infinity ? buckets + 1 : buckets;
        const cell = Math.round((date - f64[boundaries]!) * double(grid, GRID.scale));
        const held = u32[cells + Math.min(cell, field(grid, GRID.lastCell))]!;
        let bucket = held % SURE;
        while (date >= f64[boundaries + bucket + 1]!) bucket++;
        return bucket;
      };
      for (let i = 0; i < n; i++) {
        const row = u32[(list >>> 2) + i]!;
        u32[(out >>> 2) + i] = bucketOf(doubleAt(row, table, segmentBits));
      }
    },
    countZones(zoned, bytes, grid, counts, width) {
      const { u8, u32, f64 } = memory;
      const boundaries = field(grid, GRID.boundaries) >>> 3;
      const ordinals = field(zoned, ZONED.ordinals);
      const ordinalWidth = field(zoned, ZONED.ordinalWidth);
      const bucketOf = (x: number): number => {
        if (!isInside(grid, x)) return field(grid, GRID.buckets);
        let bucket = 0;
        while (x >= f64[boundaries + bucket + 1]!) bucket++;
        return bucket;
      };
      const heldIn = (row: number) => ordinalIn(memory, ordinals, ordinalWidth, row);
      const isIn = (row: number, set: number) => hasBit(u8, field(zoned, set), row);
      for (let row = 0; row < bytes * 8; row++) {
        if (!isIn(row, ZONED.bits) || !isIn(row, ZONED.dates)) continue;
        const bucket = bucketOf(numberIn(field(zoned, ZONED.numbers), bytes * 8, row));
        u32[(counts >>> 2) + (width === 0 ? bucket : bucket * width + heldIn(row))]!++;
      }
    },
    tallyOrdinals(list, n, table, segmentBits, counts) {
      const { u32 } = memory;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        u32[(counts >>> 2) + ordinalAt(u32[i]!, table, segmentBits)]!++;
      }
    },
    tally(numbers, n, counts) {
      const { u32 } = memory;
      for (let i = numbers >>> 2, end = i + n; i < end; i++) u32[(counts >>> 2) + u32[i]!]!++;
    },
    tallyPairs(a, b, n, width, counts) {
      const { u32 } = memory;
      for (let i = 0; i < n; i++) {
        u32[(counts >>> 2) + u32[(a >>> 2) + i]! * width + u32[(b >>> 2) + i]!]!++;
      }
    },
    replace(numbers, n, by) {
      const { u32 } = memory;
      for (let i = numbers >>> 2, end = i + n; i < end; i++) u32[i] = u32[(by >>> 2) + u32[i]!]!;
    },
  };
}
