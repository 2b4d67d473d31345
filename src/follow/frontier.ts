/**
 * The frontier F, the cluster time whose state the tables show, and the requests that wait for it.
 *
 *     F ──► only ever forward
 *     waitFor(t)   F ≥ t ─► true    after a moment: nudge    deadline ─► false
 *
 * A wait may take twice as long as the frontier lately took to reach awaited times. Where every
 * round trip is slow, so is F. A search that gave up too early would be behind again the next time,
 * since the pipeline that answers instead shows a later moment.
 */

import type { Timestamp } from 'mongodb';
import { invariant } from '../errors.ts';
import { type ClusterTime, toTimestamp } from '../store/clusterTime.ts';

interface Waiter {
  readonly time: ClusterTime;
  readonly since: number;
  readonly settle: (reached: boolean) => void;
}

/** A change that the stream matches is here sooner than this, in milliseconds: 1.2 p50, 5 p99. */
const NUDGE_AFTER_MS = 4;
/** A wait has at least this time, if its caller has, in milliseconds. */
const MIN_WAIT_MS = 250;
/** Waits that say how long the next one may take. */
const LATELY = 8;

export class Frontier {
  #at: ClusterTime | null = null;
  #timestamp: Timestamp | null = null;
  readonly #waiters = new Set<Waiter>();
  readonly #nudge: () => void;
  /** How long the latest waits took, or would have taken, in milliseconds. */
  readonly #took: number[] = [];
  /** The first of the waits that were given up and whose time has not come yet. */
  #givenUp: Pick<Waiter, 'time' | 'since'> | null = null;

  /** @param nudge asks for something that makes an idle stream move on */
  constructor(nudge: () => void) {
    this.#nudge = nudge;
  }

  get at(): ClusterTime | null {
    return this.#at;
  }

  get timestamp(): Timestamp | null {
    return this.#timestamp;
  }

  moveTo(to: ClusterTime): void {
    invariant(this.#at === null || to >= this.#at, 'the frontier never moves back');
    if (to === this.#at) return;
    this.#at = to;
    this.#timestamp = toTimestamp(to);
    for (const waiter of this.#waiters) {
      if (waiter.time > to) continue;
      this.#note(waiter);
      waiter.settle(true);
    }
    if (this.#givenUp && this.#givenUp.time <= to) {
      this.#note(this.#givenUp);
      this.#givenUp = null;
    }
  }

  #note({ since }: Pick<Waiter, 'since'>): void {
    this.#took.push(performance.now() - since);
    if (this.#took.length > LATELY) this.#took.shift();
  }

  /** Longest time of a wait, milliseconds: twice the longest of the latest ones. */
  get #longestWaitMs(): number {
    return Math.max(MIN_WAIT_MS, 2 * Math.max(0, ...this.#took));
  }

  /** Whether F reaches `time` as soon as it usually does, and within `deadlineMs` milliseconds. */
  waitFor(time: ClusterTime, deadlineMs: number): Promise<boolean> {
    if (this.#at !== null && this.#at >= time) return Promise.resolve(true);
    if (deadlineMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const nudge = setTimeout(this.#nudge, NUDGE_AFTER_MS);
      const end = setTimeout(
        () => {
          this.#givenUp ??= waiter;
          waiter.settle(false);
        },
        Math.min(deadlineMs, this.#longestWaitMs),
      );
      const waiter: Waiter = {
        time,
        since: performance.now(),
        settle: (reached) => {
          clearTimeout(nudge);
          clearTimeout(end);
          this.#waiters.delete(waiter);
          resolve(reached);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  /** No caller waits in vain for a frontier that will not move. */
  giveUp(): void {
    for (const waiter of this.#waiters) waiter.settle(false);
  }
}
