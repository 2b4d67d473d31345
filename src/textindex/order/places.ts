/**
 * Places in an order: the first row that is not before a bound, and the number of rows before it.
 */
import { type Pointer, plus, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Order } from './order.ts';

/** A row's place: its block, and its index there; the end of the last block stands for the end. */
export interface Place {
  readonly block: number;
  readonly at: number;
}

/** The first row that is not before the bound; all rows before it must come first in the order. */
export function placeOf(
  space: Space,
  { blocks }: Order,
  isBefore: (row: RowNumber) => boolean,
): Place {
  const { u32 } = space.memory;
  const first = (n: number, before: (i: number) => boolean) => {
    let [low, high] = [0, n];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const block = Math.max(
    0,
    first(blocks.length, (i) => isBefore(u32[blocks[i]!.ptr >>> 2]! as RowNumber)) - 1,
  );
  const within = blocks[block];
  if (!within) return { block: 0, at: 0 };
  const at = first(within.count, (i) => isBefore(u32[(within.ptr >>> 2) + i]! as RowNumber));
  return { block, at };
}

/** How many rows come before a block, for each of them. */
export function rowsBefore({ blocks }: Order): Float64Array {
  const before = new Float64Array(blocks.length + 1);
  for (let i = 0; i < blocks.length; i++) before[i + 1] = before[i]! + blocks[i]!.count;
  return before;
}

/** Calls for the rows between two places: lists, in order. */
export function eachBetween(
  { blocks }: Order,
  from: Place,
  to: Place,
  visit: (list: Pointer, n: number) => void,
): void {
  for (let number = from.block; number <= to.block && number < blocks.length; number++) {
    const { ptr, count } = blocks[number]!;
    const start = number === from.block ? from.at : 0;
    const end = number === to.block ? to.at : count;
    if (end > start) visit(plus(ptr, start * 4), end - start);
  }
}
