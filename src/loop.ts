/**
 * The one scheduler of the event loop: all work that may have to wait for other work asks it.
 *
 * ```
 * a turn ─▶ sockets are read, requests begin ─▶ probe │ answer │ request │ step │ watch │ maintenance
 *                       4 ms                     └─ 4 ms in this order, but one of each lane at least
 * ```
 *
 * Node hands over all requests that have come before it looks at its sockets again. A thousand at once
 * would block the event loop until all are done, and a probe of the service's health would wait for
 * all of them. So only so many begin in a turn.
 *
 * - probe: requests for the service's health, for 1 ms a turn, so that a flood of them blocks nobody
 * - answer: the end of requests that have begun, such as a search or the release of their holdings
 * - request: the beginning of requests, and questions about rights of running answers
 * - step: the parts of large answers and bodies
 * - watch: watched explores, asked again
 * - maintenance: the first load, the change stream, checkpoints and the upkeep of tables
 *
 * Answers are made side by side: `A B C: read │ A B C: search │ A B C: answer`. A search reads a
 * megabyte, and evicts the code and data of reading and answering from the processor's cache. At 16
 * connections a request so takes a quarter less processor time. While answers are left over from the
 * turn before, no request begins at once: it would only wait longer.
 *
 * In each lane callers take turns: the first work of each comes before the second of any.
 */

const LANES = ['probe', 'answer', 'request', 'step', 'watch', 'maintenance'] as const;

export type Lane = (typeof LANES)[number];

/** For how long work begins in one turn of the event loop, milliseconds. */
const TURN_MS = 4;

/** How long one piece of a longer work takes, milliseconds. */
export const PIECE_MS = TURN_MS / 4;

const PROBE = LANES.indexOf('probe');
const ANSWER = LANES.indexOf('answer');

type Work = () => void;

/** Work that waits, callers in turn. */
class Queue {
  readonly #byCaller = new Map<unknown, Work[]>();

  get isEmpty(): boolean {
    return this.#byCaller.size === 0;
  }

  add(caller: unknown, work: Work): void {
    const same = this.#byCaller.get(caller);
    if (same) same.push(work);
    else this.#byCaller.set(caller, [work]);
  }

  /** The first of a caller, who then stands behind the others. */
  take(): Work {
    const [[caller, works]] = this.#byCaller as unknown as [[unknown, Work[]]];
    const work = works.shift()!;
    this.#byCaller.delete(caller);
    if (works.length > 0) this.#byCaller.set(caller, works);
    return work;
  }
}

export class Loop {
  readonly #now: () => number;
  readonly #lanes = LANES.map(() => new Queue());
  /** When work first began in this turn. */
  #began: number | undefined;
  #isScheduled = false;
  /** Whether the turn before had no time for all answers. */
  #isBehind = false;

  /** @param now milliseconds on a clock that never goes back */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Calls `work` once: at once where there is time and nothing comes first, or in a later turn. */
  begin(lane: 'probe' | 'request', caller: unknown, work: Work): void {
    const [probes, , requests] = this.#lanes as [Queue, Queue, Queue];
    const isNext = probes.isEmpty && (lane === 'probe' || (requests.isEmpty && !this.#isBehind));
    if (isNext && this.#mayBegin()) work();
    else this.#add(lane, caller, work);
  }

  /** Calls `work` in its lane, once all sockets of this turn have been read; returns its result. */
  run<T>(lane: Lane, caller: unknown, work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#add(lane, caller, () => {
        try {
          resolve(work());
        } catch (error) {
          // The others go on.
          reject(error);
        }
      });
    });
  }

  /** Waits in a lane; a piece of work may follow. */
  turn(lane: Exclude<Lane, 'answer'>, caller?: unknown): Promise<void> {
    return new Promise((resolve) => this.#add(lane, caller, resolve));
  }

  /** A piece of work begins now; the result tells whether it may still go on. */
  piece(): () => boolean {
    const until = this.#now() + PIECE_MS;
    return () => this.#now() < until;
  }

  /** Does all steps in pieces, with turns for other work in between. */
  async all<T>(lane: Exclude<Lane, 'answer'>, steps: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const mayGoOn = this.piece();
      do {
        const { done, value } = steps.next();
        if (done) return value;
      } while (mayGoOn());
      await this.turn(lane);
    }
  }

  #add(lane: Lane, caller: unknown, work: Work): void {
    this.#lanes[LANES.indexOf(lane)]!.add(caller, work);
    this.#schedule();
  }

  /** Whether there is time in this turn, which begins with the first work that asks. */
  #mayBegin(ms = TURN_MS): boolean {
    if (this.#began === undefined) {
      this.#began = this.#now();
      this.#schedule();
      return true;
    }
    return this.#now() - this.#began < ms;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#began = this.#now();
      this.#goOn(0, true);
    });
  }

  /** @param isFirst whether nothing of this lane has begun in this turn */
  #goOn(at: number, isFirst: boolean): void {
    const lane = this.#lanes[at];
    if (!lane) this.#end();
    else if (lane.isEmpty || !(isFirst || this.#mayBegin(at === PROBE ? PIECE_MS : TURN_MS))) {
      this.#goOn(at + 1, true);
    } else {
      do lane.take()();
      while (at === ANSWER && !lane.isEmpty && this.#mayBegin());
      // Microtasks are a part of the work: a tick that one of them asks for comes after all.
      queueMicrotask(() => process.nextTick(() => this.#goOn(at, false)));
    }
  }

  #end(): void {
    this.#began = undefined;
    this.#isScheduled = false;
    this.#isBehind = !this.#lanes[ANSWER]!.isEmpty;
    if (this.#lanes.some((lane) => !lane.isEmpty)) this.#schedule();
  }
}

/** The event loop of this process has one. */
export const loop = new Loop();
