/**
 * How long changes may gather before the stream is asked for more.
 *
 *     event loop   idle ──► not at all: changes are shown as soon as they come
 *                  busy ──► up to 25 ms: one reply and one read for several changes
 *
 * A single change costs a reply of the stream and a read at its time: half a millisecond of this
 * process and as much of the store. Several together cost hardly more. A caller who waits for the
 * frontier ends the gathering.
 */
import { performance } from 'node:perf_hooks';
import type { Frontier } from './frontier.ts';

export interface GatheringOptions {
  readonly frontier: Pick<Frontier, 'whenAwaited'>;
  readonly signal: AbortSignal;
  /** The share of the time in which the event loop was busy of late, 0 to 1. */
  readonly busy?: () => number;
  /** Longest pause, milliseconds; by default half of what a change may take until it is shown. */
  readonly mostMs?: number;
}

const MAX_MS = 25;
/** From this share on changes gather, and the longer the busier. */
const BUSY = 0.5;
/** How often the share is measured, milliseconds. */
const MEASURED_MS = 250;

export class Gathering {
  readonly #options: GatheringOptions;
  readonly #busy: () => number;

  constructor(options: GatheringOptions) {
    this.#options = options;
    this.#busy = options.busy ?? measuredOfLate();
  }

  /** Resolves when the stream should be asked again after a reply that had changes to tell. */
  async pause(): Promise<void> {
    const { frontier, signal, mostMs = MAX_MS } = this.#options;
    const ms = (mostMs * (this.#busy() - BUSY)) / (1 - BUSY);
    if (ms < 1 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        forget();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      const forget = frontier.whenAwaited(end);
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

/** How busy the event loop of this thread is. */
function measuredOfLate(): () => number {
  let before = performance.eventLoopUtilization();
  let busy = 0;
  return () => {
    const now = performance.eventLoopUtilization();
    const { idle, active, utilization } = performance.eventLoopUtilization(now, before);
    if (idle + active >= MEASURED_MS) {
      busy = utilization;
      before = now;
    }
    return busy;
  };
}
