/**
 * Where followed rows go: the tables of an index, or a plain Map in the tests.
 *
 *     begin ──► prepare … ──► load … ──► finish … ──► apply (going live) ──► apply ──► …
 *       ▲                                                       │
 *       └── the collection was dropped,                         └─ from here on the table is the
 *           renamed, or the stream lost                            state at F, exactly
 *
 * Every call is synchronous. Between a `begin` and the advance with which the collection goes live, its table
 * is in between states: `Follower.isLive` says no, and searches must not use it.
 */
import type { Timestamp } from 'mongodb';
import type { Row, RowId } from '../textindex/index.ts';

export interface Change {
  readonly id: RowId;
  /** The row at the advance's time; null when there is none. */
  readonly row: Row | null;
}

export interface CollectionChanges {
  readonly collection: string;
  readonly changes: readonly Change[];
}

export interface Advance {
  /** The new frontier. Equal to the one before when a collection goes live in an idle store. */
  readonly at: Timestamp;
  /** Changes of collections that are live or go live; collections without changes are left out. */
  readonly changed: readonly CollectionChanges[];
  /** Collections whose tables are exact from this advance on. */
  readonly goingLive: readonly string[];
}

export interface Sink {
  /** Drops the collection's table, whatever state it is in, for an empty one. */
  begin(collection: string): void;
  /**
   * Prepares the empty table for its rows, for about `budgetMs`; false when nothing is left. Asked
   * before the first `load`, until it says so. `expected`: about how many rows will come, if known.
   */
  prepare(collection: string, budgetMs: number, expected?: number): boolean;
  /** Puts rows in, replacing rows with the same id, and takes `gone` out; a slice of a load. */
  load(collection: string, rows: readonly Row[], gone: readonly RowId[]): void;
  /** Does, in slices like `prepare`, the work that follows the rows of a scan. */
  finish(collection: string, budgetMs: number): boolean;
  /** The table stays as it is, and is not live until the advance that it goes live with again. */
  pause(collection: string): void;
  /**
   * The ids of rows that have become too old for the table by `at`, though their documents did not
   * change. Asked for a table that was restored or paused, before it goes live.
   */
  outdated(collection: string, at: Timestamp): readonly RowId[];
  /**
   * Makes every table that is live, or goes live, the state at `at`, in this one step. Each change
   * removes the row of its id and puts the new row in, if there is one.
   */
  apply(advance: Advance): void;
  /** Frees the collection's table: it is not followed any more. */
  forget(collection: string): void;
  /**
   * Asked after each slice and each advance: why the table must not grow further (a memory bound), or null.
   * The collection is then forgotten and its state `off`, with this reason.
   */
  refusal(collection: string): string | null;
}
