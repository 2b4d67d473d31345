/** The tables of the definition file as an application: the token's roles decide, by grants. */
import type { OwnTable } from '../../tables/file/index.ts';
import { WholeDocuments } from '../../tables/rows/wholeDocument.ts';
import type { Application } from '../application.ts';
import { TABLES_REFERENCE } from './described.ts';
import { Grants } from './grants.ts';
import type { Has } from './list.ts';
import { tableRoutes } from './routes.ts';

export function ownTables(tables: readonly OwnTable[], has: Has): Application {
  const grants = new Grants(tables);
  return {
    resources: Object.fromEntries(tables.map(({ resource }) => [resource.name, resource])),
    labels: {},
    databaseIndexes: {},
    reference: TABLES_REFERENCE,
    pages: ['/tables/:table'],
    grants,
    sees: (principal, table) => grants.of(principal, table) !== undefined,
    routes: (engine) =>
      tableRoutes({
        ...{ ...engine, grants, has },
        documents: new WholeDocuments(engine.store.db, engine.search),
      }),
  };
}
