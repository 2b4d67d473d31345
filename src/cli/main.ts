#!/usr/bin/env node
/**
 * `table-search`: a command, its answer on stdout, everything else on stderr, an exit code.
 *
 *     arguments ─▶ program.ts ─▶ a command ─┬─ done: 0
 *                                           └─ failed: one line, and the code of failure.ts
 */
import { CommanderError } from 'commander';
import { EXIT, endingOf, unwritable } from './failure.ts';
import { program } from './program.ts';
import { oneLine, painter } from './show/terminal.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has enough, as in `table-search search tasks | head`, is no failure.
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  tell(unwritable('The output', error).message);
  process.exit(EXIT.failed);
});
// Nobody reads the remarks: the answer still counts.
process.stderr.on('error', () => {});

// It has to come before the first styled text, help included.
if (process.argv.includes('--no-color')) process.env.NO_COLOR = '1';

try {
  const root = program(tell);
  if (process.argv.length > 2) await root.parseAsync();
  else root.outputHelp();
} catch (error) {
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  else {
    const { code, sentence } = endingOf(error);
    tell(sentence);
    if (process.env.TABLE_SEARCH_DEBUG && error instanceof Error) console.error(error.stack);
    // Output that its reader has not taken would hold the process up.
    if (code === EXIT.interrupted) process.exit(code);
    process.exitCode = code;
  }
}

/** A sentence may quote stored or typed text, and have several lines. */
function tell(sentence: string): void {
  const paint = painter(process.stderr, process.env);
  const line = oneLine(sentence.trim().replace(/\n\((.*)\)$/, ' ($1)'), '\n');
  console.error(`${paint('red', 'table-search:')} ${line}`);
}
