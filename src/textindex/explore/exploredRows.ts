/**
 * The rows of an explore in one partition, open to be counted in pieces. Other partitions have more
 * of them, so neither the values that are listed nor the buckets are known before all were asked.
 */
import type { FacetRequest, HistogramRequest, HistogramResult, Scalar } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { ExploredRows, FoundRows, RankedValues, VisitCount } from '../partitions/partition.ts';
import type { Ordinal } from '../storage/brands.ts';
import { type Conditions, type Means, rowsOfEach } from './conditions.ts';
import type { HistogramCounts } from './histogram.ts';
import type { Quantiles } from './quantiles.ts';
import type { RowSet } from './rowSet.ts';
import type { ValueCounts } from './valueCounts.ts';

/** The rows of a search, and of these the ones that meet the conditions. */
export interface Among {
  readonly base: RowSet;
  readonly chosen: Conditions;
  readonly baseline: Conditions | undefined;
}

export interface ExploredMeans extends Means {
  readonly values: ValueCounts;
  readonly quantiles: Quantiles;
  readonly dictionaryOf: (facet: Pick<FacetRequest, 'column' | 'having'>) => Dictionary;
  readonly timesOf: (histogram: HistogramRequest) => HistogramCounts;
}

export class Explored implements ExploredRows {
  readonly #means: ExploredMeans;
  readonly #among: Among;
  readonly rows: FoundRows;

  /** `rows`: the ones that meet all conditions, in order. */
  constructor(means: ExploredMeans, among: Among, rows: FoundRows) {
    this.#means = means;
    this.#among = among;
    this.rows = rows;
  }

  countValues(facet: FacetRequest, visit: VisitCount) {
    const { chosen, baseline } = this.#among;
    const dictionary = this.#means.dictionaryOf(facet);
    return chosen.beside(facet.column, (rows) => {
      const count = (before?: RowSet) => {
        this.#means.values.each(dictionary, rows, visit, facet.having, before);
        return { total: rows.count, baselineTotal: before?.count ?? 0 };
      };
      return baseline ? baseline.beside(facet.column, count) : count();
    });
  }

  countBy({ column, by }: FacetRequest, visit: VisitCount): void {
    const dictionary = this.#means.dictionaryOf(by!);
    this.#among.chosen.beside(column, (rows) => this.#means.values.each(dictionary, rows, visit));
  }

  split(facet: FacetRequest, values: readonly Scalar[], by: readonly Scalar[]): number[][] {
    const { values: counts, dictionaryOf } = this.#means;
    const dictionary = dictionaryOf(facet);
    const { column } = facet.by!;
    return this.#among.chosen.beside(facet.column, (rows) =>
      counts.countsOf(dictionary, values, rowsOfEach(this.#means, rows, column, by)),
    );
  }

  extentOf(histogram: HistogramRequest) {
    const by = this.#byOf(histogram);
    const times = this.#means.timesOf(histogram);
    return this.#among.chosen.beside(histogram.column, (rows) =>
      times.extentOf(histogram, rows, by),
    );
  }

  countTimes({ by: _, ...histogram }: HistogramRequest): HistogramResult {
    const times = this.#means.timesOf(histogram);
    return this.#among.chosen.beside(histogram.column, (rows) => times.count(histogram, rows));
  }

  countBuckets(histogram: HistogramRequest, visit: VisitCount): void {
    const by = this.#byOf(histogram)!;
    const times = this.#means.timesOf(histogram);
    this.#among.chosen.beside(histogram.column, (rows) => {
      const sums = times.sumsBy(histogram, rows, by);
      for (const [ordinal, sum] of sums.entries()) {
        if (sum > 0) visit(ordinal as Ordinal, sum, 0);
      }
    });
  }

  splitTimes(histogram: HistogramRequest, values: readonly Scalar[]) {
    const by = this.#byOf(histogram)!;
    const times = this.#means.timesOf(histogram);
    return this.#among.chosen.beside(histogram.column, (rows) =>
      times.splitBy(histogram, rows, by, values),
    );
  }

  valuesIn(name: string): { readonly ranked: RankedValues; readonly missing: number } {
    const column = this.#means.rangedOf(name);
    return this.#means.quantiles.ranked(column, this.#among.chosen.all);
  }

  free(): void {
    giveBack(this.#among);
  }

  #byOf({ by }: HistogramRequest): Dictionary | undefined {
    return by && this.#means.dictionaryOf(by);
  }
}

/** Gives back the bitmaps of rows that were narrowed. */
export function giveBack({ base, chosen, baseline }: Among): void {
  chosen.free();
  baseline?.free();
  base.free();
}
