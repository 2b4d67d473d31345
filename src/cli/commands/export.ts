/** `table-search export`: all rows of one moment, into a file or a pipe. */
import path from 'node:path';
import type { Command } from 'commander';
import { CutStreamError, type ExportedFile, RowCounter } from 'table-search/client';
import { Progress } from '../../progress.ts';
import { filledIn } from '../asked/names.ts';
import { CliError, usage } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { checkTarget, intoFile, type Write } from '../intoFile.ts';
import { grouped } from '../numbers.ts';
import { formOf, print, remark, warn } from '../output.ts';
import { emptyNotes } from '../show/pageNote.ts';
import { type AskingOptions, askedOf, asking, withAsking } from './asking.ts';

const EXAMPLES = `
Examples:
  all failed tasks, into a CSV file
    $ table-search export tasks -s status=FAILURE -o failed.csv
  two columns as lines of JSON, into another program
    $ table-search export tasks -c task_id,status --json | jq -r .task_id
  a project's tasks, compressed
    $ table-search export tasks -p 0993998b-42f5-49de-a4db-b30aa9798041 | gzip > tasks.csv.gz

All rows show one moment. The file appears under its name once it is complete; when rows are missing, the command ends
with 5 and leaves no file. In CSV, a ' precedes text that a spreadsheet would run as a formula; --formulas keep omits it.`;

export function exportCommand(command: Command): Command {
  return withAsking(command)
    .description('write all rows of one moment to a file or a pipe')
    .option('-o, --out <file>', 'the file to write (default, and for -: stdout)', filledIn('--out'))
    .option('--csv', 'CSV (the default, also for a file without an ending)')
    .option('--json', 'a JSON object a line; also for files that end with .ndjson, .jsonl or .json')
    .option(
      '--formulas <guard|keep>',
      "guard (the default) puts a ' before text that looks like a formula",
    )
    .addHelpText('after', EXAMPLES)
    .action(asking(exportRows));
}

interface Options extends AskingOptions {
  readonly out?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
  readonly formulas?: string;
}

async function exportRows(word: string, options: Options): Promise<void> {
  formOf(options);
  const { formulas } = options;
  const out = options.out === '-' ? undefined : options.out;
  const { table, opened, body, select, columns } = await askedOf(word, options);
  const format = formatOf(options);
  if (out !== undefined) await checkTarget(out);
  const all = { ...body, select, ...(columns && { columns }), ...(formulas && { formulas }) };
  const file = await opened.exportFile(all, { format });
  const isToScreen = out === undefined && process.stdout.isTTY;
  const showsBar = process.stderr.isTTY && !isToScreen;
  const progress = showsBar ? new Progress(process.stderr) : undefined;
  const counter = new RowCounter(format);
  const copy = (write: Write) => written(file, counter, progress, write);
  if (out === undefined) await copy((bytes) => print(bytes));
  else {
    await intoFile(out, copy);
    remark(`${grouped(file.total)} rows in ${out}, as of ${file.info.asOf}`);
  }
  warn(...emptyNotes(file.total, table, select));
}

/** @throws CliError for the ending of a format that no export has, unless an option names one */
function formatOf({ out = '', json, csv }: Options): 'csv' | 'ndjson' {
  const ending = path.extname(out).toLowerCase();
  if (json || (!csv && LINES.includes(ending))) return 'ndjson';
  if (csv || ending === '' || ending === '.csv' || out.startsWith('/dev/')) return 'csv';
  const forms = `a file ends with .csv (spreadsheets open it), ${LINES.join(', ')}`;
  throw usage(`--out ${out}: ${forms}; or add --csv or --json.`);
}

const LINES: readonly string[] = ['.ndjson', '.jsonl', '.json'];

/** @throws CutStreamError when rows are missing */
async function written(
  { stream, total }: ExportedFile,
  counter: RowCounter,
  progress: Progress | undefined,
  write: Write,
): Promise<void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      counter.take(value);
      await write(value);
      progress?.show('export', counter.rows, total);
    }
  } catch (error) {
    interruption().throwIfAborted();
    throw error instanceof CliError ? error : cut(counter.rows, total, error);
  } finally {
    progress?.end();
    await reader.cancel().catch(() => {});
  }
  if (counter.rows !== total) throw cut(counter.rows, total);
}

function cut(rows: number, total: number, cause?: unknown): CutStreamError {
  const came = `${grouped(rows)} of ${grouped(total)} rows`;
  return new CutStreamError(`The export was cut after ${came}.`, { cause });
}
