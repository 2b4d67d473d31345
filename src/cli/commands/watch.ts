/** `table-search watch`: an explore that is shown anew whenever its answer has changed. */
import type { Command } from 'commander';
import type { WatchEvent } from 'table-search/client';
import { type FormOptions, formOf, paintOut, print, warn, withForms } from '../output.ts';
import { type AnyAnswer, clientOf, tableAt } from '../service.ts';
import { withAsking, withCounts, withPages } from './asking.ts';
import { type ExploreOptions, exploredText, exploreOf, type Shown } from './explore.ts';

const PER_PAGE = 10;

const EXAMPLES = `
Examples:
  what runs now, by worker
    $ table-search watch tasks -s status=STARTED --facet worker
  the newest failures as they come
    $ table-search watch tasks -s status=FAILURE --sort date_done
  every answer as a line of JSON, for another program
    $ table-search watch tasks -s status=STARTED --json | jq .answer.meta.pagination.total_items

On a terminal the screen is drawn anew; elsewhere each answer follows the one before. A lost connection is told on
stderr and found again. --once shows the first answer and ends. Ctrl-C ends it.`;

export function watchCommand(command: Command): Command {
  withForms(withPages(withCounts(withAsking(command)), PER_PAGE));
  return command
    .description('show rows and counts anew whenever they change')
    .option('--once', 'end after the first answer')
    .addHelpText('after', EXAMPLES)
    .action(watch);
}

type Options = ExploreOptions & FormOptions & { readonly once?: boolean };

async function watch(word: string, options: Options): Promise<void> {
  const form = formOf(options);
  const { table, body, columns, rows } = exploreOf(word, { perPage: PER_PAGE, ...options });
  const shown = { table, columns, rows, form };
  const isScreen = form === 'table' && process.stdout.isTTY && !options.once;
  for await (const event of tableAt(clientOf(options), table).watch(body)) {
    if (form === 'json') await print(`${JSON.stringify(event)}\n`);
    else if (event.type === 'answer') await print(textOf(event, shown, isScreen));
    else warn(changeOfState(event));
    if (options.once && event.type === 'answer') return;
  }
}

type Answer = Extract<WatchEvent<AnyAnswer>, { type: 'answer' }>;

/** From the upper left corner, and nothing below. */
const CLEAR = '\u001b[H\u001b[2J';

function textOf({ asOf, answer }: Answer, shown: Shown, isScreen: boolean): string {
  const at = new Date(Number(asOf.split('.')[0]) * 1_000).toISOString().slice(0, 19);
  const total = answer.meta.pagination.total_items;
  const head = `${total.toLocaleString('en-US')} rows · as of ${at}Z`;
  const text = exploredText(answer, shown);
  if (shown.form === 'csv') return text;
  if (!isScreen) return `# ${head}\n${text}\n`;
  return `${CLEAR}${paintOut()('dim', `${head} · Ctrl-C ends it`)}\n\n${text}`;
}

function changeOfState(event: Exclude<WatchEvent<unknown>, { type: 'answer' }>): string {
  const wait = 'retryInMs' in event ? (event.retryInMs ?? 0) : 0;
  const again = `again in ${(wait / 1_000).toFixed(1)} s`;
  if (event.type === 'lost') return `${event.error.message} Trying ${again}.`;
  if (event.type === 'end') return `The service ended it: ${event.reason} Trying ${again}.`;
  if (event.index === 'live') return 'The index answers again.';
  return `The index does not answer: ${event.reason} Answers come every five seconds meanwhile.`;
}
