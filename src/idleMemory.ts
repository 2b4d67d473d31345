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

/** Looks until it is stopped. */
export function watchIdleMemory(traffic: Traffic): { stop(): void } {
  const collect = collector();
  let seen = traffic.begun;
  let left = Number.POSITIVE_INFINITY;
  const look = () => {
    const idle = traffic.begun - seen <= PROBES && traffic.underWay === 0;
    seen = traffic.begun;
    if (!idle) return;
    const resident = process.memoryUsage.rss();
    if (resident - left > WORTH) {
      collect();
      left = process.memoryUsage.rss();
    } else {
      left = Math.min(left, resident);
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** V8's own collection, the whole of it; there is no other way to ask for one. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
