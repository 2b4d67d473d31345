/** Tables of a definition file, as the service describes them: nothing of them is known before. */
import type { OwnField, OwnTable, ViewDescription } from 'table-search/client';

/** A table as command lines ask for it; a table of a file also has its `fields`. */
export interface TableDescription extends ViewDescription {
  readonly fields?: OwnTable['fields'];
}

/** Facets that `explore` counts by default. */
const COUNTED = 5;

export function askedOwn(own: OwnTable) {
  const { name, columns, facets } = own;
  const shown = facets.slice(0, COUNTED);
  return {
    ...{ word: name, view: name, path: {}, columns, facets: shown },
    description: descriptionOf(own),
  };
}

function descriptionOf(own: OwnTable): TableDescription {
  const { path, sorts, select, ranges, facets, times, filters, fields, key, text } = own;
  const meaning = `Contained in any of ${text.join(', ')}; case-insensitive.`;
  const kinds = Object.entries(fields)
    .filter(([, { uses }]) => uses.includes('show'))
    .map(([field, { type }]) => [field, field === key ? 'id' : KINDS[type]]);
  return {
    ...{ path, ofProject: false, sorts, conditions: select, ranges, facets, times, fields },
    filters: Object.fromEntries(
      filters.map((filter) => [
        filter,
        {
          takes: 'text' as const,
          meaning: filter === 'q' ? meaning : `Contained in ${filter}; case-insensitive.`,
        },
      ]),
    ),
    columns: Object.fromEntries(kinds),
  };
}

/** Kinds of values by the types of fields. */
export const KINDS: Readonly<Record<OwnField['type'], ViewDescription['columns'][string]>> = {
  string: 'text',
  number: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  objectId: 'text',
  uuid: 'text',
  mixed: 'json',
  seconds: 'number',
};
