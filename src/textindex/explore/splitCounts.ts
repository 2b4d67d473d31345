/**
 * Counts by time, split by the most frequent values of a second column.
 *
 *     each row's bucket and ordinal ─► matrix ─► the values with the greatest sums ─► their columns
 *
 * A column of many values takes two passes: sums by value, then the rows of each chosen one by bucket.
 */
import type { HistogramResult, Scalar } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { SortedCells } from '../order/sortKeys.ts';
import type { OrdinalCounts } from '../partitions/partition.ts';
import type { Ordinal, Pointer, RowNumber } from '../storage/brands.ts';
import { rowsOfEach } from './conditions.ts';
import type { DateGrid } from './dateGrid.ts';
import type { Means } from './means.ts';
import type { RowSet } from './rowSet.ts';

/** Rows that are counted by themselves: the buckets of their dates, those of each row up to its end. */
export interface Several {
  readonly rows: readonly RowNumber[];
  readonly ends: readonly number[];
  readonly buckets: Uint32Array;
}

/** The most counts of a matrix that is made in one pass. */
const MATRIX = 65_536;

export class SplitCounts {
  readonly #means: Means;
  readonly #cells: SortedCells;
  readonly #grid: DateGrid;
  readonly #column: string;
  readonly #dictionary: Dictionary;
  readonly #plain: RowSet;
  readonly #several: Several;
  /** A matrix of all values, unless these are many. */
  readonly #whole: Pointer | undefined;

  /** `plain`: rows that hold one date, or none, and one value each of the column that splits them. */
  constructor(
    means: Means,
    cells: SortedCells,
    grid: DateGrid,
    column: string,
    plain: RowSet,
    several: Several,
  ) {
    this.#means = means;
    this.#cells = cells;
    this.#grid = grid;
    this.#column = column;
    this.#dictionary = means.columnOf(column).dictionary!;
    this.#plain = plain;
    this.#several = several;
    const counts = (grid.buckets + 2) * this.#dictionary.values.length;
    if (counts <= MATRIX) this.#whole = this.#matrix(grid);
  }

  /** The rows in any bucket, by ordinal. */
  sums(): OrdinalCounts {
    const counts =
      this.#whole === undefined
        ? this.#sumsIn(this.#grid.sole)
        : this.#sumsIn(this.#grid, this.#whole);
    this.#eachOfSeveral((row, from, end) => {
      for (const ordinal of this.#dictionary.ordinalsAt(row)) counts[ordinal]! += end - from;
    });
    return { counts, baselines: undefined };
  }

  /** The plain rows by bucket, and all rows split by these values: rows of other partitions may hold some. */
  of(values: readonly Scalar[]): {
    readonly counts: Float64Array;
    readonly by: NonNullable<HistogramResult['by']>;
  } {
    const ordinals = values.map((value) => this.#dictionary.ordinalOf(value));
    const matrix = this.#whole;
    const counts =
      matrix === undefined
        ? this.#countsOf(this.#plain)
        : this.#grid.rowSums(matrix, this.#dictionary.values.length, this.#plain.count);
    const split =
      matrix === undefined ? this.#splitEach(values) : this.#columnsOf(matrix, ordinals);
    const rest = split.map((row, bucket) => row.reduce((left, n) => left - n, counts[bucket]!));
    this.#addSeveral(ordinals, split, rest);
    return { counts, by: { values, split, rest } };
  }

  /** Rows by bucket and ordinal. */
  #matrix(grid: DateGrid): Pointer {
    const { ordinals, values } = this.#dictionary;
    return grid.matrixOf(this.#plain, this.#cells, { ordinals, width: values.length });
  }

  /** Rows in any bucket, by ordinal. */
  #sumsIn(grid: DateGrid, matrix = this.#matrix(grid)): Uint32Array {
    const { length: width } = this.#dictionary.values;
    const { u32 } = this.#means.space.memory;
    const sums = new Uint32Array(width);
    for (let bucket = 0; bucket < grid.buckets; bucket++) {
      const from = (matrix >>> 2) + bucket * width;
      for (let i = 0; i < width; i++) sums[i]! += u32[from + i]!;
    }
    return sums;
  }

  /** Rows by bucket. */
  #countsOf(rows: RowSet): Float64Array {
    return this.#grid.rowSums(this.#grid.matrixOf(rows, this.#cells), 1, rows.count);
  }

  /** Bucket by bucket, how many rows have each of the values. */
  #splitEach(values: readonly Scalar[]): number[][] {
    const sets = rowsOfEach(this.#means, this.#plain, this.#column, values);
    const each = Array.from(sets, (rows) => this.#countsOf(rows));
    return Array.from({ length: this.#grid.buckets }, (_, i) => each.map((counts) => counts[i]!));
  }

  /** The same from a matrix; zeros for a value that is not there. */
  #columnsOf(matrix: Pointer, ordinals: readonly (Ordinal | undefined)[]): number[][] {
    const { length: width } = this.#dictionary.values;
    const { u32 } = this.#means.space.memory;
    return Array.from({ length: this.#grid.buckets }, (_, bucket) =>
      ordinals.map((one) => (one === undefined ? 0 : u32[(matrix >>> 2) + bucket * width + one]!)),
    );
  }

  #addSeveral(ordinals: readonly (Ordinal | undefined)[], split: number[][], rest: number[]): void {
    const { buckets } = this.#several;
    this.#eachOfSeveral((row, from, end) => {
      const places = this.#dictionary
        .ordinalsAt(row)
        .map((ordinal) => ordinals.indexOf(ordinal))
        .filter((place) => place >= 0);
      for (let i = from; i < end; i++) {
        for (const place of places) split[buckets[i]!]![place]!++;
        if (places.length === 0) rest[buckets[i]!]!++;
      }
    });
  }

  /** Tells each row with the range of its buckets, where there are some. */
  #eachOfSeveral(tell: (row: RowNumber, from: number, end: number) => void): void {
    const { rows, ends, buckets } = this.#several;
    if (buckets.length === 0) return;
    for (let i = 0; i < rows.length; i++) tell(rows[i]!, i === 0 ? 0 : ends[i - 1]!, ends[i]!);
  }
}
