/** `table-search explore`: counts by value and by time, with some rows. */
import type { Command } from 'commander';
import type { Answer, AnyAnswer, Pagination } from 'table-search/client';
import { grouped } from '../numbers.ts';
import {
  drawing,
  type Form,
  type FormOptions,
  formOf,
  jsonText,
  paintOut,
  print,
  remark,
  warn,
  withForms,
} from '../output.ts';
import { countRows, facetText, histogramText, statsRows, statsText } from '../show/counts.ts';
import { linesText } from '../show/lines.ts';
import type { Fields } from '../show/looks.ts';
import { emptyNotes, pageNotes } from '../show/pageNote.ts';
import { type Row, tableLines } from '../show/rows.ts';
import type { AskedTable } from '../tables.ts';
import {
  type AskingOptions,
  askedOf,
  asking,
  countsOf,
  withAsking,
  withCounts,
  withPages,
} from './asking.ts';

const EXAMPLES = `
Examples:
  what failed this week, by worker, and by day
    $ table-search explore tasks -s status=FAILURE -s 'date_done>=7d' --facet worker --histogram date_done:P1D
  the twenty projects with the most tasks
    $ table-search explore tasks --facet project_id:20
  the same as one JSON answer, with the first rows
    $ table-search explore tasks --facet project_id:20 -n 5 --json
  what is different about the tasks that failed, against all tasks
    $ table-search explore tasks -s status=FAILURE --baseline all --facet worker --facet task_type
  how long tasks take, exactly: median, p95, longest
    $ table-search explore tasks -s 'date_done>=7d' --stats execution_time
  who changed what, for a spreadsheet
    $ table-search explore audit --facet actor --facet action --csv

A facet ignores the conditions on its own field, so it also counts the other values. -n adds rows, which are left out
by default. Without --facet, --stats, --histogram and -n, explore counts a few fields of the table.`;

export function exploreCommand(command: Command): Command {
  withForms(withPages(withCounts(withAsking(command)), 0, 0));
  return command
    .description('count rows by value and by time, and measure fields')
    .addHelpText('after', EXAMPLES)
    .action(asking(explore));
}

export type ExploreOptions = AskingOptions & FormOptions;

/** The form, the table, the whole body, and the number of rows to show. */
export async function exploreOf(word: string, options: ExploreOptions) {
  const form = formOf(options);
  const asked = await askedOf(word, options);
  const { table, opened, body, select, columns = table.columns } = asked;
  const rows = options.perPage ?? 0;
  const counts = countsOf(table, options, select);
  const nothing = Object.keys(counts).length === 0 && rows === 0;
  const all = {
    ...body,
    ...(select.length > 0 && { select }),
    ...(nothing ? usualCounts(table) : counts),
    // The service shows one row at least.
    pagination: { page: options.page ?? 1, per_page: Math.max(1, rows) },
  };
  return { form, table, opened, select, body: all, columns, rows };
}

export type Explored = Awaited<ReturnType<typeof exploreOf>>;

/** The facets of the table; without facets, its first date by time. */
function usualCounts({ facets, description: { times } }: AskedTable) {
  const [time] = times;
  if (facets.length > 0) return { facets: facets.map((field) => ({ field })) };
  return time === undefined ? {} : { histogram: { field: time } };
}

/** A sentence where nothing is counted. */
function countNotes({ word }: AskedTable, body: object): readonly string[] {
  if (['facets', 'histogram', 'stats'].some((name) => name in body)) return [];
  const what = `${word} has no facets and no dates to count by`;
  return [`${what}; -n shows rows, and --stats measures numbers.`];
}

async function explore(word: string, options: ExploreOptions): Promise<void> {
  const asked = await exploreOf(word, options);
  const answer = await asked.opened.explore(asked.body);
  await printAnswer(answer, asked, options, ({ total_items }) => [`${grouped(total_items)} rows`]);
}

/** An answer of any search. */
type AnyPage = Omit<AnyAnswer, 'meta'> & { readonly meta: { readonly pagination: Pagination } };

/** Prints an answer in the form that the options ask for, and its notes. */
export async function printAnswer(
  { info, ...answer }: Answer<AnyPage>,
  asked: Explored,
  options: ExploreOptions,
  found: (shown: Pagination) => readonly string[],
): Promise<void> {
  const { form, table, select, body, rows } = asked;
  const isJson = form === 'json';
  await print(isJson ? jsonText(answer) : exploredText(answer, asked));
  const { pagination } = answer.meta;
  warn(
    ...pageNotes({ ...options, form, perPage: rows }, pagination),
    ...emptyNotes(pagination.total_items, table, select),
    ...(!isJson && rows === 0 ? countNotes(table, body) : []),
  );
  if (!isJson) remark([...found(pagination), info.route].join(' · '));
}

/** Counts, then figures, then rows, in any form but JSON. */
export function exploredText(
  { data, facets = [], histogram, stats = [] }: Omit<AnyAnswer, 'meta'>,
  { table, columns, rows, form }: Explored,
): string {
  const { fields } = table.description;
  const shown =
    rows > 0 ? [rowsText(data.slice(0, rows), columns, form, fields, '; -c selects columns')] : [];
  if (form === 'table') {
    const drawn = drawing(fields);
    const counts = facets.map((facet) => facetText(facet, drawn));
    if (histogram) counts.push(histogramText(histogram, drawn));
    return [...counts, ...stats.map((one) => statsText(one, drawn)), ...shown].join('\n');
  }
  const counts = facets.length > 0 || histogram ? [countRows(facets, histogram)] : [];
  const figures = stats.length > 0 ? [statsRows(stats)] : [];
  const lines = [...counts, ...figures].map((some) => linesText(some, form));
  return [...lines, ...shown].join(form === 'csv' ? '\r\n' : '\n');
}

/**
 * Rows in any form but JSON.
 *
 * @param fields of an own table, whose values have looks
 * @param advice a clause where the terminal has no room for all columns
 */
export function rowsText(
  rows: readonly Row[],
  columns: readonly string[],
  form: Form,
  fields?: Fields,
  advice = '',
): string {
  if (form === 'table') {
    const { text, left } = tableLines(rows, columns, drawing(fields));
    if (left.length === 0) return text;
    return `${text}${paintOut()('dim', `No room for ${left.join(', ')}${advice}.`)}\n`;
  }
  return linesText(
    { head: columns, rows: rows.map((row) => columns.map((name) => row[name])) },
    form,
  );
}
