/**
 * An explore: the search's rows found once, narrowed by conditions, counted by value and by time.
 *
 *     where ∧ within ──► rows ─┬─ all conditions ─────────────────────► page
 *                              ├─ those on other columns ─► facets
 *                              ├─ those on other columns ─► histogram
 *                              └─ the baseline's, in their place ─► facets, once more
 */
import type { ExploreRequest, FacetRequest } from '../api.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import { type HitSet, listOf } from '../evaluate/hitSet.ts';
import type { ExploredRows, FoundRows } from '../partitions/partition.ts';
import { Conditions, rowsOfEach } from './conditions.ts';
import { HistogramCounts, wayOfTimes } from './histogram.ts';
import type { Means } from './means.ts';
import type { Pages } from './pages.ts';
import { rankedIn, wayOfRanks } from './quantiles.ts';
import { RowSet } from './rowSet.ts';
import { countsIn, countsOf, wayOfCounts } from './valueCounts.ts';

/** The rows of a search, and of these the ones that meet the conditions. */
interface Among {
  readonly base: RowSet;
  readonly chosen: Conditions;
  readonly baseline: Conditions | undefined;
}

export class Explorer {
  readonly #means: Means;

  constructor(means: Means) {
    this.#means = means;
  }

  /**
   * The rows, open to be counted in pieces. Other partitions may have more of them, so neither the values
   * that are listed nor the buckets are known before all were asked. `found`: the rows of the search,
   * whose bitmap it takes over; `select`: puts some of them in order.
   */
  open(request: ExploreRequest, found: HitSet, select: (rows: RowSet) => FoundRows): ExploredRows {
    const among = this.#narrowed(request, found);
    const { chosen, baseline } = among;
    return {
      page: select(chosen.all),
      facet: (facet) => {
        const { column, by, having } = facet;
        const dictionary = this.#dictionaryOf(facet);
        const rows = chosen.beside(column);
        const before = baseline?.beside(column);
        return {
          totals: { total: rows.count, baselineTotal: before?.count ?? 0 },
          count: () => countsIn(dictionary, rows, having, before),
          countBy: () => countsIn(this.#dictionaryOf(by!), rows),
          split: (listed, top) =>
            countsOf(dictionary, listed, rowsOfEach(this.#means, rows, by!.column, top)),
        };
      },
      times: (histogram) =>
        new HistogramCounts(this.#means, histogram, chosen.beside(histogram.column)),
      valuesIn: (name) => rankedIn(this.#means.space, this.#means.rangedOf(name), chosen.all),
      free: () => giveBack(among),
    };
  }

  /**
   * The way of evaluation, a line each: conditions, the order, then each count.
   */
  waysOf(request: ExploreRequest, found: HitSet, pages: Pick<Pages, 'wayOf'>): readonly string[] {
    const { conditions: wanted, facets, histogram, stats = [] } = request;
    const among = this.#narrowed(request, found);
    const { base, chosen, baseline } = among;
    const how = chosen.areAsked ? 'each row is asked' : 'bitmaps are intersected';
    const narrowed = `${wanted.length} conditions: ${how}, ${chosen.all.count} of ${base.count} rows`;
    const lines = wanted.length > 0 ? [narrowed] : [];
    if (request.order) lines.push(pages.wayOf(request.order, chosen.all));
    for (const facet of facets) {
      const dictionary = this.#dictionaryOf(facet);
      const wayOf = (rows: RowSet) => `${rows.count} rows ${wayOfCounts(dictionary, rows)}`;
      const ways = [wayOf(chosen.beside(facet.column))];
      if (baseline) ways.push(`baseline: ${wayOf(baseline.beside(facet.column))}`);
      if (facet.by) ways.push(`split by ${facet.by.column}`);
      lines.push(`facet ${facet.column}: ${ways.join(', ')}`);
    }
    if (histogram) {
      const rows = chosen.beside(histogram.column);
      const dates = this.#means.columnOf(histogram.column, { dates: true });
      const way = wayOfTimes(dates, rows, histogram.by !== undefined);
      lines.push(`histogram ${histogram.column}: ${rows.count} rows ${way}`);
    }
    for (const { column } of stats) {
      const way = wayOfRanks(this.#means.rangedOf(column), chosen.all);
      lines.push(`stats ${column}: ${chosen.all.count} rows ${way}`);
    }
    giveBack(among);
    return lines;
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
}

/** Gives back the bitmaps of rows that were narrowed. */
function giveBack({ base, chosen, baseline }: Among): void {
  chosen.free();
  baseline?.free();
  base.free();
}
