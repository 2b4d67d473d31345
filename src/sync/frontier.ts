/**
 * The frontier F: the cluster time whose state the tables show; and those who wait for it.
 *
 *     F ──► only ever forward
 *     waitFor(t)   F ≥ t ─► true    after a moment: nudge    deadline ─► false
 */

import type { Timestamp } from 'mongodb';
import { invariant } from '../errors.ts';
import { type ClusterTime, toTimestamp } from './clusterTime.ts';

interface Waiter {
  readonly time: ClusterTime;
  readonly settle: (reached: boolean) => void;
}

/** A change that the stream matches is here sooner than this, in milliseconds: 1.2 p50, 5 p99. */
const NUDGE_AFTER_MS = 4;

export class Frontier {
  #at: ClusterTime | null = null;
  #timestamp: Timestamp | null = null;
  readonly #waiters = new Set<Waiter>();
  readonly #nudge: () => void;

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

  advance(to: ClusterTime): void {
    invariant(this.#at === null || to >= this.#at, 'the frontier never moves back');
    if (to === this.#at) return;
    this.#at = to;
    this.#timestamp = toTimestamp(to);
    for (const waiter of this.#waiters) if (waiter.time <= to) waiter.settle(true);
  }

  /** Whether F reaches `time` within `deadlineMs` milliseconds. */
  waitFor(time: ClusterTime, deadlineMs: number): Promise<boolean> {
    if (this.#at !== null && this.#at >= time) return Promise.resolve(true);
    if (deadlineMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const nudge = setTimeout(this.#nudge, NUDGE_AFTER_MS);
      const end = setTimeout(() => waiter.settle(false), deadlineMs);
      const waiter: Waiter = {
        time,
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

  /** Nobody waits in vain for a frontier that will not move. */
  giveUp(): void {
    for (const waiter of this.#waiters) waiter.settle(false);
  }
}
