/** The tables as an assistant reads them: a few lines each, made from the client's descriptions. */
import { VIEWS, type ViewDescription } from 'table-search/client';
import { TABLES } from '../tables.ts';

const HEAD = `Returns rows of a table, with exact counts by value (facets) and by time (histogram) of all rows that match.
Text filters and q find a literal text anywhere in a value, in any case; conditions (select) compare whole values.
Counts answer most questions: ask for few rows. Moments are RFC 3339, such as 2026-11-20T00:00:00Z.`;

/** @param admin tells whose rows `search` finds without a project */
export function catalogue(words: readonly string[], admin: boolean): string {
  const scope = admin
    ? 'project_id limits tasks and schedules to one project.'
    : 'tasks and schedules need a project_id; search projects lists yours.';
  return [HEAD, scope, ...words.map(tableText)].join('\n');
}

function tableText(word: string): string {
  const { filters, conditions, facets, ranges, sorts } = VIEWS[TABLES[word]!.view];
  const only = conditions.filter((field) => !facets.includes(field) && !(field in ranges));
  const lines = [
    `filters: ${Object.entries(filters).map(filterText).join(', ')}`,
    `select and facets: ${facets.join(', ')}`,
    `select alone: ${only.join(', ')}`,
    `from/to: ${Object.entries(ranges)
      .map(([field, kind]) => `${field} (${kind})`)
      .join(', ')}`,
    `sort_by: ${sorts.join(', ')}`,
  ];
  return `\n${word}\n${lines.filter((line) => !line.endsWith(': ')).join('\n')}`;
}

function filterText([name, { takes, choices }]: [string, ViewDescription['filters'][string]]) {
  if (takes === 'choice') return `${name} (${choices!.join('|')})`;
  return takes === 'text' ? name : `${name} (${takes === 'texts' ? 'list' : takes})`;
}
