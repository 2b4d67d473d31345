/** Whether an answer takes long enough to say so: what is quick must not flicker. */
import { effect, signal } from '@preact/signals';
import { askingSince } from './asking.ts';

const SLOW_MS = 150;

export const slow = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  clearTimeout(timer);
  if (askingSince.value === undefined) slow.value = false;
  else {
    timer = setTimeout(() => {
      slow.value = true;
    }, SLOW_MS);
  }
});
