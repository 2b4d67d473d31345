/** The kernel's part for counts by value and by time. See abi.ts. */
import * as GRID from '../structs/grid';
import * as NUMBERS from '../structs/numbers';
import * as ZONED from '../structs/zoned';
import { UNUSED } from './ahead';
import { bitOf } from './bits';

export function countAnd(a: usize, b: usize, bytes: usize): u32 {
  let total: u64 = 0;
  for (let i: usize = 0; i < bytes; i += 16) {
    total += popcnt(load<u64>(a + i) & load<u64>(b + i));
    total += popcnt(load<u64>(a + i, 8) & load<u64>(b + i, 8));
  }
  return <u32>total;
}

export function countLists(
  bits: usize,
  ordinals: usize,
  n: u32,
  ptrs: usize,
  lens: usize,
  counts: usize,
): void {
  for (let i: u32 = 0; i < n; i++) {
    const ordinal = (<usize>load<u32>(ordinals + ((<usize>i) << 2))) << 2;
    const length = load<u32>(lens + ordinal);
    const list: usize = load<u32>(ptrs + ordinal);
    let found = load<u32>(counts + ordinal);
    if (length == 1) found += bitOf(bits, <u32>list);
    else if (list != 0) {
      const end = list + ((<usize>length) << 2);
      for (let at = list; at < end; at += 4) found += bitOf(bits, load<u32>(at));
    }
    store<u32>(counts + ordinal, found);
  }
}

export function ordinalsOf(list: usize, n: u32, table: usize, segmentBits: u32, out: usize): void {
  eachOrdinal(list, n, table, segmentBits, out, 0);
}

export function tallyOrdinals(
  list: usize,
  n: u32,
  table: usize,
  segmentBits: u32,
  counts: usize,
): void {
  eachOrdinal(list, n, table, segmentBits, 0, counts);
}

/**
 * Writes the ordinals of rows to `out`, or counts them if that is 0. Rows mostly come in order: those of a
 * segment follow each other, and share a loop.
 */
// @ts-ignore: a decorator of AssemblyScript
@inline
function eachOrdinal(
  list: usize,
  n: u32,
  table: usize,
  segmentBits: u32,
  out: usize,
  counts: usize,
): void {
  const end = list + ((<usize>n) << 2);
  const beside = out - list;
  for (let at = list; at < end; ) {
    const segment = load<u32>(at) >> segmentBits;
    const first = segment << segmentBits;
    const last = first + ((<u32>1 << segmentBits) - 1);
    const record = table + ((<usize>segment) << 3);
    const ordinals: usize = load<u32>(record);
    const width = load<u32>(record, 4);
    if (width == 4) at = segmentOrdinals(at, end, first, last, ordinals, 4, beside, counts);
    else if (width == 8) at = segmentOrdinals(at, end, first, last, ordinals, 8, beside, counts);
    else if (width == 16) at = segmentOrdinals(at, end, first, last, ordinals, 16, beside, counts);
    else if (width == 32) at = segmentOrdinals(at, end, first, last, ordinals, 32, beside, counts);
    else at = segmentOrdinals(at, end, first, last, ordinals, 0, beside, counts);
  }
}

/** The same for rows of one segment; returns where those of another one begin. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function segmentOrdinals(
  from: usize,
  end: usize,
  first: u32,
  last: u32,
  ordinals: usize,
  width: u32,
  beside: usize,
  counts: usize,
): usize {
  let at = from;
  for (; at < end; at += 4) {
    const offset = load<u32>(at) - first;
    if (offset > last - first) break;
    const ordinal = ordinalIn(ordinals, width, offset);
    if (counts != 0) addOne(counts, ordinal);
    else store<u32>(at + beside, ordinal);
  }
  return at;
}

/** The number of a row. `rows`: of a segment. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function numberIn(
  chunk: usize,
  width: u32,
  base: f64,
  divisor: f64,
  rows: usize,
  offset: usize,
): f64 {
  if (width == 8) return load<f64>(chunk + (offset << 3));
  // Signed: a double of it takes one instruction.
  let code = <i64>load<u32>(chunk + (offset << 2));
  if (width == 5) code |= <i64>load<u8>(chunk + (rows << 2) + offset) << 32;
  return code == 0 ? -Infinity : (base + <f64>code) / divisor;
}

/** The same for a row of any segment; `mask` has the bits of its place there. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function doubleAt(row: u32, table: usize, segmentBits: u32, mask: u32): f64 {
  const record = table + <usize>(row >> segmentBits) * NUMBERS.bytes;
  return numberIn(
    <usize>load<u32>(record, NUMBERS.chunk),
    load<u32>(record, NUMBERS.width),
    load<f64>(record, NUMBERS.base),
    load<f64>(record, NUMBERS.divisor),
    <usize>mask + 1,
    <usize>(row & mask),
  );
}

export function doublesOf(list: usize, n: u32, table: usize, segmentBits: u32, out: usize): void {
  const mask = (<u32>1 << segmentBits) - 1;
  const end = list + ((<usize>n) << 2);
  for (let to = out; list < end; list += 4, to += 8) {
    store<f64>(to, doubleAt(load<u32>(list), table, segmentBits, mask));
  }
}

/** The rows whose numbers are prefetched together. */
const ROWS_AHEAD: u32 = 128;

