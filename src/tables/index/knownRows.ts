/**
 * Rows of the tables for decisions that must not be stale, such as callers' rights.
 *
 *     current, or the store away for a short time ──► rows of one collection, as of the frontier
 *     else                                        ──► nothing is known
 */
import type { Timestamp } from 'mongodb';
import type { Follower } from '../../follow/follower.ts';
import { isAway, type KnownAsOf } from '../../store/hedged.ts';
import type { RowId } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import type { StoredDocument } from '../definition/record.ts';
import type { MemoryRows } from '../rows/rests/memoryRows.ts';
import type { Tables } from './tables.ts';

export interface KnownRowsDeps {
  readonly tables: Tables;
  readonly memoryRows: MemoryRows;
  readonly follower: Pick<
    Follower,
    'isExact' | 'isLive' | 'ageMs' | 'silentMs' | 'frontier' | 'state'
  >;
  /** How long memory answers after the store's last sign of life, milliseconds. */
  readonly maxSilentMs: number;
}

/** Rows of one collection; undefined where only the store can tell, such as for dirty values. */
export interface KnownTable {
  /** Values of columns; null if there is no such row. */
  values(id: RowId, columns: readonly string[]): readonly unknown[] | null | undefined;
  /** Ids of rows that have this value in a column, in the order of ids. */
  ids(column: string, value: RowId, most: number): readonly RowId[] | undefined;
  /** The members that records show. */
  document(id: RowId): StoredDocument | undefined;
}

/**
 * The greatest age of tables that count as current, milliseconds. The answer has the rest of a
 * second to travel.
 */
const MAX_AGE_MS = 900;

export class KnownRows {
  readonly #deps: KnownRowsDeps;

  constructor(deps: KnownRowsDeps) {
    this.#deps = deps;
  }

  get silentMs(): number {
    return this.#deps.follower.silentMs;
  }

  /** For how long the rows may have lacked changes of the store; Infinity where that is unknown. */
  get lagMs(): number {
    return this.#deps.follower.state.lagMs ?? Number.POSITIVE_INFINITY;
  }

  /** The rows of a resource, at `notBefore` or later; undefined while they do not count. */
  of(resource: Resource, asOf: KnownAsOf, notBefore?: Timestamp): KnownTable | undefined {
    const { follower, maxSilentMs, tables, memoryRows } = this.#deps;
    const names = [resource.name];
    if (notBefore && !follower.frontier?.greaterThanOrEqual(notBefore)) return undefined;
    const counts =
      asOf === 'now'
        ? follower.isLive(names) && follower.ageMs < MAX_AGE_MS
        : isAway(follower.silentMs, maxSilentMs) && follower.isExact(names);
    if (!counts) return undefined;
    const { table } = tables.of(resource.name);
    return {
      values: (id, columns) =>
        table.ask('shown', id, columns)?.values ?? (table.has(id) === false ? null : undefined),
      ids(column, value, most) {
        const where = { op: 'equals', column, values: [value] } as const;
        const order = { sortBy: 'id', descending: false, page: 1, perPage: most };
        return table.ask('search', { where, ...order })?.ids;
      },
      document: (id) => memoryRows.documentOf(resource, id),
    };
  }
}
