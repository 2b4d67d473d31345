/** The searches of the service as the benches ask them: path, view, and a question to one of them. */

import type { SearchView } from '../src/tables/definition/view.ts';
import { product } from './product.ts';

const views = await product<typeof import('../src/apps/admin/resources/views.ts')>(
  'apps/admin/resources/views',
);

export type SearchName =
  | 'admin schedules'
  | 'project schedules'
  | 'admin tasks'
  | 'project tasks'
  | 'users'
  | 'own projects'
  | 'admin projects';

interface SearchUnderTest {
  readonly view: SearchView;
  readonly path: (projectId: string) => string;
}

const under = (view: SearchView, path: SearchUnderTest['path']): SearchUnderTest => ({
  view,
  path,
});

export const SEARCHES: Readonly<Record<SearchName, SearchUnderTest>> = {
  'admin schedules': under(views.adminSchedules, () => '/api/v2/admin/schedules/search'),
  'project schedules': under(
    views.projectSchedules,
    (id) => `/api/v2/projects/${id}/schedules/search`,
  ),
  'admin tasks': under(views.adminTasks, () => '/api/v2/admin/tasks/search'),
  'project tasks': under(views.projectTasks, (id) => `/api/v2/projects/${id}/tasks/search`),
  users: under(views.userSearch, () => '/api/v2/users/search'),
  'own projects': under(views.ownProjects, () => '/api/v2/projects/search'),
  'admin projects': under(views.adminProjects, () => '/api/v2/admin/projects/search'),
};

/** Filters, pagination and sorting as a body has them. */
export interface Body {
  readonly filters?: Readonly<Record<string, string | readonly string[] | boolean>>;
  readonly pagination?: { readonly page: number };
  readonly sorting?: { readonly sort_by: string; readonly sort_order: 'asc' | 'desc' };
}

/** One request to one search. */
export interface Question {
  readonly search: SearchName;
  /** The project of the path. */
  readonly within?: string;
  /** The member who asks; an admin asks where it is left out. */
  readonly as?: number;
  readonly body: Body;
}
