/** A part of an explore that is kept up to date: its page, counts by value, counts by time. */
import type { RowVersion } from './rowVersion.ts';

export interface IncrementalPart {
  /** The columns that it depends on: a change that leaves a row's cells in them equal is none to it. */
  readonly columns: readonly number[];
  /** A row that matches, or did, changes: `before` is undefined if it did not match, `after` if it no longer does. */
  change(before: RowVersion | undefined, after: RowVersion | undefined): void;
}
