/**
 * Integers of different kinds, which the compiler keeps apart. At run time all are numbers; code
 * that makes one of a plain number says so by `as`.
 */
declare const brand: unique symbol;

type Branded<Name extends string> = number & {
  readonly [brand]: { readonly [One in Name]: true };
};

/** A row's dense number in one table, from 0. Never its id, nor its offset in a segment. */
export type RowNumber = Branded<'row'>;

/** The number of a value in a column's dictionary. */
export type Ordinal = Branded<'ordinal'>;

/** A byte offset into the index's memory. */
export type Pointer = Branded<'pointer'>;

/** Where a bitmap over all rows is, lent by scratch memory. */
export type BitmapHandle = Branded<'pointer' | 'bitmap'>;

/** Stands for no place in memory: no block begins there. */
export const NULL_POINTER = 0 as Pointer;

/** The place this many bytes after another. */
export const plus = (pointer: Pointer, bytes: number): Pointer => (pointer + bytes) as Pointer;
