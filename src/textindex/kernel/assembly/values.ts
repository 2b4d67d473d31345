/** The kernel's part for values of a dictionary. See abi.ts. */
import * as RECORD from '../structs/record';
import * as VALUES from '../structs/values';

const BYTES: usize = RECORD.bytes;
const LENGTH: u32 = (1 << RECORD.kindBit) - 1;
const WRITTEN_LONG: u32 = 1 << RECORD.asBit;

const TAG: u32 = 3;
const LOW: u64 = 0xffffffff;

/** Both halves of the product of 128 bits, folded into one: wyhash mixes so. */
// @ts-ignore: decorator
@inline
function mixed(a: u64, b: u64): u64 {
  const low = (a & LOW) * (b & LOW);
  const one = (a & LOW) * (b >> 32);
  const other = (a >> 32) * (b & LOW);
  const middle = (low >> 32) + (one & LOW) + (other & LOW);
  const high = (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32) + (middle >> 32);
  return ((low & LOW) | (middle << 32)) ^ high;
}

/** The kind and the length of a record's value, as one number. */
// @ts-ignore: decorator
@inline
function whatIn(record: usize): u32 {
  return load<u32>(record, RECORD.what) & ~WRITTEN_LONG;
}

/** The last bytes of a value, less than 8, as one number. */
// @ts-ignore: decorator
@inline
function lastBytes(at: usize, n: usize): u64 {
  return load<u64>(at) & (((<u64>1) << (<u64>n << 3)) - 1);
}

function hashOf(values: usize, record: usize): u32 {
  const factor = load<u64>(values, VALUES.secrets + 8);
  const what = whatIn(record);
  let hash = load<u64>(values, VALUES.secrets) ^ <u64>what;
  let at = record + BYTES;
  const end = at + <usize>(what & LENGTH);
  for (; at + 8 <= end; at += 8) hash = mixed(hash ^ load<u64>(at), factor);
  return <u32>mixed(hash ^ lastBytes(at, end - at), factor);
}

function areSame(a: usize, b: usize): bool {
  const what = whatIn(a);
  if (what != whatIn(b)) return false;
  const n = <usize>(what & LENGTH);
  let i = BYTES;
  for (; i + 8 <= BYTES + n; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
  const rest = BYTES + n - i;
  return lastBytes(a + i, rest) == lastBytes(b + i, rest);
}

// @ts-ignore: decorator
@inline
function tagOf(hash: u32): u32 {
  return hash >> 30;
}

// @ts-ignore: decorator
@inline
function slotAt(slots: usize, i: u32): usize {
  return slots + ((<usize>i) << 2);
}

export function findValue(values: usize, record: usize): u32 {
  const slots = <usize>load<u32>(values, VALUES.slots);
  const mask = load<u32>(values, VALUES.mask);
  const hash = hashOf(values, record);
  const tag = tagOf(hash);
  for (let i = hash & mask; ; ) {
    const slot = load<u32>(slotAt(slots, i));
    if (slot == 0) break;
    if ((slot & TAG) == tag) {
      const found = <usize>(slot - tag);
      if (areSame(found, record)) return load<u32>(found, RECORD.ordinal);
    }
    i = (i + 1) & mask;
  }
  return 0;
}

export function enterValue(values: usize, record: usize): void {
  const slots = <usize>load<u32>(values, VALUES.slots);
  const mask = load<u32>(values, VALUES.mask);
  const hash = hashOf(values, record);
  let i = hash & mask;
  while (load<u32>(slotAt(slots, i)) != 0) i = (i + 1) & mask;
  store<u32>(slotAt(slots, i), <u32>record | tagOf(hash));
}

export function enterValues(values: usize, places: usize, n: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    const record = load<u32>(slotAt(places, i)) & ~TAG;
    if (record != 0) enterValue(values, <usize>record);
  }
}

export function leaveValue(values: usize, record: usize): void {
  const slots = <usize>load<u32>(values, VALUES.slots);
  const mask = load<u32>(values, VALUES.mask);
  let free = hashOf(values, record) & mask;
  while ((load<u32>(slotAt(slots, free)) & ~TAG) != <u32>record) free = (free + 1) & mask;
  // Later ones move up unless that would put them before their place: no slot is marked deleted.
  for (let i = (free + 1) & mask; ; i = (i + 1) & mask) {
    const slot = load<u32>(slotAt(slots, i));
    if (slot == 0) break;
    const home = hashOf(values, <usize>(slot & ~TAG)) & mask;
    if (((i - home) & mask) < ((i - free) & mask)) continue;
    store<u32>(slotAt(slots, free), slot);
    free = i;
  }
  store<u32>(slotAt(slots, free), 0);
}

export function compareTexts(a: usize, b: usize): i32 {
  const lengthOfA = load<u32>(a, RECORD.what) & LENGTH;
  const lengthOfB = load<u32>(b, RECORD.what) & LENGTH;
  const end = BYTES + <usize>min(lengthOfA, lengthOfB);
  let i = BYTES;
  while (i + 8 <= end && load<u64>(a + i) == load<u64>(b + i)) i += 8;
  for (; i < end; i++) {
    const difference = <i32>load<u8>(a + i) - <i32>load<u8>(b + i);
    if (difference != 0) return difference;
  }
  return <i32>lengthOfA - <i32>lengthOfB;
}
