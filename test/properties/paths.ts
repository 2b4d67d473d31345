/** Where the views of random searches stand. */
import { PATH_PROJECT } from './worlds.ts';

export const PATHS: Readonly<Record<string, string>> = {
  'admin schedules': '/api/v2/admin/schedules/search',
  'project schedules': `/api/v2/projects/${PATH_PROJECT}/schedules/search`,
  'admin tasks': '/api/v2/admin/tasks/search',
  'project tasks': `/api/v2/projects/${PATH_PROJECT}/tasks/search`,
  users: '/api/v2/users/search',
  'own projects': '/api/v2/projects/search',
  'admin projects': '/api/v2/admin/projects/search',
};