/** Reads the lines of the numbers of rows up to `end` in a list, as `readAhead` does. */
function readNumbersAhead(list: usize, end: usize, table: usize, segmentBits: u32): void {
  const mask = (<u32>1 << segmentBits) - 1;
  let sum: u32 = 0;
  for (let at = list; at < end; at += 4) {
    const row = load<u32>(at);
    const record = table + <usize>(row >> segmentBits) * NUMBERS.bytes;
    const wide = <u32>(load<u32>(record, NUMBERS.width) == 8);
    sum += load<u8>(load<u32>(record, NUMBERS.chunk) + ((row & mask) << (2 + wide)));
  }
  store<u32>(UNUSED, sum);
}

/** Marks a cell whose numbers are all in its bucket. */
const SURE: u32 = 0x80000000;

/** The last bits of a double of this size are an integer, and order such doubles. */
const INTEGERS: f64 = 4503599627370496;

/** The cell in which a date lies, or the next one: rounding is a third of the work of cutting off. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function cellOf(date: f64, first: f64, scale: f64): u64 {
  return reinterpret<u64>((date - first) * scale + INTEGERS);
}

/** The bucket of a date that lies in this cell. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function bucketIn(cells: usize, cell: u64, boundaries: usize, date: f64): u32 {
  let bucket = load<u32>(cells + (<usize>(<u32>cell) << 2));
  if (bucket >= SURE) return bucket ^ SURE;
  while (date >= load<f64>(boundaries + ((<usize>(bucket + 1)) << 3))) bucket++;
  return bucket;
}

export function bucketsOf(
  list: usize,
  n: u32,
  table: usize,
  segmentBits: u32,
  grid: usize,
  out: usize,
): void {
  const from = load<f64>(grid, GRID.from);
  const to = load<f64>(grid, GRID.to);
  const scale = load<f64>(grid, GRID.scale);
  const boundaries = <usize>load<u32>(grid, GRID.boundaries);
  const buckets = load<u32>(grid, GRID.buckets);
  const cells = <usize>load<u32>(grid, GRID.cells);
  const mask = (<u32>1 << segmentBits) - 1;
  const end = list + ((<usize>n) << 2);
  const first = load<f64>(boundaries);
  const lastCell = <f64>load<u32>(grid, GRID.lastCell);
  const last = reinterpret<u64>(INTEGERS + lastCell);
  let ahead = list;
  for (let at = out; list < end; list += 4, at += 4) {
    if (list == ahead) {
      ahead = min(end, list + (ROWS_AHEAD << 2));
      readNumbersAhead(list, ahead, table, segmentBits);
    }
    const date = doubleAt(load<u32>(list), table, segmentBits, mask);
    if (date >= from && date < to) {
      const cell = min(cellOf(date, first, scale), last);
      store<u32>(at, bucketIn(cells, cell, boundaries, date));
    } else {
      store<u32>(at, buckets + (abs(date) == Infinity ? 1 : 0));
    }
  }
}

export function countZones(
  zoned: usize,
  bytes: usize,
  grid: usize,
  counts: usize,
  width: u32,
): void {
  const bits = <usize>load<u32>(zoned, ZONED.bits);
  const dates = <usize>load<u32>(zoned, ZONED.dates);
  let zones = <usize>load<u32>(zoned, ZONED.zones);
  const ordinals = <usize>load<u32>(zoned, ZONED.ordinals);
  const ordinalWidth = load<u32>(zoned, ZONED.ordinalWidth);
  const numbers = <usize>load<u32>(zoned, ZONED.numbers);
  const chunk = <usize>load<u32>(numbers, NUMBERS.chunk);
  const numberWidth = load<u32>(numbers, NUMBERS.width);
  const base = load<f64>(numbers, NUMBERS.base);
  const divisor = load<f64>(numbers, NUMBERS.divisor);
  const from = load<f64>(grid, GRID.from);
  const to = load<f64>(grid, GRID.to);
  const scale = load<f64>(grid, GRID.scale);
  const boundaries = <usize>load<u32>(grid, GRID.boundaries);
  const buckets = load<u32>(grid, GRID.buckets);
  const cells = <usize>load<u32>(grid, GRID.cells);
  const first = load<f64>(boundaries);
  const lastCell = <f64>load<u32>(grid, GRID.lastCell);
  const last = reinterpret<u64>(INTEGERS + lastCell);
  const end = first + lastCell / scale;
  const isPlain = width == 0 && numberWidth == 5 && divisor == 1;
  let bucket: u32 = 0;
  let low = Infinity;
  let high = -Infinity;
  for (let i: usize = 0; i < bytes; i += 8, zones += 16) {
    let word = load<u64>(bits + i) & load<u64>(dates + i);
    if (word == 0) continue;
    const row = i << 3;
    const least = load<f64>(zones);
    const greatest = load<f64>(zones, 8);
    if (!(least >= low && greatest < high)) {
      if (least >= from && greatest < to) {
        const cell = min(cellOf(least, first, scale), last);
        bucket = bucketIn(cells, cell, boundaries, least);
        low = max(from, load<f64>(boundaries + ((<usize>bucket) << 3)));
        high = min(to, load<f64>(boundaries + ((<usize>(bucket + 1)) << 3)));
      }
      if (!(least >= low && greatest < high)) {
        // Each row by itself. Dates of the usual kind that are all within the cells take half the instructions.
        if (isPlain && least >= from && greatest < to && greatest <= end) {
          for (; word != 0; word &= word - 1) {
            const offset = row + <usize>ctz(word);
            const low = <i64>load<u32>(chunk + (offset << 2));
            const high = <i64>load<u8>(chunk + (bytes << 5) + offset);
            const date = base + <f64>((high << 32) | low);
            const cell = cellOf(date, first, scale);
            addOne(counts, bucketIn(cells, cell, boundaries, date));
          }
          continue;
        }
        while (word != 0) {
          const offset = row + <usize>ctz(word);
          word &= word - 1;
          const date = numberIn(chunk, numberWidth, base, divisor, bytes << 3, offset);
          let own = buckets;
          if (date >= from && date < to) {
            const cell = min(cellOf(date, first, scale), last);
            own = bucketIn(cells, cell, boundaries, date);
          }
          if (width != 0) own = own * width + ordinalIn(ordinals, ordinalWidth, offset);
          addOne(counts, own);
        }
        continue;
      }
    }
    if (width == 0) {
      const at = counts + ((<usize>bucket) << 2);
      store<u32>(at, load<u32>(at) + <u32>popcnt(word));
      continue;
    }
    const first = counts + ((<usize>(bucket * width)) << 2);
    while (word != 0) {
      const offset = row + <usize>ctz(word);
      word &= word - 1;
      addOne(first, ordinalIn(ordinals, ordinalWidth, offset));
    }
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function ordinalIn(ordinals: usize, width: u32, offset: usize): u32 {
  if (width == 4) return (<u32>load<u8>(ordinals + (offset >> 1)) >> <u32>((offset & 1) << 2)) & 15;
  if (width == 8) return load<u8>(ordinals + offset);
  if (width == 16) return load<u16>(ordinals + (offset << 1));
  return width == 32 ? load<u32>(ordinals + (offset << 2)) : 0;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function addOne(counts: usize, number: u32): void {
  const to = counts + ((<usize>number) << 2);
  store<u32>(to, load<u32>(to) + 1);
}

export function tallyPairs(a: usize, b: usize, n: u32, width: u32, counts: usize): void {
  const end = a + ((<usize>n) << 2);
  for (; a < end; a += 4, b += 4) addOne(counts, load<u32>(a) * width + load<u32>(b));
}
