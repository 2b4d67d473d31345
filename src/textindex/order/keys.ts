/** Keys of rows, which an order compares. */
import type { Bound, Scalar } from '../api.ts';
import type { RowNumber } from '../storage/brands.ts';

/** The order of rows by one column, in one direction's reading of arrays. */
export interface Keys {
  /** Never decreases along the order. */
  at(row: RowNumber): number;
  /** Writes the numbers of all the rows: in one loop, which takes a third of the time. */
  read(rows: Uint32Array, numbers: Float64Array): void;
  /** Decides between rows whose numbers are the same; 0 when their scalars are. */
  decide(a: RowNumber, b: RowNumber): number;
}

/** Negative, or positive, as a comes before b by these keys; 0 where they tie. */
export function compareBy(keys: Keys, a: RowNumber, b: RowNumber): number {
  const x = keys.at(a);
  const y = keys.at(b);
  if (x !== y) return x < y ? -1 : 1;
  return keys.decide(a, b);
}

/** Keys whose order can be cut at a number, or a date. */
export interface BoundedKeys extends Keys {
  scalarAt(row: RowNumber): Scalar;
  /** Tests whether a row's scalar comes before this bound, or before all past its type. */
  below(bound: Bound | 'end'): (row: RowNumber) => boolean;
  /** The same for rows whose numbers were read, by their places there. */
  belowAmong(bound: Bound | 'end', numbers: Float64Array): (row: RowNumber, i: number) => boolean;
}

/** The cells of rows that have an order. */
export interface OrderedCells {
  readonly ascending: BoundedKeys;
  /** The elements, each once, of rows with arrays of none or several. */
  readonly arrays: ReadonlyMap<RowNumber, readonly Scalar[]>;
  elementsOf(row: RowNumber): readonly Scalar[];
}
