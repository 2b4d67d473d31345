/** The commands of `table-search`, in the groups that its help shows. */
import { Command } from 'commander';
import { checkCommand, initCommand, openCommand, roleCommand } from './commands/definitions.ts';
import { explainCommand } from './commands/explain.ts';
import { exploreCommand } from './commands/explore.ts';
import { exportCommand } from './commands/export.ts';
import { demoCommand, fixturesCommand, serveCommand, tokenCommand } from './commands/local.ts';
import { mcpCommand } from './commands/mcp.ts';
import { searchCommand } from './commands/search.ts';
import { tablesCommand, typesCommand } from './commands/tables.ts';
import { tailCommand } from './commands/tail.ts';
import { viewsCommand } from './commands/views.ts';
import { watchCommand } from './commands/watch.ts';
import { version } from './version.ts';

const COMMANDS: readonly (readonly [
  group: string,
  commands: Readonly<Record<string, (command: Command) => Command>>,
])[] = [
  [
    'Search a service:',
    {
      search: searchCommand,
      explore: exploreCommand,
      watch: watchCommand,
      export: exportCommand,
      tail: tailCommand,
      explain: explainCommand,
      views: viewsCommand,
      mcp: mcpCommand,
    },
  ],
  [
    'Tables of your own:',
    {
      open: openCommand,
      init: initCommand,
      check: checkCommand,
      role: roleCommand,
      tables: tablesCommand,
      types: typesCommand,
    },
  ],
  [
    'Local commands:',
    {
      demo: demoCommand,
      serve: serveCommand,
      token: tokenCommand,
      fixtures: fixturesCommand,
    },
  ],
];

/** @param tell prints the one line about a wrong command line */
export function program(tell: (sentence: string) => void): Command {
  const root = new Command('table-search')
    .description('Exact search over collections of MongoDB, as tables.')
    .version(version(), '--version', 'the version')
    .option('--no-color', 'no colours; NO_COLOR=1 does the same')
    .addHelpText('after', EXAMPLES)
    .usage('<command> [options]');
  // Inherited by the commands that come after.
  root.helpOption('-h, --help', 'this help').exitOverride().showSuggestionAfterError();
  root.configureOutput({ outputError: (text) => tell(clearer(text)) });
  for (const [group, commands] of COMMANDS) {
    root.commandsGroup(group);
    for (const [name, define] of Object.entries(commands)) {
      const outputError = (text: string) => tell(clearer(text, name));
      define(root.command(name)).configureOutput({ outputError });
    }
  }
  const help = new Command('help').argument('[command]').description('the same as --help');
  root.addHelpCommand(help);
  return root;
}

/** Commander's error without its prefix; words after a table are mostly text to search for. */
function clearer(text: string, command?: string): string {
  const [, asking] =
    /too many arguments for '(search|explore|watch|export|explain)'/.exec(text) ?? [];
  if (asking === undefined) {
    const said = text.replace(/^error: /, '').trim();
    if (command === undefined || said.endsWith(')')) return said;
    return `${said.replace(/\.$/, '')}; \`table-search ${command} --help\` has examples.`;
  }
  return `${asking} takes one table; text to search for goes after -q, in quotes.`;
}

const EXAMPLES = `
First steps:
  look at your own collections in a browser; nothing is written
    $ table-search open mongodb://127.0.0.1:27017/shop
  or start a service with demo data
    $ table-search demo
  in another terminal, get a token and search
    $ export TABLE_SEARCH_TOKEN=$(table-search token --user 1 --admin)
    $ table-search search tasks -q backup
    $ table-search explore tasks --facet status --histogram date_queued:P1D

Each command has examples: table-search search --help.
The address of the service: --url or TABLE_SEARCH_URL. Your token: --token or TABLE_SEARCH_TOKEN.

Exit codes: 0 done, 1 failed, 2 wrong command line or request, 3 no token or no right, 4 not found, 5 no complete answer
(unreachable, busy, cut), 130 interrupted.`;
