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
import type { Space } from '../storage/space.ts';
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
  readonly #plain: RowSet;
  readonly #several: Several;
  /** A matrix of all values, unless these are many. */
  readonly #whole: Pointer | undefined;

  /** `plain`: rows that hold one date, or none, and one value each. */
  constructor(
    space: Space,
    cells: SortedCells,
    grid: DateGrid,
    dictionary: Dictionary,
    plain: RowSet,
    several: Several,
  ) {
    this.#space = space;
    this.#cells = cells;
    this.#grid = grid;
    this.#dictionary = dictionary;
    this.#plain = plain;
    this.#several = several;
    const height = grid.buckets + 2;
    const { length: width } = dictionary.values;
    if (height * width <= MATRIX) this.#whole = this.#matrix(height, width);
  }

  /** The rows in any bucket, by ordinal. */
  sums(): OrdinalCounts {
    const counts = this.#whole === undefined ? this.#sums() : this.#columnSums(this.#whole);
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
    const counts = this.#rowSums(matrix, width, this.#plain.count);
    const columns = ordinals.map((ordinal) =>
      ordinal === undefined || this.#whole !== undefined ? ordinal : known.indexOf(ordinal),
    );
    const split = this.#columnsOf(matrix, width, columns);
    const rest = split.map((row, bucket) => row.reduce((left, n) => left - n, counts[bucket]!));
    this.#addSeveral(ordinals, split, rest);
    return { counts, by: { values, split, rest } };
  }

  /** Rows by bucket and ordinal, or by what replaces these: `height` by `width` counts. */
  #matrix(height: number, width: number, { buckets, ordinals: places }: Places = {}): Pointer {
    const { kernel, scratch, segmentBits } = this.#space;
    const { ordinals } = this.#dictionary;
    const matrix = scratch.takeZero(height * width * 4);
    if (!buckets && !places && this.#plain.readByWords) {
      // It counts dates within the buckets alone.
      this.#grid.countZones(this.#plain, this.#cells, matrix, { ordinals, width });
      return matrix;
    }
    const { table } = this.#cells.ascending;
    const bucketsFound = scratch.take(CHUNK * 4);
    const ordinalsFound = scratch.take(CHUNK * 4);
    this.#plain.eachOf(CHUNK, (list, n) => {
      this.#grid.bucketsOf(list, n, table, bucketsFound);
      if (buckets !== undefined) kernel.replace(bucketsFound, n, buckets);
      kernel.ordinalsOf(list, n, ordinals.table, segmentBits, ordinalsFound);
      if (places !== undefined) kernel.replace(ordinalsFound, n, places);
      kernel.tallyPairs(bucketsFound, ordinalsFound, n, width, matrix);
    });
    return matrix;
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

  #columnSums(matrix: Pointer): Uint32Array {
    const { length: width } = this.#dictionary.values;
    const { u32 } = this.#space.memory;
    const sums = new Uint32Array(width);
    for (let bucket = 0; bucket < this.#grid.buckets; bucket++) {
      const from = (matrix >>> 2) + bucket * width;
      for (let i = 0; i < width; i++) sums[i]! += u32[from + i]!;
    }
    return sums;
  }

  /** Rows in any bucket, by ordinal. */
  #sums(): Uint32Array {
    const { buckets } = this.#grid;
    const { length: width } = this.#dictionary.values;
    const inside = this.#table(buckets + 2, 1);
    this.#space.memory.u32.fill(0, inside >>> 2, (inside >>> 2) + buckets);
    const from = this.#matrix(2, width, { buckets: inside }) >>> 2;
    return this.#space.memory.u32.slice(from, from + width);
  }

  /** Rows by bucket and by the place of their value among the chosen; the last one is for others. */
  #chosen(chosen: readonly Ordinal[]): Pointer {
    const places = this.#table(this.#dictionary.values.length, chosen.length);
    for (const [place, ordinal] of chosen.entries()) {
      this.#space.memory.u32[(places >>> 2) + ordinal] = place;
    }
    return this.#matrix(this.#grid.buckets + 2, chosen.length + 1, { ordinals: places });
  }

  /** These columns of a matrix, bucket by bucket; zeros for one that is not there. */
  #columnsOf(matrix: Pointer, width: number, columns: readonly (number | undefined)[]): number[][] {
    const { u32 } = this.#space.memory;
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

  /** A table of n numbers, all the same. */
  #table(n: number, number: number): Pointer {
    const table = this.#space.scratch.take(n * 4);
    this.#space.memory.u32.fill(number, table >>> 2, (table >>> 2) + n);
    return table;
  }
}
