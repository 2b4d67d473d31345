/** States that last long enough to be shown: short ones would flicker. */
import { effect, type Signal, signal } from '@preact/signals';
import { isAsking, isCounting, live } from './asking.ts';

/** An answer that the page waits for. */
export const slow = lasting(() => isAsking.value, 150);
export const slowCounts = lasting(() => isCounting.value, 150);

/** A table that does not move by itself because the index cannot answer. */
export const withoutIndex = lasting(() => live.value.state === 'slow', 1_000);

/** A connection that the page waits for. */
export const slowToConnect = lasting(() => live.value.state === 'connecting', 1_000);

function lasting(isSo: () => boolean, ms: number): Signal<boolean> {
  const lasts = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let was = false;
  effect(() => {
    const is = isSo();
    if (is === was) return;
    was = is;
    clearTimeout(timer);
    if (!is) lasts.value = false;
    else {
      timer = setTimeout(() => {
        lasts.value = true;
      }, ms);
    }
  });
  return lasts;
}
