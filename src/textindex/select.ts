/**
 * From hits to a page: the slots whose ranks, among the hits in an order, fall into a range.
 *
 *     all rows hit        count blocks, copy
 *     few hits            select among them by their keys
 *     else                walk the blocks from the nearer end
 */
import type { Order } from './order.ts';
import type { Slot, Space } from './space.ts';

/** Ranks from `first` up to, not including, `end`, counted in ascending order. */
export interface Ranks {
  readonly first: number;
  readonly end: number;
}

/** Slots by rank when every row is a hit. */
export function selectAll(space: Space, order: Order, { first, end }: Ranks): Slot[] {
  const slots: Slot[] = [];
  let before = 0;
  for (const block of order.blocks) {
    const last = before + block.count;
    if (last > first) {
      const from = Math.max(first - before, 0);
      const to = Math.min(end, last) - before;
      for (let i = from; i < to; i++) slots.push(space.memory.u32[(block.ptr >>> 2) + i]!);
      if (end <= last) break;
    }
    before = last;
  }
  return slots;
}

/** Slots by rank among the hits of a bitmap with `total` of them. */
export function selectHits(
  space: Space,
  order: Order,
  hits: number,
  total: number,
  ranks: Ranks,
): Slot[] {
  if (total <= space.layout.fewHits) return selectFew(space, order, hits, total, ranks);
  if (ranks.first <= total - ranks.end) return walkUp(space, order, hits, ranks);
  return walkDown(space, order, hits, total, ranks);
}

function selectFew(space: Space, order: Order, hits: number, total: number, ranks: Ranks): Slot[] {
  const list = space.listOf(total);
  space.kernel.collect(hits, space.bitmapBytes, 0, list, total);
  const slots = Array.from(space.memory.u32.subarray(list >>> 2, (list >>> 2) + total));
  slots.sort((a, b) => order.compare(a, b));
  return slots.slice(ranks.first, ranks.end);
}

function walkUp(space: Space, order: Order, hits: number, { first, end }: Ranks): Slot[] {
  const slots: Slot[] = [];
  const { kernel, memory } = space;
  const list = space.listOf(space.layout.blockRows);
  let before = 0;
  for (const block of order.blocks) {
    const n = kernel.filter(block.ptr, block.count, hits, list);
    const from = Math.max(first - before, 0);
    const to = Math.min(end - before, n);
    for (let i = from; i < to; i++) slots.push(memory.u32[(list >>> 2) + i]!);
    before += n;
    if (before >= end) break;
  }
  return slots;
}

function walkDown(
  space: Space,
  order: Order,
  hits: number,
  total: number,
  { first, end }: Ranks,
): Slot[] {
  const slots: Slot[] = [];
  const { kernel, memory } = space;
  const list = space.listOf(space.layout.blockRows);
  let after = total;
  for (let number = order.blocks.length - 1; number >= 0 && after > first; number--) {
    const block = order.blocks[number]!;
    const n = kernel.filter(block.ptr, block.count, hits, list);
    const before = after - n;
    const from = Math.max(first - before, 0);
    const to = Math.min(end - before, n);
    for (let i = to - 1; i >= from; i--) slots.push(memory.u32[(list >>> 2) + i]!);
    after = before;
  }
  return slots.reverse();
}
