/** The part of a kernel that cuts items down to a page. See abi.ts. */
import type { Pointer } from '../storage/brands.ts';

/**
 * Items with a number each, and what each weighs: rows, or values with the rows that hold them. Numbers are
 * doubles, weights u32; without weights (0) each item weighs 1.
 */
export interface RankKernel {
  /**
   * Lists the ordinals c from `from` up to `to` whose `counts[c]` is not 0, and writes these counts to
   * `weights`. Both have room for one more than is found. Returns how many.
   */
  listCounted(counts: Pointer, from: number, to: number, list: Pointer, weights: Pointer): number;
  /**
   * Adds one to `counts[x]` for each number x, beginning at 0 where the bit of x in `seen` is not
   * set. It sets that bit, and lists each x of this kind. Returns how many.
   */
  tallyNew(numbers: Pointer, n: number, seen: Pointer, counts: Pointer, list: Pointer): number;
  /**
   * Writes a number for the id of each row of a list, which has one: `base`, and its first six bytes. A
   * UUID, of 16 bytes, is a text: these are its first six digits.
   */
  uuidNumbers(
    list: Pointer,
    n: number,
    uuids: Pointer,
    segmentBits: number,
    base: number,
    numbers: Pointer,
  ): void;
  /** Adds to the first of two sums what the items below `low` weigh, to the second those up to `high`. */
  weigh(
    numbers: Pointer,
    weights: Pointer,
    n: number,
    low: number,
    high: number,
    sums: Pointer,
  ): void;
  /** Moves the items from `low` up to and with `high` to the front of all lists; returns how many. */
  keepBetween(
    list: Pointer,
    numbers: Pointer,
    weights: Pointer,
    n: number,
    low: number,
    high: number,
  ): number;
}
