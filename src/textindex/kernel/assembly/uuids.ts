/** The kernel's part for UUIDs: sorting a segment by a window, and finding pieces. See abi.ts. */
import * as LOOKUP from '../structs/lookup';
import * as PATTERNS from '../structs/patterns';
import * as SCAN from '../structs/scan';
import * as UUIDS from '../structs/uuids';
import { bitOf, setBit } from './bits';

const BUCKETS: u32 = 4096;

/** The five nibbles abcde as cdeab. */
// @ts-ignore: decorator
@inline
function keyAt(uuid: usize, nibble: usize): u32 {
  const at = uuid + (nibble >> 1);
  const three =
    ((<u32>load<u8>(at)) << 16) | ((<u32>load<u8>(at + 1)) << 8) | <u32>load<u8>(at + 2);
  const key = nibble & 1 ? three & 0xfffff : three >> 4;
  return ((key & 0xfff) << 8) | (key >> 12);
}

// @ts-ignore: decorator
@inline
function fits(uuid: v128, pattern: usize): bool {
  return !v128.any_true(v128.xor(v128.and(uuid, v128.load(pattern)), v128.load(pattern, 16)));
}

/** Where a window's part of the starts, lists and marks of a segment begins. */
// @ts-ignore: decorator
@inline
function startsOf(segment: usize, window: u32): usize {
  return load<u32>(segment, UUIDS.starts) + ((window * BUCKETS) << 1);
}

// @ts-ignore: decorator
@inline
function listOf(segment: usize, window: u32): usize {
  return load<u32>(segment, UUIDS.lists) + ((window * load<u32>(segment, UUIDS.rows)) << 1);
}

// @ts-ignore: decorator
@inline
function marksOf(segment: usize, window: u32): usize {
  return load<u32>(segment, UUIDS.marks) + window * load<u32>(segment, UUIDS.rows);
}

