/** `table-search init`: looks at collections and writes the definition file of their tables. */
import { isUtf8 } from 'node:buffer';
import { access, constants, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { definitionOf, type Look, plural, updateTables } from '../../tables/sample/index.ts';
import { CliError, unreadable, unwritable, usage } from '../failure.ts';
import { intoFile } from '../intoFile.ts';
import { atStore, lookAt, notFollowed } from './store.ts';

export interface InitOptions {
  readonly output?: string;
  readonly update?: true;
  readonly db?: string;
}

/** @throws CliError with one line that says what to do */
export async function runInit(
  uri: string,
  collections: readonly string[],
  { output: given, update, db: dbName }: InitOptions,
): Promise<void> {
  const output = given === '-' ? undefined : given;
  const before = await existing(output, update);
  await atStore(uri, dbName, async (db) => {
    const began = performance.now();
    const found = await lookAt(db, { only: collections }, (kind) =>
      console.error(notFollowed(kind)),
    );
    const done =
      before === undefined ? await write(output, found) : await change(output!, before, found);
    console.error(`${done} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
    console.error(nextStep(output, db.databaseName));
  });
}

/** Without the URI, which may hold a password; without the built-in tables, which would make collections in the database. */
const nextStep = (output: string | undefined, db: string): string =>
  output === undefined
    ? 'Next: -o tables.yaml writes it to a file, for table-search check and serve --tables'
    : `Next: table-search check ${output} --uri …; then BUILT_IN_TABLES=off AUTH_JWT_SECRET=… ` +
      `table-search serve --mongodb … --db ${db} --tables ${output}`;

/** The file to add to; undefined if a new one is written. */
async function existing(
  output: string | undefined,
  update: true | undefined,
): Promise<string | undefined> {
  if (output === undefined) {
    if (update) throw usage('--update needs -o with the file to update.');
    return undefined;
  }
  const bytes = await readFile(output).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unreadable(output, error);
  });
  if (bytes !== undefined && !update) {
    throw usage(
      `${output} is there already; --update adds what is new as comments, -o names another file.`,
    );
  }
  if (bytes === undefined && update) {
    throw usage(`${output} is not there; leave --update out to write it.`);
  }
  if (bytes === undefined) {
    // A look at the store takes its time.
    await access(path.dirname(output), constants.W_OK).catch((error: Error) => {
      throw unwritable(output, error);
    });
  }
  // Else the update would write another letter in the place of each that cannot be read.
  if (bytes && !isUtf8(bytes)) {
    throw usage(`${output} is not in UTF-8; save it as UTF-8 first.`);
  }
  return bytes?.toString();
}

async function write(output: string | undefined, found: Look): Promise<string> {
  const { text } = definitionOf(found, new Date());
  if (output === undefined) process.stdout.write(text);
  else {
    const isJson = path.extname(output).toLowerCase() === '.json';
    const written = isJson ? `${JSON.stringify(parse(text), null, 2)}\n` : text;
    if (isJson) console.error(NO_COMMENTS);
    // A file that appeared meanwhile is not overwritten.
    await writeFile(output, written, { flag: 'wx' }).catch((error: Error) => {
      throw unwritable(output, error);
    });
  }
  const { tables } = found.drafts;
  const fields = tables.reduce((sum, table) => sum + table.fields.length, 0);
  return `${output ?? 'Definition'}: ${plural(tables.length, 'table')}, ${plural(fields, 'field')}.`;
}

const NO_COMMENTS = 'JSON has no comments; a .yaml file has what was found as comments.';

async function change(output: string, before: string, found: Look): Promise<string> {
  const { text, fields, tables } = updated(output, before, found);
  if (fields + tables === 0) return `${output} has every table and field already.`;
  await intoFile(output, (to) => to(Buffer.from(text)));
  return `${output}: ${plural(tables, 'new table')} and ${plural(fields, 'new field')}, as comments.`;
}

function updated(output: string, before: string, found: Look) {
  try {
    return updateTables(before, found.drafts);
  } catch (error) {
    throw new CliError(`${output} cannot be updated: ${(error as Error).message}.`);
  }
}
