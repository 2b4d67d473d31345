/** Searches that fell back from the index to the pipeline: counted by reason, and logged. */

import { FOLLOWER_PHASES, type FollowerPhase } from '../../follow/follower.ts';
import type { Logger } from '../../logger.ts';

/** Why the pipeline has to answer though the tables are there, each as a sentence. */
export const WHY = {
  frontier_late: 'The index had not reached the moment of an answer or change before this in time.',
  overtaken: 'Collections or database indexes that came or went overtook the rows of the page.',
  row_missing: 'A row of the page cannot be asked for by its id, or is gone.',
  rows_unreadable: 'The rows of the page could not be read as of the moment of the index.',
  no_column: 'The index has no column of a field that rows are sorted by: the store sorts them.',
  failed: 'The index failed; the log says why.',
} as const;

/** Besides these, the phases of the follower in which tables are not there yet, or not any more. */
export type FallbackReason = keyof typeof WHY | Exclude<FollowerPhase, 'live'>;

export const FALLBACK_REASONS: readonly FallbackReason[] = [
  ...FOLLOWER_PHASES.filter((phase) => phase !== 'live'),
  ...(Object.keys(WHY) as (keyof typeof WHY)[]),
];

/** A reason is logged no more often, milliseconds. */
const REPEAT_MS = 60_000;

/** The index logs these states itself, and somebody asked for an order without a column. */
const EXPECTED = new Set<FallbackReason>(['off', 'loading', 'reloading', 'behind', 'no_column']);

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
