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
import { allOf, cut, type Items, numbered, type Renumber, type Source, type Taken } from './cut.ts';
import {
  idsOfRows,
  numberedIds,
  renumberIds,
  renumberValues,
  valuesOfRows,
} from './numberedItems.ts';
import type { RowSet } from './rowSet.ts';
import { countedIn } from './valueCounts.ts';

/** Rows are fewer than the values, or the ids, by this factor where no other one is looked at. */
const FEW_OF = { values: 8, ids: 16 };

const NONE: Items = { list: NULL_POINTER, numbers: NULL_POINTER, weights: NULL_POINTER, n: 0 };

/** Items, or rows, that are compared rather than cut down, or split, once more. */
export const fewItems = ({ layout }: Space): number => layout.fewHits;

/**
 * The items that may be at these ranks in ascending order: values, of which one may be several items, then
 * ids. `arrays`: the rows of the set that have an array.
 */
export function itemsAt(
  space: Space,
  rows: RowSet,
  arrays: ArrayRows,
  key: RowKey,
  ranks: Ranks,
): Taken {
  const withIds = rowsWithIds(space, rows, key);
  const sources = sourcesOf(space, rows, withIds, arrays, key);
  const renumber = renumbering(space, key);
  const taken = cut(space, sources, rows.count, ranks, fewItems(space), renumber);
  withIds?.free();
  return taken;
}

/** Numbers items, which are of one kind, by the bytes after a beginning that is longer each time. */
function renumbering(space: Space, { column, labelOf }: RowKey): Renumber {
  const { dictionary, uuids } = column!;
  let shared = -1;
  return ([values, ids]) => {
    if (labelOf || (values!.n > 0 && ids!.n > 0)) return false;
    const before = shared;
    shared =
      ids!.n > 0 ? renumberIds(space, uuids!, ids!) : renumberValues(space, dictionary!, values!);
    return shared > before;
  };
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
  return numbered(space, { list: NULL_POINTER, numbers, weights: counts, n: values.length });
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
