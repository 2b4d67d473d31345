/** `table-search tail`: the log of a task, and on while it runs. */
import { type Command, Option } from 'commander';
import type { LogLine } from 'table-search/client';
import { paintOut, print } from '../output.ts';
import { clientOf, type ServiceOptions, withService } from '../service.ts';
import { oneLine, type Paint } from '../show/terminal.ts';

const EXAMPLES = `
Examples:
  the log of a task, and what it goes on to write, until the task has ended
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2
  what there is now, errors only
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2 --no-follow | grep ' ERROR '
  only what comes after line 120
    $ table-search tail 7d444840-9dc0-41d1-b245-5ffdce74fad2 --after 120
  the log of the newest task that runs
    $ table-search tail $(table-search search tasks -s status=STARTED -n 1 -c task_id | tail -n 1)

A line is its moment, its level and its message; line ends and controls inside a message are written out. --json has
them as they are.`;

export function tailCommand(command: Command): Command {
  return withService(
    command
      .description('show the log of a task, and follow it while the task runs')
      .argument('<task>', 'the id of a task')
      .option('-p, --project <id>', 'the project it has to be of')
      .addOption(new Option('--after <seq>', 'only lines after this one').argParser(Number))
      .option('--no-follow', 'end where the log ends now')
      .option('--json', 'a JSON object a line'),
  )
    .addHelpText('after', EXAMPLES)
    .action(tail);
}

interface Options extends ServiceOptions {
  readonly project?: string;
  readonly after?: number;
  readonly follow: boolean;
  readonly json?: boolean;
}

async function tail(task: string, options: Options): Promise<void> {
  const { project, after, follow, json } = options;
  const { tasks } = clientOf(options);
  const address = { task_id: task, ...(project !== undefined && { project_id: project }) };
  const paint = paintOut();
  const lines = follow
    ? tasks.followLog(address, { after, everyMs: EVERY_MS })
    : tasks.logLines(address, { after });
  for await (const line of lines) {
    await print(json ? `${JSON.stringify(line)}\n` : `${lineText(line, paint)}\n`);
  }
}

/** How often a log that says nothing new is looked at, milliseconds. */
const EVERY_MS = 500;

const TONES: Readonly<Record<string, Parameters<Paint>[0]>> = {
  ERROR: 'red',
  CRITICAL: 'red',
  WARNING: 'yellow',
  WARN: 'yellow',
  DEBUG: 'dim',
};

function lineText({ ts, level, message }: LogLine, paint: Paint): string {
  const how = level === null || level.trim() === '' ? '-' : oneLine(level.trim().toUpperCase());
  const tone = TONES[how];
  const shown = tone ? paint(tone, how) : how;
  return `${paint('dim', ts ?? '-')} ${shown} ${oneLine(message ?? '')}`;
}
