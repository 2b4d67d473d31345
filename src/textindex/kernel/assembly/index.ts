/**
 * The kernel: the loops in which searches spend their time, 16 bytes at a step.
 *
 * It owns nothing. All pointers are byte offsets into the memory it is given. Bitmaps are whole
 * multiples of 16 bytes; bit s of a bitmap is bit `s & 7` of byte `s >> 3`. abi.ts documents each
 * function.
 */

import { LISTS_AHEAD, readAhead } from './ahead';
import { bitOf, setBit } from './bits';

// ---- bitmaps ----------------------------------------------------------------------------------

export function or(dst: usize, src: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(dst + i, v128.or(v128.load(dst + i), v128.load(src + i)));
  }
}

export function and(dst: usize, src: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(dst + i, v128.and(v128.load(dst + i), v128.load(src + i)));
  }
}

export function andNot(dst: usize, src: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(dst + i, v128.andnot(v128.load(dst + i), v128.load(src + i)));
  }
}

// @ts-ignore: decorator
@inline
function widen(counts: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(counts));
}

// @ts-ignore: decorator
@inline
function sum(lanes: v128): u32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

// A byte of counts holds 31 steps of at most 8 before it must be widened; 16 keeps it simple.
const WIDEN_EVERY: usize = 16 * 16;

/**
 * Writes the union of the sources and counts it. With `keeps` it writes the part of `dst` that is in the union. It
 * takes four vectors at a time, so that a source's address is read once for 64 bytes.
 */
// @ts-ignore: decorator
@inline
function combine(
  dst: usize,
  table: usize,
  n: u32,
  segments: u32,
  bytes: usize,
  keeps: bool,
): u32 {
  const step = (<usize>n) << 2;
  let total = i32x4.splat(0);
  for (let segment: u32 = 0; segment < segments; segment++, table += step, dst += bytes) {
    const end = table + step;
    let i: usize = 0;
    while (i + 64 <= bytes) {
      const stop = min(bytes - 63, i + WIDEN_EVERY);
      let counts = i8x16.splat(0);
      for (; i < stop; i += 64) {
        let source = <usize>load<u32>(table) + i;
        let a = v128.load(source);
        let b = v128.load(source, 16);
        let c = v128.load(source, 32);
        let d = v128.load(source, 48);
        for (let at = table + 4; at < end; at += 4) {
          source = <usize>load<u32>(at) + i;
          a = v128.or(a, v128.load(source));
          b = v128.or(b, v128.load(source, 16));
          c = v128.or(c, v128.load(source, 32));
          d = v128.or(d, v128.load(source, 48));
        }
        const to = dst + i;
        if (keeps) {
          a = v128.and(v128.load(to), a);
          b = v128.and(v128.load(to, 16), b);
          c = v128.and(v128.load(to, 32), c);
          d = v128.and(v128.load(to, 48), d);
          const first = i8x16.add(i8x16.popcnt(a), i8x16.popcnt(b));
          counts = i8x16.add(counts, i8x16.add(first, i8x16.add(i8x16.popcnt(c), i8x16.popcnt(d))));
        }
        v128.store(to, a);
        v128.store(to, b, 16);
        v128.store(to, c, 32);
        v128.store(to, d, 48);
      }
      if (keeps) total = i32x4.add(total, widen(counts));
    }
    for (; i < bytes; i += 16) {
      let a = v128.load(<usize>load<u32>(table) + i);
      for (let at = table + 4; at < end; at += 4) {
        a = v128.or(a, v128.load(<usize>load<u32>(at) + i));
      }
      if (keeps) {
        a = v128.and(v128.load(dst + i), a);
        total = i32x4.add(total, widen(i8x16.popcnt(a)));
      }
      v128.store(dst + i, a);
    }
  }
  return sum(total);
}

export function unite(dst: usize, table: usize, n: u32, segments: u32, bytes: usize): void {
  combine(dst, table, n, segments, bytes, false);
}

export function keep(dst: usize, table: usize, n: u32, segments: u32, bytes: usize): u32 {
  return combine(dst, table, n, segments, bytes, true);
}

