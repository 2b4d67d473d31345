/** The operations of a partition for its table, besides those that the table itself offers. */
import type {
  ExploreRequest,
  FacetRequest,
  HistogramRequest,
  HistogramResult,
  PageRequest,
  RowId,
  Scalar,
  TableImage,
  TextTable,
} from '../api.ts';
import type { Values } from '../dictionary/values.ts';
import type { Ranks } from '../order/page.ts';
import type { Ordinal } from '../storage/brands.ts';

export interface Partition extends TextTable {
  has(id: RowId): boolean;
  /** The share of its memory that is in use; 1 when its largest array could not grow any more. */
  readonly fill: number;
  /** The labels of its values, as `relate` takes them. */
  labels(): Iterable<Label>;
  /** The values of a column that is counted by value. */
  countedValues(column: string): Values;
  /** Finds the rows of a search, which are read until the next question. */
  find(request: PageRequest): FoundRows;
  /** The same for an explore. */
  findExplored(request: ExploreRequest): ExploredRows;
  image(): TableImage;
}

export type Label = readonly [
  column: string,
  value: Scalar,
  label: string,
  texts: readonly string[],
];

/** A row and the scalars that it is ordered by before its id. */
export interface RankedRow {
  readonly id: RowId;
  readonly keys: readonly Scalar[];
  /** Never decreases along a kept order, and is the same for equal scalars; 0 in any other order. */
  readonly number: number;
}

/** Some rows in order; `at` reads each one. */
export interface RankedRows {
  readonly length: number;
  at(i: number): RankedRow;
}

/** Rows in the requested order. */
export interface FoundRows {
  readonly count: number;
  ranked(ranks: Ranks): RankedRows;
  /** How many of them come before a row of another partition; left out in an order that is not kept. */
  readonly before?: ((row: RankedRow) => number) | undefined;
}

/** Takes the ordinal of a value, and how many rows of the set and of the baseline hold it (0 without one). */
export type VisitCount = (ordinal: Ordinal, count: number, baseline: number) => void;

/** Values in order, one for each rank. */
export interface RankedValues {
  readonly count: number;
  at(rank: number): Scalar;
  /** How many of them come before a value. */
  before(value: Scalar): number;
}

/** The rows of an explore, to be counted. Counts of a column ignore the conditions on it. */
export interface ExploredRows {
  /** The ones that meet all conditions. */
  readonly rows: FoundRows;
  /** Every value that a facet is about, in the rows or the baseline; returns how many rows there are. */
  countValues(
    facet: FacetRequest,
    visit: VisitCount,
  ): { readonly total: number; readonly baselineTotal: number };
  /** The values of `by`, in the rows that the facet counts. */
  countBy(facet: FacetRequest, visit: VisitCount): void;
  /** How many rows hold each of some values of a facet with each of some values of `by`. */
  split(facet: FacetRequest, values: readonly Scalar[], by: readonly Scalar[]): number[][];
  /** The least and the greatest date that is counted, in ms. */
  extentOf(
    histogram: HistogramRequest,
  ): { readonly first: number; readonly last: number } | undefined;
  /** The counts by these buckets. */
  countTimes(histogram: HistogramRequest): HistogramResult;
  /** The rows in any bucket, for each value of `by`. */
  countBuckets(histogram: HistogramRequest, visit: VisitCount): void;
  /** Counts by bucket, then by these values of `by`. */
  splitTimes(
    histogram: HistogramRequest,
    by: readonly Scalar[],
  ): NonNullable<HistogramResult['by']>;
  /** The numbers, or dates, of a column in order. */
  valuesIn(column: string): { readonly ranked: RankedValues; readonly missing: number };
  /** Gives its memory back. */
  free(): void;
}
