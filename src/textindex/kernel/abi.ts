/**
 * The interface of a kernel: the loops in which searches spend their time, as functions on one
 * memory. `assembly/` implements them in WebAssembly.
 *
 * Pointers are byte offsets into the memory. Bitmaps are whole multiples of 16 bytes; bit r is bit
 * `r & 7` of byte `r >> 3`. A list is an array of u32. A function of many numbers takes a struct of
 * them: a dozen writes cost some nanoseconds a call. A file in structs/ has the bytes of each, and the
 * offset of every number in it; the assembly reads the same files.
 *
 *     values      a hash table of a dictionary's records      VALUES
 *     record      one value's ordinal, kind and bytes         RECORD
 *     texts       where a column's texts are                  TEXTS
 *     sought      the needle in them, and where to begin      SOUGHT
 *     signatures  which blocks of them have which n-grams     SIGNATURES
 *     trie        infixes of texts that are counted           TRIE
 *     grid        buckets of time, and cells to find them by  GRID
 *     zoned       rows of a segment, by zones of 64           ZONED
 *     numbers     a double for each row of a segment          NUMBERS
 *     uuids       where a segment's UUIDs and lists are       UUIDS
 *     scan        buckets of a window, read in every segment  SCAN
 *     lookup      its scans, and where to put the rows found  LOOKUP
 *     pattern  16 bytes of mask, 16 of value              a UUID fits if (uuid & mask) = value
 *
 * A window's key is five nibbles abcde. The nibbles cde are the bucket, one of 4,096. The ones before, ab,
 * are the mark, a byte for each listed row.
 */
import type { Pointer } from '../storage/brands.ts';
import type { Memory } from '../storage/memory.ts';
import type { BitmapKernel, ListKernel } from './bitmapAbi.ts';
import type { RankKernel } from './rankAbi.ts';

export * as GRID from './structs/grid.ts';
export * as LOOKUP from './structs/lookup.ts';
export * as NUMBERS from './structs/numbers.ts';
export * as PATTERNS from './structs/patterns.ts';
export * as RECORD from './structs/record.ts';
export * as SCAN from './structs/scan.ts';
export * as SIGNATURES from './structs/signatures.ts';
export * as SOUGHT from './structs/sought.ts';
export * as TEXTS from './structs/texts.ts';
export * as TRIE from './structs/trie.ts';
export * as TRIE_CLASS from './structs/trieClass.ts';
export * as TRIE_NODE from './structs/trieNode.ts';
export * as UUIDS from './structs/uuids.ts';
export * as VALUES from './structs/values.ts';
export * as ZONED from './structs/zoned.ts';

/** A kernel at work on a memory. */
export type MakeKernel = (memory: Memory) => Kernel;

export interface Kernel
  extends BitmapKernel,
    CountKernel,
    ListKernel,
    RankKernel,
    TextKernel,
    UuidKernel,
    ValueKernel {}

/** Texts of values, and infixes of them. */
export interface TextKernel {
  /**
   * Finds the needle in the texts; writes the ordinal of each entry that contains it, in the order
   * of the entries, and returns how many. No entry holds the byte 255, and each ends with one.
   * After the last come as many of them as the needle has bytes, and 64. With `signatures` (0: none) it
   * skips blocks in which no entry has all the buckets asked for.
   */
  find(texts: Pointer, signatures: Pointer, sought: Pointer, out: Pointer): number;
  /**
   * Signs `count` blocks of a chunk, whose bits are all zeros: sets each block's bit in the buckets of each
   * bigram, trigram and 4-gram of its entries. A block has 2^blockBits bytes of the heap, and the entries that
   * start in them; `first` is the number of the first block. `firsts` has the first entry of each block up to
   * that one. It gets those of the blocks that are signed, and of one more.
   */
  buildSignatures(
    texts: Pointer,
    chunk: Pointer,
    first: number,
    count: number,
    blockBits: number,
    firsts: Pointer,
  ): void;
  /**
   * Walks the entries from `from` to `to`, and from each of their bytes down the trie. It counts
   * each node once an entry, and each class of which it met a node. Writes for each entry how many
   * classes it met, and which, and returns how many numbers it wrote.
   */
  walkTrie(texts: Pointer, from: number, to: number, trie: Pointer, out: Pointer): number;
  /** Sets the bit of each of `count` ordinals that has an entry with the needle, which may be empty. */
  markContaining(
    ordinals: Pointer,
    count: number,
    texts: Pointer,
    needle: Pointer,
    n: number,
    members: Pointer,
  ): void;
}

