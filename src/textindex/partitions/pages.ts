/** Pages of rows that stand in several partitions. */
import type { ExploreRequest, PageRequest, PageResult } from '../api.ts';
import { firstNot } from '../order/firstNot.ts';
import { pageBounds } from '../order/page.ts';
import { compareScalars } from '../scalars.ts';
import type { FoundRows, RankedRow } from './partition.ts';
import { type Sorted, splitAt } from './ranks.ts';

/** As many rows more are listed in an order that is kept: that takes the time of one probe. */
const IN_KEPT_ORDER = 8;

type Compare = (a: RankedRow, b: RankedRow) => number;

/** `near`: of a page that begins this near to a place that is known, the rows from there are listed. */
export function mergedPage(
  request: PageRequest | ExploreRequest,
  found: readonly FoundRows[],
  near: number,
): PageResult {
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const { page, first, end } = pageBounds(total, request);
  if (found.length === 1) return { total, page, ids: found[0]!.ids({ first, end }) };
  const compare = comparison(request);
  const sequences = found.map(sequenceOf);
  const isKept = found.every(({ before }) => before);
  const from = splitAt(sequences, first, compare, isKept ? near * IN_KEPT_ORDER : near);
  const skipped = first - from.reduce((sum, n) => sum + n, 0);
  const lists = found.map((rows, i) => {
    const start = from[i]!;
    return rows.ranked({ first: start, end: Math.min(rows.count, start + skipped + end - first) });
  });
  const past = splitAt(
    lists.map((list) => sorted(list, compare)),
    skipped,
    compare,
  );
  const ids = merged(lists, past, end - first, compare).map((row) => row.id);
  return { total, page, ids };
}

/** Found rows, each read by its rank. As many come before the row that was read last as its rank says. */
function sequenceOf(rows: FoundRows): Sorted<RankedRow> {
  let [last, place]: [RankedRow | undefined, number] = [undefined, 0];
  return {
    count: rows.count,
    at(rank) {
      place = rank;
      last = rows.ranked({ first: rank, end: rank + 1 }).at(0);
      return last;
    },
    before: rows.before && ((row) => (row === last ? place : rows.before!(row))),
  };
}

/** Rows of a list that is in order. */
const sorted = (list: Sorted<RankedRow>, compare: Compare): Sorted<RankedRow> => ({
  ...list,
  before: (row) => firstNot(list.count, (i) => compare(list.at(i), row) < 0),
});

/** The next rows of several lists that are in order. Only rows at the fronts are read. */
function merged(
  lists: readonly Sorted<RankedRow>[],
  from: readonly number[],
  most: number,
  compare: Compare,
) {
  const next = [...from];
  const rowAt = (place: number): RankedRow | undefined => {
    const list = lists[place]!;
    return next[place]! < list.count ? list.at(next[place]!) : undefined;
  };
  const fronts = lists.map((_, place) => rowAt(place));
  const rows: RankedRow[] = [];
  while (rows.length < most) {
    let first: RankedRow | undefined;
    let place = 0;
    for (const [i, row] of fronts.entries()) {
      if (!row || (first && compare(row, first) > 0)) continue;
      first = row;
      place = i;
    }
    if (!first) break;
    rows.push(first);
    next[place]!++;
    fronts[place] = rowAt(place);
  }
  return rows;
}

/** The comparison of rows in the requested order. */
function comparison(request: PageRequest | ExploreRequest): Compare {
  const keys = ('order' in request && request.order) || [request];
  const signs = keys.map(({ descending }) => (descending ? -1 : 1));
  const ofIds = signs.at(-1)!;
  return (a, b) => {
    if (a.number !== b.number) return (a.number < b.number ? -1 : 1) * signs[0]!;
    const [keysOfA, keysOfB] = [a.keys, b.keys];
    for (let i = 0; i < keysOfA.length; i++) {
      const order = compareScalars(keysOfA[i]!, keysOfB[i]!);
      if (order !== 0) return order * signs[i]!;
    }
    return compareScalars(a.id, b.id) * ofIds;
  };
}
