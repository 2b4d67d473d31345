/** Searches, as data: a view, who asks, a body; and the plan that the service makes of them. */
import fc from 'fast-check';
import {
  type ParsedSearch,
  type ParseSettings,
  parseSearch,
  type Visibility,
} from '../../src/query/parse.ts';
import type { Filter } from '../../src/resources/definition.ts';
import { taskCatalogue } from '../../src/resources/taskTypes.ts';
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
} from '../../src/resources/views.ts';
import type { Fold } from '../../src/textindex/index.ts';
import { uuid } from '../conformance/documents.ts';
import { IDENTIFIERS, TERMS } from './values.ts';

interface ViewAt {
  readonly view: SearchView;
  readonly path: (projectId: string) => string;
}

const at = (view: unknown, path: (projectId: string) => string): ViewAt => ({
  view: view as SearchView,
  path,
});

export const VIEWS = {
  tasks: at(adminTasks, () => '/api/v2/admin/tasks/search'),
  'project tasks': at(projectTasks, (id) => `/api/v2/projects/${id}/tasks/search`),
  schedules: at(adminSchedules, () => '/api/v2/admin/schedules/search'),
  'project schedules': at(projectSchedules, (id) => `/api/v2/projects/${id}/schedules/search`),
  users: at(userSearch, () => '/api/v2/users/search'),
  projects: at(adminProjects, () => '/api/v2/admin/projects/search'),
  'own projects': at(ownProjects, () => '/api/v2/projects/search'),
  audit: at(auditSearch, () => '/api/v2/admin/audit/search'),
} as const;
export type ViewName = keyof typeof VIEWS;

export interface Ask {
  readonly view: ViewName;
  /** The path's project, where there is one. */
  readonly projectId: string;
  /** Who asks for own projects. */
  readonly memberId: number;
  readonly body: Body;
  /** Over HTTP, or of the search itself. */
  readonly http: boolean;
}

interface Body {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly pagination: { readonly page: number; readonly per_page: number };
  readonly sorting: { readonly sort_by: string; readonly sort_order: 'asc' | 'desc' };
}

export const pathOf = ({ view, projectId }: Ask): string => VIEWS[view].path(projectId);
export const viewOf = ({ view }: Ask): SearchView => VIEWS[view].view;
/** Whether the caller is not an admin. */
export const isMember = ({ view }: Ask): boolean => view === 'own projects';

function visibilityOf(one: Ask): Visibility {
  if (viewOf(one).withinProject) return { projectId: one.projectId };
  return isMember(one) ? { memberId: one.memberId } : { all: true };
}

const catalogue = taskCatalogue();
export const MAX_PER_PAGE = 100;

export const parseSettings = (fold: Fold): ParseSettings => ({
  catalogue,
  fold: (text) => fold.fold(text),
  maxPerPage: MAX_PER_PAGE,
});

export function planOf(one: Ask, fold: Fold): ParsedSearch {
  const view = viewOf(one);
  return parseSearch(view, one.body as never, visibilityOf(one), parseSettings(fold));
}

const term = fc.constantFrom(...TERMS);

function valueFor(filter: Filter): fc.Arbitrary<unknown> {
  switch (filter.kind) {
    case 'id':
      return fc.integer({ min: 1, max: 9 }).map(uuid);
    case 'integer':
      return fc.integer({ min: -3, max: 9 });
    case 'boolean':
    case 'option':
      return fc.boolean();
    case 'enum':
    case 'choice':
      return fc.constantFrom(...filter.values);
    case 'routingKeys':
      return fc.subarray(catalogue.types.slice(0, 5).map(({ routingKey }) => routingKey));
    case 'exact':
    case 'matchMode':
      return fc.oneof(term, fc.constantFrom('en', 'ana@mail.test', 'Apollo', 'task', '1'));
    default:
      return term;
  }
}

function filtersOf({ filters, resource, withinProject }: SearchView): fc.Arbitrary<object> {
  const names = filters.filter((name) => {
    const repeatsPath = name === 'project_id' || name === 'scope';
    return !(withinProject && repeatsPath);
  });
  const one = (name: string) =>
    fc.oneof(
      { weight: name === 'q' ? 2 : 6, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: valueFor(resource.filters[name]!) },
    );
  return fc
    .record(Object.fromEntries(names.map((name) => [name, one(name)])))
    .map((all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    );
}

const bodyOf = (view: SearchView): fc.Arbitrary<Body> =>
  fc.record({
    filters: filtersOf(view) as fc.Arbitrary<Readonly<Record<string, unknown>>>,
    pagination: fc.record({
      page: fc.constantFrom(1, 1, 1, 2, 3, 99),
      per_page: fc.constantFrom(0, 1, 3, 10, 100),
    }),
    sorting: fc.record({
      sort_by: fc.constantFrom(...view.resource.sorts),
      sort_order: fc.constantFrom('asc' as const, 'desc' as const),
    }),
  });

/** Any search. */
export const ask: fc.Arbitrary<Ask> = fc
  .constantFrom(...(Object.keys(VIEWS) as ViewName[]))
  .chain((view) =>
    fc.record({
      view: fc.constant(view),
      projectId: fc.constantFrom(...IDENTIFIERS.slice(0, 3)),
      memberId: fc.integer({ min: 1, max: 9 }),
      body: bodyOf(VIEWS[view].view),
      http: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    }),
  );

/** Everything there is, in one order and the other: what a life ends with. */
export function everything(): Ask[] {
  return (Object.keys(VIEWS) as ViewName[]).map((view, position) => {
    const sorting = {
      sort_by: VIEWS[view].view.resource.sorts.at(-1)!,
      sort_order: position % 2 === 0 ? ('asc' as const) : ('desc' as const),
    };
    const body = { filters: {}, pagination: { page: 1, per_page: 100 }, sorting };
    return { view, projectId: IDENTIFIERS[0]!, memberId: 1, body, http: false };
  });
}
