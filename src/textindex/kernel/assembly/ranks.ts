/** The kernel's part for pages in orders that are not kept. See abi.ts. */
import * as BEGINNING from '../structs/beginning';
import * as CUT from '../structs/cut';
import * as RECORD from '../structs/record';
import * as UUIDS from '../structs/uuids';

/** The kinds of values: valueBytes.ts. */
const KINDS: u32 = 0x7fffffff;
const NUMBER: u32 = 1;
const BIGINT: u32 = 2;
const NULL: u32 = 3;
const DATE: u32 = 6;
const OBJECT_ID: u32 = 7;
const ODD: u32 = 8;
const WIDE_ODD: u32 = 9;
const DECIMAL: u32 = 10;

/** The classes of `prefixKey` in scalars.ts; the ones between are of the types that come there. */
const CLASS: f64 = 281474976710656;
const NULLS: f64 = 1 * CLASS;
const NUMERIC: f64 = 3 * CLASS;
const TEXTS: f64 = 5 * CLASS;
const IDS: f64 = 6 * CLASS;
const BOOLEANS: f64 = 7 * CLASS;
const DATES: f64 = 9 * CLASS;
/** The ordinal of arrays, whose rows are numbered as empty ones where nothing in them counts. */
const ARRAY: u32 = 1;
const LAST_MS: f64 = 8640000000000000;

/** Six bytes as a number. One instruction moves them: there is none that swaps bytes. */
// @ts-ignore: decorator
@inline
function sixAt(at: usize): u64 {
  const order = i8x16(5, 4, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  return i64x2.extract_lane(i8x16.swizzle(v128.load64_zero(at), order), 0);
}

/** How many bytes are shared. */
// @ts-ignore: decorator
@inline
function sharedOf(begun: usize): u32 {
  return begun ? load<u32>(begun) : 0;
}

/** The bytes of a last vector that belong to the beginning. */
// @ts-ignore: decorator
@inline
function lastOf(shared: u32): v128 {
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return i8x16.lt_u(places, i8x16.splat(<u8>(shared & 15)));
}

/** Whether bytes, which are as many at least, have this beginning. */
// @ts-ignore: decorator
@inline
function begins(at: usize, beginning: usize, shared: u32, last: v128): bool {
  let i: u32 = 0;
  for (; i + 16 <= shared; i += 16) {
    if (v128.any_true(v128.xor(v128.load(at + i), v128.load(beginning + i)))) return false;
  }
  const differ = v128.xor(v128.load(at + i), v128.load(beginning + i));
  return !v128.any_true(v128.and(differ, last));
}

/** The number of bytes that do not have the beginning, unless zeros follow their end. */
function besideNumber(
  at: usize,
  length: u32,
  beginning: usize,
  shared: u32,
  base: f64,
  after: f64,
): f64 {
  for (let i: u32 = 0; i < shared; i++) {
    const own = i < length ? load<u8>(at + i) : 0;
    const other = load<u8>(beginning + i);
    if (own != other) return own < other ? base - 1 : after;
  }
  return base;
}

/** The bits of six bytes that are zeros, since only so many bytes are there. */
// @ts-ignore: decorator
@inline
function pastOf(bytes: i32): u64 {
  return <u64>max<i32>(0, 6 - bytes) << 3;
}

/** The first 48 bits of a double, such that a greater number never has less; of NaN, the least. */
function doubleNumber(bits: u64): f64 {
  if ((bits & 0x7fffffffffffffff) > 0x7ff0000000000000) return 0;
  const first: i64 = <i64>(bits >> 16);
  const number: i64 = <i64>bits < 0 ? 0xffffffffffff - first : 0x800000000000 + first;
  return <f64>number;
}

/** `nothing`: the number of an element that is nothing, whose type is that of null. */
function oddNumber(typeOrder: f64, nothing: f64): f64 {
  if (typeOrder <= 5) return typeOrder < 5 ? 0 : nothing;
  if (typeOrder < 10) return 2 * CLASS;
  if (typeOrder < 15) return 4 * CLASS;
  if (typeOrder < 40) return typeOrder < 35 ? IDS : IDS + (CLASS - 1);
  return typeOrder < 45 ? 8 * CLASS : 10 * CLASS;
}

function otherNumber(record: usize, nothing: f64): f64 {
  const kind = (load<u32>(record, RECORD.what) & KINDS) >> RECORD.kindBit;
  if (kind == NUMBER || kind == DECIMAL || kind == BIGINT) {
    return NUMERIC + doubleNumber(load<u64>(record, RECORD.bytes));
  }
  if (kind == DATE) return DATES + floor((load<f64>(record, RECORD.bytes) + LAST_MS) / 64);
  if (kind == OBJECT_ID) return IDS + <f64>(<i64>sixAt(record + RECORD.bytes));
  if (kind == ODD || kind == WIDE_ODD) return oddNumber(load<f64>(record, RECORD.bytes), nothing);
  return kind == NULL ? NULLS : BOOLEANS;
}

// @ts-ignore: decorator
@inline
function textNumber(record: usize, beginning: usize, shared: u32, last: v128): f64 {
  const length = load<u32>(record, RECORD.what);
  const at = record + RECORD.bytes;
  if (length < shared || !begins(at, beginning, shared, last)) {
    return besideNumber(at, length, beginning, shared, TEXTS, TEXTS + CLASS - 0.5);
  }
  const past = pastOf(<i32>(length - shared));
  return TEXTS + <f64>(<i64>((sixAt(at + shared) >> past) << past));
}

export function valueNumber(place: usize): f64 {
  return place & 1 ? otherNumber(place & ~3, NULLS) : textNumber(place, 0, 0, lastOf(0));
}

export function numberValues(
  places: usize,
  list: usize,
  from: u32,
  to: u32,
  begun: usize,
  numbers: usize,
): void {
  const shared = sharedOf(begun);
  const beginning = begun + BEGINNING.bytes;
  const last = lastOf(shared);
  for (let i = from; i < to; i++) {
    const ordinal = list ? load<u32>(list + ((<usize>i) << 2)) : i;
    const place = <usize>load<u32>(places + ((<usize>ordinal) << 2));
    let number = ordinal == ARRAY ? 0 : NaN;
    if (place & 1) number = otherNumber(place & ~3, 0);
    else if (place != 0) number = textNumber(place, beginning, shared, last);
    store<f64>(numbers + ((<usize>i) << 3), number);
  }
}

/** The number of items that a cut has now, and the weights below it and within it. */
// @ts-ignore: decorator
@inline
function keep(cut: usize, kept: usize, below: u32, within: u32): void {
  store<u32>(cut, <u32>kept, CUT.kept);
  store<u32>(cut, below, CUT.below);
  store<u32>(cut, within, CUT.within);
}

export function numbersOf(list: usize, n: u32, numbers: usize, out: usize): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    const at = numbers + ((<usize>load<u32>(list + (i << 2))) << 3);
    store<f64>(out + (i << 3), load<f64>(at));
  }
}

