/** `table-search search`: one page of a table. */
import type { Command } from 'commander';
import { MOMENTS } from '../asked/moment.ts';
import { grouped } from '../numbers.ts';
import { withForms } from '../output.ts';
import { asking, withAsking, withPages } from './asking.ts';
import { type ExploreOptions, exploreOf, printAnswer } from './explore.ts';

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

async function search(word: string, options: ExploreOptions): Promise<void> {
  const asked = await exploreOf(word, { perPage: PER_PAGE, ...options });
  const { opened, select, body } = asked;
  // The search takes no conditions on fields, and few orders; the explore beside it answers the same page.
  const isSearch = select.length === 0 && !Array.isArray(body.sorting);
  const answer = isSearch ? await opened.search(body) : await opened.explore(body);
  await printAnswer(answer, asked, options, ({ total_items, total_pages, current_page }) => [
    `${answer.data.length} of ${grouped(total_items)} rows`,
    `page ${grouped(current_page)} of ${grouped(Math.max(1, total_pages))}`,
  ]);
}
