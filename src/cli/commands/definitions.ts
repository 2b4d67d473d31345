/** Commands for tables of your own: they look at a store, and at the file that defines the tables. */
import type { Command } from 'commander';
import { filledIn } from '../asked/names.ts';
import { wholeNumber } from '../numbers.ts';

const PORT = wholeNumber('--port', 0, 65_535);
const URI = ['<uri>', 'the connection string of the store', filledIn('The URI')] as const;
const DB = [
  '--db <name>',
  'the database (default: that of the URI, or the only one there is)',
  filledIn('--db'),
] as const;

export function openCommand(command: Command): Command {
  return command
    .description('look at collections and show them as tables in a browser, for this run alone')
    .argument(...URI)
    .argument('[collections...]', 'only these collections (default: all of the database)')
    .option(...DB)
    .option('--port <port>', 'the port on 127.0.0.1 (default: a free one)', PORT)
    .addHelpText('after', OPEN_EXAMPLES)
    .action(async (uri: string, collections: string[], options: object) => {
      const { runOpen } = await import('../definitions/open.ts');
      await runOpen(uri, collections, options);
    });
}

const OPEN_EXAMPLES = `
Examples:
  every collection of a database
    $ table-search open mongodb://127.0.0.1:27017/shop
  two of them
    $ table-search open mongodb://127.0.0.1:27017/shop orders customers

It prints a link that signs in, for 12 hours. It serves on 127.0.0.1 alone, and writes nothing to the store and nothing
to disk. \`table-search init\` writes the same tables to a file, to be edited and served.`;

export function initCommand(command: Command): Command {
  return command
    .description('look at collections and write the file that makes tables of them')
    .argument(...URI)
    .argument('[collections...]', 'only these collections (default: all of the database)')
    .option(
      '-o, --output <file>',
      'the file to write (default, and for -: stdout)',
      filledIn('--output'),
    )
    .option('--update', 'add what is new to an existing file, as comments')
    .option(...DB)
    .addHelpText('after', INIT_EXAMPLES)
    .action(async (uri: string, collections: string[], options: object) => {
      const { runInit } = await import('../definitions/init.ts');
      await runInit(uri, collections, options);
    });
}

const INIT_EXAMPLES = `
Examples:
  every collection of a database
    $ table-search init mongodb://127.0.0.1:27017/shop -o tables.yaml
  two collections, to look at first
    $ table-search init mongodb://127.0.0.1:27017/shop orders customers
  what came since, as comments in the same file
    $ table-search init mongodb://127.0.0.1:27017/shop -o tables.yaml --update

It reads some thousand documents of each collection, its indexes and its validator, and writes nothing to the store.
An existing file is never overwritten. Comments say what was found, and what was left out; a .json file has none.`;

export function checkCommand(command: Command): Command {
  return command
    .description('check the file of your tables, and with --uri whether the data are as it says')
    .argument('<file>', 'the definition file')
    .option('--uri <uri>', 'the store whose documents are looked at', filledIn('--uri'))
    .option(...DB)
    .addHelpText('after', CHECK_EXAMPLES)
    .action(async (file: string, options: object) => {
      const { runCheck } = await import('../definitions/check.ts');
      process.exitCode = await runCheck(file, options);
    });
}

const CHECK_EXAMPLES = `
Examples:
  the file alone: every problem with its line and column
    $ table-search check tables.yaml
  drift of types, fields that are gone, grants that show more than they seem to
    $ table-search check tables.yaml --uri mongodb://127.0.0.1:27017/shop

Findings go to stdout, as file:line:column. The exit code is 2 for a problem in the file and for drift, 0 for notes.`;

export function roleCommand(command: Command): Command {
  return command
    .description('print the least MongoDB role that serves the file of your tables')
    .argument('<file>', 'the definition file')
    .option('--db <name>', 'MONGODB_DB of the service (table_search)')
    .option('--indexes', 'for a service that builds their database indexes (STORE_INDEXES=all)')
    .option('--no-heartbeat', 'without the right to write heartbeats (lag of 0.1 s)')
    .option(
      '--views-collection <name>',
      'VIEWS_COLLECTION of the service (views); `off` if it keeps no views',
    )
    .addHelpText('after', ROLE_EXAMPLES)
    .action(async (file: string, options: { heartbeat: boolean; viewsCollection?: string }) => {
      const { runRole } = await import('../definitions/role.ts');
      await runRole(file, options);
    });
}

const ROLE_EXAMPLES = `
Examples:
  the role, in a file
    $ table-search role tables.yaml --db shop > role.json
  for a service that writes nothing
    $ table-search role tables.yaml --db shop --no-heartbeat --views-collection off

In mongosh, as an administrator: db.getSiblingDB("admin").runCommand(<what is printed>), then
db.getSiblingDB("admin").createUser({ user: "tables", pwd: passwordPrompt(), roles: ["tableSearchTables"] }).`;
