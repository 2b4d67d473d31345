/** `table-search check`: a definition file by itself, and with a store whether the data are as it says. */
import { readFile } from 'node:fs/promises';
import type { Db } from 'mongodb';
import { SETTINGS } from '../../config.ts';
import { tableProblems } from '../../settings.ts';
import { printProblems, readTablesFile } from '../../tables/file/index.ts';
import { checkData, checkFile, type Finding, plural } from '../../tables/sample/index.ts';
import { EXIT, type ExitCode, unreadable, usage } from '../failure.ts';
import { settingNow } from './settingNow.ts';
import { atStore, foreignViews, notFollowed } from './store.ts';

export interface CheckOptions {
  readonly uri?: string;
  readonly db?: string;
}

/**
 * Prints every problem of the file, or every finding, and returns the exit code: 2 for a wrong file and
 * for drift.
 *
 * @throws CliError if the file or the store cannot be read, and for a database of no store
 */
export async function runCheck(fileName: string, { uri, db }: CheckOptions): Promise<ExitCode> {
  if (db !== undefined && uri === undefined) throw usage('--db belongs to --uri; add one.');
  const read = readTablesFile(await bytesOf(fileName));
  if ('problems' in read) {
    console.log(printProblems(fileName, read.problems));
    console.error(`${fileName}: ${plural(read.problems.length, 'problem')}.`);
    return EXIT.usage;
  }
  const { tables } = read;
  const look = async (at: Db): Promise<readonly Finding[]> => {
    const maxBytes = settingNow(SETTINGS.searchMaxBytes);
    const { findings, unfollowable } = await checkData(at, tables, maxBytes);
    if (unfollowable !== null) console.error(notFollowed(unfollowable));
    const foreign = await foreignViews(at, settingNow(SETTINGS.viewsCollection));
    if (foreign !== undefined) console.error(foreign);
    return findings;
  };
  const data = uri === undefined ? [] : await atStore(uri, db, look);
  const print = ({ pointer, message, isDrift }: Finding) => ({
    ...read.place(pointer),
    message: `${isDrift ? 'drift' : 'note'}: ${message}`,
  });
  // A service with this environment refuses them.
  const unserved = tableProblems({
    tables,
    builtInTables: settingNow(SETTINGS.builtInTables),
    viewsCollection: settingNow(SETTINGS.viewsCollection),
  });
  const notes = unserved.map((one) => ({ ...one, message: `note: ${one.message}` }));
  const found = [...notes, ...[...checkFile(tables), ...data].map(print)];
  found.sort((a, b) => a.line - b.line || a.column - b.column);
  if (found.length > 0) console.log(printProblems(fileName, found));
  const drift = data.filter(({ isDrift }) => isDrift).length;
  const served = plural(tables.length, 'table');
  console.error(
    drift > 0
      ? `${fileName}: ${served}, drift in ${plural(drift, 'place')}.`
      : `${fileName}: ${served}, fine.`,
  );
  return drift > 0 ? EXIT.usage : EXIT.done;
}

export async function bytesOf(fileName: string): Promise<Uint8Array> {
  return await readFile(fileName).catch((error: Error) => {
    const advice = `\`table-search init <uri> -o ${fileName}\` writes it`;
    throw unreadable(fileName, error, advice);
  });
}
