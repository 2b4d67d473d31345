/**
 * Gives memory back to the system when the service has nothing to do.
 *
 * ```
 * every 2 s: none under way, hardly any since ─▶ 48 MB more than was left last time ─▶ collect
 * ```
 *
 * V8 collects garbage when more is asked for. A service that nobody asks any more therefore keeps what the
 * last flood of requests left behind: 160 MB, for as long as it was watched. Collecting stops the event loop
 * for some tens of milliseconds, so it waits for a time in which hardly anything but probes is asked.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 2_000;

/** Less is not worth a collection, bytes. */
const WORTH = 48 * 2 ** 20;

/** Requests between two looks that count as none: probes. */
const PROBES = 10;

/** Requests that have begun, and those under way. */
export interface Traffic {
  readonly begun: number;
  readonly underWay: number;
}

/** The memory of a process. */
export interface Memory {
  /** Bytes that the system has given to it. */
  resident(): number;
  /** Gives back what nothing holds. */
  collect(): void;
}

/** Looks until it is stopped. */
export function watchIdleMemory(traffic: Traffic): { stop(): void } {
  const idle = new IdleMemory(traffic, processMemory());
  const timer = setInterval(() => idle.look(), LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

export class IdleMemory {
  readonly #traffic: Traffic;
  readonly #memory: Memory;
  #seen: number;
  /** Least that was resident when idle, or after the last collection. */
  #left = Number.POSITIVE_INFINITY;

  constructor(traffic: Traffic, memory: Memory) {
    this.#traffic = traffic;
    this.#memory = memory;
    this.#seen = traffic.begun;
  }

  /** To be called every `LOOK_EVERY_MS`. */
  look(): void {
    const { begun, underWay } = this.#traffic;
    const idle = begun - this.#seen <= PROBES && underWay === 0;
    this.#seen = begun;
    if (!idle) return;
    const resident = this.#memory.resident();
    if (resident - this.#left > WORTH) {
      this.#memory.collect();
      this.#left = this.#memory.resident();
    } else {
      this.#left = Math.min(this.#left, resident);
    }
  }
}

/** V8's own collection, the whole of it; there is no other way to ask for one. */
export function processMemory(): Memory {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return { resident: () => process.memoryUsage.rss(), collect };
}
