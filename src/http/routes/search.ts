/** The search routes: validate, one call, present. */
import { invariant } from '../../errors.ts';
import { printTime } from '../../mongo/clusterTime.ts';
import type { Deadline } from '../../mongo/deadline.ts';
import { type ParseSettings, parseSearch, type Visibility } from '../../query/parse.ts';
import { compileBody } from '../../query/schema.ts';
import type { Resource } from '../../resources/definition.ts';
import {
  adminProjects,
  adminSchedules,
  adminTasks,
  auditSearch,
  ownProjects,
  projectSchedules,
  projectTasks,
  type SearchView,
  userSearch,
} from '../../resources/views.ts';
import type { Answer, Search } from '../../search/search.ts';
import { RecordJson } from '../recordJson.ts';
import type { Permission, Route, RouteContext } from '../route.ts';

export interface SearchServices {
  readonly search: Search;
  /** The settings of parsing; the fold comes from the connected server and may have to be asked. */
  readonly parseSettings: (deadline: Deadline) => Promise<ParseSettings>;
}

/** The searches: where each view stands and who may call it. */
export function searchRoutes(services: SearchServices): Route[] {
  const route = <R extends Resource, K extends string>(
    path: string,
    permission: Permission,
    view: SearchView<R, K>,
  ) => searchRoute(path, permission, view, services);
  return [
    route('/api/v2/admin/schedules/search', 'admin', adminSchedules),
    route('/api/v2/projects/:project_id/schedules/search', 'project', projectSchedules),
    route('/api/v2/admin/tasks/search', 'admin', adminTasks),
    route('/api/v2/projects/:project_id/tasks/search', 'project', projectTasks),
    route('/api/v2/users/search', 'user', userSearch),
    route('/api/v2/projects/search', 'user', ownProjects),
    route('/api/v2/admin/projects/search', 'admin', adminProjects),
    route('/api/v2/admin/audit/search', 'admin', auditSearch),
  ];
}

function searchRoute<R extends Resource, K extends string>(
  path: string,
  permission: Permission,
  view: SearchView<R, K>,
  { search, parseSettings }: SearchServices,
): Route {
  // Whoever may use the path may see what the view shows: of the project alone, or of all.
  invariant((permission === 'project') === (view.withinProject === true), `${path}: its rows`);
  const validate = compileBody(view);
  const records = new RecordJson(view.resource.record);
  return {
    method: 'POST',
    path,
    permission,
    cost: 'search',
    body: 'json',
    async handle(ctx) {
      const started = performance.now();
      const body = validate(ctx.request.body);
      const settings = await parseSettings(ctx.state.deadline);
      const parsed = parseSearch(view, body, visibilityOf(view, ctx), settings);
      const planMs = performance.now() - started;
      const answer = await search.run(parsed.plan, ctx.state.deadline, ctx.state.holdings.caller);
      const context = { catalogue: settings.catalogue, options: parsed.options };
      ctx.state.search = { view: view.name, route: answer.route };
      ctx.set(searchHeaders(answer, planMs));
      const meta = {
        pagination: paginationOf(answer, parsed.plan.perPage),
        sorting: parsed.sorting,
        applied_filters: parsed.applied,
      };
      ctx.type = 'application/json';
      ctx.body = records.answer(answer.rows, context, meta);
    },
  };
}

function visibilityOf(
  view: Pick<SearchView, 'withinProject' | 'membersOnly'>,
  { params, state }: RouteContext,
): Visibility {
  if (view.withinProject) return { projectId: params.project_id! };
  const { admin, userId } = state.principal;
  return view.membersOnly !== undefined && !admin ? { memberId: userId } : { all: true };
}

function searchHeaders({ route, asOf, timing }: Answer, planMs: number): Record<string, string> {
  const duration = (name: string, ms: number) => `${name};dur=${ms.toFixed(3)}`;
  return {
    'Search-Route': route,
    'Search-As-Of': printTime(asOf),
    'Server-Timing': [
      duration('plan', planMs),
      duration('search', timing.searchMs),
      duration('rows', timing.rowsMs),
    ].join(', '),
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
