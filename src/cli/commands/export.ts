/** `table-search export`: all rows of one moment, into a file or a pipe. */
import { open, rename, unlink } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { CutStreamError, type ExportedFile } from 'table-search/client';
import { CliError, EXIT } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { formOf, print, remark } from '../output.ts';
import { clientOf, tableAt } from '../service.ts';
import { RowCounter } from '../show/rowCounter.ts';
import { type AskingOptions, askedOf, withAsking } from './asking.ts';

const EXAMPLES = `
Examples:
  all failed tasks, into a CSV file
    $ table-search export tasks -s status=FAILURE -o failed.csv
  two columns as lines of JSON, into another program
    $ table-search export tasks -c task_id,status --json | jq -r .task_id
  a project's tasks, compressed
    $ table-search export tasks -p 0993998b-42f5-49de-a4db-b30aa9798041 | gzip > tasks.csv.gz

All rows are those of one moment. A file appears under its name once it is whole: when rows are missing the command
ends with 5, and there is no file. In CSV a ' stands before text that a spreadsheet would take for a formula;
--formulas keep leaves it as it is.`;

export function exportCommand(command: Command): Command {
  return withAsking(command)
    .description('write all rows of one moment')
    .option('-o, --out <file>', 'a file; stdout where none is named')
    .option('--csv', 'CSV, which is the default')
    .option('--json', 'a JSON object a line; so are files that end with .ndjson, .jsonl or .json')
    .option(
      '--formulas <guard|keep>',
      "whether a ' stands before what looks like a formula (guard)",
    )
    .addHelpText('after', EXAMPLES)
    .action(exportRows);
}

interface Options extends AskingOptions {
  readonly out?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
  readonly formulas?: string;
}

async function exportRows(word: string, options: Options): Promise<void> {
  formOf(options);
  const { out, formulas } = options;
  const { table, body, select, columns } = askedOf(word, options);
  const isJson = options.json ?? (!options.csv && /\.(ndjson|jsonl|json)$/.test(out ?? ''));
  const format = isJson ? 'ndjson' : 'csv';
  const all = { ...body, select, ...(columns && { columns }), ...(formulas && { formulas }) };
  const file = await tableAt(clientOf(options), table).exportFile(all as object, { format });
  const isToScreen = out === undefined && process.stdout.isTTY;
  const progress = isToScreen ? undefined : showProgress(file.total);
  const counter = new RowCounter(format);
  const copy = (write: Write) => written(file, counter, progress, write);
  if (out === undefined) return await copy((bytes) => print(bytes));
  await intoFile(out, copy);
  remark(`${file.total.toLocaleString('en-US')} rows in ${out}, as of ${file.info.asOf}`);
}

type Write = (bytes: Uint8Array) => Promise<void>;

/** @throws CutStreamError where not all rows come */
async function written(
  { stream, total }: ExportedFile,
  counter: RowCounter,
  progress: SingleBar | undefined,
  write: Write,
): Promise<void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      counter.take(value);
      await write(value);
      progress?.update(counter.rows);
    }
  } catch (error) {
    interruption().throwIfAborted();
    throw error instanceof CliError ? error : cut(counter.rows, total, error);
  } finally {
    progress?.stop();
    await reader.cancel().catch(() => {});
  }
  if (counter.rows !== total) throw cut(counter.rows, total);
}

function cut(rows: number, total: number, cause?: unknown): CutStreamError {
  const [came, all] = [rows, total].map((count) => count.toLocaleString('en-US'));
  return new CutStreamError(`The export was cut: ${came} of ${all} rows came.`, { cause });
}

/** Under its name once it is whole. */
async function intoFile(name: string, fill: (write: Write) => Promise<void>): Promise<void> {
  const draft = `${name}.part`;
  const file = await open(draft, 'w').catch((error: Error) => {
    throw new CliError(`${name} cannot be written: ${error.message}`, EXIT.failed);
  });
  const write: Write = async (bytes) => {
    await file.write(bytes).catch((error: Error) => {
      throw new CliError(`${name} cannot be written: ${error.message}`, EXIT.failed);
    });
  };
  try {
    await fill(write);
    await file.close();
    await rename(draft, name);
  } catch (error) {
    await file.close().catch(() => {});
    await unlink(draft).catch(() => {});
    throw error;
  }
}

/** Where somebody sees it. */
function showProgress(total: number): SingleBar | undefined {
  if (!process.stderr.isTTY) return undefined;
  const format = 'export  {bar} {percentage} %  {value} of {total} rows  {eta_formatted}';
  const bar = new SingleBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return bar;
}
