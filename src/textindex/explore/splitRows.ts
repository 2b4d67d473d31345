/** Listed rows, told apart. */
import type { Pointer, RowNumber } from '../storage/brands.ts';

/**
 * Partitions the first n rows of a list by a test of each, which is told its place in the list.
 * Matching rows go to `matched`, which has room for all. The others go to the front of the list. Returns the number of matches.
 */
export function splitRows(
  u32: Uint32Array,
  list: Pointer,
  n: number,
  matched: Pointer,
  test: (row: RowNumber, i: number) => boolean,
): number {
  let to = matched >>> 2;
  let other = list >>> 2;
  for (let i = 0; i < n; i++) {
    const row = u32[(list >>> 2) + i]! as RowNumber;
    if (test(row, i)) u32[to++] = row;
    else u32[other++] = row;
  }
  return to - (matched >>> 2);
}
