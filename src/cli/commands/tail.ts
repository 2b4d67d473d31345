/** `table-search tail`: the log of a task, followed while the task runs. */
import type { Command } from 'commander';
import { ApiError, type FollowedLine } from 'table-search/client';
import { idIn } from '../asked/names.ts';
import { CliError, EXIT, usage } from '../failure.ts';
import { wholeNumber } from '../numbers.ts';
import { paintOut, print, remark, warn } from '../output.ts';
import { again, clientOf, listed, type ServiceOptions, withService } from '../service.ts';
import { oneLine, type Paint } from '../show/terminal.ts';

const EXAMPLES = `
Examples:
  the log of a task, followed until the task has ended
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2
  the errors so far
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2 --no-follow | grep ' ERROR '
  the last ten lines, then new ones
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2 -n 10
  the log of the newest running task
    $ table-search tail $(table-search search tasks -s status=STARTED -n 1 -c task_id | tail -n 1)

A line has its time, its level and its message, with line ends and control characters escaped. --json prints messages
as they are. Following cuts messages after 16,384 characters; --no-follow prints them whole.`;

/** Positions may exceed 2^53, so they stay text; the store takes any number for one. @throws CliError */
function position(text: string): string {
  if (/^-?\d+(\.\d+)?(e[-+]?\d+)?$/.test(text)) return text;
  throw usage(`--after ${text}: give the seq of a line, as --json shows it.`);
}

export function tailCommand(command: Command): Command {
  return withService(
    command
      .description('show the log of a task, and follow it while the task runs')
      .argument('<task>', 'the id of a task', idIn('The id of the task'))
      .option('-p, --project <id>', 'the project of the task', idIn('--project'))
      .option('--after <seq>', 'only lines after this position', position)
      .option(
        '-n, --lines <n>',
        'only the last n lines, then new ones',
        wholeNumber('--lines', 1, 5_000),
      )
      .option('--no-follow', 'end with the last line there is now')
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
  const client = clientOf(options);
  const { tasks } = client;
  // People paste ids in upper case; paths take lower case alone.
  const address = {
    task_id: task.toLowerCase(),
    ...(project !== undefined && { project_id: project.toLowerCase() }),
  };
  const paint = paintOut();
  const show = (line: FollowedLine) =>
    print(json ? `${JSON.stringify(line)}\n` : `${lineText(line, paint)}\n`);
  try {
    if (!follow) {
      for await (const line of tasks.logLines(address, { after, last })) await show(line);
      return;
    }
    for await (const event of tasks.followLog(address, { after, last })) {
      if (event.type === 'line') await show(event.line);
      else if (event.type === 'lost') warn(`${event.error.message} ${again(event)}`);
      else if (event.retryInMs !== undefined) warn(`${event.reason} ${again(event)}`);
      else remark(`The task has ended: ${event.status}.`);
    }
  } catch (error) {
    const isMissing = error instanceof ApiError && error.code === 'NotFound';
    if (!isMissing) throw error;
    const { meta } = await listed(client);
    throw new CliError(meta.built_in_tables ? missing(task, project) : NO_TASKS, EXIT.missing);
  }
}

const NO_TASKS = 'This service has no tasks, and so no logs: BUILT_IN_TABLES is off.';

const missing = (task: string, project: string | undefined) => {
  const where = project === undefined ? 'for this token' : `in the project ${project}`;
  const listed = `table-search search tasks -c task_id${project === undefined ? '' : ` -p ${project}`}`;
  return `There is no task ${task} ${where}; list ids with \`${listed}\`.`;
};

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