export function itemsBetween(
  cut: usize,
  list: usize,
  numbers: usize,
  weights: usize,
  n: u32,
): void {
  const low = load<f64>(cut, CUT.low);
  const high = load<f64>(cut, CUT.high);
  const lows = f64x2.splat(low);
  const highs = f64x2.splat(high);
  const ones = i32x4.splat(1);
  const toList = <usize>load<u32>(cut, CUT.list);
  const toNumbers = <usize>load<u32>(cut, CUT.numbers);
  const toWeights = <usize>load<u32>(cut, CUT.weights);
  let kept = <usize>load<u32>(cut, CUT.kept);
  let within = load<u32>(cut, CUT.within);
  let belows = i32x4.splat(0);
  let below = load<u32>(cut, CUT.below);
  for (let i: u32 = 0; i < n; i += 4) {
    const at = numbers + ((<usize>i) << 3);
    const weightsAt = weights + ((<usize>i) << 2);
    let are: u32 = 0;
    if (i + 4 <= n) {
      const a = v128.load(at);
      const b = v128.load(at, 16);
      const weighed = weights ? v128.load(weightsAt) : ones;
      const less = v128.shuffle<i32>(f64x2.lt(a, lows), f64x2.lt(b, lows), 0, 2, 4, 6);
      belows = i32x4.add(belows, v128.and(less, weighed));
      const areA = v128.and(f64x2.ge(a, lows), f64x2.le(a, highs));
      const areB = v128.and(f64x2.ge(b, lows), f64x2.le(b, highs));
      const areIn = v128.shuffle<i32>(areA, areB, 0, 2, 4, 6);
      are = i32x4.bitmask(v128.and(areIn, i32x4.ne(weighed, i32x4.splat(0))));
    } else {
      for (let one: u32 = 0; i + one < n; one++) {
        const number = load<f64>(at + ((<usize>one) << 3));
        const weight = weights ? load<u32>(weightsAt + ((<usize>one) << 2)) : 1;
        if (number < low) below += weight;
        are |= (<u32>(number >= low) & <u32>(number <= high) & <u32>(weight != 0)) << one;
      }
    }
    // Most are outside of the bounds.
    for (; are != 0; are &= are - 1) {
      const one = <usize>ctz(are);
      const weight = weights ? load<u32>(weightsAt + (one << 2)) : 1;
      const item = list ? load<u32>(list + ((<usize>i + one) << 2)) : i + <u32>one;
      store<u32>(toList + (kept << 2), item);
      store<f64>(toNumbers + (kept << 3), load<f64>(at + (one << 3)));
      if (toWeights) store<u32>(toWeights + (kept << 2), weight);
      within += weight;
      kept++;
    }
  }
  below +=
    i32x4.extract_lane(belows, 0) +
    i32x4.extract_lane(belows, 1) +
    i32x4.extract_lane(belows, 2) +
    i32x4.extract_lane(belows, 3);
  keep(cut, kept, below, within);
}

