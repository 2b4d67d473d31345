/** The tables as an assistant reads them: a few lines each, made from the client's descriptions. */
import type { OwnTable, OwnTables, ViewDescription } from 'table-search/client';
import { ownTable, tableOf } from '../tables.ts';

const HEAD = `Returns rows of a table, with exact counts by value (facets) and by time (histogram) of all rows that match.
Text filters and q find a literal text anywhere in a value, in any case; conditions (select) compare whole values in their case, or look for a text.
Counts answer most questions: ask for few rows. Moments are RFC 3339, such as 2026-11-20T00:00:00Z; lengths of time are seconds. Fields with from/to take in: [null] and not_in: [null], too.`;

/** @param admin tells whose rows `search` finds without a project */
export function catalogue(words: readonly string[], admin: boolean, listed: OwnTables): string {
  const scope = admin
    ? 'project_id limits tasks and schedules to one project: the identifier of a row of projects.'
    : 'tasks and schedules need a project_id: the identifier of a row of projects.';
  const about = listed.meta.built_in_tables ? [scope] : [];
  return [HEAD, ...about, ...words.map((word) => tableText(word, listed))].join('\n');
}

function tableText(word: string, listed: OwnTables): string {
  const { description } = tableOf(word, undefined, listed);
  const { filters, values, ranges, sorts } = description;
  const own = ownTable(word, listed);
  const facets = own ? countedFields(own) : description.facets;
  const only = values.filter((field) => !facets.includes(field));
  const lines = [
    `filters: ${Object.entries(filters).map(filterText).join(', ')}`,
    `select and facets: ${facets.join(', ')}`,
    `select alone: ${only.join(', ')}`,
    `from/to: ${Object.entries(ranges)
      .map(([field, kind]) => `${field} (${kind})`)
      .join(', ')}`,
    `sort_by: ${sorts.join(', ')}`,
    ...(own ? [`q looks in: ${own.text.join(', ')}`, `shown: ${shownText(own)}`] : []),
  ];
  const head = own && own.title.toLowerCase() !== word ? `${word} (${own.title})` : word;
  return `\n${head}\n${lines.filter((line) => !line.endsWith(': ')).join('\n')}`;
}

/** The table's `facets` are those that its page counts. */
const countedFields = ({ fields }: OwnTable): readonly string[] =>
  Object.entries(fields).flatMap(([name, { uses }]) => (uses.includes('facet') ? name : []));

/** Fields of rows that nothing else names. */
function shownText({ fields, select, filters, sorts }: OwnTable): string {
  const named = [...select, ...filters, ...sorts];
  const shown = Object.entries(fields).filter(
    ([name, { uses }]) => uses.includes('show') && !named.includes(name),
  );
  return shown.map(([name]) => name).join(', ');
}

function filterText([name, { takes, choices }]: [string, ViewDescription['filters'][string]]) {
  if (takes === 'choice') return `${name} (${choices!.join('|')})`;
  return takes === 'text' ? name : `${name} (${takes === 'texts' ? 'list' : takes})`;
}
