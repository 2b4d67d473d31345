/**
 * Rows that need not be read from the store.
 *
 *     row      for an answer     from the tables' memory, else as it was read last
 *     watched  for one watched   the same object, written once for as long as it does not change
 */

import type { RowId } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import type { LargeRow } from './largeRows.ts';
import type { MemoryRows } from './rests/memoryRows.ts';
import type { RowCache } from './rowCache.ts';
import { WatchedRow } from './watchedRow.ts';

export type LocalRow = JoinedRow | LargeRow | undefined;

export class LocalRows {
  readonly #memoryRows: MemoryRows;
  readonly #rowCache: RowCache;

  constructor(memoryRows: MemoryRows, rowCache: RowCache) {
    this.#memoryRows = memoryRows;
    this.#rowCache = rowCache;
  }

  row(resource: Resource, id: RowId): LocalRow {
    const row = this.#memoryRows.get(resource, id);
    return row ?? this.#memoryRows.odd(resource, id) ?? this.#rowCache.get(resource.collection, id);
  }

  watched(resource: Resource, id: RowId): LocalRow {
    const cached = this.#rowCache.entry(resource.collection, id);
    if (cached) return cached;
    const row = this.#memoryRows.get(resource, id);
    const watched = row
      ? new WatchedRow(row, () => this.#memoryRows.get(resource, id))
      : this.#memoryRows.odd(resource, id);
    if (watched) this.#rowCache.add(resource, id, watched);
    return watched;
  }
}
