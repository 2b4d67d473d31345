/** The standard streams of a command, written as fast as they are read. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { usage } from './failure.ts';
import { interruption } from './interruption.ts';
import type { Drawing, Fields } from './show/looks.ts';
import { oneLine, type Paint, painter } from './show/terminal.ts';

/** The forms of rows that options ask for, with their meanings. */
const MEANINGS = {
  table: 'columns that fit the terminal, also in a pipe',
  json: 'the answer of the service, as JSON',
  csv: 'CSV (RFC 4180)',
} as const;

type Asked = keyof typeof MEANINGS;
const ASKED = Object.keys(MEANINGS) as Asked[];

export type FormOptions = { readonly [F in Asked]?: boolean };
export type Form = Asked | 'plain';

/** `--table`, `--json`, `--csv`: one of them. */
export function withForms(command: Command): Command {
  for (const name of ASKED) command.option(`--${name}`, MEANINGS[name]);
  return command;
}

/** The form of the options; by default columns on a terminal, and plain lines in a pipe. */
export function formOf(options: FormOptions): Form {
  const asked = ASKED.filter((form) => options[form]);
  if (asked.length > 1) throw usage(`Use one of --${asked.join(' and --')}.`);
  return asked[0] ?? (process.stdout.isTTY ? 'table' : 'plain');
}

export const paintOut = (): Paint => painter(process.stdout, process.env);
const paintErr = (): Paint => painter(process.stderr, process.env);

/** On stdout; people read 120 cells well where there is no terminal, or one that tells no size. */
export function drawing(fields: Fields | undefined): Drawing {
  return { paint: paintOut(), width: process.stdout.columns || 120, fields };
}

/** Resolves when stdout takes more: all that wait share it. */
let drained: Promise<unknown> | undefined;

/** Writes to stdout, and waits until the reader takes more. @throws Interrupted */
export async function print(text: string | Uint8Array): Promise<void> {
  if (process.stdout.write(text)) return;
  const signal = interruption();
  drained ??= once(process.stdout, 'drain', { signal }).finally(() => {
    drained = undefined;
  });
  await drained.catch(() => signal.throwIfAborted());
}

/** The answer of the service, or a part of it. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A remark for people: on stderr, and only on a terminal. */
export function remark(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${paintErr()('dim', oneLine(text, '\n'))}\n`);
}

/** Sentences on a line of stderr, also in a pipe; nothing without one. */
export function warn(...said: readonly string[]): void {
  if (said.length > 0) process.stderr.write(`${oneLine(said.join(' '), '\n')}\n`);
}
