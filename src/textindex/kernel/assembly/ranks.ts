/** The kernel's part for pages in orders that are not kept. See abi.ts. */
import { bitOf, setBit } from './bits';

export function listCounted(
  counts: usize,
  from: u32,
  to: u32,
  list: usize,
  weights: usize,
): u32 {
  let n: usize = 0;
  for (let ordinal = from; ordinal < to; ordinal++) {
    const count = load<u32>(counts + ((<usize>ordinal) << 2));
    store<u32>(list + n, ordinal);
    store<u32>(weights + n, count);
    n += count != 0 ? 4 : 0;
  }
  return <u32>(n >> 2);
}

export function tallyNew(numbers: usize, n: u32, seen: usize, counts: usize, list: usize): u32 {
  let to = list;
  const end = numbers + ((<usize>n) << 2);
  for (let at = numbers; at < end; at += 4) {
    const number = load<u32>(at);
    const count = counts + ((<usize>number) << 2);
    if (bitOf(seen, number)) {
      store<u32>(count, load<u32>(count) + 1);
    } else {
      setBit(seen, number);
      store<u32>(count, 1);
      store<u32>(to, number);
      to += 4;
    }
  }
  return <u32>((to - list) >> 2);
}

/** A segment's UUIDs: UUIDS in abi.ts. */
const SEGMENT: usize = 36;
const UUIDS: usize = 0;
const STRIDE: usize = 32;
/** The bytes of a UUID, which is ordered as text. */
const TEXT_STRIDE: usize = 16;

/** Six nibbles as the bytes of their digits. */
// @ts-ignore: decorator
@inline
function digitsOf(three: u64): u64 {
  const halves = ((three & 0xfff000) << 12) | (three & 0xfff);
  const nibbles =
    ((halves & 0xf00000f00) << 8) | ((halves & 0x0f00000f0) << 4) | (halves & 0x00f00000f);
  const letters = ((nibbles + 0x060606060606) >> 4) & 0x010101010101;
  return nibbles + 0x303030303030 + letters * 39;
}

export function uuidNumbers(
  list: usize,
  n: u32,
  uuids: usize,
  segmentBits: u32,
  base: f64,
  numbers: usize,
): void {
  const mask = (<u32>1 << segmentBits) - 1;
  const end = list + ((<usize>n) << 2);
  let segment: u32 = 0xffffffff;
  let bytes: usize = 0;
  let stride: usize = 0;
  for (let to = numbers; list < end; list += 4, to += 8) {
    const row = load<u32>(list);
    const own = row >> segmentBits;
    if (own != segment) {
      segment = own;
      const record = uuids + <usize>own * SEGMENT;
      bytes = load<u32>(record, UUIDS);
      stride = load<u32>(record, STRIDE);
    }
    const at = bytes + <usize>(row & mask) * stride;
    const first = <u64>bswap(load<u32>(at));
    const six = stride == TEXT_STRIDE
      ? digitsOf(first >> 8)
      : (first << 16) | <u64>bswap(load<u16>(at, 4));
    store<f64>(to, base + <f64>six);
  }
}

export function weigh(
  numbers: usize,
  weights: usize,
  n: u32,
  low: f64,
  high: f64,
  sums: usize,
): void {
  let below: u32 = 0;
  let within: u32 = 0;
  const end = numbers + ((<usize>n) << 3);
  for (let at = numbers; at < end; at += 8) {
    const number = load<f64>(at);
    const weight = weights ? load<u32>(weights) : 1;
    if (weights) weights += 4;
    below += number < low ? weight : 0;
    within += <u32>(number >= low) & <u32>(number <= high) ? weight : 0;
  }
  store<u32>(sums, load<u32>(sums) + below);
  store<u32>(sums, load<u32>(sums, 4) + within, 4);
}

export function keepBetween(
  list: usize,
  numbers: usize,
  weights: usize,
  n: u32,
  low: f64,
  high: f64,
): u32 {
  let kept: usize = 0;
  for (let i: usize = 0; i < <usize>n; i++) {
    const number = load<f64>(numbers + (i << 3));
    if (number < low || number > high) continue;
    store<f64>(numbers + (kept << 3), number);
    store<u32>(list + (kept << 2), load<u32>(list + (i << 2)));
    if (weights) store<u32>(weights + (kept << 2), load<u32>(weights + (i << 2)));
    kept++;
  }
  return <u32>kept;
}
