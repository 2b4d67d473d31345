/**
 * The keys that rows are ordered by: for each row a number that mostly decides, and the scalar when
 * it does not.
 *
 *     a before b   ⇒   at(a) ≤ at(b)            so unequal numbers decide at once
 *     at(a) = at(b) ⇒  scalarAt decides         only where the number is vague
 *
 * Two kinds: numbers or dates kept for each row (4 to 8 bytes), and keys of a dictionary's values.
 */
import type { Bound, Cell, Scalar } from '../api.ts';
import { isDecimal, isShortest, type Numeric, nearest, shortestDecimal } from '../decimal.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { ARRAY, FIRST_VALUE, NO_VALUE } from '../dictionary/ordinals.ts';
import type { Uuids } from '../ids/column.ts';
import {
  compareScalars,
  isArray,
  isNothing,
  millisOf,
  prefixKey,
  scalarKey,
  sortKey,
  typeOrderOf,
} from '../scalars.ts';
import { Bitmap } from '../storage/bitmap.ts';
import type { Pointer, RowNumber } from '../storage/brands.ts';
import { RowDoubles } from '../storage/rowDoubles.ts';
import type { Space } from '../storage/space.ts';
import { keepFew, keepMap, keepOptional, type State, type Steps } from '../storage/state.ts';
import { TYPE_ORDER } from '../typeOrder.ts';
import type { BoundedKeys, Keys, OrderedCells } from './keys.ts';
import { Zones } from './zones.ts';

/** Past this a number may stand for several integers. */
const VAGUE = 2 ** 53;
const isCertain = (key: number) => key < VAGUE && key > -VAGUE;

const numberOf = (bound: Bound) => (bound instanceof Date ? millisOf(bound) : nearest(bound));

/**
 * Scalars of one home type (numbers, or dates) by row. The home type's values are their own keys, and
 * a decimal has the nearest double; all that comes before is -Infinity, all that comes after Infinity.
 * Most decimals are written as their key is, and take a bit. Other scalars that do not follow from
 * their key are kept aside; without one, -Infinity stands for null.
 */
export class RowKeys implements BoundedKeys {
  readonly #home: number;
  readonly #keys: RowDoubles;
  readonly #aside = new Map<RowNumber, Scalar>();
  readonly #space: Space;
  /** Rows whose scalar is the `shortestDecimal` of its key. */
  #decimals: Bitmap | undefined;

  constructor(space: Space, home: 'number' | 'date') {
    this.#home = TYPE_ORDER[home];
    this.#keys = new RowDoubles(space);
    this.#space = space;
  }

  at(row: RowNumber): number {
    return this.#keys.at(row);
  }

  read(rows: Uint32Array, numbers: Float64Array): void {
    this.#keys.read(rows, numbers);
  }

