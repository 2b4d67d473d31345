/** The path and the callers of each view, and the routes there: search, explore, explain, export. */
import { invariant } from '../../../errors.ts';
import type { Permission, Route } from '../../../serve/route.ts';
import { explainRoute } from '../../../serve/routes/explain.ts';
import { exploreRoute } from '../../../serve/routes/explore.ts';
import { exportRoute } from '../../../serve/routes/export.ts';
import { searchRoute } from '../../../serve/routes/search.ts';
import type { SearchServices } from '../../../serve/searching.ts';
import type { SearchView } from '../../../tables/definition/view.ts';
import {
  adminProjects,
  adminSchedules,
  adminTasks,
  auditSearch,
  ofPathsProject,
  ownProjects,
  projectSchedules,
  projectTasks,
  userSearch,
} from '../resources/views.ts';

/** The routes of all views. */
export function searchRoutes(services: SearchServices): Route[] {
  const at = (path: string, permission: Permission, view: SearchView) => {
    // Callers who may use the path may see what the view shows: of the project alone, or of all.
    invariant((permission === 'path') === (view.rows === ofPathsProject), `${path}: its rows`);
    return [
      searchRoute(path, permission, view, services),
      exploreRoute(path, permission, view, services),
      explainRoute(path, 'admin', view, services),
      exportRoute(path, permission, view, services),
    ];
  };
  return [
    at('/api/v2/admin/schedules/search', 'admin', adminSchedules),
    at('/api/v2/projects/:project_id/schedules/search', 'path', projectSchedules),
    at('/api/v2/admin/tasks/search', 'admin', adminTasks),
    at('/api/v2/projects/:project_id/tasks/search', 'path', projectTasks),
    at('/api/v2/users/search', 'user', userSearch),
    at('/api/v2/projects/search', 'user', ownProjects),
    at('/api/v2/admin/projects/search', 'admin', adminProjects),
    at('/api/v2/admin/audit/search', 'admin', auditSearch),
  ].flat();
}
