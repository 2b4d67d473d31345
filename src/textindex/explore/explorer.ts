/**
 * An explore: the search's rows found once, narrowed by conditions, counted by value and by time.
 *
 *     where ∧ within ──► rows ─┬─ all conditions ─────────────────────► page
 *                              ├─ those on other columns ─► facets
 *                              └─ those on other columns ─► histogram
 */
import type {
  ExploreRequest,
  FacetResult,
  HistogramRequest,
  HistogramResult,
  PageResult,
} from '../api.ts';
import type { Fold } from '../caseFold.ts';
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

export class Explorer {
  readonly #means: Means;
  readonly #values: ValueCounts;

  constructor(means: Means, fold: Fold) {
    this.#means = means;
    this.#values = new ValueCounts(means.space, fold);
  }

  /**
   * `found`: the rows of the search, in scratch memory or a borrowed bitmap, which is taken over;
   * `select`: makes the page of some of them, and leaves them as they are.
   */
  run(
    request: ExploreRequest,
    found: HitSet,
    select: (hits: HitSet, total: number) => PageResult,
  ): Explored {
    const { space, numbers, columnOf } = this.#means;
    const rows = new RowSet(space, numbers, found);
    const conditions = new Conditions(this.#means, request.conditions);
    const all = conditions.narrow(rows);
    const page = select(all.hits, all.count);
    const beside = <T>(column: string, count: (rows: RowSet) => T): T => {
      const own = conditions.isOn(column) ? conditions.narrow(rows, column) : all;
      const counted = count(own);
      if (own !== all && own !== rows) own.free();
      return counted;
    };
    const facets = request.facets.map((facet) => {
      const label = facet.having?.label;
      const { dictionary } = columnOf(facet.column, {
        facet: true,
        ...(label !== undefined && { label }),
      });
      return beside(facet.column, (own) => this.#values.facet(dictionary!, facet, own));
    });
    const { histogram: asked } = request;
    const histogram = asked && beside(asked.column, (own) => this.#countByTime(asked, own));
    if (all !== rows) all.free();
    rows.free();
    conditions.free();
    return { page, facets, ...(histogram && { histogram }) };
  }

  #countByTime(asked: HistogramRequest, rows: RowSet): HistogramResult {
    const { space, columnOf } = this.#means;
    const by = asked.by && columnOf(asked.by.column, { facet: true }).dictionary!;
    return new HistogramCounts(space, columnOf(asked.column, { dates: true })).count(
      asked,
      rows,
      by,
    );
  }
}
