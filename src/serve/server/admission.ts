/**
 * When a request that has come begins.
 *
 * ```
 * request ─▶ has this turn time left? ─▶ begins at once
 *             └─ no ─▶ the line of its caller ─▶ begins in a later turn: one of each line in a round, probes first
 * searches left over from an earlier turn? only probes begin until they are done
 * ```
 *
 * Node hands over all requests that have come, one after the other, before it looks at its sockets
 * again: a thousand at once block the event loop for as long as all of them take, and whoever comes next, a
 * probe of the service's health included, waits for the whole thousand. So only so many begin in one turn.
 * Who the caller is has not been checked yet: that is a part of the work. The header that will be
 * checked stands for them. Whoever sends many headers gets many lines, and others wait as long as if
 * there was one line for all.
 */

/** For how long requests begin in one turn of the event loop, milliseconds. */
const TURN_MS = 4;

/** Probes that begin before all others in a turn: a flood of them must not block other requests either. */
const PROBES_A_TURN = 4;

/** The queue of health probes. */
export const PROBE = Symbol('probe');

/** The queue in which a request waits: its `Authorization` value, or that of health probes. */
export type QueueKey = string | typeof PROBE;

type Work = () => void;

export class Admission {
  readonly #queues = new Map<QueueKey, Work[]>();
  readonly #now: () => number;
  readonly #isBehind: () => boolean;
  /** When requests first began in this turn. */
  #turnBegan: number | undefined;
  #probesLeft = PROBES_A_TURN;

  /**
   * @param isBehind whether what began earlier is still to be done: only probes begin then
   * @param now      milliseconds on a clock that never goes back
   */
  constructor(isBehind: () => boolean, now = () => performance.now()) {
    this.#isBehind = isBehind;
    this.#now = now;
  }

  /** Calls `work` once: at once, or in a later turn of the event loop. */
  admit(key: QueueKey, work: Work): void {
    if (this.#queues.size === 0 && this.#hasTime() && this.#mayBegin(key)) work();
    else {
      const queue = this.#queues.get(key);
      if (queue) queue.push(work);
      else this.#queues.set(key, [work]);
    }
  }

  #hasTime(): boolean {
    if (this.#turnBegan === undefined) {
      this.#turnBegan = this.#now();
      setImmediate(() => this.#nextTurn());
      return true;
    }
    return this.#now() - this.#turnBegan < TURN_MS;
  }

  #nextTurn(): void {
    this.#turnBegan = undefined;
    this.#probesLeft = PROBES_A_TURN;
    this.#begin();
  }

  /** Begins those who wait, for as long as the turn has time. */
  #begin(): void {
    if (this.#queues.size === 0 || !this.#hasTime()) return;
    const key = this.#nextKey();
    if (!this.#mayBegin(key)) return;
    this.#next(key);
    // Microtasks are a part of what a request takes: a tick that one of them asks for comes after all.
    queueMicrotask(() => process.nextTick(() => this.#begin()));
  }

  #mayBegin(key: QueueKey): boolean {
    return key === PROBE || !this.#isBehind();
  }

  /** The queue whose turn it is. */
  #nextKey(): QueueKey {
    const [first] = this.#queues.keys();
    return this.#probesLeft > 0 && this.#queues.has(PROBE) ? PROBE : first!;
  }

  /** Begins the first of a queue, which then stands behind the other queues. */
  #next(key: QueueKey): void {
    const queue = this.#queues.get(key)!;
    const work = queue.shift()!;
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
    if (key === PROBE) this.#probesLeft -= 1;
    work();
  }
}
