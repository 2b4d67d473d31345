/**
 * Searches at a steady rate, and the waits of each.
 *
 *     due ──other work, no processor──► started ──► ended
 *      └───────────── from due ──────────────────────┘      less the time without a processor:
 *                                                           what this process itself is to blame for
 *
 * The store, the writer and this process share the machine's processors. When they want more than
 * there are, a search is late though nothing here blocked the event loop.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, waitedMs } from '../measure.ts';

/** All in milliseconds. */
export interface SearchTimes {
  /** The time of the search alone. */
  readonly p50: number;
  readonly p99: number;
  /** From the moment at which it was due: its waits for other work are in it. */
  readonly dueP50: number;
  readonly dueP99: number;
  /** The same without the time in which this thread had no processor. */
  readonly ownP99: number;
  readonly searches: number;
}

const SEARCHES_PER_SECOND = 200;
/** The compiler goes on optimizing for thousands of searches: idle should not pay for it. */
const WARM_UP_SEARCHES = 10_000;

/** As fast as they go, with turns for others in between. */
export async function warmUp(search: (n: number) => void): Promise<void> {
  for (let n = 0; n < WARM_UP_SEARCHES; n++) {
    search(n);
    if (n % 50 === 0) await sleep(0);
  }
}

/** Each search comes when it is due, or as soon as the event loop gets to it. */
export async function searchFor(search: (n: number) => void, ms: number): Promise<SearchTimes> {
  const alone: number[] = [];
  const due: number[] = [];
  const own: number[] = [];
  const waits = new Waits();
  const began = performance.now();
  for (let n = 0; ; n++) {
    const at = began + (n * 1_000) / SEARCHES_PER_SECOND;
    if (at > began + ms) break;
    while (performance.now() < at) await sleep(Math.max(0, at - performance.now()));
    const started = performance.now();
    search(n);
    const ended = performance.now();
    alone.push(ended - started);
    due.push(ended - at);
    own.push(Math.max(0, ended - at - waits.since(at)));
  }
  waits.stop();
  return {
    p50: percentile(alone, 0.5),
    p99: percentile(alone, 0.99),
    dueP50: percentile(due, 0.5),
    dueP99: percentile(due, 0.99),
    ownP99: percentile(own, 0.99),
    searches: alone.length,
  };
}

/** How long this thread was without a processor, looked at every millisecond. */
class Waits {
  readonly #seen: [at: number, waited: number][] = [];
  readonly #timer = setInterval(() => this.#look(), 1);

  constructor() {
    this.#look();
  }

  #look(): void {
    this.#seen.push([performance.now(), waitedMs()]);
  }

  /** Milliseconds since a moment, or since up to one before; moments must not go back. */
  since(at: number): number {
    while (this.#seen.length > 1 && this.#seen[1]![0] <= at) this.#seen.shift();
    return waitedMs() - this.#seen[0]![1];
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