/** The bytes of a UUID, which is ordered as text. */
const TEXT_STRIDE: u32 = 16;

/** In place of a beginning: ids are numbered as among values. */
const MIXED: usize = 1;

/** The bound above the first 53 bits of an id, which a double holds exactly. */
const ID_BITS: f64 = 9007199254740992;

// @ts-ignore: decorator
@inline
function firstBits(at: usize): i64 {
  const order = i8x16(7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1);
  return i64x2.extract_lane(i8x16.swizzle(v128.load64_zero(at), order), 0) >>> 11;
}

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

// @ts-ignore: decorator
@inline
function prefixOf(at: usize, stride: u32): f64 {
  const six = sixAt(at);
  return stride == TEXT_STRIDE ? TEXTS + <f64>(<i64>digitsOf(six >> 24)) : IDS + <f64>(<i64>six);
}

export function idNumbers(
  segments: usize,
  segmentBits: u32,
  list: usize,
  n: u32,
  begun: usize,
  numbers: usize,
): void {
  const isMixed = begun == MIXED;
  const shared = isMixed ? 0 : sharedOf(begun);
  const beginning = begun + BEGINNING.bytes;
  const last = lastOf(shared);
  const mask = (<u32>1 << segmentBits) - 1;
  const end = list + ((<usize>n) << 2);
  for (let to = numbers; list < end; ) {
    const first = load<u32>(list) & ~mask;
    const segment = segments + <usize>(first >> segmentBits) * UUIDS.bytes;
    const stride = load<u32>(segment, UUIDS.stride);
    const ids = <usize>load<u32>(segment, UUIDS.uuids);
    // Few instructions a row, so that the processor waits for many lines of the cache at once.
    for (; list < end; list += 4, to += 8) {
      const offset = load<u32>(list) - first;
      if (offset > mask) break;
      const at = ids + <usize>(offset * stride);
      let number: f64;
      if (isMixed) number = prefixOf(at, stride);
      else if (shared == 0) number = <f64>firstBits(at);
      else if (begins(at, beginning, shared, last)) {
        const past = <u64>max<i32>(0, 8 - <i32>(stride - shared)) << 3;
        const bits = firstBits(at + shared);
        number = <f64>(past > 11 ? (bits >> (past - 11)) << (past - 11) : bits);
      } else number = besideNumber(at, stride, beginning, shared, 0, ID_BITS);
      store<f64>(to, number);
    }
  }
}

export function idsBetween(
  cut: usize,
  segments: usize,
  segmentBits: u32,
  bits: usize,
  bytes: usize,
): void {
  // The first bits of an id lie between these exactly if its number is within the bounds.
  const least = i64x2.splat(<i64>ceil(max<f64>(0, min<f64>(ID_BITS, load<f64>(cut, CUT.low)))));
  const most = i64x2.splat(<i64>floor(max<f64>(-1, min<f64>(ID_BITS, load<f64>(cut, CUT.high)))));
  const order = i8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
  const toList = <usize>load<u32>(cut, CUT.list);
  const toNumbers = <usize>load<u32>(cut, CUT.numbers);
  const end = bits + bytes;
  let kept: usize = 0;
  let below: u32 = 0;
  let row: u32 = 0;
  for (let segment = segments; bits < end; segment += UUIDS.bytes) {
    let ids = <usize>load<u32>(segment, UUIDS.uuids);
    const stride = <usize>load<u32>(segment, UUIDS.stride);
    const next = row + (<u32>1 << segmentBits);
    for (; row < next; row += 64, bits += 8, ids += stride << 6) {
      const word = load<u64>(bits);
      if (word == 0) continue;
      // The loop compares all 64 rows, wanted or not: the processor need not guess a branch.
      let before: u64 = 0;
      let after: u64 = 0;
      let id = ids;
      for (let i: u64 = 0; i < 64; i += 2, id += stride << 1) {
        const two = v128.load_lane<u64>(id + stride, v128.load64_zero(id), 1);
        const firsts = i64x2.shr_u(i8x16.swizzle(two, order), 11);
        before |= <u64>i64x2.bitmask(i64x2.lt_s(firsts, least)) << i;
        after |= <u64>i64x2.bitmask(i64x2.gt_s(firsts, most)) << i;
      }
      below += <u32>popcnt(before & word);
      for (let left = word & ~(before | after); left != 0; left &= left - 1) {
        const i = <u32>ctz(left);
        store<u32>(toList + (kept << 2), row + i);
        store<f64>(toNumbers + (kept << 3), <f64>firstBits(ids + <usize>i * stride));
        kept++;
      }
    }
  }
  keep(cut, kept, load<u32>(cut, CUT.below) + below, load<u32>(cut, CUT.within) + <u32>kept);
}
