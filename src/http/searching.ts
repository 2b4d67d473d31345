/** What all routes that search have in common: the call, the headers, the meta of an answer. */
import type { Principal } from '../auth/principal.ts';
import { printTime } from '../mongo/clusterTime.ts';
import type { Deadline } from '../mongo/deadline.ts';
import type { ParsedSearch, ParseSettings, Visibility } from '../query/parse.ts';
import type { SearchView } from '../resources/views.ts';
import type { AllRowsReader } from '../search/allRows.ts';
import type { Answer, Search } from '../search/search.ts';
import type { RouteContext } from './route.ts';

export interface SearchServices {
  readonly search: Search;
  readonly allRows: AllRowsReader;
  /** The settings of parsing; the fold comes from the connected server and may have to be asked. */
  readonly parseSettings: (deadline: Deadline) => Promise<ParseSettings>;
}

/** What the caller may see of a view: of the project alone, of their own, or all. */
export function visibilityOf(
  view: Pick<SearchView, 'withinProject' | 'membersOnly'>,
  { params, state }: RouteContext,
): Visibility {
  if (view.withinProject) return { projectId: params.project_id! };
  const { admin, userId } = state.principal;
  return view.membersOnly !== undefined && !admin ? { memberId: userId } : { all: true };
}

/** What answered, and as of when; durations for admins alone, since they tell of foreign rows. */
export function searchHeaders(
  { route, asOf, timing }: Answer,
  planMs: number,
  { admin }: Principal,
): Record<string, string> {
  const headers = { 'Search-Route': route, 'Search-As-Of': printTime(asOf) };
  if (!admin) return headers;
  const duration = (name: string, ms: number) => `${name};dur=${ms.toFixed(3)}`;
  const durations = [
    duration('plan', planMs),
    duration('search', timing.searchMs),
    duration('rows', timing.rowsMs),
  ];
  return { ...headers, 'Server-Timing': durations.join(', ') };
}

export function metaOf(answer: Answer, { plan, sorting, applied }: ParsedSearch) {
  return {
    pagination: paginationOf(answer, plan.perPage),
    sorting,
    applied_filters: applied,
  };
}

function paginationOf({ total, page }: Answer, perPage: number) {
  const pages = Math.ceil(total / perPage);
  return {
    total_items: total,
    total_pages: pages,
    current_page: page,
    per_page: perPage,
    next_page_num: page < pages ? page + 1 : null,
    prev_page_num: page > 1 ? page - 1 : null,
  };
}
