/** The service's clock, as its answers tell it: the viewer's may be wrong. */
import { signal } from '@preact/signals';

/** Milliseconds by which the service's clock is ahead of the browser's. */
export const ahead = signal(0);

/** Differences below this come from the way and from whole seconds, milliseconds. */
const UNSURE_MS = 2_000;

/**
 * From which age on an answer is late, seconds. An idle store's time is up to 20 s old: MongoDB looks every 10 s,
 * and moves the time on if nothing was written since its last look.
 */
const LATE_S = 25;

export const serviceNow = (): number => Date.now() + ahead.peek();

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
