/** Pages of rows that stand in several partitions. */
import type { ExploreRequest, PageRequest, PageResult } from '../api.ts';
import { pageBounds } from '../order/page.ts';
import { compareScalars } from '../scalars.ts';
import type { FoundRows, RankedRow } from './partition.ts';
import { splitAt } from './ranks.ts';

export interface MergedPage {
  readonly result: PageResult;
  /** The number of the partition that each row stands in. */
  readonly places: readonly number[];
}

type Compare = (a: RankedRow, b: RankedRow) => number;

/** `near`: a page that begins this near to a place that is known is merged from there. */
export function mergedPage(
  request: PageRequest | ExploreRequest,
  found: readonly FoundRows[],
  near: number,
): MergedPage {
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const { page, first, end } = pageBounds(total, request);
  const compare = comparison(request);
  const sequences = found.map((rows) => ({
    count: rows.count,
    at: (rank: number) => rows.ranked({ first: rank, end: rank + 1 })[0]!,
  }));
  const from = splitAt(sequences, first, compare, near);
  const skipped = first - from.reduce((sum, n) => sum + n, 0);
  const lists = found.map((rows, i) => {
    const start = from[i]!;
    return rows.ranked({ first: start, end: Math.min(rows.count, start + skipped + end - first) });
  });
  const rows = merged(lists, skipped + end - first, compare).slice(skipped);
  return {
    result: { total, page, ids: rows.map(({ row }) => row.id) },
    places: rows.map(({ place }) => place),
  };
}

/** The first rows of several lists that are in order. */
function merged(lists: readonly (readonly RankedRow[])[], most: number, compare: Compare) {
  const at = lists.map(() => 0);
  const rows: { readonly row: RankedRow; readonly place: number }[] = [];
  while (rows.length < most) {
    let place = -1;
    for (let i = 0; i < lists.length; i++) {
      const row = lists[i]![at[i]!];
      if (!row) continue;
      if (place < 0 || compare(row, lists[place]![at[place]!]!) < 0) place = i;
    }
    if (place < 0) break;
    rows.push({ row: lists[place]![at[place]!]!, place });
    at[place]!++;
  }
  return rows;
}

/** The comparison of rows in the order asked for. */
function comparison(request: PageRequest | ExploreRequest): Compare {
  const keys = ('order' in request && request.order) || [request];
  const signs = keys.map(({ descending }) => (descending ? -1 : 1));
  const ofIds = signs.at(-1)!;
  return (a, b) => {
    for (let i = 0; i < a.keys.length; i++) {
      const order = compareScalars(a.keys[i]!, b.keys[i]!);
      if (order !== 0) return order * signs[i]!;
    }
    return compareScalars(a.id, b.id) * ofIds;
  };
}
