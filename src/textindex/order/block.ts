/** A block of an order: a sorted run of row numbers. */
import type { Pointer } from '../storage/brands.ts';

export interface Block {
  readonly ptr: Pointer;
  count: number;
  /** Which range of the rank index it is in, and the numbering by which. See rankIndex.ts. */
  range: number;
  edition: number;
}
