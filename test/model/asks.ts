/** Searches, as data: a view, a caller, a body; and the plan that the service makes of them. */
import fc from 'fast-check';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import {
  adminProjects,
  adminSchedules,
  adminTasks,
  auditSearch,
  ownProjects,
  projectSchedules,
  projectTasks,
  userSearch,
} from '../../src/apps/admin/resources/views.ts';
import type { Filter, Resource, Use } from '../../src/tables/definition/definition.ts';
import type { SearchView, Viewer } from '../../src/tables/definition/view.ts';
import { textFields } from '../../src/tables/explore/askable.ts';
import { type ExploreBody, parseExplore } from '../../src/tables/explore/body.ts';
import {
  type ParsedSearch,
  type ParseSettings,
  parseSearch,
} from '../../src/tables/query/parse.ts';
import type { Fold } from '../../src/textindex/index.ts';
import { uuid } from '../conformance/documents.ts';
import { IDENTIFIERS, TERMS } from './values.ts';

interface ViewAt {
  readonly view: SearchView;
  readonly path: (projectId: string) => string;
}

const at = (view: SearchView, path: ViewAt['path']): ViewAt => ({ view, path });

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
  /** The caller of own projects. */
  readonly memberId: number;
  readonly body: Body;
  /** The members that an explore adds to the body. */
  readonly explore?: Explored;
  /** Whether it goes over HTTP; otherwise the test calls the search itself. */
  readonly http: boolean;
}

type Explored = Pick<ExploreBody, 'select' | 'baseline' | 'facets' | 'histogram'>;

interface Body {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly pagination: { readonly page: number; readonly per_page: number };
  readonly sorting: { readonly sort_by: string; readonly sort_order: 'asc' | 'desc' };
}

export const pathOf = ({ view, projectId, explore }: Ask): string =>
  `${VIEWS[view].path(projectId)}${explore ? '/explore' : ''}`;
export const bodyOfAsk = ({ body, explore }: Ask): object => ({ ...body, ...explore });
export const viewOf = ({ view }: Ask): SearchView => VIEWS[view].view;
/** Whether the caller is not an admin. */
export const isMember = ({ view }: Ask): boolean => view === 'own projects';

export const viewer = (admin: boolean, memberId: number, projectId: string): Viewer => ({
  ...{ admin, sub: String(memberId), claims: {} },
  params: { project_id: projectId },
});
export const ANY_ADMIN = viewer(true, 1, uuid(1));

const catalogue = taskCatalogue();
export const MAX_PER_PAGE = 100;

export const parseSettings = (fold: Fold): ParseSettings => ({
  labels: catalogue.labels,
  fold: (text) => fold.fold(text),
  maxPerPage: MAX_PER_PAGE,
});

export function planOf(one: Ask, fold: Fold): ParsedSearch {
  const rest = [
    bodyOfAsk(one) as never,
    viewer(!isMember(one), one.memberId, one.projectId),
    parseSettings(fold),
  ] as const;
  return one.explore ? parseExplore(viewOf(one), ...rest) : parseSearch(viewOf(one), ...rest);
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
    case 'labelled':
      return fc.subarray(catalogue.types.slice(0, 5).map(({ routingKey }) => routingKey));
    case 'exact':
    case 'matchMode':
      return fc.oneof(term, fc.constantFrom('en', 'ana@mail.test', 'Apollo', 'task', '1'));
    default:
      return term;
  }
}

