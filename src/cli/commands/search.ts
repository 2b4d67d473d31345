/** `table-search search`: one page of a table. */
import type { Command } from 'commander';
import { MOMENTS } from '../asked/moment.ts';
import { grouped } from '../numbers.ts';
import {
  drawing,
  type Form,
  type FormOptions,
  formOf,
  paintOut,
  print,
  remark,
  warn,
  withForms,
} from '../output.ts';
import { linesText } from '../show/lines.ts';
import type { Fields } from '../show/looks.ts';
import { emptyNotes, pageNotes } from '../show/pageNote.ts';
import { type Row, tableLines } from '../show/rows.ts';
import { type AskingOptions, askedOf, asking, withAsking, withPages } from './asking.ts';

const PER_PAGE = 20;

const EXAMPLES = `
Examples:
  the newest tasks that contain "backup" in any column
    $ table-search search tasks -q backup
  failed tasks of the last day, the latest first, with their errors
    $ table-search search tasks -s status=FAILURE -s 'date_done>=24h' --sort -date_done \\
        -c task_id,worker,exception_type
  the slowest tasks of each worker
    $ table-search search tasks --sort worker,-execution_time -c worker,execution_time,task_id
  a member's view: tasks of one project
    $ table-search search tasks -p 0993998b-42f5-49de-a4db-b30aa9798041
  active users with Greek mail addresses, as CSV
    $ table-search search users -f active=true -f email=.gr --csv
  every id, for another program
    $ table-search search tasks -n 100 -c task_id | tail -n +2 | xargs -n1 echo

A terminal shows columns; a pipe gets complete tab-separated lines with a header. --json prints the whole answer with
its total and pages. Moments: ${MOMENTS}. In
--select, a,b means a or b, null means null, and "a, b" in quotes is JSON text. \`table-search tables tasks\` lists fields.`;

export function searchCommand(command: Command): Command {
  withForms(withPages(withAsking(command), PER_PAGE));
  return command
    .description('show one page of a table')
    .addHelpText('after', EXAMPLES)
    .action(asking(search));
}

type Options = AskingOptions & FormOptions;

async function search(word: string, options: Options): Promise<void> {
  const form = formOf(options);
  const { table, opened, body, select, columns } = await askedOf(word, options);
  const { page = 1, perPage = PER_PAGE } = options;
  const all = { ...body, pagination: { page, per_page: perPage } };
  // The search takes no conditions on fields, and few orders; the explore beside it answers the same page.
  const isSearch = select.length === 0 && !Array.isArray(body.sorting);
  const answer = !isSearch ? await opened.explore({ ...all, select }) : await opened.search(all);
  const { info, ...shown } = answer;
  await print(
    form === 'json'
      ? `${JSON.stringify(shown, null, 2)}\n`
      : rowsText(shown.data, columns ?? table.columns, form, table.description.fields),
  );
  const { total_items, total_pages, current_page } = shown.meta.pagination;
  warn(
    ...pageNotes({ ...options, form, perPage }, shown.meta.pagination),
    ...emptyNotes(total_items, table, select),
  );
  const pages = `page ${grouped(current_page)} of ${grouped(Math.max(1, total_pages))}`;
  const rows = `${shown.data.length} of ${grouped(total_items)} rows`;
  if (form !== 'json') remark([rows, pages, info.route].join(' · '));
}

/** Rows in any form but JSON. @param fields of an own table, whose values have looks */
export function rowsText(
  rows: readonly Row[],
  columns: readonly string[],
  form: Form,
  fields?: Fields,
): string {
  if (form === 'table') {
    const { text, left } = tableLines(rows, columns, drawing(fields));
    if (left.length === 0) return text;
    return `${text}${paintOut()('dim', `No room for ${left.join(', ')}; -c selects columns.`)}\n`;
  }
  return linesText(
    { head: columns, rows: rows.map((row) => columns.map((name) => row[name])) },
    form,
  );
}