export function count(src: usize, bytes: usize): u32 {
  // Eight bytes at a time: sixteen have no instruction of their own, and take twice as long.
  let total: u64 = 0;
  for (let i: usize = 0; i < bytes; i += 16) {
    total += popcnt(load<u64>(src + i)) + popcnt(load<u64>(src + i, 8));
  }
  return <u32>total;
}

export function between(
  dst: usize,
  planes: usize,
  planeCount: u32,
  low: u32,
  high: u32,
  bytes: usize,
): void {
  const last = planes + <usize>(planeCount - 1) * bytes;
  for (let i: usize = 0; i < bytes; i += 16) {
    let below = i32x4.splat(0);
    let above = i32x4.splat(0);
    // The rows whose higher bits are those of the bound.
    let atLow = i32x4.splat(-1);
    let atHigh = i32x4.splat(-1);
    let plane = last + i;
    for (let bit = <i32>planeCount - 1; bit >= 0; bit--, plane -= bytes) {
      const bits = v128.load(plane);
      const ofLow = i32x4.splat(-((low >> bit) & 1));
      const ofHigh = i32x4.splat(-((high >> bit) & 1));
      below = v128.or(below, v128.and(atLow, v128.andnot(ofLow, bits)));
      above = v128.or(above, v128.and(atHigh, v128.andnot(bits, ofHigh)));
      atLow = v128.andnot(atLow, v128.xor(bits, ofLow));
      atHigh = v128.andnot(atHigh, v128.xor(bits, ofHigh));
    }
    v128.store(dst + i, v128.andnot(v128.load(dst + i), v128.or(below, above)));
  }
}

// ---- lists and bitmaps ------------------------------------------------------------------------

export function setBits(dst: usize, list: usize, n: u32): void {
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) setBit(dst, load<u32>(at));
}

export function setRepeated(dst: usize, list: usize, n: u32): void {
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) {
    const bit = load<u32>(at);
    // Most bits are set already, and the read of a byte just written would have to wait.
    if (bitOf(dst, bit) == 0) setBit(dst, bit);
  }
}

export function setLists(dst: usize, ordinals: usize, n: u32, ptrs: usize, lens: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    if (i % LISTS_AHEAD == 0) readAhead(ordinals, i, n, ptrs, lens);
    const ordinal = (<usize>load<u32>(ordinals + ((<usize>i) << 2))) << 2;
    const length = load<u32>(lens + ordinal);
    const list = load<u32>(ptrs + ordinal);
    if (length == 1) setBit(dst, list);
    else if (list != 0) setBits(dst, list, length);
  }
}

export function sumAt(ordinals: usize, n: u32, lens: usize): u32 {
  let total: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    total += load<u32>(lens + ((<usize>load<u32>(ordinals + ((<usize>i) << 2))) << 2));
  }
  return total;
}

export function collect(src: usize, bytes: usize, base: u32, out: usize, most: u32): u32 {
  let to = out;
  const full = out + ((<usize>most) << 2);
  for (let i: usize = 0; i < bytes; i += 16) {
    if (!v128.any_true(v128.load(src + i))) continue;
    for (let j: usize = i; j < i + 16; j += 8) {
      let word = load<u64>(src + j);
      const first = base + (<u32>j << 3);
      const end = to + ((<usize>popcnt(word)) << 2);
      if (end < full) {
        // Two at a time mispredict half as often; after an odd number one more is written over.
        for (; to < end; to += 8) {
          store<u32>(to, first + <u32>ctz(word));
          word &= word - 1;
          store<u32>(to, first + <u32>ctz(word), 4);
          word &= word - 1;
        }
        to = end;
        continue;
      }
      while (word != 0) {
        if (to == full) return most;
        store<u32>(to, first + <u32>ctz(word));
        to += 4;
        word &= word - 1;
      }
    }
  }
  return <u32>((to - out) >> 2);
}

export function filter(list: usize, n: u32, bits: usize, out: usize): u32 {
  let to = out;
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) {
    const row = load<u32>(at);
    store<u32>(to, row);
    to += (<usize>bitOf(bits, row)) << 2;
  }
  return <u32>((to - out) >> 2);
}

export * from './counts';
export * from './lists';
export * from './ranks';
export * from './texts';
export * from './trie';
export * from './uuids';
export * from './values';
