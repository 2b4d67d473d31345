/**
 * A row before or after a change, as tests and counts read it; each part is computed once for all
 * searches.
 *
 *     cells ──► values, each once ─┬─► keys      equal for equal values
 *                                  ├─► texts     folded
 *                                  ├─► numbers   in a vocabulary
 *                                  └─► dates     milliseconds
 */
import type { Cell, RowId, Scalar } from '../api.ts';
import {
  compareScalars,
  elements,
  isListed,
  isNothing,
  millisOf,
  scalarKey,
  sortKey,
  writtenAlike,
} from '../scalars.ts';
import type { Vocabulary } from './vocabulary.ts';

export type FoldText = (text: string) => string;

/** The texts of a value's label, as they were related. */
export type LabelTexts = (column: string, label: string, value: Scalar) => readonly string[];

/**
 * A row's contribution to counts by value: the number of its one value, as most often, or the
 * numbers of several.
 */
export type Counted = number | CountedValues;

export interface CountedValues {
  /** Numbers of the values that can be listed; undefined if the vocabulary has no room for one. */
  readonly numbers: readonly number[] | undefined;
  /** How many values cannot be listed. */
  readonly unlisted: number;
}

/** A row's contribution to counts by time. */
export interface Dated {
  /** Milliseconds since the epoch. */
  readonly dates: readonly number[];
  /** How many values are no dates. */
  readonly missing: number;
}

/** A row among others in their order. */
export interface Placed {
  readonly id: RowId;
  readonly key: Scalar;
}

/**
 * Most members are computed when first needed, and unchanged columns share the version before.
 * Thousands of versions wait for their searches at a time, and V8 would copy all of their contents
 * twice.
 */
export class RowVersion {
  readonly id: RowId;
  readonly fold: FoldText;
  readonly #cells: readonly (Cell | undefined)[];
  readonly #before: RowVersion | undefined;
  readonly #values: (readonly Scalar[] | undefined)[];
  #keys: (readonly string[] | undefined)[] | undefined;
  #texts: (readonly string[] | undefined)[] | undefined;
  #labelTexts: ({ readonly label: string; readonly texts: readonly string[] } | undefined)[] = NONE;
  #tested: Map<string, boolean> | undefined;
  #counted: (Counted | undefined)[] | undefined;
  #dated: (Dated | undefined)[] | undefined;
  #placed: (Placed & { readonly by: number | undefined; readonly descending: boolean }) | undefined;
  #vocabulary: Vocabulary | undefined;

  /**
   * `cells`: by the number of the column; undefined for a column without any use. `before`: the
   * version before the change, of a row that was there.
   */
  constructor(
    id: RowId,
    cells: readonly (Cell | undefined)[],
    fold: FoldText,
    before: RowVersion | undefined,
  ) {
    this.id = id;
    this.fold = fold;
    this.#cells = cells;
    this.#before = before;
    this.#values = places(cells.length);
  }

  /** The row's values in a column, each once; equal ones have one representation. */
  values(column: number): readonly Scalar[] {
    return this.#values[column] ?? memoized(this.#values, column, this.#read(column));
  }

  /** Their keys: see `scalarKey`. */
  keys(column: number): readonly string[] {
    if (this.isAsBefore(column)) return this.#before!.keys(column);
    this.#keys ??= places(this.#cells.length);
    return this.#keys[column] ?? memoized(this.#keys, column, this.values(column).map(scalarKey));
  }

