/** States that last long enough to be shown: short ones would flicker. */
import { computed, effect, type Signal, signal } from '@preact/signals';
import { OVERDUE_MS } from '../../present/failureText.ts';
import { question } from '../store.ts';
import { isAsking, isCounting, live } from './asking.ts';

/** An answer that the page waits for. */
export const slow = lasting(() => isAsking.value, 150);
export const slowCounts = lasting(() => isCounting.value, 150);

/** An answer that may never come: each question has its time, which goes on where it is asked again. */
export const overdue = lasting(
  () => (isAsking.value || isCounting.value) && question.value,
  OVERDUE_MS,
);

/** A table that does not move by itself because the index cannot answer. */
export const withoutIndex = lasting(() => live.value.state === 'slow', 1_000);

/** A connection that the page waits for. */
export const slowToConnect = lasting(() => live.value.state === 'connecting', 1_000);

function lasting(isSo: () => unknown, ms: number): Signal<boolean> {
  const is = computed(isSo);
  const lasts = signal(false);
  effect(() => {
    lasts.value = false;
    if (!is.value) return undefined;
    const timer = setTimeout(() => {
      lasts.value = true;
    }, ms);
    return () => clearTimeout(timer);
  });
  return lasts;
}
