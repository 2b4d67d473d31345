/**
 * The kernel's oracle: the same functions in plain JavaScript, as simple as can be. Both pass one suite,
 * and tables run on both in tests.
 */

import type { Kernel } from '../../src/textindex/kernel/abi.ts';
import { clearBit, hasBit, setBit } from '../../src/textindex/storage/bits.ts';
import { plus } from '../../src/textindex/storage/brands.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';
import { plainCounts } from './plainCounts.ts';
import { plainLists } from './plainLists.ts';
import { plainRanks } from './plainRanks.ts';
import { plainTexts } from './plainTexts.ts';
import { plainUuids } from './plainUuids.ts';
import { plainValues } from './plainValues.ts';

function ones(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Calls for each word of the union of n sources over several segments, with its place. */
function eachUnion(
  { u32 }: Memory,
  table: number,
  n: number,
  segments: number,
  bytes: number,
  visit: (i: number, word: number) => void,
): void {
  const words = bytes >>> 2;
  for (let segment = 0; segment < segments; segment++) {
    const from = (table >>> 2) + segment * n;
    const sources = u32.subarray(from, from + n);
    for (let i = 0; i < words; i++) {
      let word = 0;
      for (const source of sources) word |= u32[(source >>> 2) + i]!;
      visit(segment * words + i, word);
    }
  }
}

export function plainKernel(memory: Memory): Kernel {
  const setListed = (dst: number, list: number, n: number) => {
    const { u32, u8 } = memory;
    for (let i = list >>> 2, end = i + n; i < end; i++) setBit(u8, dst, u32[i]!);
  };

  return {
    ...plainCounts(memory),
    ...plainLists(memory),
    ...plainRanks(memory),
    ...plainTexts(memory),
    ...plainUuids(memory),
    ...plainValues(memory),
    or(dst, src, bytes) {
      const { u32 } = memory;
      const s = src >>> 2;
      const d = dst >>> 2;
      for (let i = 0; i < bytes >>> 2; i++) u32[d + i]! |= u32[s + i]!;
    },
    and(dst, src, bytes) {
      const { u32 } = memory;
      const s = src >>> 2;
      const d = dst >>> 2;
      for (let i = 0; i < bytes >>> 2; i++) u32[d + i]! &= u32[s + i]!;
    },
    andNot(dst, src, bytes) {
      const { u32 } = memory;
      const s = src >>> 2;
      const d = dst >>> 2;
      for (let i = 0; i < bytes >>> 2; i++) u32[d + i]! &= ~u32[s + i]!;
    },
    unite(dst, table, n, segments, bytes) {
      const { u32 } = memory;
      eachUnion(memory, table, n, segments, bytes, (i, word) => {
        u32[(dst >>> 2) + i] = word;
      });
    },
    keep(dst, table, n, segments, bytes) {
      const { u32 } = memory;
      let left = 0;
      eachUnion(memory, table, n, segments, bytes, (i, word) => {
        u32[(dst >>> 2) + i]! &= word;
        left += ones(u32[(dst >>> 2) + i]!);
      });
      return left;
    },
    count(src, bytes) {
      const { u32 } = memory;
      const s = src >>> 2;
      let total = 0;
      for (let i = 0; i < bytes >>> 2; i++) total += ones(u32[s + i]!);
      return total;
    },
    between(dst, planes, planeCount, low, high, bytes) {
      const { u8 } = memory;
      for (let bit = 0; bit < bytes * 8; bit++) {
        let number = 0;
        for (let i = 0; i < planeCount; i++) {
          if (hasBit(u8, plus(planes, i * bytes), bit)) number += 2 ** i;
        }
        if (number < low || number > high) clearBit(u8, dst, bit);
      }
    },
    setBits: setListed,
    setRepeated: setListed,
    setLists(dst, ordinals, n, ptrs, lens) {
      const { u32, u8 } = memory;
      for (let i = 0; i < n; i++) {
        const ordinal = u32[(ordinals >>> 2) + i]!;
        const length = u32[(lens >>> 2) + ordinal]!;
        const list = u32[(ptrs >>> 2) + ordinal]!;
        if (length === 1) setBit(u8, dst, list);
        else if (list !== 0) {
          const from = list >>> 2;
          for (let j = from; j < from + length; j++) setBit(u8, dst, u32[j]!);
        }
      }
    },
    sumAt(ordinals, n, lens) {
      const { u32 } = memory;
      let total = 0;
      for (let i = 0; i < n; i++) total += u32[(lens >>> 2) + u32[(ordinals >>> 2) + i]!]!;
      return total;
    },
    collect(src, bytes, base, out, most) {
      const { u32 } = memory;
      const s = src >>> 2;
      const o = out >>> 2;
      let n = 0;
      for (let i = 0; i < bytes >>> 2; i++) {
        let word = u32[s + i]!;
        while (word !== 0) {
          if (n === most) return n;
          const low = word & -word;
          u32[o + n++] = base + i * 32 + (31 - Math.clz32(low));
          word ^= low;
        }
      }
      return n;
    },
    filter(list, n, bits, out) {
      const { u32, u8 } = memory;
      const o = out >>> 2;
      let kept = 0;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        const row = u32[i]!;
        u32[o + kept] = row;
        if (hasBit(u8, bits, row)) kept++;
      }
      return kept;
    },
  };
}
