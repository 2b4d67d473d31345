/**
 * How often tables have broken, and how long each waits before it is loaded anew.
 *
 *     first time  at once      again  1 s   2 s   4 s … 60 s      whole for 10 min  at once
 *
 * A table that breaks whenever it is loaded, or whenever a certain question is asked, would otherwise be
 * read from the store all the time, for nothing.
 */
import type { TableOperation } from './guardedTable.ts';

/** Failures by table, then by what the table broke in. */
export type FailureCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
/** A table that was whole for so long has begun anew. */
const FORGOTTEN_AFTER_MS = 600_000;

interface Recent {
  readonly times: number;
  /** Of the last one, in `performance.now()`. */
  readonly at: number;
}

export class TableFailures {
  readonly #counts: Record<string, Record<string, number>> = {};
  readonly #recent = new Map<string, Recent>();

  /** Every failure since the start. */
  get counts(): FailureCounts {
    return this.#counts;
  }

  /** Counts one; returns the milliseconds that the table is to wait before it is loaded anew. */
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
