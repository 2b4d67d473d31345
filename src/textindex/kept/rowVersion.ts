/**
 * A row as it was, or as it is after a change: what tests and counts look at, each made once however
 * many look.
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
  writtenAlike,
} from '../scalars.ts';
import type { Vocabulary } from './vocabulary.ts';

export type FoldText = (text: string) => string;

/** Texts of a label of a value, as they were related. */
export type LabelTexts = (column: string, label: string, value: Scalar) => readonly string[];

/** What counts by value take of a row's column. */
export interface Counted {
  /** Numbers of the values that can be listed; undefined where the vocabulary has no room for one. */
  readonly numbers: readonly number[] | undefined;
  /** How many values cannot be listed. */
  readonly unlisted: number;
}

/** What counts by time take of a row's column. */
export interface Dated {
  /** Milliseconds since the epoch. */
  readonly dates: readonly number[];
  /** How many values are no dates. */
  readonly missing: number;
}

export class RowVersion {
  readonly id: RowId;
  readonly fold: FoldText;
  readonly #cells: readonly (Cell | undefined)[];
  readonly #values: (readonly Scalar[])[] = [];
  readonly #keys: (readonly string[])[] = [];
  readonly #texts: (readonly string[])[] = [];
  readonly #labelTexts = new Map<string, readonly string[]>();
  readonly #tested = new Map<string, boolean>();
  readonly #counted: Counted[] = [];
  readonly #dated: Dated[] = [];
  readonly #same: boolean[] = [];
  #vocabulary: Vocabulary | undefined;

  /** `cells`: by the number of the column; undefined for nothing that could be asked for. */
  constructor(id: RowId, cells: readonly (Cell | undefined)[], fold: FoldText) {
    this.id = id;
    this.fold = fold;
    this.#cells = cells;
  }

  /** What the row holds in a column, each value once, equal ones written alike. */
  values(column: number): readonly Scalar[] {
    return this.#values[column] ?? kept(this.#values, column, distinct(this.#cells[column]));
  }

  /** Their keys: see `scalarKey`. */
  keys(column: number): readonly string[] {
    return this.#keys[column] ?? kept(this.#keys, column, this.values(column).map(scalarKey));
  }

  /** Those that are texts, folded. */
  texts(column: number): readonly string[] {
    const known = this.#texts[column];
    if (known) return known;
    const texts = this.values(column).filter((value) => typeof value === 'string');
    return kept(this.#texts, column, texts.map(this.fold));
  }

  /** The texts of a label of these values, folded; as they are when they are first asked for. */
  labelTexts(column: number, name: string, label: string, textsOf: LabelTexts): readonly string[] {
    const key = `${column} ${label}`;
    let texts = this.#labelTexts.get(key);
    if (!texts) {
      texts = this.values(column).flatMap((value) => textsOf(name, label, value).map(this.fold));
      this.#labelTexts.set(key, texts);
    }
    return texts;
  }

  /** Whether a column holds the same, in the same order, as before the change: of one change alone. */
  isAs(before: RowVersion, column: number): boolean {
    const known = this.#same[column];
    if (known !== undefined) return known;
    return kept(this.#same, column, areSame(before.values(column), this.values(column)));
  }

  /** Whether a test holds, which is known by its name. */
  holds(name: string, test: (row: RowVersion) => boolean): boolean {
    let holds = this.#tested.get(name);
    if (holds === undefined) {
      holds = test(this);
      this.#tested.set(name, holds);
    }
    return holds;
  }

  counted(column: number, vocabulary: Vocabulary): Counted {
    if (this.#vocabulary !== vocabulary) {
      this.#vocabulary = vocabulary;
      this.#counted.length = 0;
    }
    const known = this.#counted[column];
    return known ?? kept(this.#counted, column, countedOf(this.values(column), column, vocabulary));
  }

  dated(column: number): Dated {
    return this.#dated[column] ?? kept(this.#dated, column, datedOf(this.values(column)));
  }
}

/** A row that changes: without `before` it comes, without `after` it goes. */
export interface RowChange {
  readonly before: RowVersion | undefined;
  readonly after: RowVersion | undefined;
}

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

function kept<T>(places: T[], at: number, one: T): T {
  places[at] = one;
  return one;
}

function countedOf(values: readonly Scalar[], column: number, vocabulary: Vocabulary): Counted {
  let numbers: number[] | undefined = [];
  let unlisted = 0;
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
