/** Commands for tables of your own: they look at a store, and at the file that defines the tables. */
import type { Command } from 'commander';

export function initCommand(command: Command): Command {
  return command
    .description('look at collections and write the file that makes tables of them')
    .argument('<uri>', 'the connection string of the store')
    .argument('[collections...]', 'only these collections (default: all of the database)')
    .option('-o, --output <file>', 'the file to write (default: stdout)')
    .option('--update', 'add what is new to an existing file, as comments')
    .option('--db <name>', 'the database (default: that of the URI, or the only one there is)')
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
An existing file is never overwritten. Comments say what was found, and what was left out.`;
