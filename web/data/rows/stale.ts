/** Whether the rows answer an earlier question, while the service does not answer the present one. */
import { computed } from '@preact/signals';
import { askedFor, shown, view } from '../store.ts';
import { failure } from './asking.ts';

export const isStale = computed(
  () =>
    failure.value !== undefined &&
    shown.value !== undefined &&
    askedFor(shown.value.of) !== askedFor(view.value),
);
