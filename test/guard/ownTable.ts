/** The own table that is attacked, and the claims of callers who see a part of it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SearchView } from '../../src/tables/definition/view.ts';
import { readTablesFile } from '../../src/tables/file/index.ts';

export const DEFINITION = path.join(import.meta.dirname, 'tables.yaml');
export const OWN = '/api/v2/tables/jobs';

const read = readTablesFile(readFileSync(DEFINITION, 'utf8'));
if ('problems' in read) throw new Error(JSON.stringify(read.problems));

/** As members see it. */
export const memberView: SearchView = read.tables[0]!.grants[1]!.view;

/** Sees the rows of one project, without the hidden fields. */
export const memberOf = (project: string) => ({ roles: ['member'], project });
