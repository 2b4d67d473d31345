/** The rows that hold an n-gram, in any column that is searched together with others. */
import type { Bitmap } from '../storage/bitmap.ts';

export interface NgramBitmap {
  readonly text: string;
  readonly number: number;
  readonly rows: Bitmap;
  /** Rows when they were searched: about as many as there are. */
  count: number;
}
