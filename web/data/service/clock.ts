/** The service's clock, as its answers tell it, since the viewer's may be wrong; and what moves on with it. */
import { effect, signal } from '@preact/signals';
import { now } from '../../state/surroundings.ts';

/** Milliseconds by which the service's clock is ahead of the browser's. */
const ahead = signal(0);

/** Differences below this come from the way and from whole seconds, milliseconds. */
const UNSURE_MS = 2_000;

/**
 * From which age on an answer is late, seconds. An idle store's time is up to 20 s old: MongoDB looks every 10 s,
 * and moves the time on if nothing was written since its last look.
 */
const LATE_S = 25;

const serviceNow = (): number => Date.now() + ahead.peek();

/** @param date of an answer that has just come */
export function noteClock(date: string | null): void {
  // It has whole seconds, rounded down.
  const difference = Date.parse(date ?? '') + 500 - Date.now();
  if (Number.isNaN(difference)) return;
  const next = Math.abs(difference) < UNSURE_MS ? 0 : difference;
  // Each answer differs by a little.
  if (Math.abs(next - ahead.peek()) >= UNSURE_MS) ahead.value = next;
}

/** Seconds by which the rows are behind the store; 0 where that is as little as it has to be. */
export const behind = signal(0);

/** @param asOf the moment that the latest answer shows, `<seconds>.<increment>`; unknown: none */
export function noteMoment(asOf: string | undefined): void {
  if (!asOf) return;
  const seconds = Math.round(serviceNow() / 1_000 - Number.parseInt(asOf, 10));
  behind.value = seconds < LATE_S ? 0 : seconds;
}

/** Keeps the page's `now` that of the service. */
export function startClock(): void {
  setInterval(() => {
    now.value = serviceNow();
  }, 10_000);
  effect(() => {
    ahead.value;
    now.value = serviceNow();
  });
}

/** The same, each second while somebody shows it: for countdowns. */
const second = signal(Date.now(), {
  watched() {
    ticking = setInterval(tick, 1_000);
    queueMicrotask(tick);
  },
  unwatched: () => clearInterval(ticking),
});
let ticking: ReturnType<typeof setInterval> | undefined;
const tick = () => {
  second.value = Date.now();
};

/** Whole seconds from now until then. */
export const secondsUntil = (then: number): number =>
  Math.max(0, Math.ceil((then - second.value) / 1_000));
