/**
 * From hits to a page: the slots whose ranks, among the hits in an order, fall into a range.
 *
 *     all rows hit        count blocks, copy
 *     few hits            select among them by their keys
 *     near an end         walk the blocks from there
 *     else                find the band in which the page starts (bands.ts), walk from there
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
  const { walkedBlocks } = space.layout;
  const up = ranks.end <= total - ranks.first;
  const away = up ? ranks.end : total - ranks.first;
  const bands = order.bands.ready ? order.bands : undefined;
  // Hits may all stand at the far end, so even a walk that should be short is cut off.
  if (!bands || (away / total) * order.blocks.length <= walkedBlocks) {
    const most = bands ? walkedBlocks * 2 : order.blocks.length;
    const slots = up
      ? walkUp(space, order, hits, ranks, 0, most)
      : walkDown(space, order, hits, total, ranks, most);
    if (slots) return slots;
  }
  const { block, rank } = bands!.locate(hits, ranks.first);
  const there = { first: rank, end: rank + ranks.end - ranks.first };
  return walkUp(space, order, hits, there, block, order.blocks.length)!;
}

/** Gathers the hits' keys, then selects and sorts only what stands on the page. */
function selectFew(space: Space, order: Order, hits: number, total: number, ranks: Ranks): Slot[] {
  const list = space.listOf(total);
  space.kernel.collect(hits, space.bitmapBytes, 0, list, total);
  const hit = Array.from(space.memory.u32.subarray(list >>> 2, (list >>> 2) + total), (slot) => ({
    slot,
    key: order.keys.at(slot),
  }));
  const compare = (a: Keyed, b: Keyed) =>
    a.key === b.key ? order.compare(a.slot, b.slot) : a.key < b.key ? -1 : 1;
  partition(hit, 0, hit.length, ranks.first, compare);
  partition(hit, ranks.first, hit.length, ranks.end, compare);
  const page = hit.slice(ranks.first, ranks.end).sort(compare);
  return page.map(({ slot }) => slot);
}

interface Keyed {
  readonly slot: Slot;
  readonly key: number;
}

/** Moves the least items of a range before place `at`, in no order (quickselect, Hoare 1961). */
function partition(
  items: Keyed[],
  from: number,
  to: number,
  at: number,
  compare: (a: Keyed, b: Keyed) => number,
): void {
  let low = from;
  let high = to - 1;
  while (low < high && at > low && at <= high) {
    const pivot = items[(low + high) >>> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (compare(items[i]!, pivot) < 0) i++;
      while (compare(items[j]!, pivot) > 0) j--;
      if (i > j) break;
      const swapped = items[i]!;
      items[i++] = items[j]!;
      items[j--] = swapped;
    }
    if (at <= j) high = j;
    else if (at >= i) low = i;
    else return;
  }
}

/** Slots by rank counted from a block on; undefined when `most` blocks do not get there. */
function walkUp(
  space: Space,
  order: Order,
  hits: number,
  { first, end }: Ranks,
  start: number,
  most: number,
): Slot[] | undefined {
  const slots: Slot[] = [];
  const { kernel, memory } = space;
  const list = space.listOf(space.layout.blockRows);
  let before = 0;
  for (let number = start; number < order.blocks.length && before < end; number++) {
    if (number - start >= most) return undefined;
    const block = order.blocks[number]!;
    const n = kernel.filter(block.ptr, block.count, hits, list);
    const from = Math.max(first - before, 0);
    const to = Math.min(end - before, n);
    for (let i = from; i < to; i++) slots.push(memory.u32[(list >>> 2) + i]!);
    before += n;
  }
  return slots;
}

function walkDown(
  space: Space,
  order: Order,
  hits: number,
  total: number,
  { first, end }: Ranks,
  most: number,
): Slot[] | undefined {
  const slots: Slot[] = [];
  const { kernel, memory } = space;
  const list = space.listOf(space.layout.blockRows);
  let after = total;
  for (let number = order.blocks.length - 1; number >= 0 && after > first; number--) {
    if (order.blocks.length - number > most) return undefined;
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
