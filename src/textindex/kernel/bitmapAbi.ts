/** The parts of a kernel that work on bitmaps and on lists of rows. See abi.ts. */
import type { Pointer } from '../storage/brands.ts';

export interface BitmapKernel {
  /** dst |= src */
  or(dst: Pointer, src: Pointer, bytes: number): void;
  /** dst &= src */
  and(dst: Pointer, src: Pointer, bytes: number): void;
  /** dst &= ~src */
  andNot(dst: Pointer, src: Pointer, bytes: number): void;
  /**
   * dst = the union of n sources, at least one, over several segments of `bytes` bytes. `table` has
   * each source's address in each segment; dst, in one piece, may be a source too.
   */
  unite(dst: Pointer, table: Pointer, n: number, segments: number, bytes: number): void;
  /** dst &= the union of sources that dst is none of; returns how many bits are left. */
  keep(dst: Pointer, table: Pointer, n: number, segments: number, bytes: number): number;
  /** How many bits are set in src. */
  count(src: Pointer, bytes: number): number;
  /**
   * dst &= the bits whose number is from low up to and with high. The planes, bitmaps one after the other,
   * have the numbers' bits, the lowest first; low and high have no more bits than that.
   */
  between(
    dst: Pointer,
    planes: Pointer,
    planeCount: number,
    low: number,
    high: number,
    bytes: number,
  ): void;
  /** Sets the bits that a list names. */
  setBits(dst: Pointer, list: Pointer, n: number): void;
  /**
   * The same for a list that names its bits again and again: a search in the texts of 1,200 rows takes
   * 0.12 ms, and 0.15 by `setBits`.
   */
  setRepeated(dst: Pointer, list: Pointer, n: number): void;
  /**
   * Sets the bits of several lists. `ordinals` lists n ordinals; ordinal c has `lens[c]` rows: none
   * or, when `ptrs[c]` is 0, a number kept elsewhere; one is in `ptrs[c]` itself; more are a list there.
   */
  setLists(dst: Pointer, ordinals: Pointer, n: number, ptrs: Pointer, lens: Pointer): void;
  /** The sum of `lens[c]` over the n ordinals. */
  sumAt(ordinals: Pointer, n: number, lens: Pointer): number;
  /** Lists up to `most` set bits, `base` added to each, in ascending order; returns how many. */
  collect(src: Pointer, bytes: number, base: number, out: Pointer, most: number): number;
  /** Lists the rows of a list whose bit is set, in its order; `out` has room for n. */
  filter(list: Pointer, n: number, bits: Pointer, out: Pointer): number;
}

/** Lists of rows, each row once. */
export interface ListKernel {
  /** Clears the bits that a list names. */
  clearBits(dst: Pointer, list: Pointer, n: number): void;
  /**
   * Writes the rows of a list whose bit in `seen` is not set to `out`, which has room for all, sets
   * their bits, and returns how many.
   */
  addNew(seen: Pointer, list: Pointer, n: number, out: Pointer): number;
  /** The same for the lists of n ordinals: `ptrs` and `lens` as for `setLists`. */
  addLists(
    seen: Pointer,
    ordinals: Pointer,
    n: number,
    ptrs: Pointer,
    lens: Pointer,
    out: Pointer,
  ): number;
  /**
   * Partitions the rows of a list: rows whose bit is set go to `matched`, which has room for all,
   * the others to the list's front. Returns how many match. The order of both stays.
   */
  splitBits(list: Pointer, n: number, bits: Pointer, matched: Pointer): number;
  /** The same by the bit in `members` of each row's ordinal. */
  splitByOrdinals(
    list: Pointer,
    n: number,
    ordinals: Pointer,
    members: Pointer,
    matched: Pointer,
  ): number;
}
