/**
 * Completion: a script for the shell, which asks `table-search complete` for candidates.
 *
 *     words typed so far ─▶ complete ─▶ a candidate a line: word, tab, meaning
 */
import type { Command } from 'commander';
import { unknownName } from '../asked/names.ts';
import { candidatesOf } from '../complete/candidates.ts';
import { lookedUp, tablesFor } from '../complete/lookup.ts';
import { SCRIPTS, type Shell } from '../complete/scripts.ts';
import { CliError, EXIT } from '../failure.ts';
import { print } from '../output.ts';

const EXAMPLES = `
Examples:
  for this shell
    $ source <(table-search completion bash)
  for every bash
    $ table-search completion bash >> ~/.bashrc
  zsh: into a folder of your fpath
    $ table-search completion zsh > "\${fpath[1]}/_table-search"
  fish
    $ table-search completion fish > ~/.config/fish/completions/table-search.fish

Tab completes commands, options, tables, fields and columns. With TABLE_SEARCH_URL and TABLE_SEARCH_TOKEN set, it also
completes the values of fields, projects and tasks. It works for table-search, for a path to it, and for npx table-search.`;

export function completionCommand(command: Command): Command {
  return command
    .description('print a completion script for bash, zsh or fish')
    .argument('<shell>', Object.keys(SCRIPTS).join(', '))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: string) => {
      const script = SCRIPTS[shell as Shell];
      if (script === undefined) {
        const unknown = unknownName(shell, Object.keys(SCRIPTS), 'Shells');
        throw new CliError(`Shell ${unknown}`, EXIT.usage);
      }
      await print(script);
    });
}

export function completeCommand(command: Command): Command {
  return command
    .argument('[words...]', 'the words after the program; the last may be empty')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: readonly string[], _: object, self: Command) => {
      const own = await tablesFor(self.parent!, words);
      const known = candidatesOf(self.parent!, words, own);
      const found = known.length > 0 ? known : await lookedUp(self.parent!, words, own);
      await print(found.map(({ word, meaning }) => `${word}\t${meaning}\n`).join(''));
    });
}
