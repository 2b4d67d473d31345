/**
 * Counts how often tables have broken, and says how long each one waits before it is loaded again.
 *
 *     first time  at once      again  1 s   2 s   4 s … 60 s      whole for 10 min  at once
 *
 * Otherwise a table that breaks at each load, or at a certain question, would be read from the
 * store all the time, for nothing.
 */
import type { TableOperation } from './guardedTable.ts';

/** Failures by table, then by operation. */
export type FailureCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
/** After this time without a failure a table's back-off begins again. */
const FORGOTTEN_AFTER_MS = 600_000;

export class TableFailures {
  readonly #counts: Record<string, Record<string, number>> = {};
  /** How often each table broke in a row, and when it did last, in `performance.now()`. */
  readonly #recent = new Map<string, { readonly times: number; readonly at: number }>();

  /** Every failure since the start. */
  get counts(): FailureCounts {
    return this.#counts;
  }

  /**
   * Counts a failure; returns the milliseconds that the table must wait before it is loaded again.
   */
  add(table: string, operation: TableOperation, now = performance.now()): number {
    this.#counts[table] ??= {};
    const counts = this.#counts[table];
    counts[operation] = (counts[operation] ?? 0) + 1;
    const last = this.#recent.get(table);
    const times =
      last && now - last.at < FORGOTTEN_AFTER_MS + backoffOf(last.times) ? last.times : 0;
    this.#recent.set(table, { times: times + 1, at: now });
    return backoffOf(times + 1);
  }
}

/** Milliseconds between a table's failure and its next load, when it has broken so often in a row. */
const backoffOf = (times: number): number =>
  times <= 1 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** (times - 2), LONGEST_BACKOFF_MS);
