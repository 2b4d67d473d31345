/**
 * When the rows of groups happened: their number over time, and the latest one. One explore answers for ten groups,
 * since a histogram is split by ten values.
 */

import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import type { Answer, GroupTimes } from '../../present/answer.ts';
import { TIME_ZONE } from '../../state/times.ts';
import { fieldOf } from '../../tables/tables.ts';
import { rowsAt } from '../service/service.ts';
import { histogramShown, question, table } from '../store.ts';

/** Most bars: hours of a day, days of a month, months of three years. */
const BARS = 48;
/** Rows in which the latest of each group is looked for. */
const ROWS = 25;

/** The time that all groups share; undefined where the timeline has no bars. */
export function axisOfGroups(): { readonly from: string; readonly to: string } | undefined {
  const buckets = histogramShown.value?.buckets ?? [];
  const [first, last] = [buckets[0], buckets.at(-1)];
  return first && last && { from: first.start, to: last.end };
}

/** @param values of the group's field, ten at most */
export async function timesOf(
  time: string,
  field: string,
  values: readonly ViewValue[],
  signal: AbortSignal,
): Promise<ReadonlyMap<ViewValue, GroupTimes>> {
  const asked = question.peek();
  const axis = axisOfGroups();
  if (!asked || !axis) return new Map();
  const { filters, select } = asked.body;
  const { description, looks } = table.peek();
  const isSorted = description.orders.includes(time);
  const newest = (of: readonly ViewValue[], beside: object): Promise<Answer> =>
    rowsAt(asked).explore(
      {
        ...{ filters, select: [...select, { field, in: of }], ...beside },
        ...(isSorted && { sorting: [{ sort_by: time, sort_order: 'desc' }] }),
      },
      { signal },
    );
  const histogram = { field: time, time_zone: TIME_ZONE, max_buckets: BARS, by: field, ...axis };
  const answer = await newest(values, { histogram, pagination: { per_page: ROWS } });
  const { by, buckets = [] } = answer.histogram ?? {};
  const times = new Map<ViewValue, GroupTimes>(
    values.map((value) => {
      const at = by?.values.indexOf(value) ?? -1;
      return [value, { bars: buckets.map(({ counts }) => ({ count: counts?.[at] ?? 0 })) }];
    }),
  );
  const member = Object.keys(looks).find((one) => fieldOf(table.peek(), one) === time) ?? time;
  if (!isSorted) return times;
  for (const row of answer.data) {
    for (const value of [row[field]].flat() as ViewValue[]) {
      const found = times.get(value);
      if (found) found.latest ??= row[member];
    }
  }
  if (answer.info?.route !== 'index') return times;
  // Groups of older rows, and all where records show the field by another name, as routing keys.
  for (const [value, found] of times) {
    if (found.latest !== undefined) continue;
    const { data } = await newest([value], { pagination: { per_page: 1 } });
    found.latest = data[0]?.[member];
  }
  return times;
}
