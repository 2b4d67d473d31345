/**
 * The counts of an explore, over one partition or several. Each part of an answer is put together before
 * anything is cut off: a value that is on no partition's list may be on the list of all.
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
  PageResult,
  Scalar,
  StatsRequest,
  StatsResult,
} from '../api.ts';
import type { ExploredFacet, ExploredRows, OrdinalCounts } from '../partitions/partition.ts';
import { elementAt } from '../partitions/ranks.ts';
import { compareScalars } from '../scalars.ts';
import { type CountedValues, listedOf } from './listedValues.ts';

type Found = readonly ExploredRows[];

/** Adds up the counts of a column's values in all partitions, one for each. */
export type Sum = (column: string, parts: readonly (() => OrdinalCounts)[]) => CountedValues;

/** `found`: the rows in each partition, which are given back. */
export function countsOf(
  request: ExploreRequest,
  found: Found,
  sum: Sum,
): Omit<ExploreResult, keyof PageResult> {
  const { facets, histogram, stats = [] } = request;
  const counts = {
    facets: facets.map((one) => facetOf(one, request.baseline !== undefined, found, sum)),
    ...(histogram && { histogram: histogramOf(histogram, found, sum) }),
    stats: stats.map((one) => statsOf(one, found)),
  };
  for (const rows of found) rows.free();
  return counts;
}

function facetOf(facet: FacetRequest, hasBaseline: boolean, found: Found, sum: Sum): FacetResult {
  const parts = found.map((rows) => rows.facet(facet));
  const total = sumOf(parts, ({ totals }) => totals.total);
  const baselineTotal = sumOf(parts, ({ totals }) => totals.baselineTotal);
  const totals = hasBaseline ? { total, baselineTotal } : undefined;
  const { column, limit, order, by } = facet;
  const counts = parts.map((part) => () => part.count());
  const listed = listedOf(sum(column, counts), limit, order, totals);
  return by ? splitOf(listed, by, parts, sum) : listed;
}

function splitOf(
  { values, ...result }: FacetResult,
  by: NonNullable<FacetRequest['by']>,
  parts: readonly ExploredFacet[],
  sum: Sum,
): FacetResult {
  const top = topOf(by, parts, sum);
  const listed = values.map(({ value }) => value);
  const split = addedUp(parts.map((part) => part.split(listed, top)));
  return {
    ...result,
    values: values.map((one, i) => ({ ...one, counts: split.map((of) => of[i]!) })),
    by: top,
  };
}

function histogramOf(asked: HistogramRequest, found: Found, sum: Sum): HistogramResult {
  const parts = found.map((rows) => rows.times(asked));
  const extents = parts.flatMap(({ extent }) => extent ?? []);
  const [first, last] = [extents.map((one) => one.first), extents.map((one) => one.last)];
  const bounds =
    extents.length > 0
      ? asked.boundaries(Math.min(...first), Math.max(...last))
      : asked.boundaries();
  const times = parts.map((part) => part.within(bounds));
  const values = asked.by && topOf(asked.by, times, sum);
  const counted = times.map((one) => one.count(values));
  const counts = summed(counted.map((one) => one.counts));
  const missing = sumOf(counted, (one) => one.missing);
  if (!values) return { counts, missing };
  const split = addedUp(counted.map(({ by }) => by!.split));
  return {
    counts,
    missing,
    by: { values, split, rest: summed(counted.map(({ by }) => by!.rest)) },
  };
}

function statsOf({ column, ranks }: StatsRequest, found: Found): StatsResult {
  const parts = found.map((rows) => rows.valuesIn(column));
  const ranked = parts.map((one) => one.ranked);
  const count = sumOf(ranked, (one) => one.count);
  const missing = sumOf(parts, (one) => one.missing);
  const at = (rank: number): Scalar => elementAt(ranked, rank, compareScalars);
  return { count, missing, values: count === 0 ? [] : ranks(count).map(at) };
}

/** The most frequent values of the column that counts are split by. */
function topOf(
  { column, limit }: NonNullable<FacetRequest['by']>,
  parts: readonly Pick<ExploredFacet, 'countBy'>[],
  sum: Sum,
): Scalar[] {
  const counts = parts.map((part) => () => part.countBy());
  return listedOf(sum(column, counts), limit).values.map(({ value }) => value);
}

const sumOf = <One>(all: readonly One[], of: (one: One) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0);

/** Lists of one length, added up place by place. */
const summed = (lists: readonly (readonly number[])[]): readonly number[] =>
  lists.reduce((sums, list) => sums.map((n, i) => n + list[i]!));

/** The same for lists of lists. */
const addedUp = (all: readonly (readonly (readonly number[])[])[]) =>
  all.reduce((sums, lists) => sums.map((list, i) => summed([list, lists[i]!])));
