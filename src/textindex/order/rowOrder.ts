/**
 * An order that is not kept: made of up to three keys on request.
 *
 *     keys    status asc, worker desc          number first, scalar where numbers tie
 *     ties    id desc                          in the direction of the last key
 *
 * Each key is a number for each row that mostly decides, as in sortKeys.ts, negated if the key is
 * descending, so that every comparison is an ascending one.
 */
import type { Scalar } from '../api.ts';
import type { Column } from '../column.ts';
import { ARRAY, NO_VALUE } from '../dictionary/ordinals.ts';
import { compareScalars, EMPTY_ARRAY, isNothing, prefixKey, sortKey } from '../scalars.ts';
import type { Ordinal, RowNumber } from '../storage/brands.ts';
import { compareBy, type Keys } from './keys.ts';
import type { Ids } from './rowIds.ts';

/** A `SortKey` with its column; without a column it is the row id. */
export interface RowKey {
  readonly column: Column | undefined;
  readonly descending: boolean;
  readonly labelOf?: ((value: Scalar) => Scalar) | undefined;
}

/** Most values whose numbers are kept while rows are compared: an array of all costs more than it saves. */
const MOST_MADE = 4096;

export class RowOrder {
  /** The most significant key. */
  readonly keys: Keys;
  /** The order of rows that tie by that key; none after the id, which comes last. */
  readonly ofTies: RowOrder | undefined;

  constructor(keys: readonly RowKey[], ids: Ids) {
    const [key] = keys as [RowKey];
    this.keys = inDirection(keysOf(key, ids), key);
    const isLast = keys.length === 1 && !key.column;
    this.ofTies = isLast ? undefined : new RowOrder(keysOfTies(keys), ids);
  }

  /** Whether two rows are equal by the most significant key. */
  areTied(a: RowNumber, b: RowNumber): boolean {
    return compareBy(this.keys, a, b) === 0;
  }

  /** Negative, or positive, as a comes before b; 0 only for the same row. */
  compare(a: RowNumber, b: RowNumber): number {
    return compareBy(this.keys, a, b) || (this.ofTies?.compare(a, b) ?? 0);
  }
}

/** The keys of rows that tie by the first key: the others, else the id in the same direction. */
export function keysOfTies([key, ...others]: readonly RowKey[]): readonly RowKey[] {
  return others.length > 0 ? others : [{ column: undefined, descending: key!.descending }];
}

function inDirection(keys: Keys, { descending }: RowKey): Keys {
  if (!descending) return keys;
  return {
    at: (row) => -keys.at(row),
    read(rows, numbers) {
      keys.read(rows, numbers);
      for (let i = 0; i < numbers.length; i++) numbers[i] = -numbers[i]!;
    },
    decide: (a, b) => keys.decide(b, a),
  };
}

function keysOf(key: RowKey, ids: Ids): Keys {
  const { column, descending, labelOf } = key;
  if (!column) return ids;
  const isOwn = !labelOf && !column.holdsNothing;
  return isOwn ? column.keys(descending) : new ScalarKeys(key);
}

/** The scalar that a row is ordered by; the elements of an array that are nothing do not count. */
export function scalarOf(
  column: Column,
  row: RowNumber,
  descending: boolean,
  labelOf: RowKey['labelOf'],
): Scalar {
  const [value = EMPTY_ARRAY, ...more] = column.valuesAt(row)!;
  if (labelOf) return column.dictionary!.ordinals.get(row) === ARRAY ? null : labelOf(value);
  if (more.length === 0) return isNothing(value) ? EMPTY_ARRAY : value;
  const values = [value, ...more].filter((one) => !isNothing(one));
  return sortKey(values, descending);
}

/** The same for the rows of a value; ARRAY: for an array none of whose elements counts. */
export function scalarOfValue({ column, labelOf }: RowKey, ordinal: Ordinal): Scalar {
  if (ordinal === ARRAY) return labelOf ? null : EMPTY_ARRAY;
  const value = column!.dictionary!.values.at(ordinal)!;
  if (labelOf) return labelOf(value);
  return isNothing(value) ? EMPTY_ARRAY : value;
}

/** Keys that a column does not have: by `scalarOf`. The number of a dictionary's value is made once. */
class ScalarKeys implements Keys {
  readonly #key: RowKey;
  readonly #column: Column;
  /** The numbers by ordinal, each 0 until its first use; none where values are many. */
  readonly #made: Float64Array;
  readonly #prefixOf: (ordinal: Ordinal) => number;

  constructor(key: RowKey) {
    this.#key = key;
    this.#column = key.column!;
    const values = this.#column.dictionary?.values;
    const { length } = values ?? [];
    this.#made = new Float64Array(length <= MOST_MADE ? length : 0);
    this.#prefixOf = (ordinal) => values!.prefixOf(ordinal);
  }

  at(row: RowNumber): number {
    const ordinal = this.#ordinalOf(row);
    const made = ordinal === NO_VALUE ? undefined : this.#made[ordinal];
    if (made) return made;
    const number = prefixKey(this.#scalarOf(row, ordinal));
    if (made === 0) this.#made[ordinal] = number;
    return number;
  }

  read(rows: Uint32Array, numbers: Float64Array): void {
    for (let i = 0; i < rows.length; i++) numbers[i] = this.at(rows[i]! as RowNumber);
  }

  decide(a: RowNumber, b: RowNumber): number {
    const [ordinal, other] = [this.#ordinalOf(a), this.#ordinalOf(b)];
    if (ordinal === other && ordinal !== NO_VALUE) return 0;
    return compareScalars(this.#scalarOf(a, ordinal), this.#scalarOf(b, other));
  }

  /** The ordinal of the value that decides; NO_VALUE if there is none of a dictionary. */
  #ordinalOf(row: RowNumber): Ordinal {
    const { dictionary } = this.#column;
    const { descending, labelOf } = this.#key;
    const ordinal = dictionary?.ordinals.get(row) ?? NO_VALUE;
    if (ordinal !== ARRAY || labelOf) return ordinal;
    return dictionary!.orderedBy(dictionary!.arrays.placeOf(row), descending, this.#prefixOf);
  }

  #scalarOf(row: RowNumber, ordinal: Ordinal): Scalar {
    if (ordinal !== NO_VALUE) return scalarOfValue(this.#key, ordinal);
    return scalarOf(this.#column, row, this.#key.descending, this.#key.labelOf);
  }
}
