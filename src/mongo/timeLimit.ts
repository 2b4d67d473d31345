/**
 * The time that several commands have together, kept by the server and, should it be stuck, by the
 * driver.
 *
 *     maxTimeMS: what is left     the server ends the command, and says so
 *     signal: a little later      nothing was heard: the connection is given up
 */
import type { Db, Document } from 'mongodb';
import { AppError } from '../errors.ts';

/** How much longer than the server the driver waits, milliseconds. */
const GRACE_MS = 250;

export class TimeLimit {
  readonly #deadline: number;

  /** @param timeoutMs from now on */
  constructor(timeoutMs: number) {
    this.#deadline = performance.now() + timeoutMs;
  }

  /** Milliseconds left, whole ones for the server: at least 1, since zero would mean no limit. */
  get left(): number {
    return Math.max(1, Math.round(this.#deadline - performance.now()));
  }

  /**
   * One command in what is left. The driver's cursors do not give up a connection that has fallen
   * silent; its commands do.
   */
  command(db: Db, command: Document): Promise<Document> {
    return this.keep((signal) => db.command({ ...command, maxTimeMS: this.left }, { signal }));
  }

  /** Does work that ends when the signal says so. @throws AppError `SearchTimeout` */
  async keep<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const giveUp = () => limit.abort(outOfTime());
    const timer = setTimeout(giveUp, this.left + GRACE_MS);
    try {
      return await work(limit.signal);
    } finally {
      clearTimeout(timer);
    }
  }
}

function outOfTime(): AppError {
  return new AppError(
    'SearchTimeout',
    'The store did not answer within the time a search may take.',
    { headers: { 'Retry-After': '1' } },
  );
}
