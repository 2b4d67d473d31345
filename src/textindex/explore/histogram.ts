/**
 * Counts by time: how many rows of a set have their date in each bucket.
 *
 *     all rows, most   edges of buckets are places in the order; less the rows that are not in the set
 *     many             64 rows at a time, where all their dates lie in one bucket (order/zones.ts), else
 *                      each row's date as it is met
 *     listed           each row's date ─► bucket, tallied
 *
 * A row with an array of dates counts in several buckets, and is counted by itself.
 */
import { invariant } from '../../errors.ts';
import type { HistogramRequest } from '../api.ts';
import type { Column } from '../column.ts';
import type { Order } from '../order/order.ts';
import { hitsBefore, rowsBefore } from '../order/places.ts';
import { selectFound } from '../order/selectPage.ts';
import type { SortedCells } from '../order/sortKeys.ts';
import type { BucketedTimes, ExploredTimes, Extent } from '../partitions/partition.ts';
import { isNothing, millisOf } from '../scalars.ts';
import type { RowNumber } from '../storage/brands.ts';
import { DateGrid, isWithin, type Span, spanOf } from './dateGrid.ts';
import type { Means } from './means.ts';
import type { RowSet } from './rowSet.ts';
import { SplitCounts } from './splitCounts.ts';

/** Rows whose dates are read together. */
const CHUNK = 2048;

/** How rows are counted by the dates of a column. */
export function wayOfTimes(
  { ascending }: Pick<Column, 'ascending'>,
  rows: RowSet,
  isSplit: boolean,
): 'by order' | 'by zone' | 'by row' {
  if (!isSplit && !rows.isList && rows.count * 2 > ascending!.size) return 'by order';
  return rows.readByWords ? 'by zone' : 'by row';
}

/** Rows with arrays: the dates of all that are counted, those of each row up to its end. */
interface Several {
  readonly rows: readonly RowNumber[];
  readonly dates: readonly number[];
  readonly ends: readonly number[];
  /** Elements that are no dates. */
  readonly missing: number;
}

function severalIn(cells: SortedCells, span: Span, rows: readonly RowNumber[]): Several {
  const dates: number[] = [];
  const ends: number[] = [];
  let missing = 0;
  for (const row of rows) {
    for (const value of cells.elementsOf(row)) {
      if (value instanceof Date) {
        const ms = millisOf(value);
        if (isWithin(span, ms)) dates.push(ms);
      } else if (!isNothing(value)) missing++;
    }
    ends.push(dates.length);
  }
  return { rows, dates, ends, missing };
}

export class HistogramCounts implements ExploredTimes {
  readonly extent: Extent | undefined;
  readonly #means: Means;
  readonly #cells: SortedCells;
  readonly #order: Order;
  readonly #span: Span;
  readonly #rows: RowSet;
  readonly #by: HistogramRequest['by'];
  /** Rows with an array, in either column, are counted apart from the others. */
  readonly #several: Several;
  readonly #plain: RowSet;

  constructor(means: Means, { column, from, to, by }: HistogramRequest, rows: RowSet) {
    const { cells, ascending } = means.columnOf(column, { dates: true });
    invariant(cells && ascending, 'dates that are counted are sorted');
    this.#means = means;
    this.#cells = cells;
    this.#order = ascending;
    this.#span = spanOf(from, to);
    this.#rows = rows;
    this.#by = by;
    const several = rows.among(this.#cells.arrays);
    const split = by
      ? rows.among(means.columnOf(by.column, { facet: true }).dictionary!.arrays)
      : [];
    const apart = split.length > 0 ? [...new Set([...several, ...split])] : several;
    this.#several = severalIn(this.#cells, this.#span, apart);
    this.#plain = rows.without(apart);
    this.extent = this.#extent();
  }

  within(bounds: readonly number[]): BucketedTimes {
    const grid = new DateGrid(this.#means.space, this.#span, bounds);
    const { rows, dates, ends, missing } = this.#several;
    const buckets = grid.bucketsOfDates(dates);
    const apart = { rows, ends, buckets };
    const { column } = this.#by ?? {};
    const split =
      column === undefined
        ? undefined
        : new SplitCounts(this.#means, this.#cells, grid, column, this.#plain, apart);
    return {
      countBy: () => split!.sums(),
      count: (values) => {
        const found = values && split!.of(values);
        const counts = found?.counts ?? this.#counts(grid);
        for (const bucket of buckets) counts[bucket]!++;
        counts[grid.buckets + 1]! += missing;
        return {
          counts: [...counts.subarray(0, grid.buckets)],
          missing: counts[grid.buckets + 1]!,
          ...(found && { by: found.by }),
        };
      },
    };
  }

  #counts(grid: DateGrid): Float64Array {
    const way = wayOfTimes({ ascending: this.#order }, this.#rows, false);
    return way === 'by order' ? this.#fromOrder(grid) : this.#fromRows(this.#plain, grid);
  }

  #extent(): Extent | undefined {
    const { ascending } = this.#cells;
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const note = (ms: number) => {
      if (!isWithin(this.#span, ms)) return;
      first = Math.min(first, ms);
      last = Math.max(last, ms);
    };
    const ends = this.#plain.isList ? undefined : this.#ends();
    for (const row of ends ?? []) note(ascending.at(row));
    if (!ends) {
      this.#plain.eachOf(CHUNK, (list, n) => {
        const dates = new Float64Array(n);
        ascending.read(this.#means.space.memory.u32.slice(list >>> 2, (list >>> 2) + n), dates);
        for (const ms of dates) note(ms);
      });
    }
    for (const ms of this.#several.dates) note(ms);
    return first <= last ? { first, last } : undefined;
  }

  /** The first row that is not before the span, and the last one that is not after it. */
  #ends(): readonly RowNumber[] {
    const { ascending } = this.#cells;
    const { from, to } = this.#span;
    const { hits, count } = this.#plain;
    const before = (bound: number | 'end') => {
      const place = this.#order.placeOf(ascending.below(bound));
      return hitsBefore(this.#means.space, this.#order, hits, count, place);
    };
    const [first, end] = [before(from), before(to === Number.POSITIVE_INFINITY ? 'end' : to)];
    if (first >= end) return [];
    return [first, end - 1].flatMap((rank) =>
      selectFound(this.#means.space, this.#order, hits, count, { first: rank, end: rank + 1 }),
    );
  }

  /**
   * Counts by bucket, then dates outside the range, then elements that are no dates. It counts all
   * rows and subtracts those that are not in the set.
   */
  #fromOrder(grid: DateGrid): Float64Array {
    const plain = this.#plain;
    const order = this.#order;
    const before = rowsBefore(order);
    const { ascending } = this.#cells;
    const rank = (bound: number | 'end') => {
      const { block, at } = order.placeOf(ascending.below(bound));
      return before[block]! + at;
    };
    const counts = plain.isAll
      ? new Float64Array(grid.buckets + 2)
      : this.#fromRows(plain.others, grid).map((count) => -count);
    const ends = grid.edges.map((ms) => rank(ms === Number.POSITIVE_INFINITY ? 'end' : ms));
    for (let i = 0; i < grid.buckets; i++) counts[i]! += ends[i + 1]! - ends[i]!;
    const dates = rank('end') - rank(-Number.MAX_VALUE);
    counts[grid.buckets + 1]! += order.size - dates;
    return counts;
  }

  /** The same, zone by zone or row by row. */
  #fromRows(plain: RowSet, grid: DateGrid): Float64Array {
    return grid.rowSums(grid.matrixOf(plain, this.#cells), 1, plain.count);
  }
}
