/** The part of a kernel that numbers items, and cuts them down to a page. See abi.ts. */
import type { Pointer } from '../storage/brands.ts';

export * as BEGINNING from './structs/beginning.ts';
export * as CUT from './structs/cut.ts';

/** In place of a beginning, for `idNumbers`. */
export const MIXED = 1 as Pointer;

/**
 * Items are values or rows, each with a number, which never decreases along the order. Functions that take
 * a `cut` append the items within its bounds to its lists, and weigh them and those below.
 *
 * The number of a text is the six bytes after a `beginning` (0: none), as if zeros followed its end. If it
 * begins otherwise it has one number before all of these, or one after. So are ids numbered, by 53 bits.
 */
export interface RankKernel {
  /** The number of a value: `prefixKey` in scalars.ts. `place` is odd for all that is no text. */
  valueNumber(place: Pointer): number;
  /**
   * Writes the number of each item i of a list of ordinals, or of ordinal i if `list` is 0, for each i from
   * `from` up to `to`. It is NaN for an ordinal without a place. An element that is nothing is numbered
   * as an empty array, which sorts take it for, and so is the ordinal of arrays.
   */
  numberValues(
    places: Pointer,
    list: Pointer,
    from: number,
    to: number,
    beginning: Pointer,
    numbers: Pointer,
  ): void;
  /** Writes the number of each of n listed ordinals: `out` beside the list. */
  numbersOf(list: Pointer, n: number, numbers: Pointer, out: Pointer): void;
  /**
   * Writes the number of the id of each of n listed rows, which all have one. `segments`: the structs of
   * their segments. With `MIXED` for the beginning it is numbered as among values: `prefixKey`, of a UUID by
   * its first six digits.
   */
  idNumbers(
    segments: Pointer,
    segmentBits: number,
    list: Pointer,
    n: number,
    beginning: Pointer,
    numbers: Pointer,
  ): void;
  /** Cuts all rows of a bitmap by their ids' first 53 bits. They are the first that the cut takes. */
  idsBetween(
    cut: Pointer,
    segments: Pointer,
    segmentBits: number,
    bits: Pointer,
    bytes: number,
  ): void;
  /**
   * Cuts n items: without a list (0) the ordinals below n. Without weights (0) each weighs 1; items with the
   * number NaN or without weight are left out.
   */
  itemsBetween(cut: Pointer, list: Pointer, numbers: Pointer, weights: Pointer, n: number): void;
}
