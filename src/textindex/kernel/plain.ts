/**
 * The kernel's plain twin: the same functions in JavaScript, for machines without WebAssembly SIMD,
 * and the place where each one's meaning is written down.
 *
 * Pointers are byte offsets into the memory. Bitmaps are whole multiples of 16 bytes; bit s is bit
 * `s & 7` of byte `s >> 3`. A list is an array of u32.
 */
import type { Memory } from './memory.ts';
import { type ListKernel, plainLists } from './plainLists.ts';

/** What both kernels can do. */
export interface Kernel extends ListKernel {
  /** dst |= src */
  or(dst: number, src: number, bytes: number): void;
  /** dst &= src */
  and(dst: number, src: number, bytes: number): void;
  /** dst &= ~src */
  andNot(dst: number, src: number, bytes: number): void;
  /** How many bits are set in src; in a & b; in a ^ b. */
  count(src: number, bytes: number): number;
  countAnd(a: number, b: number, bytes: number): number;
  countXor(a: number, b: number, bytes: number): number;
  /** dst &= (inverted ? ~plane : plane); gives how many of the bits left are not in next. */
  narrow(dst: number, plane: number, inverted: number, next: number, bytes: number): number;
  /** Sets the bits that a list names. */
  setBits(dst: number, list: number, n: number): void;
  /**
   * Sets (clears) the bits of several lists. `codes` lists n codes; code c has `lens[c]` slots: none
   * or, when `ptrs[c]` is 0, a number kept elsewhere; one is in `ptrs[c]` itself; more are a list there.
   */
  setLists(dst: number, codes: number, n: number, ptrs: number, lens: number): void;
  clearLists(dst: number, codes: number, n: number, ptrs: number, lens: number): void;
  /** The sum of `lens[c]` over the n codes. */
  sumAt(codes: number, n: number, lens: number): number;
  /** Lists up to `most` set bits, `base` added to each, in ascending order; gives how many. */
  collect(src: number, bytes: number, base: number, out: number, most: number): number;
  /** Lists those of a list's slots whose bit is set, in its order; `out` has room for n. */
  filter(list: number, n: number, bits: number, out: number): number;
  /** Bit i of out = bit `list[i]` of bits, for i < n; n is a multiple of 8. */
  gather(list: number, n: number, bits: number, out: number): void;
  /**
   * Finds the needle (n bytes, at least one) in a heap of entries, in those from offset `from` up to
   * `until`, where entries start or the heap ends; writes `codes[entry]` of each entry it is in, in
   * their order, and gives how many. `starts` has each entry's offset. No entry holds the byte 255,
   * each ends with one, and there are n + 64 of them after the last. `rare` and `rarer` are offsets
   * of two bytes in the needle that are rare in the heap.
   */
  find(
    heap: number,
    from: number,
    until: number,
    needle: number,
    n: number,
    rare: number,
    rarer: number,
    starts: number,
    entries: number,
    codes: number,
    out: number,
  ): number;
  /**
   * Sorts a segment's UUIDs (16 bytes each; those of rows below `rows` that are in `has`) by the
   * top `bits` bits of the four nibbles at `nibble`: writes each bucket's first place to `starts`
   * and the rows to `list`, both u16, and gives how many. At most 65,535 rows.
   */
  uuidSort(
    uuids: number,
    has: number,
    rows: number,
    nibble: number,
    starts: number,
    bits: number,
    list: number,
  ): number;
  /**
   * In each segment, looks at the rows that the window's lists hold under keys from low to high, and
   * sets the bits of those that are there and fit the pattern. `records`: see uuids.ts.
   */
  uuidFind(
    records: number,
    segments: number,
    segmentBytes: number,
    window: number,
    low: number,
    high: number,
    pattern: number,
    dst: number,
  ): void;
  /** Sets the bits of a list's rows that are in `has` and whose UUID fits any of the patterns. */
  uuidTest(
    uuids: number,
    has: number,
    list: number,
    n: number,
    patterns: number,
    count: number,
    dst: number,
  ): void;
  /** Sets the bits of the rows in `bits` whose UUID fits the pattern (16 bytes mask, 16 value). */
  uuidTestBits(uuids: number, bits: number, bytes: number, pattern: number, dst: number): void;
}

