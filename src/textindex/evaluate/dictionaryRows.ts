/**
 * The rows of a dictionary's values: united, listed, split.
 */

import type { Dictionary } from '../dictionary/dictionary.ts';
import { ARRAY } from '../dictionary/ordinals.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import { hasBit, setBit } from '../storage/bits.ts';
import {
  type BitmapHandle,
  type Ordinal,
  type Pointer,
  plus,
  type RowNumber,
} from '../storage/brands.ts';
import type { Union } from './union.ts';

type DenseValue = readonly [ordinal: Ordinal, rows: Bitmap];

/** Writes the rows of the n ordinals that are not in `seen` yet to `out`, which has room for all. */
export function listValues(
  dictionary: Dictionary,
  list: Pointer,
  n: number,
  seen: BitmapHandle,
  out: Pointer,
): number {
  const { kernel } = dictionary.space;
  const { postings } = dictionary;
  let found = kernel.addLists(seen, list, n, postings.ptrs.ptr, postings.lens.ptr, out);
  for (const [ordinal, rows] of denseOf(dictionary, list, n)) {
    found += rows.listNew(postings.countOf(ordinal), seen, plus(out, found * 4));
  }
  return found;
}

/**
 * Partitions the first n rows of a list: rows that hold a member go to `matched`, the others to
 * the front of the list. Returns the number of matches. `read`: the ordinals of rows without arrays, if
 * the caller has read them.
 */
export function splitByValues(
  dictionary: Dictionary,
  members: Pointer,
  list: Pointer,
  n: number,
  matched: Pointer,
  read?: Pointer,
): number {
  const { kernel, memory, scratch } = dictionary.space;
  const plain = n - arraysLast(dictionary, list, n);
  const mark = scratch.take(0);
  const ordinals = read ?? ordinalsOf(dictionary, list, plain);
  let found = kernel.splitByOrdinals(list, plain, ordinals, members, matched);
  scratch.cut(mark);
  const { u8, u32 } = memory;
  const isMember = (ordinal: Ordinal) => hasBit(u8, members, ordinal);
  const first = list >>> 2;
  let left = first + plain - found;
  for (let i = first + plain; i < first + n; i++) {
    const row = u32[i]! as RowNumber;
    if (dictionary.arrays.get(row)!.some(isMember)) u32[(matched >>> 2) + found++] = row;
    else u32[left++] = row;
  }
  return found;
}

/** The ordinal of each row of a list. */
export function ordinalsOf(dictionary: Dictionary, list: Pointer, n: number): Pointer {
  const { kernel, scratch, segmentBits } = dictionary.space;
  const ordinals = scratch.take(n * 4);
  kernel.ordinalsOf(list, n, dictionary.ordinals.table, segmentBits, ordinals);
  return ordinals;
}

/** Moves the rows of a list that hold arrays to its end; returns how many. */
export function arraysLast(dictionary: Dictionary, list: Pointer, n: number): number {
  const { kernel, memory, scratch } = dictionary.space;
  const { arrays, ordinalBytes } = dictionary;
  if (arrays.size === 0) return 0;
  const moved = scratch.take(n * 4);
  const only = scratch.takeZero(ordinalBytes);
  setBit(memory.u8, only, ARRAY);
  const count = kernel.splitByOrdinals(list, n, ordinalsOf(dictionary, list, n), only, moved);
  memory.u8.copyWithin(list + (n - count) * 4, moved, moved + count * 4);
  scratch.cut(moved);
  return count;
}

/** union |= rows of the n ordinals in the list, which must not change until the union is done. */
export function addValues(dictionary: Dictionary, union: Union, list: Pointer, n: number): void {
  const dense = denseOf(dictionary, list, n);
  if (dense.length < n) union.addLists(list, n, dictionary.postings);
  for (const [, rows] of dense) union.add(rows);
}

/** The ordinals that have a bitmap, with their bitmaps. */
function denseOf(dictionary: Dictionary, list: Pointer, n: number): DenseValue[] {
  const { dense } = dictionary.postings;
  const { memory } = dictionary.space;
  if (dense.size === 0 || n === 0) return [];
  const found: DenseValue[] = [];
  if (n <= dense.size) {
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      const rows = dense.get(memory.u32[i]! as Ordinal);
      if (rows) found.push([memory.u32[i]! as Ordinal, rows]);
    }
    return found;
  }
  const members = dictionary.setOf(list, n);
  for (const [ordinal, rows] of dense) {
    if (hasBit(memory.u8, members, ordinal)) found.push([ordinal, rows]);
  }
  return found;
}
