/**
 * Buckets of time, laid out so that a date's bucket is found by one division and a comparison or two.
 *
 *     boundaries   │      │        │      │             calendar buckets, of about one length
 *     grid         0 0 0 0 0 0 1 1 1 1 1 1 1 1 2 …      cells of one length: the bucket to begin with, and
 *                  ! !       !     ! ! !       !        whether no boundary is near: then it is this one
 */
import type { Ordinals } from '../dictionary/ordinals.ts';
import { GRID, NUMBERS, SURE, ZONED } from '../kernel/abi.ts';
import type { SortedCells } from '../order/sortKeys.ts';
import { MAX_DATE } from '../scalars.ts';
import { NULL_POINTER, type Pointer, plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { RowSet } from './rowSet.ts';

/** The number of cells: with more of them fewer have a boundary inside. */
const CELLS = 4096;
/** Rows that are looked up before they are tallied: few enough to stay in the nearest cache. */
const CHUNK = 2048;

/** The dates that are counted, in ms: from this one on, and before that one. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const spanOf = (from: number | undefined, to: number | undefined): Span => ({
  from: Math.max(from ?? -MAX_DATE, -MAX_DATE),
  to: to ?? Number.POSITIVE_INFINITY,
});

export const isWithin = ({ from, to }: Span, ms: number): boolean => ms >= from && ms < to;

/** The ordinals of rows, which are below `width`. */
export interface CountedBy {
  readonly ordinals: Ordinals;
  readonly width: number;
}

export class DateGrid {
  /**
   * How many buckets. A date outside the range has this number, and an element that is no date the
   * next.
   */
  readonly buckets: number;
  readonly #space: Space;
  readonly #span: Span;
  readonly #bounds: readonly number[];
  /** For the kernel, in scratch memory. */
  readonly #grid: Pointer;

  /** `bounds`: the start of each bucket, then the end of the last one; they hold all dates counted. */
  constructor(space: Space, span: Span, bounds: readonly number[]) {
    this.#space = space;
    this.#span = span;
    this.#bounds = bounds;
    this.buckets = Math.max(0, bounds.length - 1);
    this.#grid = this.#write();
  }

  /** A grid of one bucket, which holds all dates that this one counts. */
  get sole(): DateGrid {
    const ends = this.#bounds.filter((_, i) => i === 0 || i === this.buckets);
    return new DateGrid(this.#space, this.#span, ends);
  }

  /**
   * Counts rows by bucket and, with `by`, by ordinal: a matrix in scratch memory, as wide as `by` says. The row
   * after the buckets is for dates outside the range; what the next one has does not count.
   */
  matrixOf(rows: RowSet, cells: SortedCells, by?: CountedBy): Pointer {
    const { kernel, scratch, segmentBits } = this.#space;
    const width = by?.width ?? 1;
    const matrix = scratch.takeZero((this.buckets + 2) * width * 4);
    if (rows.readByWords) {
      this.#countZones(rows, cells, matrix, by);
      return matrix;
    }
    const buckets = scratch.take(CHUNK * 4);
    const ordinals = scratch.takeZero(CHUNK * 4);
    rows.eachOf(CHUNK, (list, n) => {
      kernel.bucketsOf(list, n, cells.ascending.table, segmentBits, this.#grid, buckets);
      if (by) kernel.ordinalsOf(list, n, by.ordinals.table, segmentBits, ordinals);
      kernel.tallyPairs(buckets, ordinals, n, width, matrix);
    });
    return matrix;
  }

  /** The sums of a matrix by bucket, then of dates outside the range, then the others of `rows` rows. */
  rowSums(matrix: Pointer, width: number, rows: number): Float64Array {
    const sums = new Float64Array(this.buckets + 2);
    const { u32 } = this.#space.memory;
    let at = matrix >>> 2;
    let dated = 0;
    for (let row = 0; row <= this.buckets; row++) {
      for (const end = at + width; at < end; at++) sums[row]! += u32[at]!;
      dated += sums[row]!;
    }
    sums[this.buckets + 1] = rows - dated;
    return sums;
  }

  /** 64 neighbours are counted at once if they lie in one bucket. */
  #countZones(
    { bitmap }: RowSet,
    { ascending, zones }: SortedCells,
    counts: Pointer,
    by: CountedBy | undefined,
  ): void {
    const { kernel, memory, scratch, segmentBytes, segments } = this.#space;
    const { chunks, dates } = zones!;
    const zoned = scratch.take(ZONED.bytes);
    for (let segment = 0; segment < segments; segment++) {
      const dated = dates.chunks[segment];
      if (!dated) continue;
      const [ordinals, ordinalWidth] = by?.ordinals.chunkOf(segment) ?? [NULL_POINTER, 0];
      const { u32 } = memory;
      u32[(zoned + ZONED.bits) >>> 2] = plus(bitmap, segment * segmentBytes);
      u32[(zoned + ZONED.dates) >>> 2] = dated;
      u32[(zoned + ZONED.zones) >>> 2] = chunks[segment]!;
      u32[(zoned + ZONED.ordinals) >>> 2] = ordinals;
      u32[(zoned + ZONED.ordinalWidth) >>> 2] = ordinalWidth;
      u32[(zoned + ZONED.numbers) >>> 2] = ascending.table + segment * NUMBERS.bytes;
      kernel.countZones(zoned, segmentBytes, this.#grid, counts, by?.width ?? 0);
    }
  }

  /** The buckets of dates that are counted; none where there are no buckets, as a request has too many. */
  bucketsOfDates(dates: readonly number[]): Uint32Array {
    const n = this.buckets > 0 ? dates.length : 0;
    const { kernel, memory, scratch } = this.#space;
    const [list, found] = [scratch.take(n * 4), scratch.take(n * 4)];
    const chunk = scratch.take(n * 8);
    const table = scratch.take(NUMBERS.bytes);
    const { f64, u32 } = memory;
    // As if they were those of a segment's rows.
    for (let i = 0; i < n; i++) {
      u32[(list >>> 2) + i] = i;
      f64[(chunk >>> 3) + i] = dates[i]!;
    }
    u32[(table + NUMBERS.chunk) >>> 2] = chunk;
    u32[(table + NUMBERS.width) >>> 2] = 8;
    kernel.bucketsOf(list, n, table, 31, this.#grid, found);
    return memory.u32.slice(found >>> 2, (found >>> 2) + n);
  }

  /** The moment from which each bucket counts dates, then the end of the last bucket. */
  get edges(): number[] {
    const { from, to } = this.#span;
    const edges = this.#bounds.map((ms) => Math.min(Math.max(ms, from), to));
    edges[this.buckets] = to;
    return edges;
  }

  /** The end of a bucket; the last one holds all dates after its beginning. */
  #endOf(bucket: number): number {
    return bucket + 1 < this.buckets ? this.#bounds[bucket + 1]! : Number.POSITIVE_INFINITY;
  }

  /** Writes the kernel's GRID. Without buckets no date is counted. */
  #write(): Pointer {
    const { scratch, memory } = this.#space;
    const [first = 0] = this.#bounds;
    const grid = scratch.take(GRID.bytes);
    const boundaries = scratch.take((this.buckets + 2) * 8);
    const cells = scratch.take((CELLS + 1) * 4);
    const none = this.buckets === 0;
    const scale = none ? 0 : CELLS / (this.#bounds.at(-1)! - first);
    const { f64, u32 } = memory;
    f64[(grid + GRID.from) >>> 3] = none
      ? Number.POSITIVE_INFINITY
      : Math.max(this.#span.from, first);
    f64[(grid + GRID.to) >>> 3] = this.#span.to;
    f64[(grid + GRID.scale) >>> 3] = scale;
    u32[(grid + GRID.boundaries) >>> 2] = boundaries;
    u32[(grid + GRID.buckets) >>> 2] = this.buckets;
    u32[(grid + GRID.cells) >>> 2] = cells;
    u32[(grid + GRID.lastCell) >>> 2] = CELLS;
    for (let i = 0; i < this.buckets; i++) f64[(boundaries >>> 3) + i] = this.#bounds[i]!;
    // The last bucket holds all dates after its beginning.
    f64[(boundaries >>> 3) + this.buckets] = Number.POSITIVE_INFINITY;
    if (none) return grid;
    // From a cell earlier to a cell later, since a date may be rounded into its neighbour.
    const at = cells >>> 2;
    const stop = at + CELLS + 1;
    for (let bucket = 0, from = at; from < stop; bucket++) {
      const end = at + (this.#endOf(bucket) - first) * scale;
      const sure = Math.min(Math.max(from, Math.ceil(end - 2)), stop);
      const to = Math.min(Math.max(from, Math.ceil(end + 1)), stop);
      u32.fill(bucket + SURE, from, sure).fill(bucket, sure, to);
      from = to;
    }
    return grid;
  }
}
