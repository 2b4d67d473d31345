/** The result of a plan or a part of one: a set of rows, in the form in which it was found. */
import type { BitmapHandle, Pointer } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';

/** Row numbers in scratch memory, each once, in no order. */
export interface RowList {
  readonly form: 'list';
  readonly list: Pointer;
  readonly n: number;
}

/** A bitmap in scratch memory. */
export interface RowBitmap {
  readonly form: 'bitmap';
  readonly bitmap: BitmapHandle;
  /** The number of its rows, if known. */
  readonly n: number | undefined;
}

export type SomeRows = RowList | RowBitmap;

/** The rows that some values have. The planner knows beforehand where all rows have one of them. */
export type FoundSet = SomeRows | { readonly form: 'none' };

export type HitSet = FoundSet | { readonly form: 'all' };

export const ALL_ROWS: HitSet = Object.freeze({ form: 'all' });
export const NO_ROWS: FoundSet = Object.freeze({ form: 'none' });

export const listOf = (list: Pointer, n: number): FoundSet =>
  n === 0 ? NO_ROWS : { form: 'list', list, n };

/** `n`: the number of its rows, if known. */
export const bitmapOf = (bitmap: BitmapHandle, n?: number): RowBitmap => ({
  form: 'bitmap',
  bitmap,
  n,
});

/** How many rows it has; `size`: of all rows. */
export function countOf(space: Space, found: HitSet, size: number): number {
  if (found.form === 'all') return size;
  return found.form === 'none' ? 0 : countOfSome(space, found);
}

export function countOfSome(space: Space, found: SomeRows): number {
  if (found.form === 'list') return found.n;
  return found.n ?? space.kernel.count(found.bitmap, space.bitmapBytes);
}
