/** Whether an explore has the same answer by the index, by a pipeline and by a peer. */
import type { Histogram } from '../../src/tables/explore/counts.ts';
import type { Page } from '../../src/tables/search/page.ts';
import type { CountAnswer } from '../peers/counting.ts';

export function hold(name: string, body: object, theirs: unknown, ours: unknown): void {
  const [got, wanted] = [JSON.stringify(theirs), JSON.stringify(ours)];
  if (got === wanted) return;
  throw new Error(`${name}: ${JSON.stringify(body)}\nindex ${wanted}\nbut   ${got}`);
}

export const answerOf = ({ total, counts, rows }: Page) => ({
  total,
  ids: rows.map(({ document }) => String(document._id)),
  counts,
});

/** Counts as peers have them: no labels, '' for null, and of a histogram the rows of its table. */
export function ofPage(
  { total, rows, counts }: Page,
  idOf: (id: unknown) => number = Number,
): CountAnswer {
  const { facets, histogram } = counts!;
  return {
    total,
    ids: rows.map(({ document }) => idOf(document._id)),
    facets: facets.map(({ values, distinct, rest }) => ({
      values: values.map(({ value, count }) => [String(value ?? ''), count] as const),
      distinct,
      all: values.reduce((sum, { count }) => sum + count, rest),
    })),
    buckets: histogram ? tableOf(histogram) : [],
  };
}

function tableOf({ by, buckets, missing }: Histogram): CountAnswer['buckets'] {
  const rows = buckets.flatMap(({ count, counts, rest = 0 }, i) => {
    if (!by) return [[i, '', count] as const];
    const split = by.values.map((value, n) => [i, String(value ?? ''), counts![n]!] as const);
    return [...split, [i, REST, rest] as const];
  });
  return [[-1, '', missing] as const, ...rows].filter(([, , count]) => count > 0);
}

const REST = '\uffff';

/** In one order, what a histogram does not list put together. */
export function asPeers({ buckets, ...others }: CountAnswer, histogram?: Histogram) {
  const listed = histogram?.by?.values.map((value) => String(value ?? ''));
  const sums = new Map<string, number>();
  for (const [bucket, value, count] of buckets) {
    const shown = bucket < 0 ? '' : listed && !listed.includes(value) ? REST : value;
    const key = `${bucket} ${shown}`;
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  const { total, ids, facets } = others;
  return { total, ids, facets, buckets: [...sums].sort(([a], [b]) => (a < b ? -1 : 1)) };
}
