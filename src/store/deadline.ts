/**
 * A request's time from its beginning to its answer, and the events that may end it earlier. It
 * also holds the moment of the store that reads must have reached.
 *
 *     begins ── permission ── body ── wait for a turn ── index ── pipeline ── rows ──▶ time is over
 *               └── each is given what is left; none has a time of its own ──┘
 *
 * Besides time, a client that left, a service that stops and a primary that was replaced or lost end the
 * work under way. Time is kept twice. The server gets the time left (`maxTimeMS`) and says when it is
 * over; if the server is stuck, the signal gives up a little later.
 *
 * The signal's reason is an error of the driver's own kind. So the driver treats an abandoned
 * command like a connection that timed out: it closes that connection, does not reuse the command's
 * session, and keeps the other connections.
 */
import { MongoNetworkTimeoutError, type Timestamp } from 'mongodb';

/** The reason that ended the wait. */
export type End = 'time' | 'client' | 'stopping' | 'replaced' | 'lost' | 'answered';

const WORDS: Readonly<Record<End, string>> = {
  time: 'no answer came in time',
  client: 'the client left',
  stopping: 'the service is stopping',
  replaced: 'the primary that was asked was replaced',
  lost: 'the primary that was asked was lost',
  answered: 'another answer came first',
};

/** The error of every wait that the deadline ended. */
export class Ended extends MongoNetworkTimeoutError {
  readonly end: End;

  constructor(end: End) {
    super(WORDS[end]);
    this.end = end;
  }

  override get name(): string {
    return 'Ended';
  }
}

export const isEndedBy = (end: End, error: unknown): boolean =>
  error instanceof Ended && error.end === end;

/** How much longer than the server the signal waits, milliseconds. */
const GRACE_MS = 250;

/** Longest delay that a timer knows and a server takes, milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

export class Deadline {
  /** A cluster time: every read for the request shows this moment or a later one. */
  notBefore: Timestamp | undefined;
  /** Both by the process's own clock, milliseconds. */
  readonly #began = performance.now();
  #at: number;
  /** Called when it ends. Signals cost more, and most requests need none. */
  readonly #waiting = new Set<(ended: Ended) => void>();
  #abort: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended: Ended | undefined;
  /** While positive, time does not count. */
  #outside = 0;
  #closed = false;

  /** @param timeoutMs from now on; `Infinity` for work that goes on as long as it gets on */
  constructor(timeoutMs: number) {
    this.#at = this.#began + timeoutMs;
  }

  /** Gives it another length, from the same beginning. */
  allow(timeoutMs: number): void {
    this.#at = this.#began + timeoutMs;
    this.#arm();
  }

  /** Milliseconds left, whole ones for the server: at least 1, since zero would mean no limit. */
  get left(): number {
    const left = Math.round(this.#at - performance.now());
    return Math.min(Math.max(1, left), LONGEST_MS);
  }

  /** Whether nothing is left to wait for. */
  get isOver(): boolean {
    return this.#ended !== undefined || performance.now() >= this.#at;
  }

  /** Aborted when the time is over or something ends it before; its reason is an `Ended`. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      this.onEnd((ended) => abort.abort(ended));
    }
    return this.#abort.signal;
  }

  /** Ends all waits. Later causes change nothing. */
  stop(end: End): void {
    if (this.#ended) return;
    this.#ended = new Ended(end);
    this.#disarm();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const one of waiting) one(this.#ended);
  }

  /** Whether nothing waits any more: work that still goes on has its own time limit. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Nothing waits any more: frees the timer. */
  close(): void {
    this.#closed = true;
    this.#disarm();
    this.#waiting.clear();
  }

  /** @throws Ended */
  check(): void {
    if (this.#ended) throw this.#ended;
  }

  /**
   * Waits for the work, unless the deadline ends first. The work itself goes on.
   *
   * @throws Ended
   */
  wait<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const forget = this.onEnd(reject);
      work.then(resolve, reject).finally(forget);
    });
  }

  /** A pause, no longer than the time left. @throws Ended */
  async pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(ms, this.left));
    });
    try {
      await this.wait(over);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * A part of the work that has less time; it ends with the whole. The caller closes it when that
   * part is done.
   */
  within(timeoutMs: number): Deadline {
    const part = new Deadline(Math.min(timeoutMs, this.#at - performance.now()));
    part.notBefore = this.notBefore;
    const forget = this.onEnd((ended) => part.stop(ended.end));
    const close = part.close.bind(part);
    part.close = () => {
      forget();
      close();
    };
    return part;
  }

  /** Does a part of the work, which has less time and ends with the whole. */
  during<T>(timeoutMs: number, work: (part: Deadline) => Promise<T>): Promise<T> {
    return closed(this.within(timeoutMs), work);
  }

  /** Waits for work of another party, such as a body that arrives slowly: it takes none of the time. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    this.#outside += 1;
    this.#disarm();
    try {
      return await work();
    } finally {
      this.#outside -= 1;
      this.#at += performance.now() - began;
      this.#arm();
    }
  }

  /** Calls back when the deadline ends; the function it returns takes that back. */
  onEnd(then: (ended: Ended) => void): () => void {
    if (this.#ended) {
      then(this.#ended);
      return () => {};
    }
    this.#waiting.add(then);
    if (!this.#timer) this.#arm();
    return () => this.#waiting.delete(then);
  }

  /** Starts the clock, if there is a time limit and a waiting caller. */
  #arm(): void {
    this.#disarm();
    if (this.#waiting.size === 0 || this.#ended || this.#outside > 0) return;
    const ms = this.#at - performance.now() + GRACE_MS;
    if (ms > LONGEST_MS) return;
    this.#timer = setTimeout(() => this.stop('time'), Math.max(0, ms));
    this.#timer.unref();
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Does work that has so much time, milliseconds. */
export function withDeadline<T>(
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  return closed(new Deadline(timeoutMs), work);
}

/** Closes the deadline when the work is done. */
async function closed<T>(deadline: Deadline, work: (deadline: Deadline) => Promise<T>): Promise<T> {
  try {
    return await work(deadline);
  } finally {
    deadline.close();
  }
}
