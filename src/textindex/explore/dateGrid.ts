/**
 * Buckets of time, laid out so that a date's bucket is found by one division and a comparison or two.
 *
 *     boundaries   │      │        │      │             calendar buckets, of about one length
 *     grid         0 0 0 0 0 0 1 1 1 1 1 1 1 1 2 …      cells of one length: the bucket to begin with
 */
import type { Scalar } from '../api.ts';
import type { Ordinals } from '../dictionary/ordinals.ts';
import type { Zones } from '../order/zones.ts';
import { millisOf } from '../scalars.ts';
import { NULL_POINTER, type Pointer, plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { MAX_DATE } from './range.ts';
import type { RowSet } from './rowSet.ts';

const CELLS = 1024;

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

/** The dates among these values that are counted. */
export const datesIn = (span: Span, values: readonly Scalar[]): number[] =>
  values
    .flatMap((value) => (value instanceof Date ? [millisOf(value)] : []))
    .filter((ms) => isWithin(span, ms));

export class DateGrid {
  /** How many buckets. A date that is not counted has this number, and what is no date the next. */
  readonly buckets: number;
  readonly #space: Space;
  readonly #span: Span;
  readonly #bounds: readonly number[];
  /** In scratch memory. */
  readonly #boundaries: Pointer;
  readonly #grid: Pointer;
  readonly #scale: number;

  /** `bounds`: where each bucket begins, then where the last one ends; they hold all dates counted. */
  constructor(space: Space, span: Span, bounds: readonly number[]) {
    this.#space = space;
    this.#span = span;
    this.#bounds = bounds;
    this.buckets = Math.max(0, bounds.length - 1);
    this.#boundaries = space.scratch.take((this.buckets + 2) * 8);
    this.#grid = space.scratch.take(CELLS * 4);
    const [first = 0] = bounds;
    this.#scale = this.buckets === 0 ? 0 : CELLS / (bounds.at(-1)! - first);
    this.#write();
  }

  /** Writes the buckets of n listed rows to `out`. `doubles` is the table of their dates. */
  bucketsOf(list: Pointer, n: number, doubles: Pointer, out: Pointer): void {
    const { kernel, segmentBits } = this.#space;
    const none = this.buckets === 0;
    kernel.bucketsOf(
      list,
      n,
      doubles,
      segmentBits,
      none ? Number.POSITIVE_INFINITY : Math.max(this.#span.from, this.#bounds[0]!),
      this.#span.to,
      this.#boundaries,
      this.buckets,
      this.#grid,
      CELLS,
      this.#scale,
      out,
    );
  }

  /**
   * Counts rows by bucket or, with ordinals, by bucket and ordinal in a matrix of this width, wherever
   * 64 neighbours lie in one bucket. Without ordinals, what is no date is counted too.
   *
   * @returns the rows with dates that are left
   */
  countZones(
    rows: RowSet,
    { chunks, dates }: Zones,
    counts: Pointer,
    by?: { readonly ordinals: Ordinals; readonly width: number },
  ): RowSet {
    const { kernel, memory, segmentBytes, segments } = this.#space;
    const { bitmap } = rows;
    const left = this.#space.scratch.bitmap(false);
    const none = this.buckets === 0;
    const from = none ? Number.POSITIVE_INFINITY : Math.max(this.#span.from, this.#bounds[0]!);
    let withDate = 0;
    for (let segment = 0; segment < segments; segment++) {
      const at = segment * segmentBytes;
      const dated = dates.chunks[segment];
      if (!dated) {
        memory.u8.fill(0, left + at, left + at + segmentBytes);
        continue;
      }
      if (!by) withDate += kernel.countAnd(plus(bitmap, at), dated, segmentBytes);
      const [ordinals, ordinalWidth] = by?.ordinals.chunkOf(segment) ?? [NULL_POINTER, 0];
      kernel.countZones(
        plus(bitmap, at),
        dated,
        segmentBytes,
        chunks[segment]!,
        from,
        this.#span.to,
        this.#boundaries,
        this.#grid,
        CELLS,
        this.#scale,
        ordinals,
        ordinalWidth,
        by?.width ?? 0,
        counts,
        plus(left, at),
      );
    }
    if (!by) memory.u32[(counts >>> 2) + this.buckets + 1]! += rows.count - withDate;
    return rows.of(left);
  }

  /** The bucket of a date that is counted. */
  bucketOf(ms: number): number {
    let [low, high] = [0, this.buckets];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#bounds[middle]! <= ms) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Where the dates counted of each bucket begin, then where those of the last one end. */
  get edges(): number[] {
    const { from, to } = this.#span;
    const edges = this.#bounds.map((ms) => Math.min(Math.max(ms, from), to));
    edges[this.buckets] = to;
    return edges;
  }

  #write(): void {
    const { f64, u32 } = this.#space.memory;
    const at = this.#boundaries >>> 3;
    for (let i = 0; i < this.buckets; i++) f64[at + i] = this.#bounds[i]!;
    // The last bucket holds whatever comes after its beginning.
    f64[at + this.buckets] = Number.POSITIVE_INFINITY;
    if (this.buckets === 0) return;
    let bucket = 0;
    for (let cell = 0; cell < CELLS; cell++) {
      // A cell earlier, since a date may round up into the next one.
      const from = this.#bounds[0]! + Math.max(0, cell - 1) / this.#scale;
      while (bucket + 1 < this.buckets && this.#bounds[bucket + 1]! <= from) bucket++;
      u32[(this.#grid >>> 2) + cell] = bucket;
    }
  }
}
