/** `table-search watch`: an explore, printed again after each change of its answer. */

import type { WriteStream } from 'node:tty';
import type { Command } from 'commander';
import type { AnyAnswer, WatchEvent } from 'table-search/client';
import { grouped } from '../numbers.ts';
import { type FormOptions, paintOut, print, warn, withForms } from '../output.ts';
import { again } from '../service.ts';
import { pageNotes } from '../show/pageNote.ts';
import { asking, withAsking, withCounts, withPages } from './asking.ts';
import { type Explored, type ExploreOptions, exploredText, exploreOf } from './explore.ts';

const PER_PAGE = 10;

const EXAMPLES = `
Examples:
  running tasks, counted by worker
    $ table-search watch tasks -s status=STARTED --facet worker
  the newest failures as they come
    $ table-search watch tasks -s status=FAILURE --sort -date_done
  every answer as a line of JSON, for another program
    $ table-search watch tasks -s status=STARTED --json | jq .answer.meta.pagination.total_items

A terminal redraws its screen, as often as the answer or the window changes; a pipe gets one answer after the other.
After a lost connection watch says so on stderr and reconnects. Ages such as 24h count back from the start of the
command. --once prints the first answer and ends; Ctrl-C ends it, too.`;

export function watchCommand(command: Command): Command {
  withForms(withPages(withCounts(withAsking(command)), PER_PAGE));
  return command
    .description('show rows and counts, and update them as they change')
    .option('--once', 'end after the first answer')
    .addHelpText('after', EXAMPLES)
    .action(asking(watch));
}

type Options = ExploreOptions & FormOptions & { readonly once?: boolean };

async function watch(word: string, options: Options): Promise<void> {
  const asked = await exploreOf(word, { perPage: PER_PAGE, ...options });
  const { form, opened, body, rows } = asked;
  const isScreen = form === 'table' && process.stdout.isTTY && !options.once;
  const screen = isScreen ? new Screen(process.stdout) : undefined;
  let isFirst = true;
  for await (const event of opened.watch(body)) {
    if (event.type === 'answer' && isFirst) {
      isFirst = false;
      const { pagination } = event.answer.meta;
      if (!screen) warn(...pageNotes({ ...options, form, perPage: rows }, pagination));
    }
    if (form === 'json') await print(`${JSON.stringify(event, withMessage)}\n`);
    else if (event.type !== 'answer') warn(changeOfState(event));
    else if (screen) screen.show(() => screenText(event, asked));
    else await print(pipeText(event, asked));
    if (options.once && event.type === 'answer') return;
  }
}

/** JSON shows members of an error that its class adds, and not its message. */
const withMessage = (_: string, value: unknown) =>
  value instanceof Error ? { ...value, message: value.message } : value;

type Answer = Extract<WatchEvent<AnyAnswer>, { type: 'answer' }>;

function headOf({ asOf, answer }: Answer): string {
  const at = new Date(Number(asOf.split('.')[0]) * 1_000).toISOString().slice(0, 19);
  return `${grouped(answer.meta.pagination.total_items)} rows · as of ${at}Z`;
}

const screenText = (event: Answer, asked: Explored): string =>
  `${paintOut()('dim', `${headOf(event)} · Ctrl-C ends it`)}\n\n${exploredText(event.answer, asked)}`;

function pipeText(event: Answer, asked: Explored): string {
  const text = exploredText(event.answer, asked);
  return asked.form === 'csv' ? text : `# ${headOf(event)}\n${text}\n`;
}

function changeOfState(event: Exclude<WatchEvent<unknown>, { type: 'answer' }>): string {
  if (event.type === 'lost') return `${event.error.message} ${again(event)}`;
  if (event.type === 'end') return `The service ended the watch: ${event.reason} ${again(event)}`;
  if (event.index === 'live') return 'The index answers again.';
  return `${event.reason} Without the index, answers come every 5 s.`;
}

/** The upper left corner, and nothing below. */
const CLEAR = '\u001b[H\u001b[2J';

/**
 * A terminal's screen that shows one text: redrawn for a new text and for a new size of the window.
 *
 * A text taller than the window would scroll, and leave its head above the screen; its last lines
 * give way to one that counts them.
 */
class Screen {
  readonly #terminal: WriteStream;
  #text: (() => string) | undefined;

  constructor(terminal: WriteStream) {
    this.#terminal = terminal;
    terminal.on('resize', () => this.#draw());
  }

  /** @param text made again for each width of the window */
  show(text: () => string): void {
    this.#text = text;
    this.#draw();
  }

  #draw(): void {
    if (this.#text === undefined) return;
    const lines = this.#text().trimEnd().split('\n');
    const room = Math.max(2, (this.#terminal.rows || 24) - 1);
    const hidden = lines.length - room;
    const shown = hidden > 0 ? [...lines.slice(0, room - 1), `… ${hidden + 1} more lines`] : lines;
    this.#terminal.write(`${CLEAR}${shown.join('\n')}\n`);
  }
}
