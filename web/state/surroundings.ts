/**
 * The viewer's surroundings: the few facts that values deep in a table or record need, and that no view, address or
 * answer has. `data/` sets them, and parts read them where they show a value; the language is in `words/` likewise.
 */
import { signal } from '@preact/signals';

/** Milliseconds since 1970 by the service's clock, moved on so often that ages stay true to what they show. */
export const now = signal(Date.now());

/** Times as ages, or as moments. */
export const times = signal<'relative' | 'absolute'>('relative');

/** The labels of task types. */
export const typeLabels = signal<ReadonlyMap<string, string>>(new Map());
