/**
 * What one column answers: which of its values a search wants, and which rows hold one of those.
 *
 *     needles, values ── seek ──► Sought: ordinals, about how many rows ─┬─ join ──► union |= rows
 *                                 and pieces of UUIDs                 ├─ list ──► the rows, listed
 *                                                                     └─ split ─► those of a list
 *
 * Seeking is cheap (texts, not rows, are looked through), so a search seeks in all columns first and
 * then knows which way is the shortest.
 */
import type { Scalar } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { Needle } from '../dictionary/needle.ts';
import type { Texts } from '../dictionary/texts.ts';
import { hasBit } from '../storage/bits.ts';
import type { Space } from '../storage/space.ts';
import type { Uuids } from '../uuid/column.ts';
import { isUuid, mayStandInUuid } from '../uuid/text.ts';
import { DictionarySearch, type Held } from './dictionarySearch.ts';
import type { Union } from './union.ts';

/** A text to look for, in the values or in a label of theirs. */
export interface Look {
  readonly needle: Needle;
  readonly label: string | undefined;
}

/** Values of a column that a search wants. */
export interface Sought {
  readonly search: ColumnSearch;
  /** A list of n ordinals in scratch memory; some may be named twice. */
  readonly ordinals: number;
  readonly n: number;
  /** Texts of which one must be in the row's UUID. */
  readonly pieces: readonly string[];
  /** At most so many rows hold one of the ordinals. */
  readonly listed: number;
  /** About so many rows in all. */
  readonly rows: number;
  /** The ordinals as a bitmap, 0 until it is needed. */
  members: number;
}

const NO_PIECES: readonly string[] = [];

export class ColumnSearch {
  readonly #space: Space;
  readonly #dictionary: Dictionary;
  readonly #search: DictionarySearch;
  readonly #uuids: Uuids | undefined;

  constructor(space: Space, dictionary: Dictionary, uuids: Uuids | undefined) {
    this.#space = space;
    this.#dictionary = dictionary;
    this.#search = new DictionarySearch(space, dictionary);
    this.#uuids = uuids;
  }

  /** The values in which any of the texts is found. */
  seek(looks: readonly Look[]): Sought | 'all' | 'none' {
    const { scratch } = this.#space;
    let room = 0;
    for (const { label } of looks) room += this.#texts(label).entries;
    const list = scratch.take(room * 4);
    let n = 0;
    let pieces = NO_PIECES;
    for (const { needle, label } of looks) {
      n += this.#texts(label).find(needle, list + n * 4);
      if (this.#uuids && label === undefined && mayStandInUuid(needle.text)) {
        pieces = [...pieces, needle.text];
      }
    }
    scratch.cut(list + n * 4);
    return this.#sought(list, n, pieces);
  }

  /** The values that are one of these. */
  seekEqual(values: readonly Scalar[]): Sought | 'all' | 'none' {
    const list = this.#space.scratch.take(values.length * 4);
    let n = 0;
    let pieces = NO_PIECES;
    for (const value of values) {
      const ordinal = this.#dictionary.ordinalOf(value);
      if (ordinal !== undefined) this.#space.memory.u32[(list >>> 2) + n++] = ordinal;
      // It may be both: UUIDs in arrays are values of the dictionary.
      if (this.#uuids && isUuid(value)) pieces = [...pieces, value];
    }
    return this.#sought(list, n, pieces);
  }

  #sought(list: number, n: number, pieces: readonly string[]): Sought | 'all' | 'none' {
    if (this.#uuids === undefined || this.#uuids.size === 0) pieces = NO_PIECES;
    if (n === 0 && pieces.length === 0) return 'none';
    const { postings, arrays, size } = this.#dictionary;
    const listed = n === 0 ? 0 : this.#space.kernel.sumAt(list, n, postings.lens.ptr);
    if (listed >= size && arrays.size === 0 && !this.#uuids?.size && this.#areAll(list, n)) {
      return 'all';
    }
    let rows = listed;
    for (const piece of pieces) rows += this.#uuids!.search.expected(piece);
    return { search: this, ordinals: list, n, pieces, listed, rows, members: 0 };
  }

  /** Whether each row holds one of the ordinals; no row holds an array. */
  #areAll(list: number, n: number): boolean {
    const { kernel, scratch } = this.#space;
    const { postings, size, ordinalBytes } = this.#dictionary;
    const once = scratch.take(n * 4);
    const members = this.#search.members(list, n);
    const distinct = kernel.collect(members, ordinalBytes, 0, once, n);
    return kernel.sumAt(once, distinct, postings.lens.ptr) === size;
  }

