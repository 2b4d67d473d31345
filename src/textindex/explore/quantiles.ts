/**
 * Values at some ranks among the numbers, or dates, of a column over a set of rows.
 *
 *     sorted by       reads the row at that rank in the order, as a page does
 *     a dictionary    counts by value, and selects among the values (selection.ts)
 *     few rows        reads the rows' values, and selects likewise
 *
 * The elements of arrays are merged in: no row of the order stands for each of them.
 */
import type { Bound, Scalar } from '../api.ts';
import { isNumeric, type Numeric, nearest } from '../decimal.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { bitmapOf } from '../evaluate/hitSet.ts';
import type { Place } from '../order/block.ts';
import { firstNot } from '../order/firstNot.ts';
import { hitsBefore } from '../order/places.ts';
import { selectFound } from '../order/selectPage.ts';
import type { RankedValues } from '../partitions/partition.ts';
import { compareScalars, isListed, isNothing, millisOf } from '../scalars.ts';
import type { Ordinal, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { Ranged } from './ranged.ts';
import type { RowSet } from './rowSet.ts';
import { Selection } from './selection.ts';
import { countsIn } from './valueCounts.ts';

/** How the values at ranks are found. */
export function wayOfRanks({ cells }: Ranged, rows: RowSet): 'by order' | 'by value' | 'by row' {
  if (rows.isList) return 'by row';
  return cells ? 'by order' : 'by value';
}

/** The values in order, and how many elements are none. */
export function rankedIn(
  space: Space,
  column: Ranged,
  rows: RowSet,
): { readonly ranked: RankedValues; readonly missing: number } {
  const found = new Found(column.isOfDates);
  let missing = 0;
  const note = (value: Scalar, count: number) => {
    if (!found.add(value, count) && !isNothing(value)) missing += count;
  };
  const noteRows = (all: Iterable<number>) => {
    for (const row of all) {
      for (const value of column.valuesAt(row as RowNumber)!) note(value, 1);
    }
  };
  const way = wayOfRanks(column, rows);
  if (way === 'by row') noteRows(rows.listed());
  if (way === 'by value') eachCounted(column.dictionary!, rows, note);
  if (way !== 'by order') return { ranked: found, missing };
  const several = rows.among(column.cells!.arrays);
  noteRows(several);
  const plain = rows.without(several);
  const ordered = fromOrder(space, column, plain);
  const ranked = found.count === 0 ? ordered : merged(ordered, found);
  return { ranked, missing: missing + plain.count - ordered.count };
}

function fromOrder(space: Space, { isOfDates, cells, ascending }: Ranged, rows: RowSet) {
  const [order, keys] = [ascending!, cells!.ascending];
  // A decimal past all doubles has an infinite key.
  const isLess = (row: RowNumber) =>
    isOfDates || compareScalars(keys.scalarAt(row), Number.NEGATIVE_INFINITY) <= 0;
  const isBefore = (row: RowNumber) => keys.at(row) === Number.NEGATIVE_INFINITY && isLess(row);
  const from = order.placeOf(isBefore);
  const to = order.placeOf(keys.below(Number.POSITIVE_INFINITY));
  const { hits, count } = rows;
  const found = rows.isAll ? hits : bitmapOf(rows.bitmap);
  const countTo = (place: Place) => hitsBefore(space, order, found, count, place);
  const before = countTo(from);
  return {
    count: countTo(to) - before,
    at: (rank: number): Scalar => {
      const ranks = { first: before + rank, end: before + rank + 1 };
      const find = () => selectFound(space, order, hits, count, ranks);
      return keys.scalarAt(space.scratch.during(find)[0]!);
    },
    before: (value: Scalar): number => {
      const place = order.placeOf(keys.below(value as Bound));
      return space.scratch.during(() => countTo(place)) - before;
    },
  };
}

function eachCounted(
  dictionary: Dictionary,
  rows: RowSet,
  note: (value: Scalar, count: number) => void,
): void {
  const { counts } = countsIn(dictionary, rows);
  for (const [ordinal, count] of counts.entries()) {
    if (count > 0) note(dictionary.values.at(ordinal as Ordinal)!, count);
  }
}

/** The different values with one nearest double, in order, with their counts. */
interface Ties {
  /** The rank of the first one. */
  readonly first: number;
  readonly values: readonly (readonly [value: Numeric, count: number])[];
}

/** Values that were read, by their nearest doubles; only those that are no double are kept themselves. */
class Found implements RankedValues {
  readonly #isOfDates: boolean;
  readonly #selection = new Selection();
  /** In the selection each has its place in this list, and a double has 0. */
  readonly #exact: Numeric[] = [0];
  /** A key is a double; a rank among its values was asked for. */
  readonly #ties = new Map<number, Ties>();

  constructor(isOfDates: boolean) {
    this.#isOfDates = isOfDates;
  }

  get count(): number {
    return this.#selection.count;
  }

  /** Whether it is one that counts. */
  add(value: Scalar, count: number): boolean {
    if (this.#isOfDates) {
      if (!(value instanceof Date)) return false;
      this.#selection.add(millisOf(value), count);
      return true;
    }
    if (!isNumeric(value) || !isListed(value)) return false;
    // Minus zero is zero.
    const place = typeof value === 'number' ? 0 : this.#exact.push(value) - 1;
    this.#selection.add(nearest(value) + 0, count, place);
    return true;
  }

  at(rank: number): Scalar {
    const near = this.#selection.at(rank);
    if (this.#isOfDates) return new Date(near);
    if (this.#exact.length === 1) return near;
    const { first, values } = this.#tiesAt(near);
    let [i, left] = [0, rank - first];
    while (left >= values[i]![1]) left -= values[i++]![1];
    return values[i]![0];
  }

  #tiesAt(near: number): Ties {
    const known = this.#ties.get(near);
    if (known) return known;
    const first = firstNot(this.count, (i) => this.#selection.at(i) < near);
    const end = firstNot(this.count, (i) => this.#selection.at(i) <= near);
    // One price may be that of a million rows.
    const counts = new Map<string | number | bigint, [value: Numeric, count: number]>();
    for (const [place, count] of this.#selection.between(first, end)) {
      const value = place === 0 ? near : this.#exact[place]!;
      const key = typeof value === 'object' ? value.key : value;
      const counted = counts.get(key);
      if (counted) counted[1] += count;
      else counts.set(key, [value, count]);
    }
    const values = [...counts.values()].sort(([a], [b]) => compareScalars(a, b));
    const ties = { first, values };
    this.#ties.set(near, ties);
    return ties;
  }

  /** May be called alone, without `this`. */
  readonly before = (value: Scalar): number =>
    firstNot(this.count, (rank) => compareScalars(this.at(rank), value) < 0);
}

/** Two rows of values as one, in order: how many of the values before a rank are `more`. */
function merged(ranked: RankedValues, more: RankedValues): RankedValues {
  const at = (rank: number): Scalar => {
    const from = Math.max(0, rank - ranked.count);
    const isAfter = (i: number) =>
      compareScalars(ranked.at(rank - from - i - 1), more.at(from + i)) > 0;
    const low = from + firstNot(Math.min(rank, more.count) - from, isAfter);
    if (rank - low >= ranked.count) return more.at(low);
    const own = ranked.at(rank - low);
    return low < more.count && compareScalars(more.at(low), own) < 0 ? more.at(low) : own;
  };
  const before = (value: Scalar) => ranked.before(value) + more.before(value);
  return { count: ranked.count + more.count, at, before };
}
