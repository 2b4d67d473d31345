/** The blocks of an order: sorted runs of row numbers. */
import type { Pointer } from '../storage/brands.ts';

export interface Block {
  readonly ptr: Pointer;
  count: number;
  /** The block's range in the rank index, and the edition of that numbering. See rankIndex.ts. */
  range: number;
  edition: number;
}

/** All rows in an order; its blocks come and go. */
export interface RowBlocks {
  readonly blocks: readonly Block[];
  readonly size: number;
}

/** A row's place: its block, and its index there; the end of the last block stands for the end. */
export interface Place {
  readonly block: number;
  readonly at: number;
}
