/** The rows that are selected for an action. */
import type { Row } from './answer.ts';

/** Rows of any page by their keys, or `all` that match. */
export type Chosen = ReadonlyMap<string, Row> | 'all';

export const NONE_CHOSEN: ReadonlyMap<string, Row> = new Map();

export const isPicked = (key: string, picked: Chosen) => picked === 'all' || picked.has(key);

/** How many rows of the page are selected. */
export function partChosen(keys: readonly string[], picked: Chosen): 'none' | 'some' | 'all' {
  const count = keys.filter((key) => isPicked(key, picked)).length;
  if (count === 0) return 'none';
  return count === keys.length ? 'all' : 'some';
}
