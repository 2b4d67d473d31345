/** The kernel's part for lists of rows, each row once. See abi.ts. */
import { LISTS_AHEAD, readAhead } from './ahead';
import { bitOf, clearBit, setBit } from './bits';
import { ordinalsOf } from './counts';

export function clearBits(dst: usize, list: usize, n: u32): void {
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) clearBit(dst, load<u32>(at));
}

export function addNew(seen: usize, list: usize, n: u32, out: usize): u32 {
  let to = out;
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) {
    const row = load<u32>(at);
    const known = bitOf(seen, row);
    setBit(seen, row);
    store<u32>(to, row);
    to += (<usize>(known ^ 1)) << 2;
  }
  return <u32>((to - out) >> 2);
}

export function addLists(
  seen: usize,
  ordinals: usize,
  n: u32,
  ptrs: usize,
  lens: usize,
  out: usize,
): u32 {
  let to = out;
  for (let i: u32 = 0; i < n; i++) {
    if (i % LISTS_AHEAD == 0) readAhead(ordinals, i, n, ptrs, lens);
    const ordinal = (<usize>load<u32>(ordinals + ((<usize>i) << 2))) << 2;
    const length = load<u32>(lens + ordinal);
    const list = load<u32>(ptrs + ordinal);
    if (length == 1) to += (<usize>addNew(seen, ptrs + ordinal, 1, to)) << 2;
    else if (list != 0) to += (<usize>addNew(seen, list, length, to)) << 2;
  }
  return <u32>((to - out) >> 2);
}

/** Not by `split`: a row is its own key here, and to read it twice takes a third longer. */
export function splitBits(list: usize, n: u32, bits: usize, matched: usize): u32 {
  let left = list;
  let to = matched;
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) {
    const row = load<u32>(at);
    const is = bitOf(bits, row);
    store<u32>(to, row);
    to += (<usize>is) << 2;
    store<u32>(left, row);
    left += (<usize>(is ^ 1)) << 2;
  }
  return <u32>((to - matched) >> 2);
}

/**
 * Splits n rows from `at` on by the bit of each one's ordinal: rows with the bit go to `to`, the
 * others to `left`, which may be their own place. Returns the address of the next match.
 */
// @ts-ignore: decorator
@inline
function split(at: usize, n: u32, ordinals: usize, members: usize, left: usize, to: usize): usize {
  const end = at + ((<usize>n) << 2);
  for (; at < end; at += 4, ordinals += 4) {
    const row = load<u32>(at);
    const is = bitOf(members, load<u32>(ordinals));
    store<u32>(to, row);
    to += (<usize>is) << 2;
    store<u32>(left, row);
    left += (<usize>(is ^ 1)) << 2;
  }
  return to;
}

/** Ordinals looked up at a time, and their buffer: the memory's unused start. */
const TOGETHER: u32 = 128;
const ORDINALS: usize = 16;

export function splitByOrdinal(
  list: usize,
  n: u32,
  table: usize,
  segmentBits: u32,
  members: usize,
  matched: usize,
): u32 {
  let left = list;
  let to = matched;
  for (let from: u32 = 0; from < n; from += TOGETHER) {
    const count = min(TOGETHER, n - from);
    const at = list + ((<usize>from) << 2);
    // A separate round, so that the cache misses of many rows overlap.
    ordinalsOf(at, count, table, segmentBits, ORDINALS);
    const next = split(at, count, ORDINALS, members, left, to);
    left += ((<usize>count) << 2) - (next - to);
    to = next;
  }
  return <u32>((to - matched) >> 2);
}

export function splitByListed(
  list: usize,
  n: u32,
  ordinals: usize,
  members: usize,
  matched: usize,
): u32 {
  return <u32>((split(list, n, ordinals, members, list, matched) - matched) >> 2);
}

export function markOrdinals(
  list: usize,
  n: u32,
  table: usize,
  segmentBits: u32,
  ordinals: usize,
  members: usize,
): void {
  ordinalsOf(list, n, table, segmentBits, ordinals);
  const end = ordinals + ((<usize>n) << 2);
  for (let at = ordinals; at < end; at += 4) {
    const ordinal = load<u32>(at);
    // Most bits are set already, and the read of a byte just written would have to wait.
    if (bitOf(members, ordinal) == 0) setBit(members, ordinal);
  }
}
