/** `table-search explore`: counts by value and by time, with some rows. */
import type { Command } from 'commander';
import type { Facet, Histogram } from 'table-search/client';
import {
  type Form,
  type FormOptions,
  formOf,
  paintOut,
  print,
  remark,
  withForms,
} from '../output.ts';
import { type AnyAnswer, clientOf, tableAt } from '../service.ts';
import { csvCounts, facetText, histogramText, plainCounts } from '../show/counts.ts';
import type { AskedTable } from '../tables.ts';
import {
  type AskingOptions,
  askedOf,
  type CountingOptions,
  countsOf,
  type PageOptions,
  withAsking,
  withCounts,
  withPages,
} from './asking.ts';
import { rowsText } from './search.ts';

const EXAMPLES = `
Examples:
  what failed this week, by worker, and by day
    $ table-search explore tasks -s status=FAILURE -s 'date_done>=7d' --facet worker --histogram date_done:P1D
  the twenty projects with most tasks
    $ table-search explore tasks --facet project_id:20
  the same as one JSON answer, with the first rows
    $ table-search explore tasks --facet project_id:20 -n 5 --json
  who changed what, for a spreadsheet
    $ table-search explore audit --facet actor --facet action --csv

A count by value leaves out the conditions on its own field, so that it also shows what else could be chosen.
Without -n no rows are shown, only counts; without --facet and --histogram some fields are counted.`;

export function exploreCommand(command: Command): Command {
  withForms(withPages(withCounts(withAsking(command)), 0));
  return command
    .description('count rows by value and by time')
    .addHelpText('after', EXAMPLES)
    .action(explore);
}

export type ExploreOptions = AskingOptions & CountingOptions & PageOptions & FormOptions;

/** The table, the whole body, and how many rows are to be shown. */
export function exploreOf(word: string, options: ExploreOptions) {
  const { table, body, select, columns = table.columns } = askedOf(word, options);
  const rows = options.perPage ?? 0;
  const counts = countsOf(options, select);
  const nothing = Object.keys(counts).length === 0 && rows === 0;
  const all = {
    ...body,
    select,
    ...(nothing ? { facets: table.facets.map((field) => ({ field })) } : counts),
    // One row at least is what the service shows.
    pagination: { page: options.page ?? 1, per_page: Math.max(1, rows) },
  };
  return { table, body: all, columns, rows };
}

async function explore(word: string, options: ExploreOptions): Promise<void> {
  const form = formOf(options);
  const { table, body, columns, rows } = exploreOf(word, options);
  const { info, ...answer } = await tableAt(clientOf(options), table).explore(body);
  if (form === 'json') return await print(`${JSON.stringify(answer, null, 2)}\n`);
  await print(exploredText(answer, { table, columns, rows, form }));
  const total = answer.meta.pagination.total_items.toLocaleString('en-US');
  remark([`${total} rows`, info.route].join(' · '));
}

export interface Shown {
  readonly table: AskedTable;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly form: Form;
}

/** Counts, then rows, in any form but JSON. */
export function exploredText(
  { data, facets = [], histogram }: AnyAnswer,
  { columns, rows, form }: Shown,
): string {
  const counted = facets.length > 0 || histogram !== undefined;
  const shownRows = rows > 0 ? rowsText(data.slice(0, rows), columns, form) : '';
  if (!counted) return shownRows;
  const parts = [countsText(facets, histogram, form)];
  if (shownRows !== '') parts.push(shownRows);
  return parts.join(form === 'csv' ? '\r\n' : '\n');
}

function countsText(
  facets: readonly Facet[],
  histogram: Histogram | undefined,
  form: Form,
): string {
  if (form === 'csv') return csvCounts(facets, histogram);
  if (form === 'plain') return plainCounts(facets, histogram);
  const paint = paintOut();
  const texts = facets.map((facet) => facetText(facet, paint));
  if (histogram) texts.push(histogramText(histogram, paint));
  return texts.join('\n');
}
