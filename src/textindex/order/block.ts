/** A block of an order: row numbers in a row, sorted. */
import type { Pointer } from '../storage/brands.ts';

export interface Block {
  readonly ptr: Pointer;
  count: number;
  /** Which range of the rank index it is in, and the numbering by which. See rankIndex.ts. */
  range: number;
  edition: number;
}
