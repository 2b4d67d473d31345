/**
 * The rows of a column's match: united with others, listed, or picked out of a list.
 *
 *     ColumnMatch: ordinals, ──┬─ addMatch ────► union |= rows
 *     infixes, pieces of UUIDs ├─ listMatch ───► the rows, listed
 *                              └─ splitByMatch ► those of a list
 */
import type { ColumnMatch } from '../plan/columnLookup.ts';
import { type BitmapHandle, type Pointer, plus } from '../storage/brands.ts';
import { addValues, listValues, splitByValues } from './dictionaryRows.ts';
import { Union } from './union.ts';

/** union |= rows. */
export function addMatch(union: Union, match: ColumnMatch): void {
  const { dictionary, uuids } = match.column;
  for (const { rows } of match.infixes) union.add(rows);
  for (const piece of match.pieces) uuids!.search.addTo(union, piece);
  if (match.n > 0) addValues(dictionary!, union, match.ordinals, match.n);
}

/**
 * Writes the rows that are not in `seen` yet to `out`, sets their bits, and returns how many. There
 * must be room for `postingCount` rows and `most` more; `many` when even that is not enough.
 */
export function listMatch(
  match: ColumnMatch,
  seen: BitmapHandle,
  out: Pointer,
  most: number,
): number | 'many' {
  const { dictionary, uuids } = match.column;
  const { kernel, scratch } = dictionary!.space;
  let n = listValues(dictionary!, match.ordinals, match.n, seen, out);
  for (const { rows, count } of match.infixes) {
    n += rows.listNew(count, seen, plus(out, n * 4));
  }
  let left = most;
  for (const piece of match.pieces) {
    const found = scratch.take(left * 4);
    const count = uuids!.search.find(piece, found, left);
    if (count === 'many') return 'many';
    left -= count;
    n += kernel.addNew(seen, found, count, plus(out, n * 4));
  }
  return n;
}

/**
 * Partitions the first n rows of a list: matching rows go to `matched`, the others to the front
 * of the list. Returns the number of matches.
 */
export function splitByMatch(
  match: ColumnMatch,
  list: Pointer,
  n: number,
  matched: Pointer,
): number {
  const { dictionary, uuids } = match.column;
  let found = 0;
  if (match.n > 0) {
    const members = dictionary!.setOf(match.ordinals, match.n);
    found = splitByValues(dictionary!, members, list, n, matched);
  }
  if (match.infixes.length > 0 && found < n) {
    const union = new Union(dictionary!.space);
    for (const { rows } of match.infixes) union.add(rows);
    found += union.split(list, n - found, plus(matched, found * 4));
  }
  for (const piece of match.pieces) {
    if (found === n) break;
    found += uuids!.search.split(piece, list, n - found, plus(matched, found * 4));
  }
  return found;
}
