/** The kernel's part for UUIDs: sorting a segment by a window, and finding pieces. See plain.ts. */
import { setBit } from './bits';

/** A segment's record: seven numbers of four bytes. See uuids.ts. */
const RECORD: usize = 32;
const UUIDS: usize = 0;
const HAS: usize = 4;
const LISTS: usize = 8;
const STARTS: usize = 12;
const LISTED: usize = 16;
const BITS: usize = 20;
const ROWS: usize = 24;

// @ts-ignore: decorator
@inline
function keyAt(uuid: usize, nibble: usize): u32 {
  const at = uuid + (nibble >> 1);
  const three =
    ((<u32>load<u8>(at)) << 16) | ((<u32>load<u8>(at + 1)) << 8) | <u32>load<u8>(at + 2);
  return nibble & 1 ? (three >> 4) & 0xffff : three >> 8;
}

// @ts-ignore: decorator
@inline
function fits(uuid: usize, mask: v128, value: v128): bool {
  return !v128.any_true(v128.xor(v128.and(v128.load(uuid), mask), value));
}

export function uuidSort(
  uuids: usize,
  has: usize,
  rows: u32,
  nibble: usize,
  starts: usize,
  bits: u32,
  list: usize,
): u32 {
  const shift = 16 - bits;
  const buckets: usize = (<usize>1) << bits;
  memory.fill(starts, 0, buckets << 1);
  for (let s: u32 = 0; s < rows; s++) {
    if (!((load<u8>(has + (s >> 3)) >> <u8>(s & 7)) & 1)) continue;
    const at = starts + ((<usize>(keyAt(uuids + ((<usize>s) << 4), nibble) >> shift)) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  let total: u32 = 0;
  for (let b: usize = 0; b < buckets; b++) {
    total += load<u16>(starts + (b << 1));
    store<u16>(starts + (b << 1), total);
  }
  for (let s: i32 = <i32>rows - 1; s >= 0; s--) {
    if (!((load<u8>(has + (s >> 3)) >> <u8>(s & 7)) & 1)) continue;
    const at = starts + ((<usize>(keyAt(uuids + ((<usize>s) << 4), nibble) >> shift)) << 1);
    const place = load<u16>(at) - 1;
    store<u16>(at, place);
    store<u16>(list + ((<usize>place) << 1), <u16>s);
  }
  return total;
}

/** Segments looked up at a time, and where their places wait: the memory's unused start. */
const TOGETHER: u32 = 64;
const PLACES: usize = 16;

export function uuidFind(
  records: usize,
  segments: u32,
  segmentBytes: usize,
  window: u32,
  low: u32,
  high: u32,
  pattern: usize,
  dst: usize,
): void {
  const mask = v128.load(pattern);
  const value = v128.load(pattern + 16);
  for (let from: u32 = 0; from < segments; from += TOGETHER) {
    const n = min(TOGETHER, segments - from);
    // Two rounds, so that the cache misses of many segments overlap.
    for (let i: u32 = 0; i < n; i++) {
      findPlaces(records + <usize>i * RECORD, window, low, high, PLACES + ((<usize>i) << 3));
    }
    for (let i: u32 = 0; i < n; i++, records += RECORD, dst += segmentBytes) {
      const end = load<u32>(PLACES + ((<usize>i) << 3), 4);
      const uuids: usize = load<u32>(records + UUIDS);
      const has: usize = load<u32>(records + HAS);
      for (let at = load<u32>(PLACES + ((<usize>i) << 3)); at < end; at += 2) {
        const s = <u32>load<u16>(at);
        if (!fits(uuids + ((<usize>s) << 4), mask, value)) continue;
        if ((load<u8>(has + (s >> 3)) >> <u8>(s & 7)) & 1) setBit(dst, s);
      }
    }
  }
}

/** Writes where in the window's list of a segment the keys from low to high are. */
function findPlaces(record: usize, window: u32, low: u32, high: u32, out: usize): void {
  const listed = load<u32>(record + LISTED);
  if (listed == 0) {
    store<u64>(out, 0);
    return;
  }
  const bits = load<u32>(record + BITS);
  const starts = <usize>(load<u32>(record + STARTS) + (window << (bits + 1)));
  const list = load<u32>(record + LISTS) + ((window * load<u32>(record + ROWS)) << 1);
  const shift = 16 - bits;
  const first = <u32>load<u16>(starts + ((<usize>(low >> shift)) << 1));
  const after = (high >> shift) + 1;
  const last = after >> bits ? listed : <u32>load<u16>(starts + ((<usize>after) << 1));
  store<u32>(out, list + (first << 1));
  store<u32>(out, list + (last << 1), 4);
}

export function uuidTest(
  uuids: usize,
  has: usize,
  list: usize,
  n: u32,
  patterns: usize,
  count: u32,
  dst: usize,
): void {
  const end = list + ((<usize>n) << 2);
  const last = patterns + ((<usize>count) << 5);
  for (let at = list; at < end; at += 4) {
    const s = load<u32>(at);
    if (!((load<u8>(has + (s >> 3)) >> <u8>(s & 7)) & 1)) continue;
    const uuid = v128.load(uuids + ((<usize>s) << 4));
    for (let p = patterns; p < last; p += 32) {
      if (!v128.any_true(v128.xor(v128.and(uuid, v128.load(p)), v128.load(p + 16)))) {
        setBit(dst, s);
        break;
      }
    }
  }
}

export function uuidTestBits(
  uuids: usize,
  bits: usize,
  bytes: usize,
  pattern: usize,
  dst: usize,
): void {
  const mask = v128.load(pattern);
  const value = v128.load(pattern + 16);
  for (let i: usize = 0; i < bytes; i += 8) {
    let word = load<u64>(bits + i);
    while (word != 0) {
      const s = (<u32>i << 3) + <u32>ctz(word);
      if (fits(uuids + ((<usize>s) << 4), mask, value)) setBit(dst, s);
      word &= word - 1;
    }
  }
}
