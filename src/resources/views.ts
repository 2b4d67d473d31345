/**
 * The searches that the service offers, as data: the filters of its resource that each one takes,
 * and its additions to every request. The route table has their paths and permissions.
 */
import { auditRecords } from './auditRecords.ts';
import type { Resource } from './definition.ts';
import { projects } from './projects.ts';
import { schedules } from './schedules.ts';
import type { Scope } from './scope.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';

export interface SearchView<R extends Resource = Resource, K extends string = string> {
  /** Names the search in logs and metrics. */
  readonly name: string;
  readonly resource: R;
  /** The filters of the resource that this search takes; all others are unknown members. */
  readonly filters: readonly K[];
  /** Only rows of scope `project` that belong to the path's `:project_id`. */
  readonly withinProject?: true;
  /** Only rows that list the caller in this field, unless the caller is an admin. */
  readonly membersOnly?: string;
  /** The scopes that are searched when `filters.scope` is not given. */
  readonly defaultScopes?: readonly Scope[];
  /** Filters that apply to rows of scope `project` alone, and are ignored if the view has none. */
  readonly projectScopeOnly?: readonly K[];
}

function defineView<R extends Resource, K extends keyof R['filters'] & string>(
  view: SearchView<R, K>,
): SearchView<R, K> {
  return Object.freeze(view);
}

const everyFilter = <R extends Resource>(resource: R) =>
  Object.keys(resource.filters) as (keyof R['filters'] & string)[];

export const adminSchedules = defineView({
  name: 'admin schedules',
  resource: schedules,
  filters: everyFilter(schedules),
});

export const projectSchedules = defineView({
  name: 'project schedules',
  resource: schedules,
  filters: everyFilter(schedules),
  withinProject: true,
});

export const adminTasks = defineView({
  name: 'admin tasks',
  resource: tasks,
  filters: everyFilter(tasks),
  defaultScopes: ['system', 'project'],
  projectScopeOnly: ['project_name'],
});

export const projectTasks = defineView({
  name: 'project tasks',
  resource: tasks,
  filters: ['q', 'user_email', 'routing_keys'],
  withinProject: true,
});

export const userSearch = defineView({
  name: 'users',
  resource: users,
  filters: everyFilter(users),
});

export const ownProjects = defineView({
  name: 'own projects',
  resource: projects,
  filters: everyFilter(projects),
  membersOnly: 'member_ids',
});

export const adminProjects = defineView({
  name: 'admin projects',
  resource: projects,
  filters: everyFilter(projects),
});

export const auditSearch = defineView({
  name: 'audit',
  resource: auditRecords,
  filters: everyFilter(auditRecords),
});