/** Bytes of a segment's record, and the offsets in it. Also in the assembly. */
export const RECORD = {
  bytes: 32,
  uuids: 0,
  has: 4,
  lists: 8,
  starts: 12,
  listed: 16,
  bits: 20,
  rows: 24,
} as const;

function ones(word: number): number {
  let w = word - ((word >>> 1) & 0x55555555);
  w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
  return Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function plainKernel(memory: Memory): Kernel {
  const setBit = (dst: number, bit: number) => {
    memory.u8[dst + (bit >>> 3)]! |= 1 << (bit & 7);
  };
  const clearBit = (dst: number, bit: number) => {
    memory.u8[dst + (bit >>> 3)]! &= ~(1 << (bit & 7));
  };
  const hasBit = (bits: number, bit: number) =>
    ((memory.u8[bits + (bit >>> 3)]! >>> (bit & 7)) & 1) === 1;

  const eachListed = (
    visit: (dst: number, bit: number) => void,
    dst: number,
    codes: number,
    n: number,
    ptrs: number,
    lens: number,
  ) => {
    const { u32 } = memory;
    for (let i = 0; i < n; i++) {
      const code = u32[(codes >>> 2) + i]!;
      const length = u32[(lens >>> 2) + code]!;
      const list = u32[(ptrs >>> 2) + code]!;
      if (length === 1) visit(dst, list);
      else if (list !== 0) {
        const from = list >>> 2;
        for (let j = from; j < from + length; j++) visit(dst, u32[j]!);
      }
    }
  };

  const keyAt = (uuid: number, nibble: number) => {
    const { u8 } = memory;
    const at = uuid + (nibble >>> 1);
    const three = (u8[at]! << 16) | (u8[at + 1]! << 8) | u8[at + 2]!;
    return nibble & 1 ? (three >>> 4) & 0xffff : three >>> 8;
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

  return {
    ...plainLists(memory),
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
    count(src, bytes) {
      const { u32 } = memory;
      const s = src >>> 2;
      let total = 0;
      for (let i = 0; i < bytes >>> 2; i++) total += ones(u32[s + i]!);
      return total;
    },
    countAnd(a, b, bytes) {
      const { u32 } = memory;
      const x = a >>> 2;
      const y = b >>> 2;
      let total = 0;
      for (let i = 0; i < bytes >>> 2; i++) total += ones(u32[x + i]! & u32[y + i]!);
      return total;
    },
    countXor(a, b, bytes) {
      const { u32 } = memory;
      const x = a >>> 2;
      const y = b >>> 2;
      let total = 0;
      for (let i = 0; i < bytes >>> 2; i++) total += ones(u32[x + i]! ^ u32[y + i]!);
      return total;
    },
    narrow(dst, plane, inverted, next, bytes) {
      const { u32 } = memory;
      const flip = inverted ? -1 : 0;
      const d = dst >>> 2;
      const p = plane >>> 2;
      const q = next >>> 2;
      let total = 0;
      for (let i = 0; i < bytes >>> 2; i++) {
        const kept = u32[d + i]! & (u32[p + i]! ^ flip);
        u32[d + i] = kept;
        total += ones(kept & ~u32[q + i]!);
      }
      return total;
    },
    setBits(dst, list, n) {
      const { u32, u8 } = memory;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        const bit = u32[i]!;
        u8[dst + (bit >>> 3)]! |= 1 << (bit & 7);
      }
    },
    setLists(dst, codes, n, ptrs, lens) {
      eachListed(setBit, dst, codes, n, ptrs, lens);
    },
    clearLists(dst, codes, n, ptrs, lens) {
      eachListed(clearBit, dst, codes, n, ptrs, lens);
    },
    sumAt(codes, n, lens) {
      const { u32 } = memory;
      let total = 0;
      for (let i = 0; i < n; i++) total += u32[(lens >>> 2) + u32[(codes >>> 2) + i]!]!;
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
        const slot = u32[i]!;
        u32[o + kept] = slot;
        kept += (u8[bits + (slot >>> 3)]! >>> (slot & 7)) & 1;
      }
      return kept;
    },
    gather(list, n, bits, out) {
      const { u32, u8 } = memory;
      const l = list >>> 2;
      u8.fill(0, out, out + (n >>> 3));
      for (let i = 0; i < n; i++) if (hasBit(bits, u32[l + i]!)) setBit(out, i);
    },
    find(heap, from, until, needle, n, _rare, _rarer, starts, entries, codes, out) {
      const { u32, u8 } = memory;
      const bytes = Buffer.from(u8.buffer as ArrayBuffer, heap, until);
      const wanted = Buffer.from(u8.buffer as ArrayBuffer, needle, n);
      const s = starts >>> 2;
      let found = 0;
      let entry = 0;
      let at = bytes.indexOf(wanted, from);
      while (at >= 0) {
        entry = entryAt(u32, s, entry, entries, at);
        u32[(out >>> 2) + found++] = u32[(codes >>> 2) + entry]!;
        if (++entry === entries) break;
        at = bytes.indexOf(wanted, u32[s + entry]!);
      }
      return found;
    },
    uuidSort(uuids, has, rows, nibble, starts, bits, list) {
      const { u16 } = memory;
      const shift = 16 - bits;
      const buckets = 1 << bits;
      const first = starts >>> 1;
      u16.fill(0, first, first + buckets);
      for (let s = 0; s < rows; s++) {
        if (hasBit(has, s)) u16[first + (keyAt(uuids + s * 16, nibble) >>> shift)]!++;
      }
      let total = 0;
      for (let b = first; b < first + buckets; b++) {
        total += u16[b]!;
        u16[b] = total;
      }
      for (let s = rows - 1; s >= 0; s--) {
        if (!hasBit(has, s)) continue;
        const place = --u16[first + (keyAt(uuids + s * 16, nibble) >>> shift)]!;
        u16[(list >>> 1) + place] = s;
      }
      return total;
    },
    uuidFind(records, segments, segmentBytes, window, low, high, pattern, dst) {
      const { u32, u16 } = memory;
      for (let i = 0; i < segments; i++) {
        const record = (records + i * RECORD.bytes) >>> 2;
        const listed = u32[record + RECORD.listed / 4]!;
        if (listed === 0) continue;
        const uuids = u32[record + RECORD.uuids / 4]!;
        const has = u32[record + RECORD.has / 4]!;
        const bits = u32[record + RECORD.bits / 4]!;
        const starts = (u32[record + RECORD.starts / 4]! >>> 1) + window * (1 << bits);
        const list =
          (u32[record + RECORD.lists / 4]! >>> 1) + window * u32[record + RECORD.rows / 4]!;
        const shift = 16 - bits;
        const after = (high >>> shift) + 1;
        const last = after >>> bits ? listed : u16[starts + after]!;
        for (let at = u16[starts + (low >>> shift)]!; at < last; at++) {
          const s = u16[list + at]!;
          if (fits(uuids + s * 16, pattern) && hasBit(has, s)) setBit(dst + i * segmentBytes, s);
        }
      }
    },
    uuidTest(uuids, has, list, n, patterns, count, dst) {
      const { u32 } = memory;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        const s = u32[i]!;
        if (!hasBit(has, s)) continue;
        for (let p = 0; p < count; p++) {
          if (!fits(uuids + s * 16, patterns + p * 32)) continue;
          setBit(dst, s);
          break;
        }
      }
    },
    uuidTestBits(uuids, bits, bytes, pattern, dst) {
      const { u32 } = memory;
      for (let i = 0; i < bytes >>> 2; i++) {
        let word = u32[(bits >>> 2) + i]!;
        while (word !== 0) {
          const low = word & -word;
          const s = i * 32 + (31 - Math.clz32(low));
          if (fits(uuids + s * 16, pattern)) setBit(dst, s);
          word ^= low;
        }
      }
    },
  };
}

/** The last entry at or after `from` that starts at or before `offset`. */
function entryAt(u32: Uint32Array, starts: number, from: number, n: number, offset: number) {
  let step = 1;
  let low = from;
  while (low + step < n && u32[starts + low + step]! <= offset) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, n);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (u32[starts + middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}
