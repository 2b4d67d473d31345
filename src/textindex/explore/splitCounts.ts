/**
 * Counts by time, split by the most frequent values of a second column.
 *
 *     each row's bucket and ordinal ─► matrix ─► the values with the greatest sums ─► their columns
 *
 * A column of many values takes two passes: sums by value, then a matrix of the chosen ones.
 */
import type { HistogramResult, Scalar } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { SortedCells } from '../order/sortKeys.ts';
import type { OrdinalCounts } from '../partitions/partition.ts';
import type { Ordinal, Pointer, RowNumber } from '../storage/brands.ts';
import type { DateGrid } from './dateGrid.ts';
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
  readonly #cells: SortedCells;
  readonly #grid: DateGrid;
  readonly #dictionary: Dictionary;
  readonly #plain: RowSet;
  readonly #several: Several;
  /** A matrix of all values, unless these are many. */
  readonly #whole: Pointer | undefined;

  /** `plain`: rows that hold one date, or none, and one value each. */
  constructor(
    cells: SortedCells,
    grid: DateGrid,
    dictionary: Dictionary,
    plain: RowSet,
    several: Several,
  ) {
    this.#cells = cells;
    this.#grid = grid;
    this.#dictionary = dictionary;
    this.#plain = plain;
    this.#several = several;
    if ((grid.buckets + 2) * dictionary.values.length <= MATRIX) this.#whole = this.#matrix(grid);
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
    const known = ordinals.filter((ordinal) => ordinal !== undefined);
    const matrix = this.#whole ?? this.#chosen(known);
    const width = this.#whole === undefined ? known.length + 1 : this.#dictionary.values.length;
    const counts = this.#grid.rowSums(matrix, width, this.#plain.count);
    const columns = ordinals.map((ordinal) =>
      ordinal === undefined || this.#whole !== undefined ? ordinal : known.indexOf(ordinal),
    );
    const split = this.#columnsOf(matrix, width, columns);
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
    const { u32 } = this.#dictionary.space.memory;
    const sums = new Uint32Array(width);
    for (let bucket = 0; bucket < grid.buckets; bucket++) {
      const from = (matrix >>> 2) + bucket * width;
      for (let i = 0; i < width; i++) sums[i]! += u32[from + i]!;
    }
    return sums;
  }

  /** Rows by bucket and by the place of their value among the chosen; the last one is for others. */
  #chosen(chosen: readonly Ordinal[]): Pointer {
    const { memory, scratch } = this.#dictionary.space;
    const { ordinals, values } = this.#dictionary;
    const places = scratch.take(values.length * 4);
    const from = places >>> 2;
    memory.u32.fill(chosen.length, from, from + values.length);
    for (const [place, ordinal] of chosen.entries()) memory.u32[from + ordinal] = place;
    const by = { ordinals, width: chosen.length + 1, places };
    return this.#grid.matrixOf(this.#plain, this.#cells, by);
  }

  /** These columns of a matrix, bucket by bucket; zeros for one that is not there. */
  #columnsOf(matrix: Pointer, width: number, columns: readonly (number | undefined)[]): number[][] {
    const { u32 } = this.#dictionary.space.memory;
    return Array.from({ length: this.#grid.buckets }, (_, bucket) =>
      columns.map((column) =>
        column === undefined ? 0 : u32[(matrix >>> 2) + bucket * width + column]!,
      ),
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
