/** The kernel's part for lists of rows, each row once. See abi.ts. */
import { LISTS_AHEAD, readAhead } from './ahead';
import { bitOf, clearBit, setBit } from './bits';

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

export function splitBits(list: usize, n: u32, bits: usize, matched: usize): u32 {
  return split(list, n, 0, bits, matched, true);
}

export function splitByOrdinals(
  list: usize,
  n: u32,
  ordinals: usize,
  members: usize,
  matched: usize,
): u32 {
  return split(list, n, ordinals - list, members, matched, false);
}

/** Each row's bit is its own or, if not `own`, that of the number so far beside it: to read a row twice takes a third longer. */
// @ts-ignore: decorator
@inline
function split(
  list: usize,
  n: u32,
  beside: usize,
  bits: usize,
  matched: usize,
  own: bool,
): u32 {
  let left = list;
  let to = matched;
  const end = list + ((<usize>n) << 2);
  for (let at = list; at < end; at += 4) {
    const row = load<u32>(at);
    const is = bitOf(bits, own ? row : load<u32>(at + beside));
    store<u32>(to, row);
    to += (<usize>is) << 2;
    store<u32>(left, row);
    left += (<usize>(is ^ 1)) << 2;
  }
  return <u32>((to - matched) >> 2);
}
