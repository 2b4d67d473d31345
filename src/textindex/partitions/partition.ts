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
import type { Totals } from '../explore/lift.ts';
import type { Ranks } from '../order/page.ts';
import type { Sorted } from './ranks.ts';

export interface Partition extends Omit<TextTable, 'search' | 'explore' | 'images'> {
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

/** Rows in the requested order. */
export interface FoundRows {
  readonly count: number;
  /** The ids of some: a page, if no other partition has rows. */
  ids(ranks: Ranks): readonly RowId[];
  /** Each one is read by `at`. */
  ranked(ranks: Ranks): Sorted<RankedRow>;
  /** How many of them come before a row of another partition; left out in an order that is not kept. */
  readonly before?: ((row: RankedRow) => number) | undefined;
}

/** Counts by ordinal, good until others are made in the same partition. */
export interface OrdinalCounts {
  readonly counts: Uint32Array;
  /** In the baseline, if there is one. */
  readonly baselines: Uint32Array | undefined;
}

/** Values in order, one for each rank. */
export interface RankedValues extends Sorted<Scalar> {
  before(value: Scalar): number;
}

/** The rows of an explore, to be counted. Counts of a column ignore the conditions on it. */
export interface ExploredRows {
  /** A page of those that meet all conditions. */
  readonly page: FoundRows;
  /** The rows that a facet counts, until those of another column are asked for. */
  facet(facet: FacetRequest): ExploredFacet;
  /** The rows that are counted by time, likewise. */
  times(histogram: HistogramRequest): ExploredTimes;
  /** The numbers, or dates, of a column in order. */
  valuesIn(column: string): { readonly ranked: RankedValues; readonly missing: number };
  /** Gives its memory back. */
  free(): void;
}

export interface ExploredFacet {
  /** How many rows there are, and in the baseline (0 without one). */
  readonly totals: Totals;
  /** Counts of the values that the facet is about, and none of others. */
  count(): OrdinalCounts;
  /** The same by the values of `by`. */
  countBy(): OrdinalCounts;
  /** How many rows hold each of some values with each of some values of `by`. */
  split(values: readonly Scalar[], by: readonly Scalar[]): number[][];
}

/** The least and the greatest date counted, in ms. */
export interface Extent {
  readonly first: number;
  readonly last: number;
}

export interface ExploredTimes {
  readonly extent: Extent | undefined;
  /** `bounds`: the start of each bucket, then the end of the last one. */
  within(bounds: readonly number[]): BucketedTimes;
}

export interface BucketedTimes {
  /** The rows in any bucket, for each value of `by`. */
  countBy(): OrdinalCounts;
  /** Counts by bucket; with values of `by`, by these too. */
  count(by?: readonly Scalar[]): HistogramResult;
}
