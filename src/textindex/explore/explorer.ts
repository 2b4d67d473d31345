/**
 * An explore: the search's rows found once, narrowed by conditions, counted by value and by time.
 *
 *     where ∧ within ──► rows ─┬─ all conditions ─────────────────────► page
 *                              ├─ those on other columns ─► facets
 *                              ├─ those on other columns ─► histogram
 *                              └─ the baseline's, in their place ─► facets, once more
 */
import type {
  ExploreRequest,
  FacetRequest,
  FacetResult,
  HistogramRequest,
  HistogramResult,
  PageResult,
  StatsResult,
} from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { type HitSet, listOf } from '../evaluate/hitSet.ts';
import type { ExploredRows, FoundRows } from '../partitions/partition.ts';
import type { Ordinal } from '../storage/brands.ts';
import { Conditions, type Means, rowsOfEach } from './conditions.ts';
import { HistogramCounts } from './histogram.ts';
import type { Pages } from './pages.ts';
import { Quantiles } from './quantiles.ts';
import { RowSet } from './rowSet.ts';
import type { ValueCounts } from './valueCounts.ts';

export interface ExploreAnswer {
  readonly page: PageResult;
  readonly facets: readonly FacetResult[];
  readonly histogram?: HistogramResult;
  readonly stats: readonly StatsResult[];
}

/** The rows of a search, and of these the ones that meet the conditions. */
interface Among {
  readonly base: RowSet;
  readonly chosen: Conditions;
  readonly baseline: Conditions | undefined;
}

export class Explorer {
  readonly #means: Means;
  readonly #values: ValueCounts;
  readonly #quantiles: Quantiles;

  constructor(means: Means, counts: ValueCounts) {
    this.#means = means;
    this.#values = counts;
    this.#quantiles = new Quantiles(means.space, this.#values);
  }