export function uuidSort(segment: usize, window: u32, nibble: usize): u32 {
  const uuids = <usize>load<u32>(segment, UUIDS.uuids);
  const present = <usize>load<u32>(segment, UUIDS.has);
  const rows = load<u32>(segment, UUIDS.rows);
  const stride = <usize>load<u32>(segment, UUIDS.stride);
  const starts = startsOf(segment, window);
  const marks = marksOf(segment, window);
  const list = listOf(segment, window);
  memory.fill(starts, 0, BUCKETS << 1);
  for (let s: u32 = 0; s < rows; s++) {
    if (!bitOf(present, s)) continue;
    const bucket = keyAt(uuids + <usize>s * stride, nibble) >> 8;
    const at = starts + ((<usize>bucket) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  let total: u32 = 0;
  for (let b: usize = 0; b < BUCKETS; b++) {
    total += load<u16>(starts + (b << 1));
    store<u16>(starts + (b << 1), total);
  }
  for (let s: i32 = <i32>rows - 1; s >= 0; s--) {
    if (!bitOf(present, s)) continue;
    const key = keyAt(uuids + <usize>s * stride, nibble);
    const at = starts + ((<usize>(key >> 8)) << 1);
    const place: u32 = load<u16>(at) - 1;
    store<u16>(at, place);
    store<u16>(list + ((<usize>place) << 1), <u16>s);
    store<u8>(marks + place, <u8>key);
  }
  return total;
}

/**
 * The place of a scan in a segment: the list's entries from FROM to TO, and the number of the
 * segment's first row. BITS marks the first 32 entries that bear the mark.
 */
const PLACE: usize = 36;
const P_LIST: usize = 0;
const P_FROM: usize = 4;
const P_TO: usize = 8;
const P_MARKS: usize = 12;
const P_BITS: usize = 16;
const P_SEGMENT: usize = 20;
const P_SCAN: usize = 24;
const P_BASE: usize = 28;
const P_AHEAD: usize = 32;

/** Places taken together, so that their cache misses overlap. */
const TOGETHER: usize = 112;

// Results go to a bitmap or, if that is 0, to a list of at most so many rows.
let bitmap: usize = 0;
let list: usize = 0;
let most: u32 = 0;
let found: u32 = 0;

export function uuidFind(uuids: usize, segments: u32, segmentBits: u32, lookup: usize): u32 {
  bitmap = load<u32>(lookup, LOOKUP.bitmap);
  list = load<u32>(lookup, LOOKUP.list);
  most = load<u32>(lookup, LOOKUP.most);
  found = 0;
  const scans = <usize>load<u32>(lookup, LOOKUP.scans);
  const lastScan = scans + <usize>load<u32>(lookup, LOOKUP.count) * SCAN.bytes;
  const lastSegment = uuids + <usize>segments * UUIDS.bytes;
  const places = <usize>load<u32>(lookup, LOOKUP.places);
  const full = places + TOGETHER * PLACE;
  let end = places;
  let base: u32 = 0;
  // The scans of a segment share its bitmaps, which so stay in the cache.
  for (let segment = uuids; segment < lastSegment; segment += UUIDS.bytes, base += 1 << segmentBits) {
    if (load<u32>(segment, UUIDS.listed) == 0) continue;
    for (let scan = scans; scan < lastScan; scan += SCAN.bytes) {
      locate(end, segment, scan, base);
      end += PLACE;
      if (end == full) {
        if (!visit(places, end)) return found;
        end = places;
      }
    }
  }
  visit(places, end);
  return found;
}

/** Where in a segment a scan reads. */
function locate(place: usize, segment: usize, scan: usize, base: u32): void {
  const window = load<u32>(scan, SCAN.window);
  const starts = startsOf(segment, window);
  const after = load<u32>(scan, SCAN.high) + 1;
  store<u32>(place, load<u16>(starts + (load<u32>(scan, SCAN.low) << 1)), P_FROM);
  const listed = load<u32>(segment, UUIDS.listed);
  const to = after == BUCKETS ? listed : <u32>load<u16>(starts + (after << 1));
  store<u32>(place, to, P_TO);
  store<u32>(place, <u32>listOf(segment, window), P_LIST);
  store<u32>(place, <u32>marksOf(segment, window), P_MARKS);
  store<u32>(place, <u32>segment, P_SEGMENT);
  store<u32>(place, <u32>scan, P_SCAN);
  store<u32>(place, base, P_BASE);
}

/** Tells which of the 32 entries at a place of the marks bear the mark. */
// @ts-ignore: decorator
@inline
function marked(at: usize, mark: v128, mask: v128): u32 {
  const first = i8x16.eq(v128.and(v128.load(at), mask), mark);
  const second = i8x16.eq(v128.and(v128.load(at, 16), mask), mark);
  return <u32>i8x16.bitmask(first) | (<u32>i8x16.bitmask(second) << 16);
}

/** Bytes of the marks at a place that are read before they are looked at. */
const MARKS_AHEAD: u32 = 512;

/** Reads all places; false when more rows match than may be listed. */
function visit(places: usize, end: usize): bool {
  for (let place = places; place < end; place += PLACE) {
    const scan = load<u32>(place, P_SCAN);
    const mark = i8x16.splat(load<i8>(scan, SCAN.mark));
    const mask = i8x16.splat(load<i8>(scan, SCAN.mask));
    const from = load<u32>(place, P_FROM);
    const marks = load<u32>(place, P_MARKS) + from;
    store<u32>(place, marked(marks, mark, mask), P_BITS);
    // Only to have the next marks, and the list's first entries, in the cache when their turn comes.
    let ahead: u32 = load<u16>(load<u32>(place, P_LIST) + (from << 1));
    const last = marks + min(load<u32>(place, P_TO) - from, MARKS_AHEAD);
    for (let at = marks + 64; at < last; at += 64) ahead += load<u8>(at);
    store<u32>(place, ahead, P_AHEAD);
  }
  candidates = places + CANDIDATES;
  for (let place = places; place < end; place += PLACE) {
    const scan = load<u32>(place, P_SCAN);
    const isWhole = load<u32>(scan, SCAN.pattern) == 0 && load<u32>(scan, SCAN.mask) == 0;
    if (isWhole && bitmap != 0) setRange(place);
    else gather(place, scan, places);
    if (found > most) return false;
  }
  compare(places);
  return found <= most;
}

/** Sets the bits of all sound rows at a place. */
function setRange(place: usize): void {
  const entries = load<u32>(place, P_LIST);
  const to = entries + (load<u32>(place, P_TO) << 1);
  const segment = load<u32>(place, P_SEGMENT);
  const sound = load<u32>(segment, UUIDS.sound) || load<u32>(segment, UUIDS.has);
  const dst = bitmap + (load<u32>(place, P_BASE) >> 3);
  for (let at = entries + (load<u32>(place, P_FROM) << 1); at < to; at += 2) {
    const offset = <u32>load<u16>(at);
    const byte = offset >> 3;
    const bit = load<u8>(sound + byte) & (<u8>1 << <u8>(offset & 7));
    store<u8>(dst + byte, load<u8>(dst + byte) | bit);
  }
}

/** Adds a listed row to the results, if its UUID is still the listed one. */
// @ts-ignore: decorator
@inline
function take(place: usize, offset: u32): void {
  const sound = load<u32>(load<u32>(place, P_SEGMENT), UUIDS.sound);
  if (sound != 0 && !bitOf(sound, offset)) return;
  const row = load<u32>(place, P_BASE) + offset;
  if (bitmap != 0) setBit(bitmap, row);
  else {
    if (found < most) store<u32>(list + ((<usize>found) << 2), row);
    found++;
  }
}

/**
 * Rows that are taken once some have come, so that their cache misses overlap: a place and a row's number in
 * its segment each. Their UUIDs have to fit the pattern, if there is one.
 */
const CANDIDATES: usize = 4096;
const LAST_CANDIDATE: usize = 8192 - 8;
let candidates: usize = 0;

/**
 * Gathers the rows at a place that bear the mark, as all do without a mask. Eight in nine of those that do not fit are not in the bitmap of a pair, so their
 * UUIDs are not read. No branch depends on the bitmap: it would wait for the memory each time.
 */
function gather(place: usize, scan: usize, places: usize): void {
  const mark = i8x16.splat(load<i8>(scan, SCAN.mark));
  const mask = i8x16.splat(load<i8>(scan, SCAN.mask));
  const segment = load<u32>(place, P_SEGMENT);
  const pair = load<u32>(scan, SCAN.pair);
  const having = pair != 0 ? load<u32>(segment, UUIDS.bitmaps) + pair : 0;
  const entries = load<u32>(place, P_LIST);
  const marks = load<u32>(place, P_MARKS);
  const to = load<u32>(place, P_TO);
  let bits = load<u32>(place, P_BITS);
  for (let first = load<u32>(place, P_FROM); first < to; ) {
    // The entries past the last one do not count.
    if (to - first < 32) bits &= (<u32>1 << (to - first)) - 1;
    for (; bits != 0; bits &= bits - 1) {
      const offset = <u32>load<u16>(entries + ((first + <u32>ctz(bits)) << 1));
      store<u32>(candidates, <u32>place);
      store<u32>(candidates, offset, 4);
      candidates += having != 0 ? (<usize>bitOf(having, offset)) << 3 : 8;
      if (candidates > places + LAST_CANDIDATE) {
        compare(places);
        if (found > most) return;
      }
    }
    first += 32;
    bits = marked(marks + first, mark, mask);
  }
}

/** Takes the candidates whose UUIDs fit, if there is a pattern. */
function compare(places: usize): void {
  const end = candidates;
  candidates = places + CANDIDATES;
  for (let at = candidates; at < end; at += 8) {
    const place = <usize>load<u32>(at);
    const offset = load<u32>(at, 4);
    const segment = load<u32>(place, P_SEGMENT);
    const pattern = <usize>load<u32>(load<u32>(place, P_SCAN), SCAN.pattern);
    const uuid = load<u32>(segment, UUIDS.uuids) + offset * load<u32>(segment, UUIDS.stride);
    if (pattern == 0 || fits(v128.load(uuid), pattern)) take(place, offset);
  }
}

export function uuidSplit(
  uuids: usize,
  segmentBits: u32,
  candidates: usize,
  n: u32,
  patterns: usize,
  matched: usize,
): u32 {
  const end = candidates + ((<usize>n) << 2);
  const below: u32 = (1 << segmentBits) - 1;
  let left = candidates;
  let to = matched;
  for (let at = candidates; at < end; at += 4) {
    const row = load<u32>(at);
    const segment = uuids + <usize>(row >> segmentBits) * UUIDS.bytes;
    if (fitsAny(segment, row & below, patterns)) {
      store<u32>(to, row);
      to += 4;
    } else {
      store<u32>(left, row);
      left += 4;
    }
  }
  return <u32>((to - matched) >> 2);
}

// @ts-ignore: decorator
@inline
function fitsAny(segment: usize, offset: u32, patterns: usize): bool {
  if (!bitOf(load<u32>(segment, UUIDS.has), offset)) return false;
  const uuid = v128.load(load<u32>(segment, UUIDS.uuids) + offset * load<u32>(segment, UUIDS.stride));
  const first = patterns + PATTERNS.first;
  const last = first + <usize>load<u32>(patterns) * PATTERNS.each;
  for (let at = first; at < last; at += PATTERNS.each) if (fits(uuid, at)) return true;
  return false;
}
