/** Rows before a place in an order, or between two: how many rows, or hits, and which. */
import { bitmapOf, type HitSet } from '../evaluate/hitSet.ts';
import { type BitmapHandle, type Pointer, plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Place } from './block.ts';
import type { Order } from './order.ts';

/** From one block in so many on, the rank index is read in less time than rows are set one by one. */
const MANY = 32;

/** How many rows come before a block, for each of them. */
export function rowsBefore({ blocks }: Order): Float64Array {
  const before = new Float64Array(blocks.length + 1);
  for (let i = 0; i < blocks.length; i++) before[i + 1] = before[i]! + blocks[i]!.count;
  return before;
}

/** Calls for the rows between two places: lists, in order. */
function eachBetween(
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

/**
 * bitmap &= the rows between two places. With the rank index, it reads only the rows from the places to the starts of
 * the ranges near them.
 */
export function keepBetween(
  space: Space,
  order: Order,
  from: Place,
  to: Place,
  bitmap: BitmapHandle,
): void {
  const { kernel, memory, bitmapBytes } = space;
  const hits = (start: Place, end: Place) => hitsOf(space, order, start, end, bitmap);
  const set = (lists: [list: Pointer, n: number][]) => {
    for (const [list, n] of lists) kernel.setBits(bitmap, list, n);
  };
  const clear = (list: Pointer, n: number) => kernel.clearBits(bitmap, list, n);
  const ranges = rangesNear(order, from, to);
  if (!ranges) {
    const all = hits(from, to);
    memory.u8.fill(0, bitmap, bitmap + bitmapBytes);
    set(all);
    return;
  }
  const [low, high] = ranges;
  const [first, after] = [low, high].map(({ block }): Place => ({ block, at: 0 }));
  const outside = [...hits(from, first!), ...hits(after!, to)];
  order.rankIndex.keepIn(bitmap, low.range, high.range - 1);
  // One of two places comes first: between the others there is nothing.
  set(outside);
  eachBetween(order, first!, from, clear);
  eachBetween(order, to, after!, clear);
}

/** The rows of a bitmap between two places, as lists. */
function hitsOf(
  { kernel, scratch }: Space,
  order: Order,
  from: Place,
  to: Place,
  bitmap: BitmapHandle,
): [list: Pointer, n: number][] {
  const hits: [Pointer, number][] = [];
  eachBetween(order, from, to, (list, n) => {
    const out = scratch.take(n * 4);
    hits.push([out, kernel.filter(list, n, bitmap, out)]);
  });
  return hits;
}

/** The start of a range of the rank index. */
interface RangeStart {
  readonly range: number;
  readonly block: number;
}

type Ranges = readonly [RangeStart, RangeStart];

/** The ranges that begin near two places with many rows between them; undefined if it takes less time to set these. */
function rangesNear(order: Order, from: Place, to: Place): Ranges | undefined {
  const isMany = (to.block - from.block) * MANY > order.blocks.length;
  if (!isMany || !order.rankIndex.ready) return undefined;
  const [low, high] = [rangeNear(order, from), rangeNear(order, to)];
  return low.range < high.range ? [low, high] : undefined;
}

/**
 * The range of the rank index that begins nearest to a place, and its first block. Other blocks are not
 * read: hundreds of them take longer than all else, since few are in the cache.
 */
function rangeNear({ blocks }: Order, { block, at }: Place): RangeStart {
  const range = blocks[Math.min(block, blocks.length - 1)]?.range ?? 0;
  let [first, next] = [block, block];
  let [before, after] = [at, -at];
  while (first > 0 && blocks[first - 1]!.range === range) before += blocks[--first]!.count;
  while (next < blocks.length && blocks[next]!.range === range) after += blocks[next++]!.count;
  return before <= after ? { range, block: first } : { range: range + 1, block: next };
}

/** How many rows of a bitmap are between two places. */
function hitsBetween(
  { kernel, layout, scratch }: Space,
  order: Order,
  bitmap: BitmapHandle,
  from: Place,
  to: Place,
): number {
  const out = scratch.take(layout.blockRows * 4);
  let hits = 0;
  eachBetween(order, from, to, (list, n) => {
    hits += kernel.filter(list, n, bitmap, out);
  });
  return hits;
}

/** How many hits, of `total`, come before a place. */
export function hitsBefore(
  space: Space,
  order: Order,
  found: HitSet,
  total: number,
  place: Place,
): number {
  const { blocks, rankIndex } = order;
  if (found.form === 'none' || (place.block === 0 && place.at === 0)) return 0;
  const lastBlock = Math.max(0, blocks.length - 1);
  if (place.block >= lastBlock && place.at >= (blocks[place.block]?.count ?? 0)) return total;
  if (found.form === 'all' || total === order.size) {
    let before = place.at;
    for (let i = 0; i < place.block; i++) before += blocks[i]!.count;
    return before;
  }
  const { kernel, scratch, layout } = space;
  if (found.form === 'list') {
    const bitmap = scratch.bitmap();
    kernel.setBits(bitmap, found.list, found.n);
    const before = hitsBefore(space, order, bitmapOf(bitmap), total, place);
    kernel.clearBits(bitmap, found.list, found.n);
    scratch.giveBack(bitmap, true);
    return before;
  }
  const { bitmap } = found;
  const between = (from: Place, to: Place) => hitsBetween(space, order, bitmap, from, to);
  const start = { block: 0, at: 0 };
  if (!rankIndex.ready || place.block <= layout.walkedBlocks) return between(start, place);
  if (lastBlock - place.block < layout.walkedBlocks) {
    return total - between(place, { block: blocks.length, at: 0 });
  }
  const near = rangeNear(order, place);
  const from = { block: near.block, at: 0 };
  const before = near.block > lastBlock ? total : rankIndex.before(bitmap, near.range);
  const isPast = near.block > place.block;
  return isPast ? before - between(place, from) : before + between(from, place);
}