  /**
   * `found`: the rows of the search, whose bitmap it takes over; `select`: makes the page of some
   * of them.
   */
  run(request: ExploreRequest, found: HitSet, select: (rows: RowSet) => PageResult): ExploreAnswer {
    return this.#among(request, found, (among) => {
      const { chosen } = among;
      const page = select(chosen.all);
      const facets = request.facets.map((facet) => this.#facet(facet, among));
      const { histogram: asked, stats: wanted = [] } = request;
      const stats = wanted.map((one) =>
        this.#quantiles.of(this.#means.rangedOf(one.column), one, chosen.all),
      );
      if (!asked) return { page, facets, stats };
      const histogram = chosen.beside(asked.column, (rows) =>
        this.#timesOf(asked).count(asked, rows, this.#byOf(asked)),
      );
      return { page, facets, histogram, stats };
    });
  }

  /**
   * The rows, open to be counted in pieces. Other partitions have more of them, so neither the values
   * that are listed nor the buckets are known before all were asked.
   */
  open(request: ExploreRequest, found: HitSet, inOrder: (rows: RowSet) => FoundRows): ExploredRows {
    const among = this.#narrowed(request, found);
    const { chosen, baseline } = among;
    const values = this.#values;
    const inTime = <T>(
      histogram: HistogramRequest,
      count: (times: HistogramCounts, rows: RowSet, by: Dictionary | undefined) => T,
    ) => {
      const [times, by] = [this.#timesOf(histogram), this.#byOf(histogram)];
      return chosen.beside(histogram.column, (rows) => count(times, rows, by));
    };
    return {
      rows: inOrder(chosen.all),
      countValues: (facet, visit) => {
        const dictionary = this.#dictionaryOf(facet);
        return chosen.beside(facet.column, (rows) => {
          const count = (before?: RowSet) => {
            values.each(dictionary, rows, visit, facet.having, before);
            return { total: rows.count, baselineTotal: before?.count ?? 0 };
          };
          return baseline ? baseline.beside(facet.column, count) : count();
        });
      },
      countBy: ({ column, by }, visit) => {
        const dictionary = this.#dictionaryOf(by!);
        chosen.beside(column, (rows) => values.each(dictionary, rows, visit));
      },
      split: (facet, listed, by) => {
        const dictionary = this.#dictionaryOf(facet);
        const { column } = facet.by!;
        return chosen.beside(facet.column, (rows) =>
          values.countsOf(dictionary, listed, rowsOfEach(this.#means, rows, column, by)),
        );
      },
      extentOf: (histogram) =>
        inTime(histogram, (times, rows, by) => times.extentOf(histogram, rows, by)),
      countTimes: ({ by: _, ...histogram }) =>
        inTime(histogram, (times, rows) => times.count(histogram, rows)),
      countBuckets: (histogram, visit) =>
        inTime(histogram, (times, rows, by) => {
          for (const [ordinal, sum] of times.sumsBy(histogram, rows, by!).entries()) {
            if (sum > 0) visit(ordinal as Ordinal, sum, 0);
          }
        }),
      splitTimes: (histogram, by) =>
        inTime(histogram, (times, rows, of) => times.splitBy(histogram, rows, of!, by)),
      valuesIn: (name) => this.#quantiles.ranked(this.#means.rangedOf(name), chosen.all),
      free: () => giveBack(among),
    };
  }

  /**
   * The way of evaluation, a line each: conditions, the order, then each count.
   */
  waysOf(request: ExploreRequest, found: HitSet, pages: Pick<Pages, 'wayOf'>): readonly string[] {
    const { conditions: wanted, facets, histogram, stats = [] } = request;
    return this.#among(request, found, ({ base, chosen, baseline }) => {
      const how = chosen.areAsked ? 'each row is asked' : 'bitmaps are intersected';
      const narrowed = `${wanted.length} conditions: ${how}, ${chosen.all.count} of ${base.count} rows`;
      const lines = wanted.length > 0 ? [narrowed] : [];
      if (request.order) lines.push(pages.wayOf(request.order, chosen.all));
      for (const facet of facets) {
        const dictionary = this.#dictionaryOf(facet);
        const wayOf = (rows: RowSet) =>
          `${rows.count} rows ${this.#values.wayOf(dictionary, rows)}`;
        const ways = [chosen.beside(facet.column, wayOf)];
        if (baseline) ways.push(`baseline: ${baseline.beside(facet.column, wayOf)}`);
        if (facet.by) ways.push(`split by ${facet.by.column}`);
        lines.push(`facet ${facet.column}: ${ways.join(', ')}`);
      }
      if (histogram) {
        const way = chosen.beside(histogram.column, (rows) => {
          const times = this.#timesOf(histogram);
          return `${rows.count} rows ${times.wayOf(rows, histogram.by !== undefined)}`;
        });
        lines.push(`histogram ${histogram.column}: ${way}`);
      }
      for (const { column } of stats) {
        const way = this.#quantiles.wayOf(this.#means.rangedOf(column), chosen.all);
        lines.push(`stats ${column}: ${chosen.all.count} rows ${way}`);
      }
      return lines;
    });
  }

  #facet(facet: FacetRequest, { chosen, baseline }: Among): FacetResult {
    const dictionary = this.#dictionaryOf(facet);
    return chosen.beside(facet.column, (rows) => {
      const count = (before?: RowSet) => this.#values.facet(dictionary, facet, rows, before);
      const counted = baseline ? baseline.beside(facet.column, count) : count();
      return facet.by ? this.#split(dictionary, counted, facet.by, rows) : counted;
    });
  }

  /** Counts each listed value by the most frequent values of another column. */
  #split(
    dictionary: Dictionary,
    { values, ...counted }: FacetResult,
    by: NonNullable<FacetRequest['by']>,
    rows: RowSet,
  ): FacetResult {
    const listed = values.map(({ value }) => value);
    const most = this.#values.facet(this.#dictionaryOf(by), by, rows).values;
    const top = most.map(({ value }) => value);
    const sets = rowsOfEach(this.#means, rows, by.column, top);
    const split = this.#values.countsOf(dictionary, listed, sets);
    const splitValues = values.map((one, i) => ({ ...one, counts: split.map((of) => of[i]!) }));
    return { ...counted, values: splitValues, by: top };
  }

  /** Narrows the rows of a search for `act`, and gives back the bitmaps that this takes. */
  #among<T>(request: ExploreRequest, found: HitSet, act: (among: Among) => T): T {
    const among = this.#narrowed(request, found);
    const result = act(among);
    giveBack(among);
    return result;
  }

  #narrowed(request: ExploreRequest, found: HitSet): Among {
    const base = this.#baseOf(request, found);
    const chosen = new Conditions(this.#means, base, request.conditions);
    const baseline = request.baseline && new Conditions(this.#means, base, request.baseline);
    return { base, chosen, baseline };
  }

  /**
   * The rows of the search. Where the caller may not see all rows, few are listed: then no other
   * row's values are read, and the time says nothing of them. See `visibleRows` in space.ts.
   */
  #baseOf({ within }: ExploreRequest, found: HitSet): RowSet {
    const { space, numbers } = this.#means;
    const base = new RowSet(space, numbers, found);
    const isRestricted = within !== undefined && within.op !== 'all';
    if (!isRestricted || base.isList || base.count > space.layout.visibleRows) return base;
    const listed = listOf(base.list, base.count);
    base.free();
    return new RowSet(space, numbers, listed);
  }

  #dictionaryOf({ column, having }: Pick<FacetRequest, 'column' | 'having'>): Dictionary {
    const label = having?.label;
    const use = { facet: true, ...(label !== undefined && { label }) };
    return this.#means.columnOf(column, use).dictionary!;
  }

  #byOf({ by }: HistogramRequest): Dictionary | undefined {
    return by && this.#dictionaryOf(by);
  }

  #timesOf({ column }: HistogramRequest): HistogramCounts {
    const { space, columnOf } = this.#means;
    return new HistogramCounts(space, columnOf(column, { dates: true }));
  }
}

/** Gives back the bitmaps of rows that were narrowed. */
function giveBack({ base, chosen, baseline }: Among): void {
  chosen.free();
  baseline?.free();
  base.free();
}
