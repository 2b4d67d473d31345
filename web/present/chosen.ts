/** The rows that are selected for an action. */
import type { Row } from './answer.ts';

/** By their keys, on whichever page they stand; `all`: whatever matches. */
export type Chosen = ReadonlyMap<string, Row> | 'all';

export const NONE_CHOSEN: ReadonlyMap<string, Row> = new Map();

export const isPicked = (key: string, picked: Chosen) => picked === 'all' || picked.has(key);

/** How many rows of the page are selected. */
export function partChosen(keys: readonly string[], picked: Chosen): 'none' | 'some' | 'all' {
  const count = keys.filter((key) => isPicked(key, picked)).length;
  if (count === 0) return 'none';
  return count === keys.length ? 'all' : 'some';
}
