/** The commands of `table-search`, in the groups that its help shows. */
import { Command } from 'commander';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { explainCommand } from './commands/explain.ts';
import { exploreCommand } from './commands/explore.ts';
import { exportCommand } from './commands/export.ts';
import {
  benchCommand,
  demoCommand,
  fixturesCommand,
  serveCommand,
  tokenCommand,
} from './commands/local.ts';
import { mcpCommand } from './commands/mcp.ts';
import { searchCommand } from './commands/search.ts';
import { tailCommand } from './commands/tail.ts';
import { watchCommand } from './commands/watch.ts';
import { version } from './version.ts';

const COMMANDS: readonly (readonly [
  group: string,
  commands: Readonly<Record<string, (command: Command) => Command>>,
])[] = [
  [
    'Ask a service:',
    {
      search: searchCommand,
      explore: exploreCommand,
      watch: watchCommand,
      export: exportCommand,
      tail: tailCommand,
      explain: explainCommand,
      mcp: mcpCommand,
    },
  ],
  [
    'On this machine:',
    {
      demo: demoCommand,
      serve: serveCommand,
      token: tokenCommand,
      fixtures: fixturesCommand,
      bench: benchCommand,
    },
  ],
  ['The shell:', { completion: completionCommand }],
];

/** @param tell says in one line what is wrong with a command line */
export function program(tell: (sentence: string) => void): Command {
  const root = new Command('table-search')
    .description('Exact search over tables of tasks, schedules, users and projects.')
    .version(version(), '--version', 'the version')
    .option('--no-color', 'plain text on a terminal, too; as does NO_COLOR=1')
    .addHelpText('after', EXAMPLES)
    .usage('<command> [options]');
  // Inherited by the commands that come after.
  root.exitOverride().showSuggestionAfterError();
  root.configureOutput({ outputError: (text) => tell(text.replace(/^error: /, '')) });
  for (const [group, commands] of COMMANDS) {
    root.commandsGroup(group);
    for (const [name, define] of Object.entries(commands)) define(root.command(name));
  }
  const help = new Command('help').argument('[command]').description('the same as --help');
  root.addHelpCommand(help.helpGroup('The shell:'));
  completeCommand(root.command('complete', { hidden: true }));
  return root;
}

const EXAMPLES = `
First steps:
  a service with demo data
    $ table-search demo
  in another terminal
    $ export TABLE_SEARCH_TOKEN=$(table-search token --user 1 --admin)
    $ table-search search tasks -q backup
    $ table-search explore tasks --facet status --histogram date_queued:P1D

Each command has examples: table-search search --help.
Where the service is: --url, or TABLE_SEARCH_URL. Who asks: --token, or TABLE_SEARCH_TOKEN.

Exit codes: 0 done, 1 failed, 2 the command line or what it asks for cannot be understood, 3 not allowed, 4 not there,
5 no whole answer (unreachable, busy, cut), 130 interrupted.`;
