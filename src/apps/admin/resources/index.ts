/** All resources by name. */

import type { Resource } from '../../../tables/definition/definition.ts';
import { auditRecords } from './auditRecords.ts';
import { projects } from './projects.ts';
import { schedules } from './schedules.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';

type Name = 'users' | 'projects' | 'schedules' | 'tasks' | 'audit';

export const RESOURCES: Readonly<Record<Name, Resource>> = Object.freeze({
  users,
  projects,
  schedules,
  tasks,
  audit: auditRecords,
});
