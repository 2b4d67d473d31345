/** The rows that hold an n-gram, in any column that is searched together with others. */
import type { StoredRows } from '../storage/bitmap.ts';
import type { RowNumber } from '../storage/brands.ts';

/** A stored set of rows that is patched row by row. */
export interface NgramRows extends StoredRows {
  has(row: RowNumber): boolean;
  add(row: RowNumber): void;
  delete(row: RowNumber): void;
}

export interface NgramBitmap {
  readonly text: string;
  readonly number: number;
  readonly rows: NgramRows;
  /** The number of rows by their texts, at the latest search: about the present number. */
  count: number;
}
