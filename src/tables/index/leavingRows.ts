/** The rows that leave the window of a table as the frontier moves on. */
import type { Timestamp } from 'mongodb';
import type { CollectionChanges } from '../../follow/sink.ts';
import type { ExploreRequest, RowId } from '../../textindex/index.ts';
import { ALL } from '../definition/predicate.ts';
import { type Window, windowStart } from '../definition/window.ts';
import type { GuardedTable } from './guardedTable.ts';
import type { ResourceTable } from './resourceTable.ts';

/** The changes that make each live table its window at this moment; notes that it was looked at. */
export function leavingRows(tables: Iterable<ResourceTable>, at: Timestamp): CollectionChanges[] {
  const left: CollectionChanges[] = [];
  for (const one of tables) {
    const { resource, table, loading } = one;
    if (!resource.window || loading) continue;
    const from = windowStart(resource.window, at);
    if (one.since === from.getTime()) continue;
    one.since = from.getTime();
    const changes = olderRows(table, resource.window, at).map((id) => ({ id, row: null }));
    if (changes.length > 0) left.push({ collection: resource.name, changes });
  }
  return left;
}

/** Rows with a date before the window and none in it; a document may hold several, as dirty data. */
export function olderRows(table: GuardedTable, window: Window, at: Timestamp): readonly RowId[] {
  const from = windowStart(window, at);
  const { field: column } = window;
  const request: ExploreRequest = {
    ...{ within: ALL, where: ALL, sortBy: 'id', descending: false },
    ...{ page: 1, perPage: Math.max(1, table.size) },
    conditions: [{ op: 'range', column, to: from }],
    facets: [],
  };
  const isIn = (value: unknown) => value instanceof Date && value >= from;
  const found = table.ask('explore', request)?.ids ?? [];
  return found.filter((id) => !table.ask('valuesOf', id, [column])?.[0]?.some(isIn));
}
