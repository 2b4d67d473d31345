/** Partitions listed rows by a test of each. */
import type { Pointer, RowNumber } from '../storage/brands.ts';

/**
 * Partitions the first n rows of a list by a test of each. Matching rows go to `matched`, which has
 * room for all. The others go to the front of the list. Returns the number of matches.
 */
export function splitRows(
  u32: Uint32Array,
  list: Pointer,
  n: number,
  matched: Pointer,
  test: (row: RowNumber) => boolean,
): number {
  let to = matched >>> 2;
  let other = list >>> 2;
  for (let i = list >>> 2, end = i + n; i < end; i++) {
    const row = u32[i]! as RowNumber;
    if (test(row)) u32[to++] = row;
    else u32[other++] = row;
  }
  return to - (matched >>> 2);
}
