/** The plain kernel's part for UUIDs. */

import {
  BUCKETS,
  LOOKUP,
  PATTERNS,
  SCAN,
  UUIDS,
  type UuidKernel,
} from '../../src/textindex/kernel/abi.ts';
import { hasBit, setBit } from '../../src/textindex/storage/bits.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';

export function plainUuids(memory: Memory): UuidKernel {
  const field = (at: number, offset: number) => memory.u32[(at + offset) >>> 2]!;

  /** The five nibbles abcde as cdeab. */
  const keyAt = (uuid: number, first: number) => {
    const nibbles = [first + 2, first + 3, first + 4, first, first + 1].map((nibble) => {
      const byte = memory.u8[uuid + (nibble >>> 1)]!;
      return nibble % 2 === 1 ? byte % 16 : byte >>> 4;
    });
    return nibbles.reduce((key, nibble) => key * 16 + nibble);
  };

  const fits = (uuid: number, pattern: number) => {
    const { u32 } = memory;
    const a = uuid >>> 2;
    const p = pattern >>> 2;
    return (
      (u32[a]! & u32[p]!) >>> 0 === u32[p + 4] &&
      (u32[a + 1]! & u32[p + 1]!) >>> 0 === u32[p + 5] &&
      (u32[a + 2]! & u32[p + 2]!) >>> 0 === u32[p + 6] &&
      (u32[a + 3]! & u32[p + 3]!) >>> 0 === u32[p + 7]
    );
  };

  /** Where a window's part of a segment's starts, lists and marks begins: in u16, u16 and bytes. */
  const windowOf = (segment: number, window: number) => {
    const rows = field(segment, UUIDS.rows);
    return {
      starts: (field(segment, UUIDS.starts) >>> 1) + window * BUCKETS,
      list: (field(segment, UUIDS.lists) >>> 1) + window * rows,
      marks: field(segment, UUIDS.marks) + window * rows,
    };
  };

  /** Calls for each row that a scan takes from a segment, until it is told to stop. */
  const scanIn = (segment: number, scan: number, take: (offset: number) => boolean) => {
    const { u8, u16 } = memory;
    const { starts, list, marks } = windowOf(segment, field(scan, SCAN.window));
    const uuids = field(segment, UUIDS.uuids);
    const sound = field(segment, UUIDS.sound);
    const mark = field(scan, SCAN.mark);
    const mask = field(scan, SCAN.mask);
    const pattern = field(scan, SCAN.pattern);
    const pair = field(scan, SCAN.pair);
    const after = field(scan, SCAN.high) + 1;
    const to = after === BUCKETS ? field(segment, UUIDS.listed) : u16[starts + after]!;
    for (let at = u16[starts + field(scan, SCAN.low)]!; at < to; at++) {
      if ((u8[marks + at]! & mask) !== mark) continue;
      const offset = u16[list + at]!;
      if (
        (sound !== 0 && !hasBit(u8, sound, offset)) ||
        (pair !== 0 && !hasBit(u8, field(segment, UUIDS.bitmaps) + pair, offset)) ||
        (pattern !== 0 && !fits(uuids + offset * field(segment, UUIDS.stride), pattern))
      )
        continue;
      if (!take(offset)) return false;
    }
    return true;
  };

  return {
    uuidSort(segment, window, nibble) {
      const { u8, u16 } = memory;
      const { starts: first, list, marks } = windowOf(segment, window);
      const uuids = field(segment, UUIDS.uuids);
      const has = field(segment, UUIDS.has);
      const rows = field(segment, UUIDS.rows);
      u16.fill(0, first, first + BUCKETS);
      for (let s = 0; s < rows; s++) {
        if (hasBit(u8, has, s))
          u16[first + (keyAt(uuids + s * field(segment, UUIDS.stride), nibble) >>> 8)]!++;
      }
      let total = 0;
      for (let b = first; b < first + BUCKETS; b++) {
        total += u16[b]!;
        u16[b] = total;
      }
      for (let s = rows - 1; s >= 0; s--) {
        if (!hasBit(u8, has, s)) continue;
        const key = keyAt(uuids + s * field(segment, UUIDS.stride), nibble);
        const place = --u16[first + (key >>> 8)]!;
        u16[list + place] = s;
        u8[marks + place] = key & 255;
      }
      return total;
    },
    uuidFind(uuids, segments, segmentBits, lookup) {
      const [scans, count] = [field(lookup, LOOKUP.scans), field(lookup, LOOKUP.count)];
      const [bitmap, list] = [field(lookup, LOOKUP.bitmap), field(lookup, LOOKUP.list)];
      const most = field(lookup, LOOKUP.most);
      let found = 0;
      for (let i = 0; i < segments; i++) {
        const segment = uuids + i * UUIDS.bytes;
        if (field(segment, UUIDS.listed) === 0) continue;
        for (let scan = scans; scan < scans + count * SCAN.bytes; scan += SCAN.bytes) {
          const all = scanIn(segment, scan, (offset) => {
            const row = i * 2 ** segmentBits + offset;
            if (bitmap !== 0) setBit(memory.u8, bitmap, row);
            else if (found < most) memory.u32[(list >>> 2) + found++] = row;
            else return false;
            return true;
          });
          if (!all) return most + 1;
        }
      }
      return found;
    },
    uuidSplit(uuids, segmentBits, list, n, patterns, matched) {
      const { u8, u32 } = memory;
      const fitsAny = (row: number) => {
        const segment = uuids + (row >>> segmentBits) * UUIDS.bytes;
        const offset = row & (2 ** segmentBits - 1);
        if (!hasBit(u8, field(segment, UUIDS.has), offset)) return false;
        const uuid = field(segment, UUIDS.uuids) + offset * field(segment, UUIDS.stride);
        for (let i = 0; i < field(patterns, 0); i++) {
          if (fits(uuid, patterns + PATTERNS.first + i * PATTERNS.each)) return true;
        }
        return false;
      };
      let left = list >>> 2;
      let to = matched >>> 2;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        const row = u32[i]!;
        if (fitsAny(row)) u32[to++] = row;
        else u32[left++] = row;
      }
      return to - (matched >>> 2);
    },
  };
}
