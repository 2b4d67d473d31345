/** A look at a database: the tables that can be made of it, or what became of those that were. */
import type { Db } from 'mongodb';
import type { DescribedTable } from '../file/index.ts';
import { driftOf } from './drift.ts';
import type { Finding } from './finding.ts';
import { findLinks } from './links.ts';
import { type Survey, type SurveyOptions, survey } from './survey.ts';
import { type Drafts, draftTables } from './tables.ts';

export type { Finding } from './finding.ts';
export { revealingGrants as checkGrants } from './grants.ts';
export { updateTables } from './update.ts';
export { writeTables } from './write.ts';

export interface Look {
  readonly survey: Survey;
  readonly drafts: Drafts;
}

/** @throws the driver's error if the store cannot be reached, or its collections may not be listed */
export async function look(db: Db, options: SurveyOptions): Promise<Look> {
  const found = await survey(db, options);
  return { survey: found, drafts: draftTables(found, await findLinks(db, found)) };
}

/** Compares tables with their collections. @throws as `look` does */
export async function checkData(
  db: Db,
  tables: readonly DescribedTable[],
): Promise<{ readonly findings: readonly Finding[]; readonly unfollowable: string | null }> {
  const only = [...new Set(tables.map(({ collection }) => collection))];
  const found = await survey(db, { only });
  return { findings: driftOf(tables, found), unfollowable: found.unfollowable };
}
