/**
 * The routes of tables from the definition file: one path each, and behind it a handler for each
 * grant, made when it is first asked for.
 *
 *     {table}, roles ──▶ the first grant ──▶ its view's own search, explore, explain or export
 *
 * A table without a grant for the caller is no table: the same 404, before anything of it is used.
 */
import { invariant } from '../../errors.ts';
import type { WholeDocuments } from '../../tables/rows/wholeDocument.ts';
import type { Permission, Route } from '../route.ts';
import { explainRoute } from '../routes/explain.ts';
import { exploreRoute } from '../routes/explore.ts';
import { exportRoute } from '../routes/export.ts';
import { searchRoute } from '../routes/search.ts';
import type { SearchServices } from '../searching.ts';
import { GENERAL, type Kind } from './described.ts';
import { documentRoute } from './document.ts';
import type { Granted, Grants } from './grants.ts';
import { type ListServices, listRoute } from './list.ts';

export interface TableServices extends SearchServices, ListServices {
  readonly grants: Grants;
  readonly documents: WholeDocuments;
}

const MAKE = { search: searchRoute, explore: exploreRoute, export: exportRoute } as const;
const PERMISSIONS: Readonly<Record<Kind, Permission>> = {
  ...{ search: 'table', explore: 'table', export: 'table', explain: 'whole table' },
};
const KINDS = Object.keys(GENERAL) as readonly Kind[];

const pathOf = (table: string, kind: Kind) =>
  `/api/v2/tables/${table}/search${kind === 'search' ? '' : `/${kind}`}`;

/** For everyone, with `{table}` in their paths. */
export function tableRoutes(services: TableServices): readonly Route[] {
  const { grants, documents } = services;
  return [
    listRoute(services),
    ...KINDS.map((kind) => dispatching(kind, services)),
    documentRoute(grants, documents, services),
  ];
}

function dispatching(kind: Kind, services: TableServices): Route {
  const made = new WeakMap<Granted, Route>();
  const routeOf = (granted: Granted): Route => {
    const route = made.get(granted) ?? make(granted, kind, services);
    made.set(granted, route);
    return route;
  };
  return {
    ...GENERAL[kind],
    path: pathOf(':table', kind),
    permission: PERMISSIONS[kind],
    forCaller: (caller) =>
      services.grants
        .allOf(caller)
        .filter(({ isWhole }) => kind !== 'explain' || (isWhole && caller.admin))
        .map(routeOf),
    handle(ctx) {
      const granted = services.grants.of(ctx.state.principal, ctx.params.table!);
      invariant(granted, 'the router asks for the grant before');
      return routeOf(granted).handle(ctx);
    },
  };
}

function make({ table, grant: { view } }: Granted, kind: Kind, services: TableServices): Route {
  const path = pathOf(table.name, 'search');
  const permission = PERMISSIONS[kind];
  return kind === 'explain'
    ? explainRoute(path, permission, view, services)
    : MAKE[kind](path, permission, view, services);
}
