/**
 * The clock, the form of times, the labels of task types and sign-ins: cells and answers deep in a table or record need
 * them beside their value. `data/` sets these signals, and parts read them; the language is a signal in `words/` for the same reason.
 */
import { signal } from '@preact/signals';

/** Milliseconds since 1970 by the service's clock, moved on so often that ages stay true to what they show. */
export const now = signal(Date.now());

/** How often somebody has signed in: each time the UI asks again for the shown data. */
export const signIns = signal(0);

/** Times as ages, or as moments. */
export const times = signal<'relative' | 'absolute'>('relative');

/** The labels of task types. */
export const typeLabels = signal<ReadonlyMap<string, string>>(new Map());
