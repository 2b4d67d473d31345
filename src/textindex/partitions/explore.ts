/**
 * Explores over several partitions. Each part of an answer is put together before anything is cut
 * off: a value that is on no partition's list may be on the list of all.
 *
 *     facet       counts of all values, added up ─► the values listed ─► each split by the top of `by`
 *     histogram   ends of all dates ─► buckets ─► counts, added up
 *     stats       values by position in each partition ─► the ones at the ranks (ranks.ts)
 */
import type {
  ExploreRequest,
  ExploreResult,
  FacetRequest,
  FacetResult,
  HistogramRequest,
  HistogramResult,
  Scalar,
  StatsRequest,
  StatsResult,
} from '../api.ts';
import { compareScalars } from '../scalars.ts';
import { mergedPage } from './pages.ts';
import type { ExploredRows } from './partition.ts';
import { elementAt } from './ranks.ts';
import type { AddedValues } from './values.ts';

type Found = readonly ExploredRows[];
/** Adds up the counts of a column. */
type Added = (column: string) => AddedValues;

export function mergedExplore(
  request: ExploreRequest,
  found: Found,
  near: number,
  added: Added,
): ExploreResult {
  const { facets, histogram, stats = [] } = request;
  const ofRows = found.map(({ rows }) => rows);
  const result = {
    ...mergedPage(request, ofRows, near),
    facets: facets.map((one) => facetOf(one, request.baseline !== undefined, found, added)),
    ...(histogram && { histogram: histogramOf(histogram, found, added) }),
    stats: stats.map((one) => statsOf(one, found)),
  };
  for (const rows of found) rows.free();
  return result;
}

function facetOf(facet: FacetRequest, hasBaseline: boolean, found: Found, added: Added) {
  const all = added(facet.column);
  const totals = { total: 0, baselineTotal: 0 };
  for (const [i, rows] of found.entries()) {
    const { total, baselineTotal } = rows.countValues(facet, all.of(i));
    totals.total += total;
    totals.baselineTotal += baselineTotal;
  }
  const { limit, order, by } = facet;
  const counted = all.listed(limit, order, hasBaseline ? totals : undefined);
  const result: FacetResult = { ...counted, ...(hasBaseline && totals) };
  return by ? splitOf(result, facet, by, found, added) : result;
}

function splitOf(
  { values, ...result }: FacetResult,
  facet: FacetRequest,
  by: NonNullable<FacetRequest['by']>,
  found: Found,
  added: Added,
): FacetResult {
  const all = added(by.column);
  for (const [i, rows] of found.entries()) rows.countBy(facet, all.of(i));
  const top = all.listed(by.limit).values.map(({ value }) => value);
  const listed = values.map(({ value }) => value);
  const split = addedUp(found.map((rows) => rows.split(facet, listed, top)));
  return {
    ...result,
    values: values.map((one, i) => ({ ...one, counts: split.map((of) => of[i]!) })),
    by: top,
  };
}

function histogramOf(asked: HistogramRequest, found: Found, added: Added): HistogramResult {
  const extents = found.flatMap((rows) => rows.extentOf(asked) ?? []);
  const [first, last] = [extents.map((one) => one.first), extents.map((one) => one.last)];
  const bounds =
    extents.length > 0
      ? asked.boundaries(Math.min(...first), Math.max(...last))
      : asked.boundaries();
  const histogram = { ...asked, boundaries: () => bounds };
  const times = found.map((rows) => rows.countTimes(histogram));
  const counts = summed(times.map((one) => one.counts));
  const missing = times.reduce((sum, one) => sum + one.missing, 0);
  if (!asked.by) return { counts, missing };
  const all = added(asked.by.column);
  for (const [i, rows] of found.entries()) rows.countBuckets(histogram, all.of(i));
  const values = all.listed(asked.by.limit).values.map(({ value }) => value);
  const parts = found.map((rows) => rows.splitTimes(histogram, values));
  const split = addedUp(parts.map((one) => one.split));
  return { counts, missing, by: { values, split, rest: summed(parts.map(({ rest }) => rest)) } };
}

function statsOf({ column, ranks }: StatsRequest, found: Found): StatsResult {
  const parts = found.map((rows) => rows.valuesIn(column));
  const ranked = parts.map((one) => one.ranked);
  const count = ranked.reduce((sum, one) => sum + one.count, 0);
  const missing = parts.reduce((sum, one) => sum + one.missing, 0);
  const at = (rank: number): Scalar => elementAt(ranked, rank, compareScalars);
  return { count, missing, values: count === 0 ? [] : ranks(count).map(at) };
}

/** Lists of one length, added up place by place. */
const summed = ([first = [], ...others]: readonly (readonly number[])[]): number[] =>
  first.map((n, i) => others.reduce((sum, one) => sum + one[i]!, n));

/** The same for lists of lists. */
const addedUp = ([first = [], ...others]: readonly (readonly (readonly number[])[])[]) =>
  first.map((list, i) => summed([list, ...others.map((one) => one[i]!)]));
