/** Lists of rows, blocks of texts and signatures that are about to be read. */

/** The place for sums of reads ahead: the memory's unused start, before the blocks of `findInBlocks`. */
export const UNUSED: usize = 8;

/** The number of lists prefetched, and the bytes of each. */
export const LISTS_AHEAD: u32 = 16;
const BYTES_AHEAD: u32 = 1024;

/**
 * Reads a number of each line of the cache in which the next lists are: they lie anywhere, and so the
 * processor waits for many lines at once. The sum is kept, so that no compiler leaves the reading out.
 */
export function readAhead(ordinals: usize, from: u32, n: u32, ptrs: usize, lens: usize): void {
  let sum: u32 = 0;
  const to = min(n, from + LISTS_AHEAD);
  for (let i = from; i < to; i++) {
    const ordinal = (<usize>load<u32>(ordinals + ((<usize>i) << 2))) << 2;
    const length = load<u32>(lens + ordinal);
    const list = load<u32>(ptrs + ordinal);
    if (length < 2 || list == 0) continue;
    const end = list + min(length << 2, BYTES_AHEAD);
    for (let at = list; at < end; at += 64) sum += load<u32>(at);
  }
  store<u32>(UNUSED, sum);
}

/** The chunks of signatures that are prefetched together. */
export const CHUNKS_AHEAD: u32 = 8;

/** The same for the lines of some buckets, in chunks of signatures from one on. */
export function readBucketsAhead(chunks: usize, end: usize, buckets: usize, asked: usize): void {
  let sum: u32 = 0;
  for (let at = chunks; at < end; at += 4) {
    const chunk = <usize>load<u32>(at);
    for (let bucket = buckets; bucket < asked; bucket += 4) {
      sum += load<u32>(chunk + (<usize>load<u32>(bucket) << 6));
    }
  }
  store<u32>(UNUSED, sum);
}

/** The same for blocks of texts, of 2^blockBits bytes each, and for the numbers of their first entries. */
export function readBlocksAhead(
  blocks: usize,
  end: usize,
  heap: usize,
  blockBits: u32,
  firsts: usize,
): void {
  let sum: u32 = 0;
  for (let at = blocks; at < end; at += 4) {
    const block = <usize>load<u32>(at);
    sum += load<u32>(firsts + (block << 2));
    const after = heap + ((block + 1) << blockBits);
    for (let line = heap + (block << blockBits); line < after; line += 64) sum += load<u32>(line);
  }
  store<u32>(UNUSED, sum);
}

/** The same for two arrays of numbers, of the entries that start in these blocks. */
export function readEntriesAhead(
  blocks: usize,
  end: usize,
  firsts: usize,
  starts: usize,
  ordinals: usize,
): void {
  let sum: u32 = 0;
  for (let at = blocks; at < end; at += 4) {
    const first = firsts + (<usize>load<u32>(at) << 2);
    const after = <usize>load<u32>(first, 4) << 2;
    for (let entry = <usize>load<u32>(first) << 2; entry < after; entry += 64) {
      sum += load<u32>(starts + entry) + load<u32>(ordinals + entry);
    }
  }
  store<u32>(UNUSED, sum);
}
