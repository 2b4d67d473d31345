/** `table-search tail`: the log of a task, and on while it runs. */
import type { Command } from 'commander';
import type { FollowedLine } from 'table-search/client';
import { wholeNumber } from '../numbers.ts';
import { paintOut, print, remark, warn } from '../output.ts';
import { clientOf, type ServiceOptions, withService } from '../service.ts';
import { oneLine, type Paint } from '../show/terminal.ts';

const EXAMPLES = `
Examples:
  the log of a task, and what it goes on to write, until the task has ended
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2
  what there is now, errors only
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2 --no-follow | grep ' ERROR '
  the last ten lines, and what follows
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2 -n 10
  the log of the newest task that runs
    $ table-search tail $(table-search search tasks -s status=STARTED -n 1 -c task_id | tail -n 1)

A line is its moment, its level and its message; line ends and controls inside a message are written out. --json has
them as they are. Of a log that is followed, messages beyond 16,384 characters are cut; --no-follow has all of them.`;

export function tailCommand(command: Command): Command {
  return withService(
    command
      .description('show the log of a task, and follow it while the task runs')
      .argument('<task>', 'the id of a task')
      .option('-p, --project <id>', 'the project it has to be of')
      .option('--after <seq>', 'only lines after this one')
      .option('-n, --lines <n>', 'only the last so many, and what follows', wholeNumber('--lines'))
      .option('--no-follow', 'end where the log ends now')
      .option('--json', 'a JSON object a line'),
  )
    .addHelpText('after', EXAMPLES)
    .action(tail);
}

interface Options extends ServiceOptions {
  readonly project?: string;
  readonly after?: string;
  readonly lines?: number;
  readonly follow: boolean;
  readonly json?: boolean;
}

async function tail(task: string, options: Options): Promise<void> {
  const { project, after, lines: last, follow, json } = options;
  const { tasks } = clientOf(options);
  const address = { task_id: task, ...(project !== undefined && { project_id: project }) };
  const paint = paintOut();
  const show = (line: FollowedLine) =>
    print(json ? `${JSON.stringify(line)}\n` : `${lineText(line, paint)}\n`);
  if (!follow) {
    for await (const line of tasks.logLines(address, { after, last })) await show(line);
    return;
  }
  for await (const event of tasks.followLog(address, { after, last })) {
    if (event.type === 'line') await show(event.line);
    else if (event.type === 'lost') warn(`${event.error.message} Trying ${again(event)}.`);
    else if (event.retryInMs !== undefined) warn(`${event.reason} Trying ${again(event)}.`);
    else remark(`The task has ended: ${event.status}.`);
  }
}

const again = ({ retryInMs = 0 }: { readonly retryInMs: number | undefined }) =>
  `again in ${(retryInMs / 1_000).toFixed(1)} s`;

const TONES: Readonly<Record<string, Parameters<Paint>[0]>> = {
  ERROR: 'red',
  CRITICAL: 'red',
  WARNING: 'yellow',
  WARN: 'yellow',
  DEBUG: 'dim',
};

function lineText({ ts, level, message, message_length }: FollowedLine, paint: Paint): string {
  const how = level === null || level.trim() === '' ? '-' : oneLine(level.trim().toUpperCase());
  const tone = TONES[how];
  const shown = tone ? paint(tone, how) : how;
  const cut = message_length === undefined ? '' : `… (${message_length} characters)`;
  return `${paint('dim', ts ?? '-')} ${shown} ${oneLine(message ?? '')}${cut}`;
}
