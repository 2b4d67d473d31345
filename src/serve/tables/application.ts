/** The tables of the definition file as an application: the token's roles decide, by grants. */
import type { DatabaseIndex, DatabaseIndexes } from '../../store/indexes.ts';
import type { OwnTable } from '../../tables/file/index.ts';
import { WholeDocuments } from '../../tables/rows/wholeDocument.ts';
import type { Application } from '../application.ts';
import { TABLES_REFERENCE } from './described.ts';
import { Grants } from './grants.ts';
import type { Has } from './list.ts';
import { tableRoutes } from './routes.ts';

/** @param indexed whether the store gets a database index for the order of each table */
export function ownTables(tables: readonly OwnTable[], has: Has, indexed: boolean): Application {
  const grants = new Grants(tables);
  return {
    resources: Object.fromEntries(tables.map(({ resource }) => [resource.name, resource])),
    labels: {},
    databaseIndexes: indexed ? orderIndexes(tables) : {},
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

/** For the order in which a table is shown first; the store has one for keys. */
function orderIndexes(tables: readonly OwnTable[]): DatabaseIndexes {
  const indexes: Record<string, DatabaseIndex[]> = {};
  for (const { resource, defaultSort } of tables) {
    const field = resource.fields[defaultSort.by];
    if (field?.kind !== 'stored' || field.path === '_id') continue;
    const direction = defaultSort.descending ? -1 : 1;
    const index: DatabaseIndex = {
      key: { [field.path]: direction, _id: direction },
      forPipelines: true,
    };
    indexes[resource.collection] = [...(indexes[resource.collection] ?? []), index];
  }
  return indexes;
}
