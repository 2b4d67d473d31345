/**
 * Values at some ranks among the numbers, or dates, of a column over a set of rows.
 *
 *     sorted by       reads the row at that rank in the order, as a page does
 *     a dictionary    sums up the counts by value
 *     few rows        sorts the rows' values
 *
 * The elements of arrays are merged in: no row of the order stands for each of them.
 */
import type { Bound, Scalar } from '../api.ts';
import { isNumeric } from '../decimal.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { bitmapOf } from '../evaluate/hitSet.ts';
import { firstNot } from '../order/firstNot.ts';
import type { OrderedCells } from '../order/keys.ts';
import { hitsBefore, type Place, placeOf } from '../order/places.ts';
import { selectFound } from '../order/selectPage.ts';
import type { RankedValues } from '../partitions/partition.ts';
import { compareScalars, isListed, isNothing } from '../scalars.ts';
import type { Ordinal, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Ranged } from './ranged.ts';
import type { RowSet } from './rowSet.ts';
import type { ValueCounts } from './valueCounts.ts';

export class Quantiles {
  readonly #space: Space;
  readonly #counts: ValueCounts;

  constructor(space: Space, counts: ValueCounts) {
    this.#space = space;
    this.#counts = counts;
  }

  /** How the values at ranks are found. */
  wayOf({ cells, ascending }: Ranged, rows: RowSet): 'by order' | 'by value' | 'by row' {
    if (rows.isList) return 'by row';
    return cells && ascending ? 'by order' : 'by value';
  }

  /** The values in order, and how many elements are none. */
  ranked(
    column: Ranged,
    rows: RowSet,
  ): { readonly ranked: RankedValues; readonly missing: number } {
    const way = this.wayOf(column, rows);
    if (way === 'by order') return this.#fromOrderAndArrays(column, column.cells!, rows);
    const found: Counted[] = [];
    let missing = 0;
    const note = (value: Scalar, count: number) => {
      if (isCounted(column, value)) found.push({ value, count });
      else if (!isNothing(value)) missing += count;
    };
    if (way === 'by row') this.#eachOfRows(column, rows, note);
    else this.#eachCounted(column.dictionary!, rows, note);
    return { ranked: rankedBy(found), missing };
  }

  #fromOrderAndArrays(column: Ranged, cells: OrderedCells, rows: RowSet) {
    const several = rows.among(cells.arrays);
    const plain = rows.without(several);
    const inside = several.flatMap((row) => cells.elementsOf(row)).filter((one) => !isNothing(one));
    const merged = inside.filter((value) => isCounted(column, value)).sort(compareScalars);
    const ordered = this.#fromOrder(column, plain);
    const missing = plain.count - ordered.count + inside.length - merged.length;
    return { ranked: merged.length === 0 ? ordered : mergedWith(ordered, merged), missing };
  }

  #fromOrder({ isOfDates, cells, ascending }: Ranged, rows: RowSet): RankedValues {
    const [order, keys] = [ascending!, cells!.ascending];
    // A decimal past all doubles has an infinite key.
    const isLess = (row: RowNumber) =>
      isOfDates || compareScalars(keys.scalarAt(row), Number.NEGATIVE_INFINITY) <= 0;
    const isBefore = (row: RowNumber) => keys.at(row) === Number.NEGATIVE_INFINITY && isLess(row);
    const from = placeOf(this.#space, order, isBefore);
    const to = placeOf(this.#space, order, keys.below(Number.POSITIVE_INFINITY));
    const { hits, count } = rows;
    const found = rows.isAll ? hits : bitmapOf(rows.bitmap);
    const countTo = (place: Place) => hitsBefore(this.#space, order, found, count, place);
    const before = countTo(from);
    return {
      count: countTo(to) - before,
      at: (rank) => {
        const ranks = { first: before + rank, end: before + rank + 1 };
        const mark = this.#space.scratch.take(0);
        const [row] = selectFound(this.#space, order, hits, count, ranks);
        this.#space.scratch.cut(mark);
        return keys.scalarAt(row!);
      },
      before: (value) => {
        const mark = this.#space.scratch.take(0);
        const less = countTo(placeOf(this.#space, order, keys.below(value as Bound)));
        this.#space.scratch.cut(mark);
        return less - before;
      },
    };
  }

  #eachCounted(dictionary: Dictionary, rows: RowSet, note: Note): void {
    const { counts } = this.#counts.counts(dictionary, rows);
    for (const [ordinal, count] of counts.entries()) {
      if (count > 0) note(dictionary.values.at(ordinal as Ordinal)!, count);
    }
  }

  #eachOfRows(column: Ranged, rows: RowSet, note: Note): void {
    rows.each((list, n) => {
      const { u32 } = this.#space.memory;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        for (const value of column.valuesAt(u32[i]! as RowNumber)!) note(value, 1);
      }
    });
  }
}

interface Counted {
  readonly value: Scalar;
  readonly count: number;
}

type Note = (value: Scalar, count: number) => void;

const isCounted = ({ isOfDates }: Ranged, value: Scalar): boolean =>
  isOfDates ? value instanceof Date : isNumeric(value) && isListed(value);

function rankedBy(found: Counted[]): RankedValues {
  found.sort((a, b) => compareScalars(a.value, b.value));
  const ends = new Float64Array(found.length);
  let count = 0;
  for (const [i, one] of found.entries()) ends[i] = count += one.count;
  const firstPast = (rank: number) => firstNot(ends.length, (i) => ends[i]! <= rank);
  return {
    count,
    at: (rank) => found[firstPast(rank)]!.value,
    before(value) {
      const i = firstNot(found.length, (one) => compareScalars(found[one]!.value, value) < 0);
      return i === 0 ? 0 : ends[i - 1]!;
    },
  };
}

/** Two rows of values as one, in order: how many of the values before a rank are `more`. */
function mergedWith(ranked: RankedValues, more: readonly Scalar[]): RankedValues {
  const count = ranked.count + more.length;
  const at = (rank: number): Scalar => {
    const from = Math.max(0, rank - ranked.count);
    const isAfter = (i: number) =>
      compareScalars(ranked.at(rank - from - i - 1), more[from + i]!) > 0;
    const low = from + firstNot(Math.min(rank, more.length) - from, isAfter);
    if (rank - low >= ranked.count) return more[low]!;
    const own = ranked.at(rank - low);
    return low < more.length && compareScalars(more[low]!, own) < 0 ? more[low]! : own;
  };
  const before = (value: Scalar) =>
    ranked.before(value) + firstNot(more.length, (i) => compareScalars(more[i]!, value) < 0);
  return { count, at, before };
}
