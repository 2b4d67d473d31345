/** The tables of the definition file as an application: the token's roles decide, by grants. */

import { invariant } from '../../errors.ts';
import type { DatabaseIndex, DatabaseIndexes } from '../../store/indexes.ts';
import type { OwnTable } from '../../tables/file/index.ts';
import type { Application, Engine } from '../application.ts';
import type { Permission, Route } from '../route.ts';
import { explainRoute } from '../routes/explain.ts';
import { exploreRoute } from '../routes/explore.ts';
import { exportRoute } from '../routes/export.ts';
import { searchRoute } from '../routes/search.ts';
import { KINDS, type Kind } from '../searching.ts';
import { GENERAL, TABLES_REFERENCE } from './described.ts';
import { documentRoute } from './document.ts';
import { type Granted, Grants } from './grants.ts';
import { type Has, listRoute } from './list.ts';

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
    routes: (engine) => tableRoutes(engine, grants, has),
  };
}

/** For the order in which a table is shown first; the store has one for keys. */
function orderIndexes(tables: readonly OwnTable[]): DatabaseIndexes {
  const indexes: Record<string, DatabaseIndex[]> = {};
  for (const { resource, sort } of tables) {
    const field = resource.fields[sort.by];
    if (field?.kind !== 'stored' || field.path === '_id') continue;
    const direction = sort.descending ? -1 : 1;
    const index: DatabaseIndex = {
      key: { [field.path]: direction, _id: direction },
      forPipelines: true,
      onceThere: true,
    };
    indexes[resource.collection] = [...(indexes[resource.collection] ?? []), index];
  }
  return indexes;
}

const MAKE = {
  ...{ search: searchRoute, explore: exploreRoute, explain: explainRoute, export: exportRoute },
};
const PERMISSIONS: Readonly<Record<Kind, Permission>> = {
  ...{ search: 'table', explore: 'table', export: 'table', explain: 'whole table' },
};

const pathOf = (table: string, kind: Kind) =>
  `/api/v2/tables/${table}/search${kind === 'search' ? '' : `/${kind}`}`;

/**
 * The routes of tables from the definition file: one path each, and behind it a handler for each
 * grant, made at its first request.
 *
 *     {table}, roles ──▶ the first grant ──▶ its view's own search, explore, explain or export
 *
 * A table without a grant for the caller is no table: the same 404, before anything of it is used.
 */
function tableRoutes(engine: Engine, grants: Grants, has: Has): readonly Route[] {
  return [
    listRoute(grants, has, engine),
    ...Object.keys(KINDS).map((kind) => dispatching(kind as Kind, grants, engine)),
    documentRoute(grants, engine),
  ];
}

function dispatching(kind: Kind, grants: Grants, engine: Engine): Route {
  const made = new WeakMap<Granted, Route>();
  const routeOf = (granted: Granted): Route => {
    const route = made.get(granted) ?? make(granted, kind, engine);
    made.set(granted, route);
    return route;
  };
  return {
    ...GENERAL[kind],
    path: pathOf(':table', kind),
    permission: PERMISSIONS[kind],
    forCaller: (caller) =>
      grants
        .allOf(caller)
        .filter(({ isWhole }) => kind !== 'explain' || (isWhole && caller.admin))
        .map(routeOf),
    handle(ctx) {
      const granted = grants.of(ctx.state.principal, ctx.params.table!);
      invariant(granted, 'the router asks for the grant before');
      return routeOf(granted).handle(ctx);
    },
  };
}

const make = ({ table, grant: { view } }: Granted, kind: Kind, engine: Engine): Route =>
  MAKE[kind](pathOf(table.name, 'search'), PERMISSIONS[kind], view, engine);
