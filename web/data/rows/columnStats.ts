/** The figures of one column, of all rows that match: asked for while its menu is open. */
import type { Answer, ColumnFigures } from '../../present/answer.ts';
import { TIME_ZONE } from '../../state/times.ts';
import { isOn } from '../../state/view.ts';
import { facetOf, fieldOf, type Table } from '../../tables/tables.ts';
import { rowsAt } from '../service/service.ts';
import { conditions, question } from '../store.ts';

/** Null where the service has none of the column. */
export async function figuresOf(
  table: Table,
  column: string,
  signal: AbortSignal,
): Promise<ColumnFigures | null> {
  const { columns, stats, times } = table.description;
  const field = fieldOf(table, column);
  // The median of ids says nothing.
  const isMeasured = columns[column] !== 'id' && stats.includes(field);
  const counted = facetOf(table, column);
  const asked = question.peek();
  if (!asked || (!counted && !isMeasured && !times.includes(field))) return null;
  const { filters, select } = asked.body;
  const isOwnLeftOut = conditions.peek().some((one) => counted && isOn(one, counted));
  const answer: Answer = await rowsAt(asked).explore(
    {
      ...{ filters, select, pagination: { per_page: 1 } },
      ...(isMeasured && { stats: [{ field }] }),
      ...(counted && { facets: [{ field: counted, limit: LISTED }] }),
      ...(times.includes(field) && {
        histogram: { field, time_zone: TIME_ZONE, max_buckets: BUCKETS },
      }),
    },
    { signal },
  );
  return {
    total: answer.meta.pagination.total_items,
    ...(answer.stats?.[0] && { stats: answer.stats[0] }),
    ...(answer.facets?.[0] && { facet: answer.facets[0], isOwnLeftOut }),
    ...(answer.histogram && { histogram: answer.histogram }),
  };
}

/** Values that are listed, and bars. */
const LISTED = 5;
const BUCKETS = 40;
