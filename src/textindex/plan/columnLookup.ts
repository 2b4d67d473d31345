/**
 * Finds the values of a column that a search wants, and about how many rows hold them. It reads
 * texts, not rows, so it is cheap: the planner looks up all columns before it fetches any row.
 *
 *     needles, values ──► ColumnMatch: ordinals, pieces of UUIDs, about how many rows
 */
import type { Scalar } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { Infix } from '../dictionary/infix.ts';
import type { Needle } from '../dictionary/needle.ts';
import type { Uuids } from '../ids/column.ts';
import { mayStandIn } from '../ids/piece.ts';
import { textOfId } from '../objectId.ts';
import { type Pointer, plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';

/** A text to find in the values, or in a label of theirs. */
export interface SoughtText {
  readonly needle: Needle;
  readonly label: string | undefined;
}

/** The values of one column that a search wants: the leaf of a plan. */
export interface ColumnMatch {
  /** The column's place in the definition, and its name. */
  readonly column: number;
  readonly name: string;
  /** A list of n ordinals in scratch memory; some may be named twice. */
  readonly ordinals: Pointer;
  readonly n: number;
  /** UUIDs or substrings of them: the row's UUID must contain one. */
  readonly pieces: readonly string[];
  /** Infixes that match, with their rows: the values that have one are not among the ordinals. */
  readonly infixes: readonly Infix[];
  /**
   * Postings of the ordinals and the infixes: at least as many as the rows that hold one of them.
   */
  readonly postingCount: number;
  /** About how many rows match in all. */
  readonly estimate: number;
}

const NO_PIECES: readonly string[] = [];
const NO_INFIXES: readonly Infix[] = [];

export class ColumnLookup {
  readonly #space: Space;
  readonly #dictionary: Dictionary;
  readonly #uuids: Uuids | undefined;
  readonly #column: number;
  readonly #name: string;

  /** `column` is the column's place in the definition. */
  constructor(
    space: Space,
    column: { readonly number: number; readonly name: string },
    dictionary: Dictionary,
    uuids: Uuids | undefined,
  ) {
    this.#space = space;
    this.#column = column.number;
    this.#name = column.name;
    this.#dictionary = dictionary;
    this.#uuids = uuids;
  }

  /** The values in which any of the texts is found. */
  containing(sought: readonly SoughtText[]): ColumnMatch | 'all' | 'none' {
    const { scratch } = this.#space;
    let room = 0;
    for (const { label } of sought) room += this.#dictionary.textsIn(label).entries;
    const list = scratch.take(room * 4);
    let n = 0;
    let pieces = NO_PIECES;
    let infixes = NO_INFIXES;
    for (const { needle, label } of sought) {
      const known = this.#dictionary.infixesOf(label);
      const infix = known?.find(needle.text);
      if (infix) infixes = [...infixes, infix];
      const texts = this.#dictionary.textsIn(label);
      n += texts.find(needle, plus(list, n * 4), infix ? known!.walked : 0);
      const ids = label === undefined ? this.#uuids : undefined;
      if (ids && mayStandIn(ids.format, needle.text)) pieces = [...pieces, needle.text];
    }
    scratch.cut(plus(list, n * 4));
    return this.#match(list, n, pieces, infixes);
  }

  /** The values among these. */
  equalTo(values: readonly Scalar[]): ColumnMatch | 'all' | 'none' {
    const list = this.#space.scratch.take(values.length * 4);
    let n = 0;
    let pieces = NO_PIECES;
    for (const value of values) {
      const ordinal = this.#dictionary.ordinalOf(value);
      if (ordinal !== undefined) this.#space.memory.u32[(list >>> 2) + n++] = ordinal;
      // It may be both: UUIDs in arrays are values of the dictionary.
      if (this.#uuids?.isId(value)) pieces = [...pieces, textOfId(value)];
    }
    return this.#match(list, n, pieces, NO_INFIXES);
  }

  #match(
    list: Pointer,
    n: number,
    mayStand: readonly string[],
    infixes: readonly Infix[],
  ): ColumnMatch | 'all' | 'none' {
    const uuids = this.#uuids?.size ? this.#uuids : undefined;
    const pieces = uuids ? mayStand : NO_PIECES;
    if (n === 0 && pieces.length === 0 && infixes.length === 0) return 'none';
    const { postings, arrays, size } = this.#dictionary;
    let postingCount = n === 0 ? 0 : this.#space.kernel.sumAt(list, n, postings.lens.ptr);
    if (postingCount >= size && arrays.size === 0 && !uuids && this.#areAll(list, n)) return 'all';
    for (const { count } of infixes) {
      if (count === size && !uuids) return 'all';
      postingCount += count;
    }
    let estimate = postingCount;
    for (const piece of pieces) estimate += uuids!.search.estimate(piece);
    return {
      column: this.#column,
      name: this.#name,
      ordinals: list,
      n,
      infixes,
      pieces,
      postingCount,
      estimate,
    };
  }

  /** Whether each row holds one of the ordinals; no row holds an array. */
  #areAll(list: Pointer, n: number): boolean {
    const { kernel, scratch } = this.#space;
    const { postings, size, ordinalBytes } = this.#dictionary;
    const once = scratch.take(n * 4);
    const members = this.#dictionary.setOf(list, n);
    const distinct = kernel.collect(members, ordinalBytes, 0, once, n);
    return kernel.sumAt(once, distinct, postings.lens.ptr) === size;
  }
}
