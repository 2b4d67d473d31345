/**
 * The searches that the service offers, as data. The route table has their paths and permissions.
 */

import { invariant } from '../../../errors.ts';
import { ALL, and, equals } from '../../../tables/definition/predicate.ts';
import { defineView, type ShownRows, type Viewer } from '../../../tables/definition/view.ts';
import { auditRecords } from './auditRecords.ts';
import { projects } from './projects.ts';
import { schedules } from './schedules.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';

/** Rows of scope `project` that belong to the project of the path. */
export function ofPathsProject({ params: { project_id: id } }: Viewer): ShownRows {
  invariant(id !== undefined, 'the path names a project');
  return {
    within: and(equals('project_id', id), equals('scope', 'project')),
    applied: { project_id: id, scope: 'project' },
  };
}

const PROJECT_APPLIES = { project_id: { type: 'string' }, scope: { const: 'project' } };

/** Projects that list the caller as a member; all of them for admins. */
function ofMember({ sub, admin }: Viewer): ShownRows {
  const userId = Number(sub);
  invariant(admin || Number.isInteger(userId), 'a caller is a user');
  return { within: admin ? ALL : equals('member_ids', userId), applied: {} };
}

export const adminSchedules = defineView({ name: 'admin schedules', resource: schedules });

export const projectSchedules = defineView({
  name: 'project schedules',
  resource: schedules,
  rows: ofPathsProject,
  applies: PROJECT_APPLIES,
  sameAsPath: {
    project_id: {
      code: 'ProjectMismatch',
      detail: 'The project filter must equal the project of the path.',
    },
    scope: {
      code: 'ScopeMismatch',
      detail: 'On a path of a project, the scope can only be "project".',
    },
  },
});

export const adminTasks = defineView({
  name: 'admin tasks',
  resource: tasks,
  defaults: { scope: ['system', 'project'] },
  onlyWhere: { project_name: { filter: 'scope', is: 'project' } },
});

export const projectTasks = defineView({
  name: 'project tasks',
  resource: tasks,
  filters: ['q', 'user_email', 'routing_keys'],
  rows: ofPathsProject,
  applies: PROJECT_APPLIES,
});

export const userSearch = defineView({ name: 'users', resource: users });

export const ownProjects = defineView({
  name: 'own projects',
  resource: projects,
  rows: ofMember,
});

export const adminProjects = defineView({ name: 'admin projects', resource: projects });

export const auditSearch = defineView({ name: 'audit', resource: auditRecords });
