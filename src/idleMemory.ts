/**
 * Gives memory back to the system when the service has nothing to do.
 *
 * ```
 * every 2 s: none under way, hardly any since, no load ─▶ 48 MB more than was left last time, or at the start ─▶ collect
 *                                                         2 s later ─▶ collect ─▶ 2 s later: so much is left
 * ```
 *
 * V8 collects garbage when more is asked for. A service without requests therefore keeps what the
 * last flood of requests left behind, 160 MB say. Collecting stops the event loop
 * for some tens of milliseconds, so it waits for a time in which hardly anything but probes is asked. While the
 * index is loaded memory grows and stays: there is nothing to give back, and searches go on meanwhile. It gives
 * pages back only bit by bit, 100 MB of them after a second or two, and keeps some until it collects again.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 2_000;

/** Less is not worth a collection, bytes. */
const WORTH = 48 * 2 ** 20;

/** Collections, of which the second one gives back what the first has made free. */
const IN_A_ROW = 2;

/** Requests between two looks that count as none: probes. */
const PROBES = 10;

/** Requests that have begun, and those under way. */
export interface Traffic {
  readonly begun: number;
  readonly underWay: number;
}

/** The memory of a process. */
export interface ProcessMemory {
  /** Bytes that the system has given to it. */
  resident(): number;
  /** Gives back what nothing holds. */
  collect(): void;
}

/**
 * Looks until it is stopped.
 *
 * @param isLoading whether the index is being loaded
 */
export function watchIdleMemory(traffic: Traffic, isLoading: () => boolean): { stop(): void } {
  const idle = new IdleMemory(traffic, isLoading, processMemory());
  const timer = setInterval(() => idle.look(), LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

export class IdleMemory {
  readonly #traffic: Traffic;
  readonly #isLoading: () => boolean;
  readonly #memory: ProcessMemory;
  #seen: number;
  /** Least that was resident when idle, since the start or the last collections. */
  #left: number;
  /** Collections in a row until now. */
  #collections = 0;

  constructor(traffic: Traffic, isLoading: () => boolean, memory: ProcessMemory) {
    this.#traffic = traffic;
    this.#isLoading = isLoading;
    this.#memory = memory;
    this.#seen = traffic.begun;
    this.#left = memory.resident();
  }

  /** To be called every `LOOK_EVERY_MS`. */
  look(): void {
    const { begun, underWay } = this.#traffic;
    const idle = begun - this.#seen <= PROBES && underWay === 0 && !this.#isLoading();
    this.#seen = begun;
    if (!idle) {
      this.#collections = 0;
      return;
    }
    const resident = this.#memory.resident();
    const again = this.#collections > 0;
    if (again ? this.#collections < IN_A_ROW : resident - this.#left > WORTH) {
      this.#collections += 1;
      this.#memory.collect();
    } else {
      this.#collections = 0;
      this.#left = again ? resident : Math.min(this.#left, resident);
    }
  }
}

/** V8's own collection, the whole of it; there is no other way to ask for one. */
export function processMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return { resident: () => process.memoryUsage.rss(), collect };
}
