/**
 * Rows that hold a number, or a date, of a range; or null, which stands at one place of the order too.
 *
 *     sorted by       the order between two places; rows with arrays are asked one by one
 *     a dictionary    the values within, and their rows
 *     a list of rows  each row's own number
 */
import type { Bound, RowCondition, Scalar } from '../api.ts';
import { isNumeric } from '../decimal.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { FIRST_VALUE } from '../dictionary/ordinals.ts';
import type { Values } from '../dictionary/values.ts';
import { addValues, splitByValues } from '../evaluate/dictionaryRows.ts';
import { Union } from '../evaluate/union.ts';
import type { Place } from '../order/block.ts';
import { keepBetween } from '../order/places.ts';
import { compareScalars, MAX_DATE, prefixKey, typeOrderOf } from '../scalars.ts';
import { copiedRows } from '../storage/bitmap.ts';
import { clearBit, hasBit, setBit } from '../storage/bits.ts';
import {
  type BitmapHandle,
  type Ordinal,
  type Pointer,
  plus,
  type RowNumber,
} from '../storage/brands.ts';
import type { RowNumbers } from '../storage/rowNumbers.ts';
import type { Space } from '../storage/space.ts';
import { TYPE_ORDER } from '../typeOrder.ts';
import type { Ranged } from './ranged.ts';
import { splitRows } from './splitRows.ts';

/** The least value of the range, and the first value after it. */
interface Bounds {
  readonly low: Bound;
  readonly high: Bound | 'end';
}

type OfBounds = Extract<RowCondition, { op: 'range' }>;
type Asked = OfBounds | { readonly op: 'nothing' };

function boundsOf({ isOfDates }: Ranged, { from, to }: OfBounds): Bounds {
  const least = isOfDates ? new Date(-MAX_DATE) : Number.NEGATIVE_INFINITY;
  return { low: from ?? least, high: to ?? 'end' };
}

/** The least and the greatest `prefixKey` that a value within may have. */
function numbersOf(ranged: Ranged, asked: Asked): readonly [number, number] {
  if (asked.op === 'nothing') return [prefixKey(null), prefixKey(null)];
  const { low, high } = boundsOf(ranged, asked);
  const last = ranged.isOfDates ? new Date(MAX_DATE) : Number.POSITIVE_INFINITY;
  return [prefixKey(low), prefixKey(high === 'end' ? last : high)];
}

/** The two places in the ascending order between which rows without arrays meet it. */
function placesOf(ranged: Ranged, asked: Asked): readonly [Place, Place] {
  const { ascending: keys } = ranged.cells!;
  const place = (isBefore: (row: RowNumber) => boolean) => ranged.ascending!.placeOf(isBefore);
  if (asked.op === 'nothing') {
    const typeOf = (row: RowNumber) => typeOrderOf(keys.scalarAt(row));
    return [
      place((row) => typeOf(row) < TYPE_ORDER.null),
      place((row) => typeOf(row) <= TYPE_ORDER.null),
    ];
  }
  const { low, high } = boundsOf(ranged, asked);
  return [place(keys.below(low)), place(keys.below(high))];
}

export class Range {
  readonly #space: Space;
  readonly #numbers: RowNumbers;
  readonly #ranged: Ranged;
  readonly #isWithin: (value: Scalar) => boolean;
  readonly #asked: Asked;

  constructor(space: Space, numbers: RowNumbers, ranged: Ranged, asked: Asked) {
    this.#space = space;
    this.#numbers = numbers;
    this.#ranged = ranged;
    this.#asked = asked;
    this.#isWithin =
      asked.op === 'nothing' ? (value) => value === null : withinTest(ranged.isOfDates, asked);
  }

