/** The common parts of all routes that search: the call, the headers, the meta of an answer. */

import type { ProblemCode } from '../errors.ts';
import { ageHeader, printTime } from '../store/clusterTime.ts';
import type { Deadline } from '../store/deadline.ts';
import type { Resource } from '../tables/definition/definition.ts';
import { COUNT, fullObject, type JsonSchema } from '../tables/definition/jsonSchema.ts';
import { recordSchema } from '../tables/definition/record.ts';
import type { SearchView, Viewer } from '../tables/definition/view.ts';
import type { ParsedSearch, ParseSettings } from '../tables/query/parse.ts';
import type { Plan } from '../tables/query/plan.ts';
import { appliedSchema, recordName, typeName } from '../tables/query/schema.ts';
import type { AllRowsReader } from '../tables/rows/allRows.ts';
import type { Explainer } from '../tables/search/explainer.ts';
import type { Answer, Search } from '../tables/search/search.ts';
import { type AnsweredPage, type PageServices, pageBody } from './answer/pages.ts';
import type { Principal } from './auth/principal.ts';
import type { HeaderName } from './description.ts';
import type { Watches } from './live/watches.ts';
import type { Permission, Route, RouteContext } from './route.ts';

export interface SearchServices extends PageServices {
  readonly search: Search;
  readonly explainer: Explainer;
  readonly allRows: AllRowsReader;
  readonly watches: Watches;
  /** The settings of parsing; the fold comes from the connected server and may have to be asked. */
  readonly parseSettings: (deadline: Deadline) => ParseSettings | Promise<ParseSettings>;
}

const ASKED = { method: 'POST', cost: 'search', body: 'json', query: 'ignored' } as const;

/** The router's part of each kind of route that searches. */
export const KINDS = {
  search: { ...ASKED, fromMemory: true },
  explore: { ...ASKED, fromMemory: true },
  explain: ASKED,
  export: { ...ASKED, cost: 'export', body: 'jsonOrForm' },
} as const satisfies Readonly<Record<string, Partial<Route>>>;

export type Kind = keyof typeof KINDS;

/** The caller and the path of a request, as views see them. */
export function viewerOf({ params, state }: RouteContext): Viewer {
  const { sub, admin, claims } = state.principal;
  return { sub, admin, claims, params };
}

/** When a handler began, by `performance.now()`, and how long it planned, milliseconds. */
export interface Begun {
  readonly startedMs: number;
  readonly planMs: number;
}

/** A request that has been planned. */
export interface Planned extends Begun {
  readonly plan: Plan;
  /** Rights and headers depend on both. */
  readonly permission: Permission;
  readonly view: Pick<SearchView, 'rows'>;
  /** As metrics name it. */
  readonly name: string;
  page(answer: Answer): AnsweredPage;
}

/** Searches, and answers with the page. Throws as the search does, and as reading large rows does. */
export async function answerSearch(
  ctx: RouteContext,
  { plan, permission, view, name, page, ...begun }: Planned,
  services: SearchServices,
): Promise<void> {
  const { deadline, holdings, principal, confirmRights } = ctx.state;
  const answer = await services.search.run(plan, deadline, holdings.caller, confirmRights);
  ctx.state.search = { view: name, route: answer.route, silentMs: answer.silentMs };
  ctx.state.trace?.searched(begun.startedMs, begun.planMs, answer.timing);
  ctx.body = await pageBody(ctx, permission, page(answer), services);
  ctx.set(searchHeaders(answer, begun, principal, permission, view));
  ctx.type = 'application/json';
}

/**
 * The route that answered, the answer's moment, and its age while the store is away. Durations tell
 * of foreign rows. So they are for admins alone, and of own tables only where the view restricts no
 * rows. Call it when the answer's bytes are made, or begin to come.
 */
export function searchHeaders(
  { route, asOf, timing, silentMs }: Answer,
  { startedMs, planMs }: Begun,
  { admin }: Principal,
  permission: Permission,
  view: Pick<SearchView, 'rows'>,
): Record<string, string> {
  const headers: Record<string, string> = {
    'Search-Route': route,
    'Search-As-Of': printTime(asOf),
    ...ageHeader(silentMs),
  };
  if (!admin || (permission === 'table' && view.rows)) return headers;
  const total = performance.now() - startedMs;
  const parts = { plan: planMs, search: timing.searchMs, rows: timing.rowsMs, total };
  headers['Server-Timing'] = Object.entries(parts)
    .map(([name, ms]) => `${name};dur=${ms.toFixed(3)}`)
    .join(', ');
  return headers;
}

/** The meta of an answer; `more`: its last members. */
export function metaOf(
  { total, page }: Answer,
  { plan: { perPage }, sorting, applied }: ParsedSearch,
  more: object,
) {
  const pages = Math.ceil(total / perPage);
  return {
    pagination: {
      ...{ total_items: total, total_pages: pages, current_page: page, per_page: perPage },
      next_page_num: page < pages ? page + 1 : null,
      prev_page_num: page > 1 ? page - 1 : null,
    },
    ...{ sorting, applied_filters: applied, ...more },
  };
}

const PAGE_OR_NULL: JsonSchema = { type: ['integer', 'null'], minimum: 1 };
const PAGINATION: JsonSchema = {
  title: 'Pagination',
  ...fullObject({
    total_items: COUNT,
    total_pages: COUNT,
    current_page: { type: 'integer', minimum: 1 },
    per_page: { type: 'integer', minimum: 1 },
    next_page_num: PAGE_OR_NULL,
    prev_page_num: PAGE_OR_NULL,
  }),
};

/** The schema of what `metaOf` makes. */
export const metaSchema = (view: SearchView): Readonly<Record<string, JsonSchema>> => ({
  pagination: PAGINATION,
  sorting: fullObject({
    sort_by: { enum: view.resource.sorts },
    sort_order: { enum: ['asc', 'desc'] },
  }),
  applied_filters: { title: `${typeName(view)}Applied`, ...appliedSchema(view) },
});

/** The type of a resource's records in the reference: `Order`. */
export const recordType = (resource: Resource): JsonSchema => ({
  title: recordName(resource),
  ...recordSchema(resource.record),
});

export const SEARCH_HEADERS: readonly HeaderName[] = [
  'Search-Route',
  'Search-As-Of',
  'Age',
  'Server-Timing',
];

/** The problems of a search route, besides those of every route. */
export function refusalsOf(view: SearchView): ProblemCode[] {
  const filters = view.filters.map((name) => view.resource.filters[name]!);
  const invalid = filters.flatMap((filter) => ('invalid' in filter ? (filter.invalid ?? []) : []));
  const mismatches = Object.values(view.sameAsPath ?? {}).map((mismatch) => mismatch!.code);
  return ['IndexLoading', ...new Set(invalid), ...mismatches];
}
