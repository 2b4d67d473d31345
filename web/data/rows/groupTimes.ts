/**
 * When the rows of groups happened: their number over time, and the latest one. One explore answers for ten groups,
 * since a histogram is split by ten values.
 */

import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import type { Answer, GroupTimes, Row } from '../../present/answer.ts';
import { TIME_ZONE } from '../../state/times.ts';
import { fieldOf, type Table } from '../../tables/tables.ts';
import { rowsAt } from '../service/service.ts';
import { histogramShown, question } from '../store.ts';

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
  table: Table,
  time: string,
  field: string,
  values: readonly ViewValue[],
  signal: AbortSignal,
): Promise<ReadonlyMap<ViewValue, GroupTimes>> {
  const asked = question.peek();
  const axis = axisOfGroups();
  if (!asked || !axis) return new Map();
  const { filters, select } = asked.body;
  const newest = (of: readonly ViewValue[], beside: object): Promise<Answer> =>
    rowsAt(asked).explore(
      {
        ...{ filters, select: [...select, { field, in: of }], ...beside },
        ...(table.description.orders.includes(time) && {
          sorting: [{ sort_by: time, sort_order: 'desc' }],
        }),
        pagination: { per_page: ROWS },
      },
      { signal },
    );
  const histogram = { field: time, time_zone: TIME_ZONE, max_buckets: BARS, by: field, ...axis };
  let answer = await newest(values, { histogram });
  const { by, buckets = [] } = answer.histogram ?? {};
  const times = new Map<ViewValue, GroupTimes>(
    values.map((value) => {
      const at = by?.values.indexOf(value) ?? -1;
      return [value, { bars: buckets.map(({ counts }) => ({ count: counts?.[at] ?? 0 })) }];
    }),
  );
  const member = Object.keys(table.looks).find((one) => fieldOf(table, one) === time) ?? time;
  // Each answer has the latest row of one group at least: it is the first. Where records show the field by another
  // name, as routing keys, no row tells its group: then each group is asked for alone.
  for (let left = values; table.description.orders.includes(time); ) {
    for (const row of answer.data) {
      for (const value of valuesOf(row, field)) {
        const found = times.get(value);
        if (found && found.latest === undefined) found.latest = row[member];
      }
    }
    const before = left.length;
    left = left.filter((value) => times.get(value)!.latest === undefined);
    if (left.length === 0 || answer.info?.route !== 'index') break;
    if (left.length < before) answer = await newest(left, {});
    else {
      for (const one of left) {
        times.get(one)!.latest = (await newest([one], {})).data[0]?.[member];
      }
      break;
    }
  }
  return times;
}

/** The groups that a row is in; none where the row does not show the field. */
function valuesOf(row: Row, field: string): readonly ViewValue[] {
  const value = row[field] as ViewValue | readonly ViewValue[] | undefined;
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as ViewValue];
}