function filtersOf({ filters, resource, sameAsPath = {} }: SearchView): fc.Arbitrary<object> {
  const names = filters.filter((name) => !sameAsPath[name]);
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

const DAY = 86_400_000;
/** Days around those that documents have. */
const day = fc.integer({ min: -1, max: 7 }).map((n) => Date.UTC(2026, 0, 1 + n));
const value = fc.oneof(
  fc.constantFrom<string | number | boolean | null>(null, true, false, 0, 7, 'ana', 'Apollo'),
  fc.constantFrom('housekeeping', 'FAILURE', 'SUCCESS', 'project', 'en', ...IDENTIFIERS),
);

function exploredOf({ resource }: SearchView): fc.Arbitrary<Explored> {
  const having = (...uses: readonly Use[]) => fieldsOf(resource, uses);
  const facets = having('facet');
  const ranges = having('range');
  const dates = ranges.filter((name) => expectOf(resource, name) === 'date');
  const among = fc
    .tuple(
      fc.constantFrom(...facets),
      fc.array(value, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('in', 'not_in'),
    )
    .map(([field, values, form]) => ({ field, [form]: values }));
  const within = fc.tuple(fc.constantFrom(...ranges), day).map(([field, from]) => {
    if (expectOf(resource, field) === 'number') return { field, from: 1, to: 8 };
    return { field, from: iso(from), to: iso(from + 3 * DAY) };
  });
  const text = term.filter((one) => one.trim() !== '');
  const texts = textFields(resource);
  const found = fc
    .tuple(fc.constantFrom('text', 'not_text', 'contains', 'not_contains'), text)
    .chain(([form, one]) =>
      form.includes('text')
        ? fc.constant({ [form]: one })
        : fc.constantFrom(...texts).map((field) => ({ field, [form]: one })),
    );
  const single = fc.oneof(among, within, texts.length > 0 ? found : among);
  const any = fc.array(single, { minLength: 2, maxLength: 3 }).map((parts) => ({ any: parts }));
  const conditions = fc.array(fc.oneof({ weight: 4, arbitrary: single }, any), { maxLength: 2 });
  const facet = fc.record(
    {
      field: fc.constantFrom(...facets),
      limit: fc.constantFrom(1, 3, 1000),
      contains: text,
      by: fc.constantFrom(...facets),
    },
    { requiredKeys: ['field'] },
  );
  return fc.record(
    {
      select: conditions,
      baseline: conditions,
      facets: fc.uniqueArray(facet, { maxLength: 3, selector: ({ field }) => field }),
      histogram: fc.record(
        {
          field: fc.constantFrom(...dates),
          time_zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
          from: day.map(iso),
          by: fc.constantFrom(...facets),
        },
        { requiredKeys: ['field'] },
      ),
    },
    { requiredKeys: [] },
  );
}

const iso = (ms: number) => new Date(ms).toISOString();

const fieldsOf = ({ fields }: Resource, uses: readonly Use[]): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'stored' && uses.some((use) => field.uses.includes(use)) ? [name] : [],
  );

function expectOf({ fields }: Resource, name: string): string | undefined {
  const field = fields[name];
  return field?.kind === 'stored' ? field.expect : undefined;
}

/** Any search, or explore. */
export const ask: fc.Arbitrary<Ask> = fc
  .constantFrom(...(Object.keys(VIEWS) as ViewName[]))
  .chain((view) =>
    fc.record({
      view: fc.constant(view),
      projectId: fc.constantFrom(...IDENTIFIERS.slice(0, 3)),
      memberId: fc.integer({ min: 1, max: 9 }),
      body: bodyOf(VIEWS[view].view),
      explore: fc.option(exploredOf(VIEWS[view].view), { nil: undefined }),
      http: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    }),
  )
  .map(({ explore, ...one }) => ({ ...one, ...(explore && { explore }) }));

/** Everything there is, in one order and the other: a life ends with these searches. */
export function everything(): Ask[] {
  return (Object.keys(VIEWS) as ViewName[]).map((view, position) => {
    const sorting = {
      sort_by: VIEWS[view].view.resource.sorts.at(-1)!,
      sort_order: position % 2 === 0 ? ('asc' as const) : ('desc' as const),
    };
    const body = { filters: {}, pagination: { page: 1, per_page: 100 }, sorting };
    const facets = fieldsOf(VIEWS[view].view.resource, ['facet']).map((field) => ({ field }));
    const explore = { facets };
    return { view, projectId: IDENTIFIERS[0]!, memberId: 1, body, explore, http: false };
  });
}
