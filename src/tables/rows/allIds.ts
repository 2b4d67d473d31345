/**
 * Returns the ids of all rows of a search in parts. A list of a million ids is copied several times
 * while it grows, and the copies stay until V8 collects all garbage. The price is a search for each
 * part: eight for a million rows.
 */
import type { Timestamp } from 'mongodb';
import type { PageResult, RowId } from '../../textindex/index.ts';

/** Numbers, which most ids are, take eight bytes each. */
export type AllIds = readonly RowId[] | Float64Array;

/** The ids of all rows of a search, at one moment. */
export interface FoundIds {
  readonly asOf: Timestamp;
  readonly ids: AllIds;
}

/** The same as the store gives them: how many, and then reply by reply. */
export interface CountedIds {
  readonly total: number;
  readonly asOf: Timestamp;
  readonly ids: AsyncIterable<readonly unknown[]>;
  /** Stops asking for ids. Called if not all of them are taken. */
  readonly end: () => void;
}

/** Ids asked for in one search. */
const AT_ONCE = 131_072;

/** @param search a page of ids, nothing in between; undefined when there is no table to tell */
export function allIds(
  search: (page: number, perPage: number) => PageResult | undefined,
  atOnce = AT_ONCE,
): AllIds | undefined {
  let found = search(1, atOnce);
  if (!found || found.total <= atOnce) return found?.ids;
  const numbers = new Float64Array(found.total);
  let others: RowId[] | undefined;
  for (let page = 1, at = 0; ; page++) {
    for (const id of found.ids) {
      if (typeof id !== 'number') others ??= Array.from(numbers.subarray(0, at));
      if (others) others.push(id);
      else numbers[at] = id as number;
      at += 1;
    }
    if (at >= numbers.length) return others ?? numbers;
    found = search(page + 1, atOnce);
    if (!found) return undefined;
  }
}
