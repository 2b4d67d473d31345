/**
 * The searches that the service offers, as data. The route table has their paths and permissions.
 */

import type { Resource } from '../../../tables/definition/definition.ts';
import { defineView } from '../../../tables/definition/view.ts';
import { auditRecords } from './auditRecords.ts';
import { projects } from './projects.ts';
import { schedules } from './schedules.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';

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
