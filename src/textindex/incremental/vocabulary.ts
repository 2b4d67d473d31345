/**
 * Numbers for the values that are counted, the same for all counts of a table's rows, so that each of
 * them is an array of numbers. A dictionary's ordinals would not do: they are used again, and counts are
 * brought up to date later than the rows.
 */
import type { Scalar } from '../api.ts';
import { writtenAlike } from '../scalars.ts';

/** Most values of a column that are counted. */
const MAX_VALUES = 65_536;

/** The values of one column. */
interface ColumnValues {
  readonly numbers: Map<Scalar, number>;
  readonly values: Scalar[];
}

export class Vocabulary {
  readonly #most: number;
  readonly #columns: ColumnValues[] = [];
  #isFull = false;

  constructor(most = MAX_VALUES) {
    this.#most = most;
  }

  /** Whether it had no room for a value: the owner begins another vocabulary then. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether there is room for a column of this many values. */
  hasRoomFor(distinct: number): boolean {
    return distinct * 2 <= this.#most;
  }

  /** The number of a value that can be listed; undefined if there is no room for it. */
  numberOf(column: number, value: Scalar): number | undefined {
    const { numbers, values } = this.#of(column);
    const written = writtenAlike(value);
    const number = numbers.get(written);
    if (number !== undefined) return number;
    if (values.length >= this.#most) {
      this.#isFull = true;
      return undefined;
    }
    numbers.set(written, values.length);
    return values.push(written) - 1;
  }

  /** A column's values by their numbers. */
  valuesOf(column: number): readonly Scalar[] {
    return this.#of(column).values;
  }

  #of(column: number): ColumnValues {
    let of = this.#columns[column];
    if (!of) {
      of = { numbers: new Map(), values: [] };
      this.#columns[column] = of;
    }
    return of;
  }
}
