/** Remarks on answers that lack a part of the request. */
import type { Pagination, ViewSelect } from 'table-search/client';
import { OBJECT_ID, UUID } from '../asked/values.ts';
import { grouped } from '../numbers.ts';
import type { Form } from '../output.ts';
import type { AskedTable } from '../tables.ts';

interface Asked {
  readonly form: Form;
  readonly columns?: string;
  readonly page?: number;
  readonly perPage: number;
}

/** A sentence where `--columns` changes nothing, where the service has cut the page, and where the page does not exist. */
export function pageNotes(
  { form, columns, page = 1, perPage }: Asked,
  shown: Pagination,
): readonly string[] {
  const { total_items: total, per_page: most, current_page: current } = shown;
  const notes = form === 'json' && columns !== undefined ? [WHOLE_ANSWER] : [];
  if (most < perPage && total > most) {
    const limit = `the service limits a page to ${grouped(most)}`;
    notes.push(`Showing ${grouped(most)} of ${grouped(total)} rows: ${limit}.`, EXPORT);
  }
  if (current < page && total > 0) {
    notes.push(`Page ${grouped(page)} does not exist; showing page ${grouped(current)}.`);
  }
  return notes;
}

const WHOLE_ANSWER =
  '--json prints the whole answer, without regard to --columns; `table-search export --json` writes these columns alone.';

const EXPORT = '`table-search export` writes all rows of one moment.';

/** A sentence on an answer without rows, where a value may be another one than it was meant to be. */
export function emptyNotes(
  total: number,
  { word, description }: Pick<AskedTable, 'word' | 'description'>,
  select: readonly ViewSelect[],
): readonly string[] {
  if (total > 0) return [];
  const among = (names: readonly string[]) =>
    select.find(({ field = '', in: values }) => values && names.includes(field));
  const listed = among(description.facets);
  if (listed) {
    const command = `\`table-search explore ${word} --facet ${listed.field}\``;
    return [`${WHOLE}; ${command} lists those of ${listed.field}.`];
  }
  const { field, in: values = [] } = among(description.contains) ?? {};
  const text = values.find((value) => typeof value === 'string' && !isId(value));
  return text === undefined ? [] : [`${WHOLE}; ${field}~${text} looks for a part of one.`];
}

/** No stored text has such an id as a part. */
const isId = (value: string) => UUID.test(value) || OBJECT_ID.test(value);

const WHOLE = 'No rows. Values count whole and in their case';
