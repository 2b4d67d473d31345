/** The kernel's part for lists of slots, each slot once. See plainLists.ts. */
import { bitOf, clearBit, setBit } from './bits';

export function clearBits(dst: usize, list: usize, n: u32): void {
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) clearBit(dst, load<u32>(at));
}

export function addNew(seen: usize, list: usize, n: u32, out: usize): u32 {
  let to = out;
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) {
    const slot = load<u32>(at);
    const known = bitOf(seen, slot);
    setBit(seen, slot);
    store<u32>(to, slot);
    to += (<usize>(known ^ 1)) << 2;
  }
  return <u32>((to - out) >> 2);
}

export function addLists(
  seen: usize,
  codes: usize,
  n: u32,
  ptrs: usize,
  lens: usize,
  out: usize,
): u32 {
  let to = out;
  for (let i: u32 = 0; i < n; i++) {
    const code = (<usize>load<u32>(codes + ((<usize>i) << 2))) << 2;
    const length = load<u32>(lens + code);
    const list = load<u32>(ptrs + code);
    if (length == 1) to += (<usize>addNew(seen, ptrs + code, 1, to)) << 2;
    else if (list != 0) to += (<usize>addNew(seen, list, length, to)) << 2;
  }
  return <u32>((to - out) >> 2);
}

export function splitBits(list: usize, n: u32, bits: usize, held: usize): u32 {
  let left = list;
  let to = held;
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) {
    const slot = load<u32>(at);
    const is = bitOf(bits, slot);
    store<u32>(to, slot);
    to += (<usize>is) << 2;
    store<u32>(left, slot);
    left += (<usize>(is ^ 1)) << 2;
  }
  return <u32>((to - held) >> 2);
}

/** Codes looked up at a time, and where they wait: the memory's unused start. */
const TOGETHER: u32 = 128;
const CODES: usize = 16;

export function splitCodes(
  list: usize,
  n: u32,
  table: usize,
  segmentBits: u32,
  members: usize,
  held: usize,
): u32 {
  let left = list;
  let to = held;
  for (let from: u32 = 0; from < n; from += TOGETHER) {
    const count = min(TOGETHER, n - from);
    const at = list + ((<usize>from) << 2);
    // A round of its own, so that the cache misses of many rows overlap.
    lookUp(at, count, table, segmentBits);
    for (let i: u32 = 0; i < count; i++) {
      const slot = load<u32>(at + ((<usize>i) << 2));
      const is = bitOf(members, load<u32>(CODES + ((<usize>i) << 2)));
      store<u32>(to, slot);
      to += (<usize>is) << 2;
      store<u32>(left, slot);
      left += (<usize>(is ^ 1)) << 2;
    }
  }
  return <u32>((to - held) >> 2);
}

export function markCodes(
  list: usize,
  n: u32,
  table: usize,
  segmentBits: u32,
  members: usize,
): void {
  for (let from: u32 = 0; from < n; from += TOGETHER) {
    const count = min(TOGETHER, n - from);
    lookUp(list + ((<usize>from) << 2), count, table, segmentBits);
    for (let i: u32 = 0; i < count; i++) setBit(members, load<u32>(CODES + ((<usize>i) << 2)));
  }
}

/** Writes the codes of a list's slots to CODES. */
function lookUp(list: usize, n: u32, table: usize, segmentBits: u32): void {
  const mask = (<u32>1 << segmentBits) - 1;
  for (let i: u32 = 0; i < n; i++) {
    const slot = load<u32>(list + ((<usize>i) << 2));
    const record = table + ((<usize>(slot >> segmentBits)) << 3);
    const codes = <usize>load<u32>(record);
    const width = load<u32>(record, 4);
    const row = <usize>(slot & mask);
    let code: u32 = 0;
    if (width == 2) code = load<u16>(codes + (row << 1));
    else if (width == 1) code = load<u8>(codes + row);
    else if (width == 4) code = load<u32>(codes + (row << 2));
    store<u32>(CODES + ((<usize>i) << 2), code);
  }
}