  /** The values that are texts, folded. */
  texts(column: number): readonly string[] {
    if (this.isAsBefore(column)) return this.#before!.texts(column);
    this.#texts ??= places(this.#cells.length);
    const cached = this.#texts[column];
    if (cached) return cached;
    const texts = this.values(column).filter((value) => typeof value === 'string');
    return memoized(this.#texts, column, texts.map(this.fold));
  }

  /** The folded texts of a label of these values, at the moment when they are first needed. */
  labelTexts(column: number, name: string, label: string, textsOf: LabelTexts): readonly string[] {
    if (this.isAsBefore(column)) return this.#before!.labelTexts(column, name, label, textsOf);
    const cached = this.#labelTexts[column];
    if (cached?.label === label) return cached.texts;
    const texts = this.values(column).flatMap((value) => textsOf(name, label, value));
    if (this.#labelTexts === NONE) this.#labelTexts = places(this.#cells.length);
    return memoized(this.#labelTexts, column, { label, texts: texts.map(this.fold) }).texts;
  }

  /** Whether a column holds the same, in the same order, as before the change. */
  isAsBefore(column: number): boolean {
    return this.#before !== undefined && this.values(column) === this.#before.values(column);
  }

  /** The same for each of some columns. */
  isAsBeforeIn(columns: readonly number[]): boolean {
    for (const column of columns) if (!this.isAsBefore(column)) return false;
    return true;
  }

  /** Whether a test holds, which its name identifies. */
  holds(name: string, test: (row: RowVersion) => boolean): boolean {
    this.#tested ??= new Map();
    let holds = this.#tested.get(name);
    if (holds === undefined) {
      holds = test(this);
      this.#tested.set(name, holds);
    }
    return holds;
  }

  counted(column: number, vocabulary: Vocabulary): Counted {
    if (this.isAsBefore(column)) return this.#before!.counted(column, vocabulary);
    if (!this.#counted || this.#vocabulary !== vocabulary) {
      this.#vocabulary = vocabulary;
      this.#counted = places(this.#cells.length);
    }
    const cached = this.#counted[column];
    return (
      cached ?? memoized(this.#counted, column, countedOf(this.values(column), column, vocabulary))
    );
  }

  dated(column: number): Dated {
    if (this.isAsBefore(column)) return this.#before!.dated(column);
    this.#dated ??= places(this.#cells.length);
    return this.#dated[column] ?? memoized(this.#dated, column, datedOf(this.values(column)));
  }

  /**
   * Among rows that are sorted by a column; undefined for their ids. The same object for all
   * searches with this order.
   */
  placed(by: number | undefined, descending: boolean): Placed {
    const cached = this.#placed;
    if (cached && cached.by === by && cached.descending === descending) return cached;
    const key = by === undefined ? null : sortKey(this.values(by), descending);
    this.#placed = { id: this.id, key, by, descending };
    return this.#placed;
  }

  #read(column: number): readonly Scalar[] {
    const values = distinct(this.#cells[column]);
    const before = this.#before?.values(column);
    return before && areSame(before, values) ? before : values;
  }
}

/** A row that changes: without `before` it comes, without `after` it goes. */
export interface RowChange {
  readonly before: RowVersion | undefined;
  readonly after: RowVersion | undefined;
}

const NONE: never[] = [];

/** A place for each column. */
const places = <T>(columns: number) => new Array<T | undefined>(columns);

function distinct(cell: Cell | undefined): readonly Scalar[] {
  if (cell === undefined) return [];
  const values = elements(cell).map(writtenAlike);
  if (values.length < 2) return values;
  return [...new Map(values.map((value) => [scalarKey(value), value])).values()];
}

function areSame(some: readonly Scalar[], others: readonly Scalar[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) {
    if (compareScalars(some[i]!, others[i]!) !== 0) return false;
  }
  return true;
}

function memoized<T>(places: (T | undefined)[], at: number, one: T): T {
  places[at] = one;
  return one;
}

function countedOf(values: readonly Scalar[], column: number, vocabulary: Vocabulary): Counted {
  let numbers: number[] | undefined = [];
  let unlisted = 0;
  if (values.length === 1 && isListed(values[0]!)) {
    const number = vocabulary.numberOf(column, values[0]!);
    return number ?? { numbers: undefined, unlisted };
  }
  for (const value of values) {
    if (!isListed(value)) {
      if (!isNothing(value)) unlisted++;
      continue;
    }
    const number = vocabulary.numberOf(column, value);
    if (number === undefined) numbers = undefined;
    else numbers?.push(number);
  }
  return { numbers, unlisted };
}

function datedOf(values: readonly Scalar[]): Dated {
  const dates: number[] = [];
  let missing = 0;
  for (const value of values) {
    if (value instanceof Date) dates.push(millisOf(value));
    else if (!isNothing(value)) missing++;
  }
  return { dates, missing };
}
