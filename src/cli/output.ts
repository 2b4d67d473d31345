/** The standard streams of a command: text goes as fast as it is taken. */
import { once } from 'node:events';
import type { Command } from 'commander';
import { CliError, EXIT } from './failure.ts';
import { type Paint, painter } from './show/terminal.ts';

/** How rows are written. */
export type Form = 'table' | 'plain' | 'json' | 'csv';

export interface FormOptions {
  readonly table?: boolean;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const MEANINGS = {
  table: 'columns cut to fit, as on a terminal',
  json: 'JSON, as the service answers',
  csv: 'CSV (RFC 4180)',
} as const;

/** `--table`, `--json`, `--csv`: one of them. */
export function withForms(command: Command): Command {
  for (const [name, meaning] of Object.entries(MEANINGS)) command.option(`--${name}`, meaning);
  return command;
}

/** The form asked for; else columns on a terminal, and plain lines in a pipe. */
export function formOf(options: FormOptions): Form {
  const asked = (['table', 'json', 'csv'] as const).filter((form) => options[form]);
  if (asked.length > 1) {
    throw new CliError(`--${asked.join(' and --')} exclude each other.`, EXIT.usage);
  }
  return asked[0] ?? (process.stdout.isTTY ? 'table' : 'plain');
}

/** Cells of a line; what is no terminal has as many as people read well. */
export const lineWidth = (): number => process.stdout.columns ?? 120;

export const paintOut = (): Paint => painter(process.stdout, process.env);
const paintErr = (): Paint => painter(process.stderr, process.env);

/** Writes to stdout, and waits until it is taken. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** A remark for whoever sits there: on stderr, and only where that is a terminal. */
export function remark(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${paintErr()('dim', text)}\n`);
}

/** On stderr, whoever reads it. */
export const warn = (text: string): void => void process.stderr.write(`${text}\n`);
