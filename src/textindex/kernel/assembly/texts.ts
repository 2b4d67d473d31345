/** The kernel's part for texts of values. See abi.ts. */
import * as SIGNATURES from '../structs/signatures';
import * as SOUGHT from '../structs/sought';
import * as TEXTS from '../structs/texts';
import { CHUNKS_AHEAD, readBlocksAhead, readBucketsAhead, readEntriesAhead } from './ahead';
import { setBit } from './bits';

// @ts-ignore: decorator
@inline
function same(a: usize, b: usize, n: usize): bool {
  let i: usize = 0;
  for (; i + 8 <= n; i += 8) if (load<u64>(a + i) != load<u64>(b + i)) return false;
  for (; i < n; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
  return true;
}

/** The entries that are looked at one after the other, before others are skipped. */
const NEAR: u32 = 32;

/** The last entry at or after `from` that starts at or before `offset`: walk, then gallop, then bisect. */
function entryAt(starts: usize, from: u32, n: u32, offset: u32): u32 {
  const bound = i32x4.splat(offset);
  let low = from;
  for (; low + 4 < n && low < from + NEAR; low += 4) {
    const next = v128.load(starts + ((<usize>(low + 1)) << 2));
    const after = i32x4.bitmask(i32x4.gt_u(next, bound));
    if (after != 0) return low + <u32>ctz(after);
  }
  let step: u32 = 1;
  while (low + step < n && load<u32>(starts + ((<usize>(low + step)) << 2)) <= offset) {
    low += step;
    step <<= 1;
  }
  let high = min(low + step, n);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<u32>(starts + ((<usize>middle) << 2)) <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** The places, of the 16 from `at` on, where the needle may begin: its three rare bytes match. */
// @ts-ignore: decorator
@inline
function candidates(at: usize, one: usize, two: usize, three: usize, a: v128, b: v128, c: v128): v128 {
  const both = v128.and(i8x16.eq(v128.load(at + one), a), i8x16.eq(v128.load(at + two), b));
  return v128.and(both, i8x16.eq(v128.load(at + three), c));
}

/** Where the first entry begins that may be found next. */
let next: usize = 0;

/**
 * Finds the needle in the heap from `begin` to `end`, which is an entry's end. `low`: an entry that begins
 * there or before. Writes to `out`, and returns the end of the output.
 */
function findIn(texts: usize, sought: usize, low: u32, begin: usize, end: usize, into: usize): usize {
  const needle = <usize>load<u32>(sought, SOUGHT.needle);
  const n = <usize>load<u32>(sought, SOUGHT.length);
  const rare = <usize>load<u32>(sought, SOUGHT.rare);
  const rarer = <usize>load<u32>(sought, SOUGHT.rarer);
  const third = <usize>load<u32>(sought, SOUGHT.third);
  const heap = <usize>load<u32>(texts, TEXTS.heap);
  const starts = <usize>load<u32>(texts, TEXTS.starts);
  const ordinals = <usize>load<u32>(texts, TEXTS.ordinals);
  const entries = load<u32>(texts, TEXTS.entries);
  const a = i8x16.splat(load<u8>(needle + rare));
  const b = i8x16.splat(load<u8>(needle + rarer));
  const c = i8x16.splat(load<u8>(needle + third));
  let out = into;
  let entry = low;
  let at = max(begin, next);
  while (at < end) {
    const one = candidates(at, rare, rarer, third, a, b, c);
    const two = candidates(at + 16, rare, rarer, third, a, b, c);
    const three = candidates(at + 32, rare, rarer, third, a, b, c);
    const four = candidates(at + 48, rare, rarer, third, a, b, c);
    let following = at + 64;
    if (v128.any_true(v128.or(v128.or(one, two), v128.or(three, four)))) {
      let mask =
        <u64>(i8x16.bitmask(one) | (i8x16.bitmask(two) << 16)) & 0xffffffff |
        (<u64>(i8x16.bitmask(three) | (i8x16.bitmask(four) << 16)) << 32);
      while (mask != 0) {
        const found = at + <usize>ctz(mask);
        if (found < end && same(found, needle, n)) {
          entry = entryAt(starts, entry, entries, <u32>(found - heap));
          store<u32>(out, load<u32>(ordinals + ((<usize>entry) << 2)));
          out += 4;
          entry++;
          next = heap + startOf(texts, entry);
          following = next;
          const skipped = next - at;
          if (skipped >= 64) break;
          mask &= <u64>(-1) << <u64>skipped;
          following = at + 64;
        } else {
          mask &= mask - 1;
        }
      }
    }
    at = following;
  }
  return out;
}

/** Where an entry starts in the heap, or would, after the last. */
// @ts-ignore: decorator
@inline
export function startOf(texts: usize, entry: u32): usize {
  if (entry >= load<u32>(texts, TEXTS.entries)) return <usize>load<u32>(texts, TEXTS.length);
  return <usize>load<u32>(<usize>load<u32>(texts, TEXTS.starts) + ((<usize>entry) << 2));
}

export function find(texts: usize, signatures: usize, sought: usize, out: usize): u32 {
  const heap = <usize>load<u32>(texts, TEXTS.heap);
  const from = load<u32>(sought, SOUGHT.from);
  next = heap + startOf(texts, from);
  let to = out;
  let after = from;
  if (signatures != 0) {
    to = findInBlocks(texts, signatures, sought, from, out);
    const end = <usize>load<u32>(signatures, SIGNATURES.signed) << 2;
    after = max(from, load<u32>(<usize>load<u32>(signatures, SIGNATURES.firsts) + end));
  }
  if (after < load<u32>(texts, TEXTS.entries)) {
    const end = heap + <usize>load<u32>(texts, TEXTS.length);
    to = findIn(texts, sought, after, heap + startOf(texts, after), end, to);
  }
  return <u32>((to - out) >> 2);
}

// ---- signatures ---------------------------------------------------------------------------------

/** Blocks of a chunk, and the bytes of one bucket's bits. */
const BLOCKS: u32 = 512;
const BUCKET_BYTES: usize = 64;
const BUCKET_BITS: u32 = 12;
/** A longer text is taken to have all n-grams. */
const LONG: usize = 16384;

/** The third byte of a bigram, and the end of each entry: no text holds it. */
const NO_BYTE: u32 = 255;
const END: u8 = 255;

/** Sets a block's bit in a bucket; `at` is its place in the first bucket. */
// @ts-ignore: decorator
@inline
function enter(at: usize, bit: u8, bucket: u32): void {
  const one = at + (<usize>bucket) * BUCKET_BYTES;
  store<u8>(one, load<u8>(one) | bit);
}

/** The same in the first bucket of an n-gram. */
// @ts-ignore: decorator
@inline
function enterFirst(at: usize, bit: u8, ngram: u32): void {
  enter(at, bit, (ngram * 0x9e3779b1) >> (32 - BUCKET_BITS));
}

/** The same in both buckets of a bigram or trigram. */
// @ts-ignore: decorator
@inline
function enterTwice(at: usize, bit: u8, ngram: u32): void {
  enterFirst(at, bit, ngram);
  enter(at, bit, ((ngram * 0x9e3779b1) >> 8) & ((1 << BUCKET_BITS) - 1));
}

function sign(chunk: usize, block: u32, from: usize, end: usize): void {
  const at = chunk + (block >> 3);
  const bit = <u8>1 << <u8>(block & 7);
  if (end - from > LONG) {
    for (let bucket: usize = 0; bucket < (1 << BUCKET_BITS); bucket++) {
      const to = at + bucket * BUCKET_BYTES;
      store<u8>(to, load<u8>(to) | bit);
    }
    return;
  }
  for (let i = from; i + 1 < end; i++) {
    const two = <u32>load<u16>(i);
    enterTwice(at, bit, two | (NO_BYTE << 16));
    if (i + 2 < end) enterTwice(at, bit, two | (<u32>load<u8>(i, 2) << 16));
    if (i + 3 < end) enterFirst(at, bit, load<u32>(i));
  }
}

export function buildSignatures(
  texts: usize,
  chunk: usize,
  first: u32,
  count: u32,
  blockBits: u32,
  firsts: usize,
): void {
  const heap = <usize>load<u32>(texts, TEXTS.heap);
  const entries = load<u32>(texts, TEXTS.entries);
  let entry = load<u32>(firsts + ((<usize>first) << 2));
  for (let block = first; block < first + count; block++) {
    const limit = (<usize>(block + 1)) << blockBits;
    while (entry < entries && startOf(texts, entry) < limit) {
      sign(chunk, block % BLOCKS, heap + startOf(texts, entry), heap + startOf(texts, entry + 1) - 1);
      entry++;
    }
    store<u32>(firsts + ((<usize>(block + 1)) << 2), entry);
  }
}

/** Where the entry ends that holds the byte before `at`. */
function endOfEntry(at: usize): usize {
  let from = at - 1;
  let ends = 0;
  while (true) {
    ends = i8x16.bitmask(i8x16.eq(v128.load(from), i8x16.splat(END)));
    if (ends != 0) break;
    from += 16;
  }
  return from + <usize>ctz(ends) + 1;
}

/**
 * Up to 128 blocks are read together, so that their cache misses overlap. Their numbers are listed at the
 * memory's unused start.
 */
const GATHERED: usize = 16;
const LAST_GATHERED: usize = GATHERED + 128 * 4;

/** Finds the needle in the blocks that are listed up to `end`; neighbours are gone through at once. */
function findInGathered(
  texts: usize,
  signatures: usize,
  sought: usize,
  end: usize,
  out: usize,
): usize {
  const heap = <usize>load<u32>(texts, TEXTS.heap);
  const starts = <usize>load<u32>(texts, TEXTS.starts);
  const ordinals = <usize>load<u32>(texts, TEXTS.ordinals);
  const firsts = <usize>load<u32>(signatures, SIGNATURES.firsts);
  const blockBits = load<u32>(signatures, SIGNATURES.blockBits);
  readBlocksAhead(GATHERED, end, heap, blockBits, firsts);
  readEntriesAhead(GATHERED, end, firsts, starts, ordinals);
  let to = out;
  for (let at = GATHERED; at < end; ) {
    const block = load<u32>(at);
    let after = block + 1;
    for (at += 4; at < end && load<u32>(at) == after; at += 4) after++;
    const begin = heap + ((<usize>block) << blockBits);
    const stop = endOfEntry(heap + ((<usize>after) << blockBits));
    const first = load<u32>(firsts + ((<usize>block) << 2));
    // The entry before the first one may reach into the block.
    if (next < stop) to = findIn(texts, sought, max(first, 1) - 1, begin, stop, to);
  }
  return to;
}

/** Finds the needle in the blocks that have its buckets, and writes to `out`; returns the end of the output. */
function findInBlocks(
  texts: usize,
  signatures: usize,
  sought: usize,
  from: u32,
  out: usize,
): usize {
  const chunks = <usize>load<u32>(signatures, SIGNATURES.chunks);
  const blocks = load<u32>(signatures, SIGNATURES.signed);
  const firsts = <usize>load<u32>(signatures, SIGNATURES.firsts);
  const buckets = <usize>load<u32>(signatures, SIGNATURES.buckets);
  const asked = buckets + ((<usize>load<u32>(signatures, SIGNATURES.asked)) << 2);
  let to = out;
  const count = (blocks + BLOCKS - 1) / BLOCKS;
  let ahead: u32 = 0;
  let gathered = GATHERED;
  for (let number: u32 = 0; number < count; number++) {
    // Skips entries before `from`.
    if (load<u32>(firsts + ((<usize>min((number + 1) * BLOCKS, blocks)) << 2)) <= from) continue;
    if (number >= ahead) {
      ahead = min(number + CHUNKS_AHEAD, count);
      readBucketsAhead(chunks + (number << 2), chunks + (ahead << 2), buckets, asked);
    }
    const chunk = <usize>load<u32>(chunks + ((<usize>number) << 2));
    for (let word: u32 = 0; word < <u32>BUCKET_BYTES; word += 8) {
      let bits: u64 = -1;
      for (let at = buckets; at < asked && bits != 0; at += 4) {
        bits &= load<u64>(chunk + <usize>load<u32>(at) * BUCKET_BYTES + word);
      }
      for (; bits != 0; bits &= bits - 1) {
        store<u32>(gathered, number * BLOCKS + (word << 3) + <u32>ctz(bits));
        gathered += 4;
        if (gathered < LAST_GATHERED) continue;
        to = findInGathered(texts, signatures, sought, gathered, to);
        gathered = GATHERED;
      }
    }
  }
  return findInGathered(texts, signatures, sought, gathered, to);
}

/** Whether the text from `from` to `end` contains the needle. Past its end there is room to read. */
function contains(from: usize, end: usize, needle: usize, n: usize): bool {
  if (n == 0) return true;
  if (from + n > end) return false;
  const first = i8x16.splat(load<u8>(needle));
  const last = i8x16.splat(load<u8>(needle + n - 1));
  for (let at = from; at + n <= end; at += 16) {
    const firsts = i8x16.eq(v128.load(at), first);
    const lasts = i8x16.eq(v128.load(at + n - 1), last);
    let mask = <u32>i8x16.bitmask(v128.and(firsts, lasts));
    for (; mask != 0; mask &= mask - 1) {
      const found = at + ctz(mask);
      if (found + n <= end && same(found, needle, n)) return true;
    }
  }
  return false;
}

export function markContaining(
  ordinals: usize,
  count: u32,
  texts: usize,
  needle: usize,
  n: usize,
  members: usize,
): void {
  const heap = <usize>load<u32>(texts, TEXTS.heap);
  const newest = <usize>load<u32>(texts, TEXTS.newest);
  const older = <usize>load<u32>(texts, TEXTS.older);
  const end = ordinals + ((<usize>count) << 2);
  for (let at = ordinals; at < end; at += 4) {
    const ordinal = load<u32>(at);
    let entry = load<u32>(newest + ((<usize>ordinal) << 2));
    while (entry != 0) {
      const from = heap + startOf(texts, entry - 1);
      if (contains(from, heap + startOf(texts, entry) - 1, needle, n)) {
        setBit(members, ordinal);
        break;
      }
      entry = load<u32>(older + ((<usize>(entry - 1)) << 2));
    }
  }
}

