/** All resources by name. */

import { auditRecords } from './auditRecords.ts';
import { projects } from './projects.ts';
import { schedules } from './schedules.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';

export const RESOURCES = Object.freeze({
  users,
  projects,
  schedules,
  tasks,
  audit: auditRecords,
});
