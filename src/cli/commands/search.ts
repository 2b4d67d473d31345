/** `table-search search`: one page of a table. */
import type { Command } from 'commander';
import {
  type Form,
  type FormOptions,
  formOf,
  lineWidth,
  paintOut,
  print,
  remark,
  withForms,
} from '../output.ts';
import { clientOf, tableAt } from '../service.ts';
import { csvText } from '../show/csv.ts';
import { plainLines, type Row, tableLines } from '../show/rows.ts';
import { type AskingOptions, askedOf, type PageOptions, withAsking, withPages } from './asking.ts';

const PER_PAGE = 20;

const EXAMPLES = `
Examples:
  the newest tasks that hold "backup" anywhere
    $ table-search search tasks -q backup
  failed tasks of the last day, the latest first, with their errors
    $ table-search search tasks -s status=FAILURE -s 'date_done>=24h' --sort date_done \\
        -c task_id,worker,exception_type
  a member's view: tasks of one project
    $ table-search search tasks -p 0993998b-42f5-49de-a4db-b30aa9798041
  active users with Greek mail addresses, as CSV
    $ table-search search users -f active=true -f email=.gr --csv
  every id, for another program
    $ table-search search tasks -n 100 -c task_id | tail -n +2 | xargs -n1 echo

On a terminal rows are columns; in a pipe they are lines of tab-separated cells, whole, with a header line.
--json is the whole answer, its total and pages included. Moments: 2026-11-20, 2026-11-20T08:00:00Z, 24h or 7d (so
long ago), now. Values: a,b is a or b; null is null; "a, b" in quotes is text as JSON has it.`;

export function searchCommand(command: Command): Command {
  withForms(withPages(withAsking(command), PER_PAGE));
  return command
    .description('show one page of a table')
    .addHelpText('after', EXAMPLES)
    .action(search);
}

type Options = AskingOptions & PageOptions & FormOptions;

async function search(word: string, options: Options): Promise<void> {
  const form = formOf(options);
  const { table, body, select, columns } = askedOf(word, options);
  const { page = 1, perPage = PER_PAGE } = options;
  const opened = tableAt(clientOf(options), table);
  const all = { ...body, pagination: { page, per_page: perPage } };
  // The contract's search has no conditions on fields; the explore beside it answers the same.
  const answer =
    select.length > 0 ? await opened.explore({ ...all, select }) : await opened.search(all);
  const { info, ...shown } = answer;
  if (form === 'json') return await print(`${JSON.stringify(shown, null, 2)}\n`);
  await print(rowsText(shown.data, columns ?? table.columns, form));
  const { total_items, total_pages, current_page } = shown.meta.pagination;
  const pages = `page ${current_page} of ${Math.max(1, total_pages)}`;
  remark(
    [`${shown.data.length} of ${total_items.toLocaleString('en-US')}`, pages, info.route].join(
      ' · ',
    ),
  );
}

/** Rows in any form but JSON. */
export function rowsText(rows: readonly Row[], columns: readonly string[], form: Form): string {
  if (form === 'plain') return plainLines(rows, columns);
  if (form === 'table') {
    const { text, left } = tableLines(rows, columns, lineWidth(), paintOut());
    if (left.length === 0) return text;
    return `${text}${paintOut()('dim', `No room for ${left.join(', ')}: -c names columns.`)}\n`;
  }
  return csvText(
    columns,
    rows.map((row) => columns.map((name) => row[name])),
  );
}
