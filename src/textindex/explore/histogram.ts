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
import type { HistogramRequest, HistogramResult, Scalar } from '../api.ts';
import type { Column } from '../column.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { EXTENT } from '../kernel/abi.ts';
import type { Order } from '../order/order.ts';
import { type Place, placeOf, rowsBefore } from '../order/places.ts';
import type { SortedCells } from '../order/sortKeys.ts';
import { isNothing } from '../scalars.ts';
import { type Pointer, plus, type RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { DateGrid, datesIn, isWithin, type Span, spanOf } from './dateGrid.ts';
import type { RowSet } from './rowSet.ts';
import { type Several, SplitCounts } from './splitCounts.ts';

/** Rows that are looked up before they are tallied: few enough to stay in the nearest cache. */
const CHUNK = 2048;

/** Blocks of the order that are walked in the time in which the dates of some thousand rows are read. */
const WALKED = 12;

/** The least and the greatest date counted. */
interface Extent {
  readonly first: number;
  readonly last: number;
}

const NO_DATES: Extent = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };

export class HistogramCounts {
  readonly #space: Space;
  readonly #cells: SortedCells;
  readonly #order: Order;

  /** `column` holds dates and is sorted by. */
  constructor(space: Space, column: Column) {
    invariant(column.cells && column.ascending, 'dates that are counted are sorted');
    this.#space = space;
    this.#cells = column.cells;
    this.#order = column.ascending;
  }

