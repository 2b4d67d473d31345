/** The names that the search box knows for a table: its fields, and shorter ones for them. */
import type { TableName } from '../state/view.ts';
import { describedBy, TABLE } from '../tables/tables.ts';
import type { FieldKind, Vocabulary } from './language.ts';

/** @param time the date that `date:` stands for */
export function vocabularyOf(name: TableName, time: string | undefined): Vocabulary {
  const table = TABLE[name];
  const { conditions } = describedBy(table);
  const fields: Record<string, FieldKind> = {};
  if (time !== undefined) fields.date = { field: time, takes: 'date' };
  for (const [alias, field] of Object.entries(table.aliases)) {
    if (conditions.includes(field)) fields[alias] = kindOf(name, field);
  }
  for (const field of conditions) fields[field] = kindOf(name, field);
  return { fields };
}

function kindOf(name: TableName, field: string): FieldKind {
  const { columns, facets, times } = describedBy(TABLE[name]);
  if (times.includes(field)) return { field, takes: 'date' };
  if (!facets.includes(field)) return { field, takes: NUMBERS.has(field) ? 'number' : 'id' };
  return { field, takes: columns[field] === 'boolean' ? 'flag' : 'values' };
}

const NUMBERS = new Set(['retries', 'total_run_count']);
