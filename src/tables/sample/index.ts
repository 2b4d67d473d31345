/** A look at a database: the tables that its collections allow, or the drift of defined ones. */
import type { Db } from 'mongodb';
import { type OwnTable, readTablesFile } from '../file/index.ts';
import { unknownCurrencies } from './currencies.ts';
import { driftOf } from './drift.ts';
import { megabytes } from './figures.ts';
import type { Finding } from './finding.ts';
import { revealingGrants } from './grants.ts';
import { findLinks } from './links.ts';
import { memoryOfTables } from './memory.ts';
import { type Survey, type SurveyOptions, survey } from './survey.ts';
import { type Drafts, draftTables } from './tables.ts';
import { writeTables } from './write.ts';

export { byReason, firstOf, plural } from './figures.ts';
export type { Finding } from './finding.ts';
export type { Survey } from './survey.ts';
export { updateTables } from './update.ts';

export interface Look {
  readonly survey: Survey;
  readonly drafts: Drafts;
}

/** @throws the driver's error if the store cannot be reached, or its collections may not be listed */
export async function look(db: Db, options: SurveyOptions): Promise<Look> {
  const found = await survey(db, options);
  return { survey: found, drafts: draftTables(found, await findLinks(db, found)) };
}

/** A new definition file, and its tables. @param at the moment of the look */
export function definitionOf(
  { survey, drafts }: Look,
  at: Date,
): { readonly text: string; readonly tables: readonly OwnTable[] } {
  const head = { db: survey.db, at, memory: new Map<string, number>() };
  const read = readTablesFile(writeTables(drafts, head));
  if ('problems' in read) {
    const { line, message } = read.problems[0]!;
    throw new Error(`the drafted definition has a problem in line ${line}: ${message}`);
  }
  const memory = memoryOfTables(read.tables, survey);
  return { text: writeTables(drafts, { ...head, memory }), tables: read.tables };
}

/** Remarks on the file alone. */
export const checkFile = (tables: readonly OwnTable[]): readonly Finding[] => [
  ...revealingGrants(tables),
  ...unknownCurrencies(tables),
];

/**
 * Compares tables with their collections.
 *
 * @param maxBytes `SEARCH_MAX_BYTES`: pipelines answer for larger tables
 * @throws as `look` does
 */
export async function checkData(
  db: Db,
  tables: readonly OwnTable[],
  maxBytes: number,
): Promise<{
  readonly findings: readonly Finding[];
  readonly unfollowable: Survey['unfollowable'];
}> {
  const only = [...new Set(tables.map(({ collection }) => collection))];
  const found = await survey(db, { only });
  const windowed = new Set(tables.filter(({ window }) => window).map(({ name }) => name));
  const memory = [...memoryOfTables(tables, found)].map(([name, bytes]): Finding => {
    const tooMuch =
      bytes > maxBytes
        ? `, and pipelines would answer: SEARCH_MAX_BYTES allows ${megabytes(maxBytes)}`
        : '';
    const note = windowed.has(name) ? ' without its window, and less with it' : tooMuch;
    const message = `${name} takes about ${megabytes(bytes)} of memory${note}`;
    return { pointer: `/tables/${name}`, message, isDrift: false };
  });
  return { findings: [...memory, ...driftOf(tables, found)], unfollowable: found.unfollowable };
}
