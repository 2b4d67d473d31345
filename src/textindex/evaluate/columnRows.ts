/**
 * The rows of a column's match: united with others, listed, or picked out of a list.
 *
 *     ColumnMatch: ordinals, ──┬─ addTo ───────────► union |= rows
 *     infixes, pieces of UUIDs ├─ list ────────────► the rows, listed
 *                              └─ split ───────────► those of a list
 */
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { Uuids } from '../ids/column.ts';
import type { ColumnMatch } from '../plan/columnLookup.ts';
import { type BitmapHandle, type Pointer, plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { DictionaryRows } from './dictionaryRows.ts';
import { Union } from './union.ts';

export class ColumnRows {
  readonly #space: Space;
  readonly #dictionary: Dictionary;
  /** The rows of the dictionary's values, which UUIDs are not among. */
  readonly values: DictionaryRows;
  readonly #uuids: Uuids | undefined;

  constructor(space: Space, dictionary: Dictionary, uuids: Uuids | undefined) {
    this.#space = space;
    this.#dictionary = dictionary;
    this.values = new DictionaryRows(space, dictionary);
    this.#uuids = uuids;
  }

  /** union |= rows. */
  addTo(union: Union, match: ColumnMatch): void {
    for (const { rows } of match.infixes) union.add(rows);
    for (const piece of match.pieces) this.#uuids!.search.addTo(union, piece);
    if (match.n > 0) this.values.addTo(union, match.ordinals, match.n);
  }

  /**
   * Writes the rows that are not in `seen` yet to `out`, sets their bits, and returns how many. There
   * must be room for `postingCount` rows and `most` more; `many` when even that is not enough.
   */
  list(match: ColumnMatch, seen: BitmapHandle, out: Pointer, most: number): number | 'many' {
    const { kernel, scratch } = this.#space;
    let n = this.values.list(match.ordinals, match.n, seen, out);
    for (const { rows, count } of match.infixes) {
      const listed = scratch.take(count * 4);
      n += kernel.addNew(seen, listed, rows.listTo(listed, count), plus(out, n * 4));
    }
    let left = most;
    for (const piece of match.pieces) {
      const found = scratch.take(left * 4);
      const count = this.#uuids!.search.find(piece, found, left);
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
  split(match: ColumnMatch, list: Pointer, n: number, matched: Pointer): number {
    let found = 0;
    if (match.n > 0) {
      const members = this.#dictionary.setOf(match.ordinals, match.n);
      found = this.values.split(members, list, n, matched);
    }
    if (match.infixes.length > 0 && found < n) {
      const union = new Union(this.#space);
      for (const { rows } of match.infixes) union.add(rows);
      found += union.split(list, n - found, plus(matched, found * 4));
    }
    for (const piece of match.pieces) {
      if (found === n) break;
      found += this.#uuids!.search.split(piece, list, n - found, plus(matched, found * 4));
    }
    return found;
  }
}
