/** The oracle's part for counts by value and by time. */
import type { CountKernel } from '../../src/textindex/kernel/abi.ts';
import { hasBit, setBit } from '../../src/textindex/storage/bits.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';
import { ordinalReader } from './plainLists.ts';

export function plainCounts(memory: Memory): CountKernel {
  const ordinalAt = ordinalReader(memory);
  const doubleAt = (row: number, table: number, segmentBits: number) => {
    const chunk = memory.u32[(table >>> 2) + (row >>> segmentBits)]! >>> 3;
    return memory.f64[chunk + (row & (2 ** segmentBits - 1))]!;
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
    bucketsOf(list, n, table, segmentBits, from, to, boundaries, buckets, grid, cells, scale, out) {
      const { u32, f64 } = memory;
      const bounds = boundaries >>> 3;
      const bucketOf = (date: number): number => {
        if (!(date >= from && date < to))
          return Math.abs(date) === Infinity ? buckets + 1 : buckets;
        const cell = Math.min(Math.floor((date - f64[bounds]!) * scale), cells - 1);
        let bucket = u32[(grid >>> 2) + cell]!;
        while (date >= f64[bounds + bucket + 1]!) bucket++;
        return bucket;
      };
      for (let i = 0; i < n; i++) {
        const row = u32[(list >>> 2) + i]!;
        u32[(out >>> 2) + i] = bucketOf(doubleAt(row, table, segmentBits));
      }
    },
    countZones(
      bits,
      dates,
      bytes,
      zones,
      from,
      to,
      boundaries,
      _grid,
      _cells,
      _scale,
      ordinals,
      ordinalWidth,
      width,
      counts,
      rest,
    ) {
      const { u8, u16, u32, f64 } = memory;
      const bounds = boundaries >>> 3;
      const bucketOf = (x: number): number => {
        let bucket = 0;
        while (x >= f64[bounds + bucket + 1]!) bucket++;
        return bucket;
      };
      const ordinalIn = (row: number): number => {
        if (ordinalWidth === 1) return u8[ordinals + row]!;
        if (ordinalWidth === 2) return u16[(ordinals >>> 1) + row]!;
        return ordinalWidth === 4 ? u32[(ordinals >>> 2) + row]! : 0;
      };
      let left = 0;
      u8.fill(0, rest, rest + bytes);
      for (let row = 0; row < bytes * 8; row++) {
        if (!hasBit(u8, bits, row) || !hasBit(u8, dates, row)) continue;
        const zone = (zones >>> 3) + (row >>> 6) * 2;
        const [least, greatest] = [f64[zone]!, f64[zone + 1]!];
        const inside = least >= from && greatest < to;
        if (inside && bucketOf(least) === bucketOf(greatest)) {
          const bucket = bucketOf(least);
          u32[(counts >>> 2) + (width === 0 ? bucket : bucket * width + ordinalIn(row))]!++;
        } else {
          setBit(u8, rest, row);
          left++;
        }
      }
      return left;
    },
    extentOf(list, n, table, segmentBits, from, to, out) {
      const { u32, f64 } = memory;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        const number = doubleAt(u32[i]!, table, segmentBits);
        if (!(number >= from && number < to)) continue;
        f64[out >>> 3] = Math.min(f64[out >>> 3]!, number);
        f64[(out >>> 3) + 1] = Math.max(f64[(out >>> 3) + 1]!, number);
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
