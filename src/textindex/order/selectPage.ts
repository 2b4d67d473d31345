/**
 * From hits to a page: the rows from one rank to another among the hits, in an order.
 *
 *     all rows hit        count blocks, copy
 *     few hits            select among them by their keys
 *     near an end         walk the blocks from there
 *     else                find the range in which the page starts (rankIndex.ts), walk from its nearer end
 */

import type { HitSet } from '../evaluate/hitSet.ts';
import {
  type BitmapHandle,
  NULL_POINTER,
  type Pointer,
  plus,
  type RowNumber,
} from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Place } from './block.ts';
import type { Order } from './order.ts';
import type { Ranks } from './page.ts';
import { selectFew } from './selectFew.ts';

/** A walk ends after so many times the blocks that evenly spread hits take, and some, which may have few rows. */
const LONGER = 2;
const FIRST_BLOCKS = 3;

/** The place where a walk begins, the most blocks that it takes, and whether it goes back. */
interface Walk {
  readonly start: Place;
  readonly most: number;
  readonly back?: boolean;
}

/** The rows of these ranks among the hits, which are `total`, in the order or against it. */
export function selectIn(
  space: Space,
  order: Order,
  descending: boolean,
  found: HitSet,
  total: number,
  sought: Ranks,
): RowNumber[] {
  if (!descending) return selectFound(space, order, found, total, sought);
  const { first, end } = sought;
  const ranks = { first: total - end, end: total - first };
  return selectFound(space, order, found, total, ranks).reverse();
}

/** The rows of these ranks among the hits, which are `total`. */
export function selectFound(
  space: Space,
  order: Order,
  found: HitSet,
  total: number,
  ranks: Ranks,
): RowNumber[] {
  if (ranks.end <= ranks.first || found.form === 'none') return [];
  if (found.form === 'all' || total === order.size) {
    return walk(space, order, 'all', ranks, { start: startOf(0), most: order.blocks.length })!;
  }
  if (found.form === 'list') return selectListed(space, order, found.list, found.n, ranks);
  return selectHits(space, order, found.bitmap, total, ranks);
}

/** The rows of these ranks among the hits of a bitmap with `total` of them. */
export function selectHits(
  space: Space,
  order: Order,
  hits: BitmapHandle,
  total: number,
  ranks: Ranks,
): RowNumber[] {
  if (isSelected(space, order, total, ranks)) {
    const list = space.scratch.take(total * 4);
    space.kernel.collect(hits, space.bitmapBytes, 0, list, total);
    return selectFew(order, rowsAt(space, list, total), ranks);
  }
  const { walkedBlocks } = space.layout;
  const up = ranks.end <= total - ranks.first;
  const rankIndex = order.rankIndex.ready ? order.rankIndex : undefined;
  const expected = blocksAway(order, total, ranks);
  if (!rankIndex || expected <= walkedBlocks) {
    // Hits may all stand at the far end, as those of one week do: no walk is much longer than expected.
    const most = rankIndex ? expected * LONGER + FIRST_BLOCKS : order.blocks.length;
    const rows = up
      ? walk(space, order, hits, ranks, { start: startOf(0), most })
      : walkBack(space, order, hits, total, ranks, {
          start: endOf(order, order.blocks.length - 1),
          most,
        });
    if (rows) return rows;
  }
  const range = rankIndex!.locate(hits, ranks.first);
  const there = { first: range.rank, end: range.rank + ranks.end - ranks.first };
  const most = order.blocks.length;
  const isNearEnd = there.end <= range.count && range.rank > range.count / 2;
  return isNearEnd
    ? walkBack(space, order, hits, range.count, there, { start: endOf(order, range.last), most })!
    : walk(space, order, hits, there, { start: startOf(range.first), most })!;
}

/** The rows of these ranks among n listed ones. */
export function selectListed(
  space: Space,
  order: Order,
  list: Pointer,
  n: number,
  ranks: Ranks,
): RowNumber[] {
  if (isSelected(space, order, n, ranks)) return selectFew(order, rowsAt(space, list, n), ranks);
  const hits = space.scratch.bitmap();
  space.kernel.setBits(hits, list, n);
  const rows = selectHits(space, order, hits, n, ranks);
  space.kernel.clearBits(hits, list, n);
  space.scratch.giveBack(hits, true);
  return rows;
}

const startOf = (block: number): Place => ({ block, at: 0 });
const endOf = ({ blocks }: Order, block: number): Place => ({ block, at: blocks[block]!.count });

/** About how many blocks a walk to these ranks takes, from the nearer end. */
function blocksAway(order: Order, total: number, ranks: Ranks): number {
  return (Math.min(ranks.end, total - ranks.first) / total) * order.blocks.length;
}

/** Whether the page is selected among all hits: they are few, or so few that no short walk gets there. */
function isSelected(space: Space, order: Order, total: number, ranks: Ranks): boolean {
  const { fewHits, walkedBlocks } = space.layout;
  if (total <= fewHits) return true;
  return total <= space.few(fewHits) && blocksAway(order, total, ranks) > walkedBlocks;
}

function rowsAt(space: Space, list: Pointer, n: number): Uint32Array {
  return space.memory.u32.slice(list >>> 2, (list >>> 2) + n);
}

/**
 * The rows of these ranks, counted from a place on, or against the order from a place back; undefined
 * when `most` blocks do not get there.
 */
function walk(
  space: Space,
  order: Order,
  hits: BitmapHandle | 'all',
  ranks: Ranks,
  { start, most, back = false }: Walk,
): RowNumber[] | undefined {
  const rows: RowNumber[] = [];
  const { kernel, memory } = space;
  const room = hits === 'all' ? NULL_POINTER : space.scratch.take(space.layout.blockRows * 4);
  const { length } = order.blocks;
  const blocks = Math.min(length, back ? start.block + 1 : length - start.block);
  let before = 0;
  for (let walked = 0; walked < blocks && before < ranks.end; walked++) {
    if (walked >= most) return undefined;
    const { ptr, count } = order.blocks[start.block + (back ? -walked : walked)]!;
    const from = walked === 0 && !back ? start.at : 0;
    const end = walked === 0 && back ? start.at : count;
    const all = plus(ptr, from * 4);
    const list = hits === 'all' ? all : room;
    const n = hits === 'all' ? end - from : kernel.filter(all, end - from, hits, room);
    const to = Math.min(ranks.end - before, n);
    for (let i = Math.max(ranks.first - before, 0); i < to; i++) {
      rows.push(memory.u32[(list >>> 2) + (back ? n - 1 - i : i)]! as RowNumber);
    }
    before += n;
  }
  return rows;
}

/** The same from a place back; `total` hits are before it. */
function walkBack(
  space: Space,
  order: Order,
  hits: BitmapHandle,
  total: number,
  { first, end }: Ranks,
  walked: Walk,
): RowNumber[] | undefined {
  const against = { first: total - end, end: total - first };
  return walk(space, order, hits, against, { ...walked, back: true })?.reverse();
}