  #texts(label: string | undefined): Texts {
    return label === undefined ? this.#dictionary.texts! : this.#dictionary.labels.get(label)!;
  }

  /** union |= rows */
  join(sought: Sought, union: Union): Held {
    let some = false;
    for (const piece of sought.pieces)
      if (this.#uuids!.search.contains(piece, union.open)) some = true;
    const held = this.#search.join(sought.ordinals, sought.n, union);
    if (!this.#uuids?.size) return held;
    return some || held !== 'none' ? 'some' : 'none';
  }

  /** union |= rows that hold one of the n listed ordinals; UUIDs aside. */
  uniteOrdinals(list: number, n: number, union: Union): void {
    this.#search.join(list, n, union);
  }

  /**
   * Writes the rows that are not in `seen` yet to `out`, sets their bits, and gives how many. There
   * must be room for `listed` rows and `most` more; `many` when even that is not enough.
   */
  list(sought: Sought, seen: number, out: number, most: number): number | 'many' {
    const { kernel, scratch } = this.#space;
    let n = this.#search.list(sought.ordinals, sought.n, seen, out);
    let left = most;
    for (const piece of sought.pieces) {
      const found = scratch.take(left * 4);
      const count = this.#uuids!.search.find(piece, found, left);
      if (count === 'many') return 'many';
      left -= count;
      n += kernel.addNew(seen, found, count, out + n * 4);
    }
    return n;
  }

  /**
   * Moves those of the n rows of a list for which it holds to `held`, and the others to the list's
   * front; gives how many are held.
   */
  split(sought: Sought, list: number, n: number, held: number): number {
    let found = 0;
    if (sought.n > 0) {
      sought.members ||= this.#search.members(sought.ordinals, sought.n);
      found = this.#search.split(sought.members, list, n, held);
    }
    for (const piece of sought.pieces) {
      if (found === n) break;
      found += this.#uuids!.search.split(piece, list, n - found, held + found * 4);
    }
    return found;
  }

  /** The same for values given as a bitmap over all ordinals; UUIDs aside. */
  splitMembers(members: number, list: number, n: number, held: number): number {
    return this.#search.split(members, list, n, held);
  }

  /** Whether it holds for so many rows that the others are soon taken away by `keep`. */
  isMost(sought: Sought): boolean {
    return !this.#uuids?.size && this.#search.areMost(sought.listed);
  }

  /** bitmap &= rows, of what `isMost`. */
  keep(sought: Sought, bitmap: number): void {
    this.#search.keep(sought.ordinals, sought.n, bitmap);
  }

  /**
   * What the rows of `given` say of `asked`, of the same column: that it holds for all of them, for
   * none, or neither. A row with an array may hold values of both.
   */
  implied(given: Sought, asked: Sought): Held {
    const { arrays } = this.#dictionary;
    if (arrays.size > 0 || given.pieces.length > 0) return 'some';
    asked.members ||= this.#search.members(asked.ordinals, asked.n);
    const { u8, u32 } = this.#space.memory;
    let both = 0;
    for (let i = given.ordinals >>> 2, end = i + given.n; i < end; i++) {
      if (hasBit(u8, asked.members, u32[i]!)) both++;
    }
    return both === given.n ? 'all' : both === 0 ? 'none' : 'some';
  }

  /** Does a step of maintenance; false when there is none to do. */
  step(): boolean {
    return this.#search.step();
  }
}
