/**
 * An explore: the search's rows found once, narrowed by conditions, counted by value and by time.
 *
 *     where ∧ within ──► rows ─┬─ all conditions ─────────────────────► page
 *                              ├─ those on other columns ─► facets
 *                              └─ those on other columns ─► histogram
 */
import type {
  ExploreRequest,
  FacetRequest,
  FacetResult,
  HistogramRequest,
  HistogramResult,
  PageResult,
} from '../api.ts';
import type { Fold } from '../caseFold.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { HitSet } from '../evaluate/hitSet.ts';
import { Conditions, type Means } from './conditions.ts';
import { HistogramCounts } from './histogram.ts';
import { RowSet } from './rowSet.ts';
import { ValueCounts } from './valueCounts.ts';

export interface Explored {
  readonly page: PageResult;
  readonly facets: readonly FacetResult[];
  readonly histogram?: HistogramResult;
}

/** The rows of a search, and the rows of these that meet the conditions. */
interface Among {
  readonly base: RowSet;
  readonly all: RowSet;
  readonly conditions: Conditions;
  /** Counts the rows that meet the conditions on other columns. */
  beside<T>(column: string, count: (rows: RowSet) => T): T;
}

export class Explorer {
  readonly #means: Means;
  readonly #values: ValueCounts;

  constructor(means: Means, fold: Fold) {
    this.#means = means;
    this.#values = new ValueCounts(means.space, fold);
  }

  /**
   * `found`: the rows of the search, whose bitmap it takes over; `select`: makes the page of some
   * of them, and does not change them.
   */
  run(
    request: ExploreRequest,
    found: HitSet,
    select: (hits: HitSet, total: number) => PageResult,
  ): Explored {
    return this.#among(request, found, ({ all, beside }) => {
      const page = select(all.hits, all.count);
      const facets = request.facets.map((facet) =>
        beside(facet.column, (rows) => {
          return this.#values.facet(this.#dictionaryOf(facet), facet, rows);
        }),
      );
      const { histogram: asked } = request;
      if (!asked) return { page, facets };
      const by = asked.by && this.#dictionaryOf(asked.by);
      const histogram = beside(asked.column, (rows) => this.#timesOf(asked).count(asked, rows, by));
      return { page, facets, histogram };
    });
  }

  /** The way of evaluation, a line each: conditions, then each count. */
  waysOf(request: ExploreRequest, found: HitSet): readonly string[] {
    const { conditions: wanted, facets, histogram } = request;
    return this.#among(request, found, ({ base, all, conditions, beside }) => {
      const how = conditions.areAsked(base) ? 'each row is asked' : 'bitmaps are intersected';
      const narrowed = `${wanted.length} conditions: ${how}, ${all.count} of ${base.count} rows`;
      const lines = wanted.length > 0 ? [narrowed] : [];
      for (const facet of facets) {
        const way = beside(facet.column, (rows) => {
          return `${rows.count} rows ${this.#values.wayOf(this.#dictionaryOf(facet), rows)}`;
        });
        lines.push(`facet ${facet.column}: ${way}`);
      }
      if (histogram) {
        const way = beside(histogram.column, (rows) => {
          const times = this.#timesOf(histogram);
          return `${rows.count} rows ${times.wayOf(rows, histogram.by !== undefined)}`;
        });
        lines.push(`histogram ${histogram.column}: ${way}`);
      }
      return lines;
    });
  }

  /** Narrows the rows of a search for `act`, and gives back the bitmaps that this takes. */
  #among<T>(request: ExploreRequest, found: HitSet, act: (among: Among) => T): T {
    const { space, numbers } = this.#means;
    const base = new RowSet(space, numbers, found);
    const conditions = new Conditions(this.#means, request.conditions);
    const all = conditions.narrow(base);
    const beside: Among['beside'] = (column, count) => {
      const own = conditions.isOn(column) ? conditions.narrow(base, column) : all;
      const counted = count(own);
      if (own !== all && own !== base) own.free();
      return counted;
    };
    const result = act({ base, all, conditions, beside });
    if (all !== base) all.free();
    base.free();
    conditions.free();
    return result;
  }

  #dictionaryOf({ column, having }: Pick<FacetRequest, 'column' | 'having'>): Dictionary {
    const label = having?.label;
    const use = { facet: true, ...(label !== undefined && { label }) };
    return this.#means.columnOf(column, use).dictionary!;
  }

  #timesOf({ column }: HistogramRequest): HistogramCounts {
    const { space, columnOf } = this.#means;
    return new HistogramCounts(space, columnOf(column, { dates: true }));
  }
}