  /** `by`: the dictionary of the column that the counts are split by. */
  count(request: HistogramRequest, rows: RowSet, by?: Dictionary): HistogramResult {
    const { plain, grid, apart } = this.#bucketed(request, rows, by);
    const split = by && new SplitCounts(this.#space, this.#cells, grid, by);
    const result = split?.count(plain, apart, request.by!.limit);
    const counts = result?.counts ?? this.#counts(plain, grid, rows);
    if (plain !== rows) plain.free();
    for (const { buckets, missing } of apart) {
      for (const bucket of buckets) counts[bucket]!++;
      counts[grid.buckets + 1]! += missing;
    }
    return {
      counts: [...counts.subarray(0, grid.buckets)],
      missing: counts[grid.buckets + 1]!,
      ...(result && { by: result.by }),
    };
  }

  /** The least and the greatest date counted. */
  extentOf(request: HistogramRequest, rows: RowSet, by?: Dictionary): Extent | undefined {
    const { plain, several, span } = this.#parted(request, rows, by);
    const extent = this.#extent(plain, several, span);
    if (plain !== rows) plain.free();
    return extent;
  }

  /** The rows in any bucket, by ordinal. */
  sumsBy(request: HistogramRequest, rows: RowSet, by: Dictionary): Float64Array {
    const { plain, grid, apart } = this.#bucketed(request, rows, by);
    const sums = new SplitCounts(this.#space, this.#cells, grid, by).sums(plain, apart);
    if (plain !== rows) plain.free();
    return sums;
  }

  /** Counts split by these values. */
  splitBy(
    request: HistogramRequest,
    rows: RowSet,
    by: Dictionary,
    values: readonly Scalar[],
  ): NonNullable<HistogramResult['by']> {
    const { plain, grid, apart } = this.#bucketed(request, rows, by);
    const split = new SplitCounts(this.#space, this.#cells, grid, by);
    const result = split.countOf(plain, apart, values);
    if (plain !== rows) plain.free();
    return result;
  }

  /** Rows with an array, in either column, are counted apart from the others. */
  #parted({ from, to }: HistogramRequest, rows: RowSet, by: Dictionary | undefined) {
    const arrays = [this.#cells.arrays, ...(by ? [by.arrays] : [])];
    const several = [...new Set(arrays.flatMap((map) => rows.among(map)))];
    return { span: spanOf(from, to), several, plain: rows.without(several) };
  }

  #bucketed(request: HistogramRequest, rows: RowSet, by: Dictionary | undefined) {
    const { span, several, plain } = this.#parted(request, rows, by);
    const extent = this.#extent(plain, several, span);
    const bounds = request.boundaries(extent?.first, extent?.last);
    const grid = new DateGrid(this.#space, span, bounds);
    const apart = several.map((row) => this.#severalOf(row, grid, span));
    return { plain, grid, apart };
  }

  #counts(plain: RowSet, grid: DateGrid, rows: RowSet): Float64Array {
    const ordered = this.wayOf(rows, false) === 'by order';
    return ordered ? this.#fromOrder(plain, grid) : this.#fromRows(plain, grid);
  }

  /** How the rows are counted. */
  wayOf(rows: RowSet, isSplit: boolean): 'by order' | 'by zone' | 'by row' {
    if (!isSplit && !rows.isList && rows.count * 2 > this.#order.size) return 'by order';
    return rows.readByWords ? 'by zone' : 'by row';
  }

  #severalOf(row: RowNumber, grid: DateGrid, span: Span): Several {
    const values = this.#cells.elementsOf(row).filter((value) => !isNothing(value));
    const dates = values.filter((value) => value instanceof Date);
    return {
      row,
      // There is none where the request has too many.
      buckets: grid.buckets === 0 ? [] : datesIn(span, dates).map((ms) => grid.bucketOf(ms)),
      missing: values.length - dates.length,
    };
  }

  #extent(plain: RowSet, several: readonly RowNumber[], span: Span): Extent | undefined {
    const own = plain.isList ? this.#listedExtent(plain, span) : this.#extentOfMany(plain, span);
    let { first, last } = own ?? NO_DATES;
    for (const ms of several.flatMap((row) => datesIn(span, this.#cells.elementsOf(row)))) {
      first = Math.min(first, ms);
      last = Math.max(last, ms);
    }
    return first <= last ? { first, last } : undefined;
  }

  #listedExtent(plain: RowSet, { from, to }: Span): Extent | undefined {
    const { kernel, memory, scratch, segmentBits } = this.#space;
    const extent = scratch.take(EXTENT.bytes);
    memory.f64[(extent + EXTENT.from) >>> 3] = from;
    memory.f64[(extent + EXTENT.to) >>> 3] = to;
    memory.f64[(extent + EXTENT.least) >>> 3] = Number.POSITIVE_INFINITY;
    memory.f64[(extent + EXTENT.greatest) >>> 3] = Number.NEGATIVE_INFINITY;
    const { table } = this.#cells.ascending;
    plain.each((list, n) => kernel.extentOf(list, n, table, segmentBits, extent));
    const first = memory.f64[(extent + EXTENT.least) >>> 3]!;
    const last = memory.f64[(extent + EXTENT.greatest) >>> 3]!;
    return first <= last ? { first, last } : undefined;
  }

  /** Walks the order forward from the first date, and back from the last, while hits are near. */
  #extentOfMany(plain: RowSet, span: Span): Extent | undefined {
    const { ascending } = this.#cells;
    const start = placeOf(this.#space, this.#order, ascending.below(span.from));
    const stop = placeOf(this.#space, this.#order, ascending.below(endOf(span)));
    const first = this.#hitFrom(plain, start);
    const last = first === 'far' ? first : this.#hitBefore(plain, stop);
    if (first === 'far' || last === 'far') return this.#listedExtent(plain, span);
    if (first === undefined || !isWithin(span, ascending.at(first))) return undefined;
    return { first: ascending.at(first), last: ascending.at(last!) };
  }

  /** The first row of the set at or after a place. */
  #hitFrom(rows: RowSet, from: Place): RowNumber | 'far' | undefined {
    const { blocks } = this.#order;
    for (let number = from.block; number < blocks.length; number++) {
      if (number > from.block + WALKED) return 'far';
      const { ptr, count } = blocks[number]!;
      const skipped = number === from.block ? from.at : 0;
      const hits = this.#hitsIn(rows, plus(ptr, skipped * 4), count - skipped);
      if (hits.length > 0) return hits[0] as RowNumber;
    }
    return undefined;
  }

  /** The last row of the set before a place. */
  #hitBefore(rows: RowSet, to: Place): RowNumber | 'far' | undefined {
    const { blocks } = this.#order;
    for (let number = Math.min(to.block, blocks.length - 1); number >= 0; number--) {
      if (number < to.block - WALKED) return 'far';
      const { ptr, count } = blocks[number]!;
      const hits = this.#hitsIn(rows, ptr, number === to.block ? to.at : count);
      if (hits.length > 0) return hits.at(-1) as RowNumber;
    }
    return undefined;
  }

  #hitsIn(rows: RowSet, list: Pointer, n: number): Uint32Array {
    const { kernel, layout, memory, scratch } = this.#space;
    if (rows.isAll) return memory.u32.subarray(list >>> 2, (list >>> 2) + n);
    const { bitmap } = rows;
    const out = scratch.take(layout.blockRows * 4);
    const hits = kernel.filter(list, n, bitmap, out);
    return memory.u32.subarray(out >>> 2, (out >>> 2) + hits);
  }

  /**
   * Counts by bucket, then dates outside the range, then elements that are no dates. It counts all
   * rows and subtracts those that are not in the set.
   */
  #fromOrder(plain: RowSet, grid: DateGrid): Float64Array {
    const order = this.#order;
    const before = rowsBefore(order);
    const { ascending } = this.#cells;
    const rank = (bound: number | 'end') => {
      const { block, at } = placeOf(this.#space, order, ascending.below(bound));
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
    const { kernel, memory, scratch } = this.#space;
    const counts = scratch.takeZero((grid.buckets + 2) * 4);
    if (plain.readByWords) grid.countZones(plain, this.#cells, counts);
    else {
      const found = scratch.take(CHUNK * 4);
      const { table } = this.#cells.ascending;
      plain.eachOf(CHUNK, (list, n) => {
        grid.bucketsOf(list, n, table, found);
        kernel.tally(found, n, counts);
      });
    }
    const at = counts >>> 2;
    return Float64Array.from(memory.u32.subarray(at, at + grid.buckets + 2));
  }
}

const endOf = ({ to }: Span) => (to === Number.POSITIVE_INFINITY ? 'end' : to);