  decide(a: RowNumber, b: RowNumber): number {
    const isDecimal = this.#isDecimal(a);
    if (isDecimal && this.#isDecimal(b)) return 0;
    if (this.#aside.size === 0 && !isDecimal && !this.#isDecimal(b)) return 0;
    return compareScalars(this.scalarAt(a), this.scalarAt(b));
  }

  set(row: RowNumber, scalar: Scalar): void {
    const key = this.#numberOf(scalar);
    this.#keys.set(row, key);
    this.forget(row);
    if (isDecimal(scalar) && this.#home === TYPE_ORDER.number) {
      if (!isShortest(scalar)) this.#aside.set(row, scalar);
      else {
        this.#decimals ??= new Bitmap(this.#space);
        this.#decimals.add(row);
      }
    } else if (!(scalar === null || isCertain(key))) this.#aside.set(row, scalar);
  }

  forget(row: RowNumber): void {
    if (this.#aside.size > 0) this.#aside.delete(row);
    this.#decimals?.delete(row);
  }

  /** Whether the row's scalar is this one. */
  same(row: RowNumber, scalar: Scalar): boolean {
    if (this.at(row) !== this.#numberOf(scalar)) return false;
    return compareScalars(this.scalarAt(row), scalar) === 0;
  }

  below(bound: Bound | 'end'): (row: RowNumber) => boolean {
    if (bound === 'end') {
      return (row) => this.at(row) < VAGUE || typeOrderOf(this.scalarAt(row)) <= this.#home;
    }
    const number = numberOf(bound);
    return (row) => {
      const key = this.at(row);
      return key === number ? compareScalars(this.scalarAt(row), bound) < 0 : key < number;
    };
  }

  /**
   * A number that is handed over becomes an object, and histograms of all rows took 1.1 times as long
   * so.
   */
  belowAmong(bound: Bound | 'end', numbers: Float64Array): (row: RowNumber, i: number) => boolean {
    const isBelow = this.below(bound);
    const least = bound === 'end' ? VAGUE : numberOf(bound);
    const greatest = bound === 'end' ? Number.POSITIVE_INFINITY : least;
    return (row, i) => numbers[i]! < least || (numbers[i]! <= greatest && isBelow(row));
  }

  #isDecimal(row: RowNumber): boolean {
    return this.#decimals?.has(row) === true;
  }

  /** The numbers of all rows, for the kernel's `bucketsOf`. */
  get table(): Pointer {
    return this.#keys.table;
  }

  scalarAt(row: RowNumber): Scalar {
    const aside = this.#aside.size > 0 ? this.#aside.get(row) : undefined;
    if (aside !== undefined) return aside;
    const key = this.at(row);
    if (key === Number.NEGATIVE_INFINITY) return null;
    if (this.#home === TYPE_ORDER.date) return new Date(key);
    return this.#isDecimal(row) ? shortestDecimal(key) : key;
  }

  get heapBytes(): number {
    return this.#aside.size * 100;
  }

  *keep(state: State): Steps {
    this.#keys.keep(state);
    yield* keepMap(state, this.#aside, (row, value) => [state.number(row), state.scalar(value)!]);
    this.#decimals = keepOptional(state, this.#decimals, () => new Bitmap(this.#space));
    if (this.#decimals) yield* this.#decimals.keep(state);
  }

  #numberOf(scalar: Scalar): number {
    const type = typeOrderOf(scalar);
    if (type < this.#home) return Number.NEGATIVE_INFINITY;
    if (type > this.#home) return Number.POSITIVE_INFINITY;
    if (scalar instanceof Date) return millisOf(scalar);
    const number = nearest(scalar as Numeric);
    return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number;
  }
}

/**
 * The keys of a column's cells ascending and descending, and the elements of arrays beside them.
 */
export class SortedCells implements OrderedCells {
  readonly ascending: RowKeys;
  /** Present from the first cell with two keys on. */
  descending: RowKeys | undefined;
  /** The elements, each once, of rows with arrays of none or several; for ranges and counts. */
  readonly arrays = new Map<RowNumber, readonly Scalar[]>();
  /** Zones of dates that are counted by time. */
  readonly zones: Zones | undefined;
  readonly #home: 'number' | 'date';
  readonly #space: Space;
  /** Rows with an array that counts for `holdsNothing`. */
  #withNothing = 0;

  constructor(space: Space, home: 'number' | 'date', counted: boolean) {
    this.#space = space;
    this.#home = home;
    this.zones = counted && home === 'date' ? new Zones(space) : undefined;
    this.ascending = new RowKeys(space, home);
  }

  same(row: RowNumber, cell: Cell): boolean {
    const before = this.arrays.get(row);
    const after = severalIn(cell);
    if (before || after) return before !== undefined && after !== undefined && same(before, after);
    return this.ascending.same(row, sortKey(cell, false));
  }

  add(row: RowNumber, cell: Cell): void {
    this.ascending.set(row, sortKey(cell, false));
    this.descending?.set(row, sortKey(cell, true));
    this.zones?.add(row, this.ascending.at(row));
    const several = severalIn(cell);
    if (!several) return;
    this.arrays.set(row, several);
    if (mayBeKeyedByNothing(several)) this.#withNothing++;
  }

  /** Keeps descending keys apart from now on; the rows have a key already, except for a new one. */
  split(rows: Iterable<RowNumber>, added: RowNumber): void {
    this.descending = new RowKeys(this.#space, this.#home);
    for (const row of rows) {
      if (row !== added) this.descending.set(row, this.ascending.scalarAt(row));
    }
  }

  remove(row: RowNumber): void {
    this.zones?.remove(row, this.ascending.at(row), (other) => this.ascending.at(other));
    this.ascending.forget(row);
    this.descending?.forget(row);
    const several = this.arrays.size > 0 ? this.arrays.get(row) : undefined;
    if (!several) return;
    this.arrays.delete(row);
    if (mayBeKeyedByNothing(several)) this.#withNothing--;
  }

  /** A row's elements, each value once. */
  elementsOf(row: RowNumber): readonly Scalar[] {
    return this.arrays.get(row) ?? [this.ascending.scalarAt(row)];
  }

  /** Whether a row's key may be an element that is nothing: orders of several keys leave it out. */
  get holdsNothing(): boolean {
    return this.#withNothing > 0;
  }

  *keep(state: State): Steps {
    yield* this.ascending.keep(state);
    const make = () => new RowKeys(this.#space, this.#home);
    this.descending = keepOptional(state, this.descending, make);
    if (this.descending) yield* this.descending.keep(state);
    yield* keepMap(state, this.arrays, (row, values = []) => {
      const number = state.number(row);
      const several = keepFew(state, values, (value) => state.scalar(value)!);
      if (state.reading && mayBeKeyedByNothing(several)) this.#withNothing++;
      return [number, several];
    });
    if (this.zones) yield* this.zones.keep(state);
  }

  get heapBytes(): number {
    const keys = this.ascending.heapBytes + (this.descending?.heapBytes ?? 0);
    return keys + this.arrays.size * 200;
  }

  /**
   * Throws if zones or elements of arrays contradict the rows' keys; `rows` are all rows of the
   * table.
   */
  check(rows: Iterable<RowNumber>): void {
    this.zones?.check(rows, (row) => this.ascending.at(row));
    for (const [row, several] of this.arrays) {
      const keys = [this.ascending, this.descending ?? this.ascending];
      if (keys.some((one, i) => !one.same(row, sortKey(several, i > 0)))) {
        throw new Error(`row ${row} is sorted by what its array does not hold`);
      }
    }
    const withNothing = [...this.arrays.values()].filter(mayBeKeyedByNothing).length;
    if (withNothing !== this.#withNothing) {
      throw new Error(`${withNothing} arrays hold nothing, counted ${this.#withNothing}`);
    }
  }
}

/** The elements, each once, of an array of none or several different ones, or of nothing. */
function severalIn(cell: Cell): readonly Scalar[] | undefined {
  if (!isArray(cell)) return isNothing(cell) ? [cell] : undefined;
  const [first] = cell;
  if (cell.length === 1 && !isNothing(first!)) return undefined;
  const several = [...new Map(cell.map((value) => [scalarKey(value), value])).values()];
  return several.length === 1 && !isNothing(first!) ? undefined : several;
}

/** Whether an element that is nothing may be the key of a row with these. */
function mayBeKeyedByNothing(several: readonly Scalar[]): boolean {
  const isEmpty = several.length === 1 && typeOrderOf(several[0]!) === TYPE_ORDER.emptyArray;
  return !isEmpty && several.some(isNothing);
}

function same(before: readonly Scalar[], after: readonly Scalar[]): boolean {
  const keys = new Set(before.map(scalarKey));
  return before.length === after.length && after.every((value) => keys.has(scalarKey(value)));
}

/** Keys of a dictionary's values: a class by type, then up to six bytes of the text. */
export class ValueKeys implements Keys {
  readonly #dictionary: Dictionary;
  readonly #uuids: Uuids | undefined;
  readonly #descending: boolean;

  constructor(dictionary: Dictionary, uuids: Uuids | undefined, descending: boolean) {
    this.#dictionary = dictionary;
    this.#uuids = uuids;
    this.#descending = descending;
  }

  at(row: RowNumber): number {
    const ordinal = this.#dictionary.ordinals.get(row);
    if (ordinal === NO_VALUE) return this.#uuids!.prefixAt(row);
    if (ordinal !== ARRAY) return this.#dictionary.values.prefixOf(ordinal);
    return prefixKey(this.scalarAt(row));
  }

  read(rows: Uint32Array, numbers: Float64Array): void {
    for (let i = 0; i < rows.length; i++) numbers[i] = this.at(rows[i]! as RowNumber);
  }

  decide(a: RowNumber, b: RowNumber): number {
    const { ordinals, values } = this.#dictionary;
    const [ordinal, other] = [ordinals.get(a), ordinals.get(b)];
    if (ordinal >= FIRST_VALUE && other >= FIRST_VALUE) return values.compare(ordinal, other);
    if (ordinal === NO_VALUE && other === NO_VALUE) return this.#uuids!.compare(a, b);
    return compareScalars(this.scalarAt(a), this.scalarAt(b));
  }

  scalarAt(row: RowNumber): Scalar {
    const ordinal = this.#dictionary.ordinals.get(row);
    if (ordinal === NO_VALUE) return this.#uuids!.idAt(row);
    if (ordinal !== ARRAY) return this.#dictionary.values.at(ordinal)!;
    const values = this.#dictionary.arrays.get(row)!.map((c) => this.#dictionary.values.at(c)!);
    return sortKey(values, this.#descending);
  }
}

/** Whether a cell's ascending and descending keys may differ. */
export function hasTwoKeys(cell: Cell): boolean {
  return isArray(cell) && cell.length > 1;
}
