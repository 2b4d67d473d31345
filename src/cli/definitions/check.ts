/** `table-search check`: a definition file by itself, and with a store whether the data are as it says. */
import { readFile } from 'node:fs/promises';
import type { Db } from 'mongodb';
import { RESOURCES } from '../../apps/admin/resources/index.ts';
import { SETTINGS } from '../../config.ts';
import type { Setting } from '../../settings.ts';
import {
  type DescribedTable,
  describeTablesFile,
  type OwnTable,
  printProblems,
  readTablesFile,
} from '../../tables/file/index.ts';
import { checkData, checkGrants, type Finding } from '../../tables/sample/index.ts';
import { CliError, EXIT, type ExitCode, unreadable } from '../failure.ts';
import { atStore, notFollowed } from './store.ts';

export interface CheckOptions {
  readonly uri?: string;
  readonly db?: string;
}

/**
 * Prints every problem of the file, or every finding, and returns the exit code: 2 for a wrong file and
 * for drift.
 *
 * @throws CliError if the file or the store cannot be read
 */
export async function runCheck(fileName: string, { uri, db }: CheckOptions): Promise<ExitCode> {
  const text = await textOf(fileName);
  const read = describeTablesFile(text);
  if ('problems' in read) {
    console.log(printProblems(fileName, read.problems));
    console.error(`${fileName}: ${counted(read.problems.length, 'problem')}.`);
    return EXIT.usage;
  }
  const grants = checkGrants(read.tables);
  const look = async (at: Db): Promise<readonly Finding[]> => {
    const { findings, unfollowable } = await checkData(
      at,
      read.tables,
      compiled(text),
      settingNow(SETTINGS.searchMaxBytes),
    );
    if (unfollowable !== null) console.error(notFollowed(unfollowable));
    return findings;
  };
  const data = uri === undefined ? [] : await atStore(uri, db, look);
  const print = ({ pointer, message, isDrift }: Finding) => ({
    ...read.place(pointer),
    message: `${isDrift ? 'drift' : 'note'}: ${message}`,
  });
  const found = [...grants, ...namesTaken(read.tables), ...data].map(print);
  found.sort((a, b) => a.line - b.line || a.column - b.column);
  if (found.length > 0) console.log(printProblems(fileName, found));
  const drift = data.filter(({ isDrift }) => isDrift).length;
  const tables = counted(read.tables.length, 'table');
  console.error(
    drift > 0
      ? `${fileName}: ${tables}, drift in ${counted(drift, 'place')}.`
      : `${fileName}: ${tables}, fine.`,
  );
  return drift > 0 ? EXIT.usage : EXIT.done;
}

/** Tables that a service with this environment refuses beside the built-in ones. */
function namesTaken(tables: readonly DescribedTable[]): readonly Finding[] {
  if (!settingNow(SETTINGS.builtInTables)) return [];
  return tables
    .filter(({ name }) => Object.hasOwn(RESOURCES, name))
    .map(({ name }) => ({
      pointer: `/tables/${name}`,
      message: `BUILT_IN_TABLES=off alone serves ${name}: a built-in table has its name`,
      isDrift: false,
    }));
}

export async function textOf(fileName: string): Promise<string> {
  return await readFile(fileName, 'utf8').catch((error: Error) => {
    const advice = `\`table-search init <uri> -o ${fileName}\` writes it`;
    throw unreadable(fileName, error, advice);
  });
}

/** A setting, as a service with this environment has it. @throws CliError */
function settingNow<T>({ name, kind, preset }: Setting<T>): T {
  try {
    return kind.parse(process.env[name]?.trim() || preset!);
  } catch (error) {
    throw new CliError(`${name} ${(error as Error).message}.`, EXIT.usage);
  }
}

function compiled(text: string): readonly OwnTable[] {
  const read = readTablesFile(text);
  return 'tables' in read ? read.tables : [];
}

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
