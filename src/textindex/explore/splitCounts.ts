/**
 * Counts by time, split by the most frequent values of a second column.
 *
 *     each row's bucket and ordinal ─► matrix ─► the values with the greatest sums ─► their columns
 *
 * A column of many values takes two passes: sums by value, then a matrix of the chosen ones.
 */
import type { HistogramResult, Scalar } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { FIRST_VALUE } from '../dictionary/ordinals.ts';
import type { SortedCells } from '../order/sortKeys.ts';
import { isListed } from '../scalars.ts';
import type { Ordinal, Pointer, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import type { DateGrid } from './dateGrid.ts';
import type { RowSet } from './rowSet.ts';
import { TopValues } from './topValues.ts';

/** A row that is counted by itself: the buckets of its dates, and how many elements are no dates. */
export interface Several {
  readonly row: RowNumber;
  readonly buckets: readonly number[];
  readonly missing: number;
}

/** The most counts of a matrix that is made in one pass. */
const MATRIX = 65_536;
const CHUNK = 2048;

/** Replacements of buckets, or of ordinals, by their number: a table in scratch memory. */
interface Places {
  readonly buckets?: Pointer;
  readonly ordinals?: Pointer;
}

export class SplitCounts {
  readonly #space: Space;
  readonly #cells: SortedCells;
  readonly #grid: DateGrid;
  readonly #dictionary: Dictionary;

  constructor(space: Space, cells: SortedCells, grid: DateGrid, dictionary: Dictionary) {
    this.#space = space;
    this.#cells = cells;
    this.#grid = grid;
    this.#dictionary = dictionary;
  }

  /** `plain`: rows that hold one date, or none, and one value each; `counts`: of these. */
  count(
    plain: RowSet,
    several: readonly Several[],
    limit: number,
  ): { readonly counts: Float64Array; readonly by: NonNullable<HistogramResult['by']> } {
    const { buckets } = this.#grid;
    const { values } = this.#dictionary;
    const isSmall = (buckets + 2) * values.length <= MATRIX;
    const whole = isSmall ? this.#wholeMatrix(plain, buckets + 2, values.length) : undefined;
    const sums = whole === undefined ? this.#sums(plain) : this.#columnSums(whole);
    this.#addSums(several, sums);
    const top = this.#topOf(sums, limit);
    const { counts, split, rest } = this.#split(plain, several, top, whole);
    const by = { values: top.map((ordinal) => values.at(ordinal)!), split, rest };
    return { counts, by };
  }

  /** Rows in any bucket, by ordinal. */
  sums(plain: RowSet, several: readonly Several[]): Float64Array {
    const sums = this.#sums(plain);
    this.#addSums(several, sums);
    return sums;
  }

  /** Counts split by these values; rows of other partitions may be the only ones that hold one. */
  countOf(
    plain: RowSet,
    several: readonly Several[],
    values: readonly Scalar[],
  ): NonNullable<HistogramResult['by']> {
    const places = values.map((value) => this.#dictionary.ordinalOf(value));
    const top = places.filter((ordinal) => ordinal !== undefined);
    const { split: columns, rest } = this.#split(plain, several, top);
    const split = columns.map((row) => places.map((one) => (one ? row[top.indexOf(one)]! : 0)));
    return { values, split, rest };
  }

  /** The plain rows by bucket, and all rows split by these values: from the matrix of all values where there is one. */
  #split(
    plain: RowSet,
    several: readonly Several[],
    top: readonly Ordinal[],
    whole?: Pointer,
  ): { readonly counts: Float64Array; readonly split: number[][]; readonly rest: number[] } {
    const matrix = whole ?? this.#chosen(plain, top);
    const width = whole === undefined ? top.length + 1 : this.#dictionary.values.length;
    const counts = this.#rowSums(matrix, width, plain.count);
    const columns = whole === undefined ? top.map((_, place) => place) : top;
    const split = this.#columnsOf(matrix, width, columns);
    const rest = split.map((row, bucket) => row.reduce((left, n) => left - n, counts[bucket]!));
    this.#addSeveral(several, top, split, rest);
    return { counts, split, rest };
  }

  #addSums(several: readonly Several[], sums: Float64Array): void {
    for (const { row, buckets } of several) {
      for (const ordinal of this.#dictionary.ordinalsAt(row)) sums[ordinal]! += buckets.length;
    }
  }

  /** Rows by bucket and ordinal: `height` by `width` counts, of dates within the buckets alone. */
  #wholeMatrix(plain: RowSet, height: number, width: number): Pointer {
    const matrix = this.#space.scratch.takeZero(height * width * 4);
    const { ordinals } = this.#dictionary;
    if (!plain.readByWords) this.#addTo(matrix, plain, width);
    else this.#grid.countZones(plain, this.#cells, matrix, { ordinals, width });
    return matrix;
  }

  /** The same by the replacements of buckets, or of ordinals. */
  #matrix(plain: RowSet, height: number, width: number, places: Places): Pointer {
    const matrix = this.#space.scratch.takeZero(height * width * 4);
    this.#addTo(matrix, plain, width, places);
    return matrix;
  }

  #addTo(matrix: Pointer, plain: RowSet, width: number, places: Places = {}): void {
    const { kernel, scratch, segmentBits } = this.#space;
    const { ordinals } = this.#dictionary;
    const { ascending } = this.#cells;
    const bucketsFound = scratch.take(CHUNK * 4);
    const ordinalsFound = scratch.take(CHUNK * 4);
    plain.eachOf(CHUNK, (list, n) => {
      this.#grid.bucketsOf(list, n, ascending.table, bucketsFound);
      if (places.buckets !== undefined) kernel.replace(bucketsFound, n, places.buckets);
      kernel.ordinalsOf(list, n, ordinals.table, segmentBits, ordinalsFound);
      if (places.ordinals !== undefined) kernel.replace(ordinalsFound, n, places.ordinals);
      kernel.tallyPairs(bucketsFound, ordinalsFound, n, width, matrix);
    });
  }

  /** Rows by bucket, then dates outside the range, then the others of `rows` rows. */
  #rowSums(matrix: Pointer, width: number, rows: number): Float64Array {
    const { buckets } = this.#grid;
    const sums = new Float64Array(buckets + 2);
    const { u32 } = this.#space.memory;
    let at = matrix >>> 2;
    let dated = 0;
    for (let row = 0; row <= buckets; row++) {
      for (const end = at + width; at < end; at++) sums[row]! += u32[at]!;
      dated += sums[row]!;
    }
    sums[buckets + 1] = rows - dated;
    return sums;
  }

  #columnSums(matrix: Pointer): Float64Array {
    const { length: width } = this.#dictionary.values;
    const { u32 } = this.#space.memory;
    const sums = new Float64Array(width);
    for (let bucket = 0; bucket < this.#grid.buckets; bucket++) {
      const from = (matrix >>> 2) + bucket * width;
      for (let i = 0; i < width; i++) sums[i]! += u32[from + i]!;
    }
    return sums;
  }

  /** Rows in any bucket, by ordinal. */
  #sums(plain: RowSet): Float64Array {
    const { buckets } = this.#grid;
    const { length: width } = this.#dictionary.values;
    const inside = this.#table(buckets + 2, 1);
    this.#space.memory.u32.fill(0, inside >>> 2, (inside >>> 2) + buckets);
    const from = this.#matrix(plain, 2, width, { buckets: inside }) >>> 2;
    return Float64Array.from(this.#space.memory.u32.subarray(from, from + width));
  }

  /** Rows by bucket and by the place of their value among the chosen; the last one is for others. */
  #chosen(plain: RowSet, top: readonly Ordinal[]): Pointer {
    const places = this.#table(this.#dictionary.values.length, top.length);
    for (const [place, ordinal] of top.entries()) {
      this.#space.memory.u32[(places >>> 2) + ordinal] = place;
    }
    return this.#matrix(plain, this.#grid.buckets + 2, top.length + 1, { ordinals: places });
  }

  /** The most frequent values that can be listed, as ordinals. */
  #topOf(sums: Float64Array, limit: number): Ordinal[] {
    const { values, ofIds } = this.#dictionary;
    const top = new TopValues<Ordinal>(limit, (a, b) => values.compare(a, b));
    for (let i: number = FIRST_VALUE; i < values.length; i++) {
      const [ordinal, sum] = [i as Ordinal, sums[i]!];
      if (sum === 0 || sum < top.least) continue;
      if (values.isText(ordinal) || isListed(values.at(ordinal)!, ofIds)) top.add(ordinal, sum);
    }
    return top.sorted;
  }

  /** These columns of a matrix, bucket by bucket. */
  #columnsOf(matrix: Pointer, width: number, columns: readonly number[]): number[][] {
    const { u32 } = this.#space.memory;
    return Array.from({ length: this.#grid.buckets }, (_, bucket) =>
      columns.map((column) => u32[(matrix >>> 2) + bucket * width + column]!),
    );
  }

  #addSeveral(
    several: readonly Several[],
    top: readonly Ordinal[],
    split: number[][],
    rest: number[],
  ): void {
    for (const { row, buckets } of several) {
      const own = this.#dictionary.ordinalsAt(row);
      const places = top.flatMap((ordinal, place) => (own.includes(ordinal) ? [place] : []));
      for (const bucket of buckets) {
        for (const place of places) split[bucket]![place]!++;
        if (places.length === 0) rest[bucket]!++;
      }
    }
  }

  /** A table of n numbers, all the same. */
  #table(n: number, number: number): Pointer {
    const table = this.#space.scratch.take(n * 4);
    this.#space.memory.u32.fill(number, table >>> 2, (table >>> 2) + n);
    return table;
  }
}