  /** The rows that meet it, in their own bitmap. */
  rows(): BitmapHandle {
    if (!this.#ranged.cells) return this.#ofValues();
    const bitmap = copiedRows(this.#space, this.#numbers.live);
    this.keepIn(bitmap);
    return bitmap;
  }

  /** bitmap &= the rows that meet it. An array stands in the order by its least element alone. */
  keepIn(bitmap: BitmapHandle): void {
    const { cells, ascending } = this.#ranged;
    const { kernel, memory, scratch, bitmapBytes } = this.#space;
    if (!cells) {
      const rows = this.#ofValues();
      kernel.and(bitmap, rows, bitmapBytes);
      scratch.giveBack(rows);
      return;
    }
    const arrays = [...cells.arrays].filter(([row]) => hasBit(memory.u8, bitmap, row));
    const [from, to] = placesOf(this.#ranged, this.#asked);
    keepBetween(this.#space, ascending!, from, to, bitmap);
    for (const [row, several] of arrays) {
      if (several.some((value) => this.#isWithin(value))) setBit(memory.u8, bitmap, row);
      else clearBit(memory.u8, bitmap, row);
    }
  }

  /** See `splitRows`. */
  split(list: Pointer, n: number, matched: Pointer): number {
    const { cells } = this.#ranged;
    if (!cells) return this.#splitByValue(list, n, matched);
    const { memory } = this.#space;
    if (this.#asked.op === 'nothing') {
      const isMet = (row: RowNumber) => cells.elementsOf(row).some(this.#isWithin);
      return splitRows(memory.u32, list, n, matched, isMet);
    }
    const { low, high } = boundsOf(this.#ranged, this.#asked);
    const { arrays, ascending } = cells;
    const keys = new Float64Array(n);
    ascending.read(memory.u32.slice(list >>> 2, (list >>> 2) + n), keys);
    const isBefore = ascending.belowAmong(low, keys);
    const isInside = ascending.belowAmong(high, keys);
    // Reading may have moved the view.
    return splitRows(memory.u32, list, n, matched, (row, i) => {
      const several = arrays.size > 0 ? arrays.get(row) : undefined;
      return several
        ? several.some((value) => this.#isWithin(value))
        : !isBefore(row, i) && isInside(row, i);
    });
  }

  #ofValues(): BitmapHandle {
    const dictionary = this.#ranged.dictionary!;
    const [list, n] = this.#ordinals(dictionary);
    const union = new Union(this.#space);
    if (n > 0) addValues(dictionary, union, list, n);
    return union.finish();
  }

  #splitByValue(list: Pointer, n: number, matched: Pointer): number {
    const dictionary = this.#ranged.dictionary!;
    const members = dictionary.setOf(...this.#ordinals(dictionary));
    return splitByValues(dictionary, members, list, n, matched);
  }

  /**
   * A list of the values within, ordinals without rows among them, and how many. A value is read only where its
   * number is that of a bound.
   */
  #ordinals({ values }: Dictionary): readonly [list: Pointer, n: number] {
    const { memory, scratch } = this.#space;
    const [least, greatest] = numbersOf(this.#ranged, this.#asked);
    const numbers = values.numbers.of(values, true) >>> 3;
    const list = scratch.take(values.length * 4);
    const { f64, u32 } = memory;
    let n = 0;
    for (let i: number = FIRST_VALUE; i < values.length; i++) {
      const number = f64[numbers + i]!;
      const isBetween = number > least && number < greatest;
      const isOfBound = number === least || number === greatest;
      if (isBetween || (isOfBound && this.#holds(values, i as Ordinal)))
        u32[(list >>> 2) + n++] = i;
    }
    scratch.cut(plus(list, n * 4));
    return [list, n];
  }

  #holds(values: Values, ordinal: Ordinal): boolean {
    const value = values.at(ordinal);
    return value !== undefined && this.#isWithin(value);
  }
}

/** Whether a value lies in a range of numbers, or of dates: `from` inclusive, `to` exclusive; NaN lies in none. */
function withinTest(isDate: boolean, { from, to }: OfBounds): (value: Scalar) => boolean {
  const low = from ?? (isDate ? undefined : Number.NEGATIVE_INFINITY);
  return (value) => {
    if (isDate ? !(value instanceof Date) : !isNumeric(value)) return false;
    if (low !== undefined && compareScalars(value, low) < 0) return false;
    return to === undefined || compareScalars(value, to) < 0;
  };
}
