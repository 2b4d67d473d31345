/**
 * Integers that must never be taken for each other. At run time all are numbers; the compiler keeps
 * them apart, and where one is made of a plain number it says so by `as`.
 */
declare const brand: unique symbol;

type Branded<Name> = number & { readonly [brand]: Name };

/** A bitmap over all rows, lent by `Space.borrow` and to be given back. It is a byte offset, too. */
export type BitmapHandle = Branded<'bitmap'>;
