/**
 * Batches by macrotask: requests that wait within one turn of the event loop go on together, step
 * by step.
 *
 *     without   A: read, search, answer │ B: read, search, answer │ C: …
 *     with      A B C: read             │ A B C: search           │ A B C: answer
 *
 * A search reads a megabyte and so evicts from the processor's cache the memory that reading and
 * answering requests need; these evict the index. Side by side each is done while its own things
 * are at hand: at 16 connections a request takes a quarter less processor time.
 *
 * A long batch goes on in the next turn, so that it blocks the event loop for at most one search
 * longer than `BATCH_MS`. Until it is done the edge lets no more searches begin (`hasMore`).
 *
 * The clean-up after clients that leave is batched too, for this bound alone: thousands may leave
 * at once.
 */

/** How long work may begin in one turn of the event loop, milliseconds. */
const BATCH_MS = 4;

export class MacrotaskBatch {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #hasMore = false;

  /** @param now milliseconds on a clock that never goes back */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Calls `work` when everything that arrived in this turn has been read, and returns its result.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#begin());
      this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          // Whatever it throws is its own: the others of the batch go on.
          reject(error);
        }
      });
    });
  }

  /** Whether a turn had no time for all of its batch: new work would only wait longer. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  #begin(): void {
    const began = this.#now();
    const waiting = this.#waiting;
    let next = 0;
    do waiting[next++]!();
    while (next < waiting.length && this.#now() - began < BATCH_MS);
    waiting.splice(0, next);
    this.#hasMore = waiting.length > 0;
    if (this.#hasMore) setImmediate(() => this.#begin());
  }
}

/** The searches of this process. */
export const searchBatch = new MacrotaskBatch();
