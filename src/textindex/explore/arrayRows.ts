/**
 * The rows of a set that hold arrays. Each is ordered by one element, so it counts as a row with that
 * value alone:
 *
 *     row 3   [7, 2]    ascending  2 │ descending  7
 *     row 8   [ ]       ARRAY, which stands for the empty array
 *
 * An array with a label is ordered as null, and is ARRAY too. One pass finds the elements by the numbers
 * of the values; only values with the same number are read.
 */
import { ARRAY } from '../dictionary/ordinals.ts';
import type { RowKey } from '../order/rowOrder.ts';
import { hasBit } from '../storage/bits.ts';
import type { Ordinal } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { RowSet } from './rowSet.ts';

export class ArrayRows {
  /** Ascending row numbers. */
  readonly rows: Uint32Array;
  /** The ordinals that they are ordered by. */
  readonly ordinals: Uint32Array;
  /** The rows of the set without them. */
  readonly plain: RowSet;

  constructor({ memory }: Space, set: RowSet, { column, descending, labelOf }: RowKey) {
    const dictionary = column!.dictionary!;
    const { arrays, values } = dictionary;
    const rows = new Uint32Array(arrays.size);
    const ordinals = new Uint32Array(arrays.size);
    let n = 0;
    if (arrays.size > 0) {
      const numbers = values.numbers.of(values, column!.uuids === undefined) >>> 3;
      const { bitmap } = set;
      const { f64, u8 } = memory;
      const numberOf = (ordinal: Ordinal) => f64[numbers + ordinal]!;
      arrays.each((row, place) => {
        if (!hasBit(u8, bitmap, row)) return;
        rows[n] = row;
        ordinals[n++] = labelOf ? ARRAY : dictionary.orderedBy(place, descending, numberOf);
      });
    }
    this.rows = rows.subarray(0, n);
    this.ordinals = ordinals.subarray(0, n);
    this.plain = set.without(this.rows);
  }
}
