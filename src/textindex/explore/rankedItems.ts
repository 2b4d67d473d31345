/**
 * The values of a set of rows as items with a number each, which `cut` narrows to a page.
 *
 *     values    of the dictionary, each weighs as many rows as are ordered by it
 *     ids       rows with a UUID or an ObjectId
 *
 * Where too many items that are left have one number, they share a longer beginning, and are numbered
 * again. Ids of one hour may begin with the same time, and links with the same host.
 */
import type { Ranks } from '../order/page.ts';
import { type RowKey, scalarOf, scalarOfValue } from '../order/rowOrder.ts';
import { prefixKey } from '../scalars.ts';
import { copiedRows } from '../storage/bitmap.ts';
import { NULL_POINTER, type Ordinal, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { ArrayRows } from './arrayRows.ts';
import { allOf, countIn, cut, type Items, numbered, type Source } from './cut.ts';
import {
  countedValues,
  idsOfRows,
  numberedIds,
  renumberIds,
  renumberValues,
  valuesOfRows,
} from './numberedItems.ts';
import type { RowSet } from './rowSet.ts';
import { countedIn } from './valueCounts.ts';

/** The items at some ranks, which are `count` rows, and the rows in items before and after them. */
export interface RankedAt {
  /** One value may be several items. */
  readonly values: Items;
  readonly ids: Items;
  readonly count: number;
  readonly before: number;
  readonly after: number;
}

/** Rows are fewer than the values, or the ids, by this factor where no other one is looked at. */
const FEW_OF = { values: 8, ids: 16 };

const NONE: Items = { list: NULL_POINTER, numbers: NULL_POINTER, weights: NULL_POINTER, n: 0 };

/** Items, or rows, that are compared rather than cut down, or split, once more. */
export const fewItems = ({ layout }: Space): number => layout.fewHits;

/**
 * The items that may be at these ranks in ascending order, and the rows in those taken away before
 * and after. `arrays`: the rows of the set that have an array.
 */
export function itemsAt(
  space: Space,
  rows: RowSet,
  arrays: ArrayRows,
  key: RowKey,
  ranks: Ranks,
): RankedAt {
  const withIds = rowsWithIds(space, rows, key);
  const sources = sourcesOf(space, rows, withIds, arrays, key);
  const ranked = cutTo(space, sources, rows.count, key, ranks);
  withIds?.free();
  return ranked;
}

function cutTo(
  space: Space,
  all: readonly Source[],
  total: number,
  key: RowKey,
  ranks: Ranks,
): RankedAt {
  const few = fewItems(space);
  let sources = all;
  let before = 0;
  let left = total;
  for (let shared = 0; ; ) {
    const n = countIn(sources);
    const within = { first: ranks.first - before, end: ranks.end - before };
    const taken = cut(space, sources, left, within, few);
    before += taken.before;
    left -= taken.before + taken.after;
    const kept = countIn(taken.groups);
    const [values, ids] = taken.groups as [Items, Items];
    const longer = kept > few ? renumber(space, values, ids, key) : undefined;
    if (longer === undefined || (longer <= shared && kept * 2 > n)) {
      return { values, ids, count: left, before, after: total - before - left };
    }
    shared = longer;
    sources = taken.groups.map((items) => numbered(space, items));
  }
}

/** Numbers items by the bytes after their shared beginning; returns its length, if all are of one kind. */
function renumber(space: Space, values: Items, ids: Items, key: RowKey): number | undefined {
  if (key.labelOf || (values.n > 0 && ids.n > 0)) return undefined;
  const { dictionary, uuids } = key.column!;
  return ids.n > 0 ? renumberIds(space, uuids!, ids) : renumberValues(space, dictionary!, values);
}

/** Values and ids. */
function sourcesOf(
  space: Space,
  rows: RowSet,
  withIds: RowSet | undefined,
  arrays: ArrayRows,
  key: RowKey,
): Source[] {
  const values = sourceOfValues(space, rows, arrays, key);
  const none = numbered(space, NONE);
  if (key.labelOf) {
    const labels = values ? numbered(space, itemsByLabel(space, values, key)) : none;
    const ids = withIds ? numbered(space, scalarsOf(space, withIds, key)) : none;
    return [labels, ids];
  }
  const ids = withIds && sourceOfIds(space, withIds, values !== undefined, key);
  return [values ?? none, ids ?? none];
}

function sourceOfIds(space: Space, rows: RowSet, isMixed: boolean, { column }: RowKey): Source {
  const { uuids } = column!;
  if (!isMixed && rows.count * FEW_OF.ids >= uuids!.size) {
    return idsOfRows(space, uuids!, rows);
  }
  const items = numberedIds(space, uuids!, rows.list, rows.count, isMixed);
  return numbered(space, items);
}

function sourceOfValues(
  space: Space,
  rows: RowSet,
  arrays: ArrayRows,
  { column }: RowKey,
): Source | undefined {
  const { dictionary, uuids } = column!;
  if (dictionary!.size === 0) return undefined;
  const { values } = dictionary!;
  // Ids are numbered by their first bytes.
  const numbers = values.numbers.of(values, uuids === undefined);
  if (rows.count * FEW_OF.values < values.length) {
    const items = valuesOfRows(space, dictionary!, numbers, rows, arrays);
    return numbered(space, items);
  }
  // Nobody else has the table where some rows are left out.
  const counts = countedIn(dictionary!, arrays.plain);
  const { u32 } = space.memory;
  for (const ordinal of arrays.ordinals) u32[(counts >>> 2) + ordinal]!++;
  return countedValues(space, values.length, numbers, counts);
}

function itemsByLabel(space: Space, values: Source, key: RowKey): Items {
  const items = allOf(space, values);
  const { f64, u32 } = space.memory;
  for (let i = 0; i < items.n; i++) {
    const ordinal = u32[(items.list >>> 2) + i]! as Ordinal;
    f64[(items.numbers >>> 3) + i] = prefixKey(scalarOfValue(key, ordinal));
  }
  return items;
}

/** The rows whose value is kept as bytes. */
function rowsWithIds(space: Space, rows: RowSet, key: RowKey): RowSet | undefined {
  const { uuids } = key.column!;
  if (!uuids || uuids.size === 0) return undefined;
  const { kernel, bitmapBytes } = space;
  const bitmap = copiedRows(space, uuids.rows);
  if (!rows.isAll) kernel.and(bitmap, rows.bitmap, bitmapBytes);
  return rows.of(bitmap);
}

/** Rows, each of which is asked for its scalar. */
function scalarsOf(
  { memory, scratch }: Space,
  { list, count: n }: RowSet,
  { column, descending, labelOf }: RowKey,
): Items {
  const numbers = scratch.take(n * 8);
  const { u32, f64 } = memory;
  for (let i = 0; i < n; i++) {
    const row = u32[(list >>> 2) + i]! as RowNumber;
    f64[(numbers >>> 3) + i] = prefixKey(scalarOf(column!, row, descending, labelOf));
  }
  return { list, numbers, weights: NULL_POINTER, n };
}
