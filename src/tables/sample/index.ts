/** A look at a database, and the tables that can be made of it. */
import type { Db } from 'mongodb';
import { findLinks } from './links.ts';
import { type Survey, type SurveyOptions, survey } from './survey.ts';
import { type Drafts, draftTables } from './tables.ts';

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
