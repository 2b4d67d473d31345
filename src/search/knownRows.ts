/**
 * Rows that need not be read of the store.
 *
 *     row   of an answer    from the tables' memory, else as it was read last
 *     kept  of a watched    the same object, written once for as long as it does not change
 */
import type { Resource } from '../resources/definition.ts';
import type { JoinedRow } from '../resources/record.ts';
import type { RowId } from '../textindex/index.ts';
import { KeptRow } from './keptRow.ts';
import type { LargeRow } from './largeRows.ts';
import type { MemoryRows } from './rests/memoryRows.ts';
import type { RowCache } from './rowCache.ts';

export type KnownRow = JoinedRow | LargeRow | undefined;

export class KnownRows {
  readonly #memoryRows: MemoryRows;
  readonly #rowCache: RowCache;

  constructor(memoryRows: MemoryRows, rowCache: RowCache) {
    this.#memoryRows = memoryRows;
    this.#rowCache = rowCache;
  }

  row(resource: Resource, id: RowId): KnownRow {
    const row = this.#memoryRows.get(resource, id);
    return row ?? this.#memoryRows.odd(resource, id) ?? this.#rowCache.get(resource.collection, id);
  }

  kept(resource: Resource, id: RowId): KnownRow {
    const known = this.#rowCache.kept(resource.collection, id);
    if (known) return known;
    const row = this.#memoryRows.get(resource, id);
    const kept = row
      ? new KeptRow(row, () => this.#memoryRows.get(resource, id))
      : this.#memoryRows.odd(resource, id);
    if (kept) this.#rowCache.keep(resource, id, kept);
    return kept;
  }
}
