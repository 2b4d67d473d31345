/** Local commands: the service, its demo, demo data and tokens. */
import type { Command } from 'commander';
import type { FixturesOptions } from '../../dev/cli/fixtures.ts';
import type { TokenOptions } from '../../dev/cli/token.ts';
import { filledIn } from '../asked/names.ts';
import { wholeNumber } from '../numbers.ts';

/** Options that override a setting of the environment: its name, the option, the meaning. */
const SETTINGS = {
  port: ['PORT', '--port <port>', 'the port; 0 picks a free one'],
  host: ['HOST', '--host <host>', 'the address to listen on'],
  mongodb: ['MONGODB_URI', '--mongodb <uri>', 'the store (default: an embedded mongod)'],
  db: ['MONGODB_DB', '--db <name>', 'the database'],
  dataDir: ['DATA_DIR', '--data-dir <folder>', 'the data of the embedded mongod (.data)'],
  tables: ['TABLES', '--tables <file>', 'the definition file of tables of your own'],
} as const;

type Name = keyof typeof SETTINGS;
type ServeOptions = Readonly<Partial<Record<Name, string>>>;

function withSettings(command: Command, names: readonly Name[]): Command {
  for (const [setting, option, about] of names.map((name) => SETTINGS[name])) {
    command.option(option, `${setting}: ${about}`, filledIn(option.replace(/ .*/, '')));
  }
  return command;
}

function set(options: ServeOptions): void {
  for (const [name, value] of Object.entries(options)) {
    process.env[SETTINGS[name as Name][0]] = value;
  }
}

export function serveCommand(command: Command): Command {
  return withSettings(command, ['port', 'host', 'mongodb', 'db', 'dataDir', 'tables'])
    .description('run the service')
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async (options: ServeOptions) => {
      set(options);
      await import('../../main.ts');
    });
}

const SERVE_EXAMPLES = `
Examples:
  on your own store, with a new secret, by which \`table-search token\` signs as well
    $ export AUTH_JWT_SECRET=$(openssl rand -hex 32)
    $ table-search serve --mongodb 'mongodb://db-0,db-1/?replicaSet=rs0'
  tables of a file alone
    $ BUILT_IN_TABLES=off table-search serve --mongodb mongodb://127.0.0.1:27017/ --db shop --tables tables.yaml
  on an embedded mongod and a free port
    $ table-search serve --port 0

All other settings come from the environment: see docs/settings.md. The log goes to stdout. SIGTERM or Ctrl-C finishes
open requests and ends with 0; 1 means that the service could not start or could not close a part of it.`;

export function demoCommand(command: Command): Command {
  return withSettings(command, ['port', 'host', 'mongodb', 'db', 'dataDir'])
    .description('run the service with demo data, and print examples to paste')
    .addHelpText('after', DEMO_EXAMPLES)
    .action(async (options: ServeOptions) => {
      set(options);
      const { runDemo } = await import('../../dev/cli/demo.ts');
      await runDemo(process.env);
    });
}

const DEMO_EXAMPLES = `
Examples:
  a MongoDB, demo data, the service, and lines to paste
    $ table-search demo
  a second demo beside the first
    $ table-search demo --port 0 --data-dir .data-2

The data stays in .data for the next start. Ctrl-C ends the service and its MongoDB. LOG_LEVEL=info shows each request.`;

export function fixturesCommand(command: Command): Command {
  return command
    .description('load demo data: a hand-made set, with generated records around it')
    .option(
      '--tasks <n>',
      'generate n tasks, with their users, projects, schedules and logs (none)',
      wholeNumber('--tasks'),
    )
    .option('--seed <n>', 'the seed of the generator (1)', wholeNumber('--seed'))
    .option(
      '--logs <n>',
      'log lines, 12 for each of the newest tasks (one a task, at most 100000)',
      wholeNumber('--logs'),
    )
    .option('--now <moment>', 'the latest date of the data (now)')
    .option('--replace', 'delete the data in the collections of the service first')
    .option(
      '--uri <uri>',
      'the store (MONGODB_URI, or the embedded one in DATA_DIR)',
      filledIn('--uri'),
    )
    .option('--db <name>', 'the database (MONGODB_DB, or table_search)', filledIn('--db'))
    .addHelpText('after', FIXTURES_EXAMPLES)
    .action(async (options: FixturesOptions) => {
      const { runFixtures } = await import('../../dev/cli/fixtures.ts');
      await runFixtures(options, process.env);
    });
}

const FIXTURES_EXAMPLES = `
Examples:
  a million tasks, with their users, projects and schedules
    $ table-search fixtures --tasks 1000000 --seed 7
  the hand-made set alone, into your own store
    $ table-search fixtures --uri mongodb://127.0.0.1:27017/?replicaSet=rs0
  the same data at each load
    $ table-search fixtures --tasks 50000 --now 2026-11-20T10:00:00Z
  new data in place of the old
    $ table-search fixtures --tasks 50000 --replace

With --now, the same options give the same rows, byte by byte. The same command does nothing after a complete load.
Other data in the store stays, that of an interrupted load too, and stops the load, unless --replace deletes it. While
a demo or a service runs on DATA_DIR (.data), the command loads into its store.`;

export function tokenCommand(command: Command): Command {
  return command
    .description('print a token for local use')
    .option('--user <id>', 'the id of a user, such as 1; any name with BUILT_IN_TABLES=off')
    .option('--admin', 'add the role admin')
    .option('--role <role...>', 'add roles, for tables of a file')
    .option('--claim <name=value...>', 'add claims: text, or JSON such as \'["eu", "us"]\'')
    .option(
      '--expires <time>',
      'its lifetime: 30m, 8h, 7d, at most 366d; 24h with BUILT_IN_TABLES=off',
      '8h',
    )
    .addHelpText('after', TOKEN_EXAMPLES)
    .action(async (options: TokenOptions) => {
      const { runToken } = await import('../../dev/cli/token.ts');
      await runToken(options, process.env);
    });
}

const TOKEN_EXAMPLES = `
Examples:
  for searches of the demo
    $ export TABLE_SEARCH_TOKEN=$(table-search token --user 1 --admin)
  for a member, for a week
    $ table-search token --user 2 --expires 7d
  for somebody who may see what a file of tables grants to two roles
    $ BUILT_IN_TABLES=off table-search token --user ann@example.com --role support packer
  for somebody whose rows a claim limits
    $ BUILT_IN_TABLES=off table-search token --user ann@example.com --role support --claim region=eu

AUTH_JWT_SECRET signs the token and must be the service's own; without it, the secret that the demo keeps in DATA_DIR
(.data) does. stdout gets the token alone. stderr names the secret, and warns if the user is unknown or not active.`;
