/** The figures of one column, of all rows that match: asked for while its menu is open. */
import type { ColumnFigures } from '../../present/answer.ts';
import { TIME_ZONE } from '../../state/times.ts';
import { isOn } from '../../state/view.ts';
import { facetOf, fieldOf } from '../../tables/tables.ts';
import { firstOf } from '../service/service.ts';
import { conditions, question, table } from '../store.ts';

/** Null where the service has none of the column. */
export async function figuresOf(
  column: string,
  signal: AbortSignal,
): Promise<ColumnFigures | null> {
  const { columns, stats, times } = table.peek().description;
  const field = fieldOf(table.peek(), column);
  // The median of ids says nothing.
  const isMeasured = columns[column] !== 'id' && stats.includes(field);
  const counted = facetOf(table.peek(), column);
  const asked = question.peek();
  if (!asked || (!counted && !isMeasured && !times.includes(field))) return null;
  const { filters, select } = asked.body;
  const isOwnLeftOut = conditions.peek().some((one) => counted && isOn(one, counted));
  const histogram = { field, time_zone: TIME_ZONE, max_buckets: BUCKETS };
  const body = {
    ...{ filters, select },
    ...(isMeasured && { stats: [{ field }] }),
    ...(counted && { facets: [{ field: counted, limit: LISTED }] }),
    ...(times.includes(field) && { histogram }),
  };
  const answer = await firstOf(asked, body, signal);
  return {
    total: answer.count,
    ...(answer.stats?.[0] && { stats: answer.stats[0] }),
    ...(answer.facets?.[0] && { facet: answer.facets[0], isOwnLeftOut }),
    ...(answer.histogram && { histogram: answer.histogram }),
  };
}

/** Values that are listed, and bars. */
const LISTED = 5;
const BUCKETS = 40;
