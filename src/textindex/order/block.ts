/** A block of an order: a sorted run of row numbers. */
import type { Pointer } from '../storage/brands.ts';

export interface Block {
  readonly ptr: Pointer;
  count: number;
  /** The block's range in the rank index, and the edition of that numbering. See rankIndex.ts. */
  range: number;
  edition: number;
}
