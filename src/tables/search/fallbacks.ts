/** Searches that fell back from the index to the pipeline: counted by reason, and logged. */

import { FOLLOWER_PHASES } from '../../follow/follower.ts';
import type { Logger } from '../../logger.ts';

/** Why the pipeline has to answer. */
export const FALLBACK_REASONS = [
  // The tables are not there yet, or not any more: phases of the follower.
  ...FOLLOWER_PHASES.filter((phase) => phase !== 'live'),
  // The frontier did not reach a moment that was shown before while it was waited for.
  'frontier_late',
  // Collections and indexes that come and go kept overtaking the rows of a page.
  'overtaken',
  // A row of a page has an id that no query can name, or is gone.
  'row_missing',
  // The rows of a page could not be read at the frontier.
  'rows_unreadable',
  // It has no column of a field that rows are sorted by.
  'no_column',
  // Something in the index broke.
  'failed',
] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/** A reason is logged no more often, milliseconds. */
const REPEAT_MS = 60_000;

/** The index logs these states itself, and somebody asked for an order without a column. */
const EXPECTED: ReadonlySet<FallbackReason> = new Set([
  ...(['off', 'loading', 'reloading', 'behind', 'no_column'] as const),
]);

export class Fallbacks {
  readonly #log: Logger;
  readonly #counts: Partial<Record<FallbackReason, number>> = {};
  /** When a reason was logged, and its count then. */
  readonly #logged = new Map<FallbackReason, { readonly at: number; readonly count: number }>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Since the start. A reason that never came is missing. */
  get counts(): Readonly<Record<string, number>> {
    return this.#counts;
  }

  note(reason: FallbackReason, error?: unknown): void {
    const count = (this.#counts[reason] ?? 0) + 1;
    this.#counts[reason] = count;
    const last = this.#logged.get(reason);
    const now = performance.now();
    if (last && now - last.at < REPEAT_MS) return;
    this.#logged.set(reason, { at: now, count });
    const fields = { reason, searches: count - (last?.count ?? 0), err: error };
    const message = 'the index left searches to the pipeline';
    if (EXPECTED.has(reason)) this.#log.info(fields, message);
    else this.#log.warn(fields, message);
  }
}