/** Values of a dictionary: a hash table of their records. */
export interface ValueKernel {
  /** The ordinal of the value with this record's kind and bytes; 0 if there is none. */
  findValue(values: Pointer, record: Pointer): number;
  /** Enters the record of a value that is not there. One slot at least must be free after that. */
  enterValue(values: Pointer, record: Pointer): void;
  /** Enters the record at each of n places that are not 0; their lowest two bits do not count. */
  enterValues(values: Pointer, places: Pointer, n: number): void;
  /** Takes out a record that was entered. */
  leaveValue(values: Pointer, record: Pointer): void;
  /** Negative, zero or positive as the bytes of record a come before, equal or come after those of b. */
  compareTexts(a: Pointer, b: Pointer): number;
}

/** Counts by value and by time. Tables of numbers are arrays of u32. */
export interface CountKernel {
  /** How many bits are set in a & b. */
  countAnd(a: Pointer, b: Pointer, bytes: number): number;
  /**
   * Adds to `counts[c]`, for each of the n ordinals c, how many of its rows have their bit set.
   * `ptrs` and `lens` are as for `setLists`; rows kept elsewhere are not counted.
   */
  countLists(
    bits: Pointer,
    ordinals: Pointer,
    n: number,
    ptrs: Pointer,
    lens: Pointer,
    counts: Pointer,
  ): void;
  /**
   * Writes the ordinal of each row of a list to `out`. `table` has two numbers a segment of 2^segmentBits
   * rows: the address of its ordinals and their width in bits; a width of 0 is ordinal 0.
   */
  ordinalsOf(list: Pointer, n: number, table: Pointer, segmentBits: number, out: Pointer): void;
  /** Writes the double of each row of a list to `out`; `table` has NUMBERS for each segment. */
  doublesOf(list: Pointer, n: number, table: Pointer, segmentBits: number, out: Pointer): void;
  /**
   * Writes to `out`, for each row of a list, the bucket of the grid that holds its number. It
   * writes `buckets` if the number is not in [from, to), and `buckets` + 1 if it is infinite.
   * `table` as for `doublesOf`.
   */
  bucketsOf(
    list: Pointer,
    n: number,
    table: Pointer,
    segmentBits: number,
    grid: Pointer,
    out: Pointer,
  ): void;
  /**
   * Counts rows of one segment by bucket, as `bucketsOf` finds it; 64 rows at once if one bucket
   * holds all their numbers. Adds to `counts[bucket]` or, where `width` is not 0, to `counts[bucket
   * * width + ordinal]`.
   */
  countZones(zoned: Pointer, bytes: number, grid: Pointer, counts: Pointer, width: number): void;
  /** Adds one to `counts[x]` for the ordinal x of each row of a list; `table` as for `ordinalsOf`. */
  tallyOrdinals(
    list: Pointer,
    n: number,
    table: Pointer,
    segmentBits: number,
    counts: Pointer,
  ): void;
  /** Adds one to `counts[a[i] * width + b[i]]` for each i < n. */
  tallyPairs(a: Pointer, b: Pointer, n: number, width: number, counts: Pointer): void;
}

/** UUIDs of a segment, and pieces of them. */
export interface UuidKernel {
  /**
   * Sorts a segment's UUIDs (`stride` bytes each; those of rows below `rows` that are in `has`) by the
   * bucket of the five nibbles at `nibble`. Writes each bucket's first place to the window's `starts`
   * and the rows to its `lists`, both u16, and its marks; returns how many. At most 65,535 rows.
   */
  uuidSort(uuids: Pointer, window: number, nibble: number): number;
  /**
   * For each of the scans takes from each segment the listed rows of the buckets from low to high.
   * A row must bear the mark in the mask's bits, be `sound`, and match the pattern (if there is
   * one). If a pair is named too, only rows in its bitmap are compared with the pattern. Sets their
   * bits or, if `bitmap` is 0, lists their rows up to `most`. Returns how many, a greater number when
   * there are more. A row may be listed twice. `uuids` has one struct a segment.
   */
  uuidFind(uuids: Pointer, segments: number, segmentBits: number, lookup: Pointer): number;
  /**
   * Partitions the rows of a list: those whose UUID fits any of the patterns go to `matched`, which
   * has room for all, the others to the list's front. Returns how many match. The order of both
   * stays. `patterns` says how many there are; they begin 16 bytes after that.
   */
  uuidSplit(
    uuids: Pointer,
    segmentBits: number,
    list: Pointer,
    n: number,
    patterns: Pointer,
    matched: Pointer,
  ): number;
}

export const SIGNATURE_BLOCKS = 512;
export const SIGNATURE_BUCKET_BITS = 12;
export const SIGNATURE_CHUNK_BYTES = (SIGNATURE_BLOCKS / 8) << SIGNATURE_BUCKET_BITS;

/** Marks a cell of a grid whose numbers are all in its bucket. */
export const SURE = 0x80000000;

export const BUCKETS = 4096;
/** Bytes for the kernel's lists of places to read, and of rows to compare. */
export const PLACES_BYTES = 8192;
