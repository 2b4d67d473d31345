/**
 * How long the store has been known to be ahead of the frontier.
 *
 *     told of a time t > F        ahead since now, until F ≥ t
 *     the stream did not answer   ahead since its last answer, for what happened since is not known
 *
 * Cluster times have whole seconds and stand still in an idle store, so no clock can be compared
 * with them. The moment at which this process heard of a time counts instead.
 */
import type { ClusterTime } from '../store/clusterTime.ts';
import type { Frontier } from './frontier.ts';

interface Ahead {
  time: ClusterTime;
  readonly since: number;
}

/** Times that were told within this many milliseconds, or this part of the lag, are one. */
const TOGETHER_MS = 10;
const TOGETHER_PART = 1 / 64;

export class Lag {
  readonly #frontier: Pick<Frontier, 'at'>;
  /** In the order of arrival; each time is later than the one before. */
  readonly #ahead: Ahead[] = [];
  #answeredAt = performance.now();
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(frontier: Pick<Frontier, 'at'>) {
    this.#frontier = frontier;
  }

  /** Notes that the store has reached `time`. */
  know(time: ClusterTime, since = performance.now()): void {
    this.#forget();
    if (time <= this.#at) return;
    const last = this.#ahead.at(-1);
    if (last === undefined) {
      this.#ahead.push({ time, since });
    } else if (time > last.time) {
      const together = Math.max(TOGETHER_MS, (since - this.#ahead[0]!.since) * TOGETHER_PART);
      if (since - last.since < together) last.time = time;
      else this.#ahead.push({ time, since });
    }
  }

  /** The stream answered; the store is at `time`, and the next answer due within `dueMs`. */
  answered(time: ClusterTime, dueMs: number, now = performance.now()): void {
    const late = now - this.#answeredAt > this.#dueMs;
    this.know(time, late ? this.#answeredAt : now);
    this.#answeredAt = now;
    this.#dueMs = dueMs;
  }

  /** The stream does not answer any more, for the time being. */
  interrupted(): void {
    this.#dueMs = 0;
  }

  /** Milliseconds; 0 when the frontier is as far as the store is known to be. */
  ms(now = performance.now()): number {
    this.#forget();
    const ahead = this.#ahead[0] ? now - this.#ahead[0].since : 0;
    const silent = now - this.#answeredAt;
    return Math.max(ahead, silent > this.#dueMs ? silent : 0);
  }

  get #at(): ClusterTime {
    return this.#frontier.at ?? 0n;
  }

  /** Forgets the times that the frontier has reached. */
  #forget(): void {
    const at = this.#at;
    const first = this.#ahead.findIndex(({ time }) => time > at);
    this.#ahead.splice(0, first < 0 ? this.#ahead.length : first);
  }
}
