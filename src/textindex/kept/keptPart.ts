/** A part of an explore that is kept: its page, counts by value, counts by time. */
import type { RowVersion } from './rowVersion.ts';

export interface KeptPart {
  /** What it looks at of a row: one that holds there what it held is no change to it. */
  readonly columns: readonly number[];
  /** A row changes that counts, or did: undefined where it does not. */
  change(before: RowVersion | undefined, after: RowVersion | undefined): void;
}
