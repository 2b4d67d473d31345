/** Every route of a service that has all its parts, and the parameters and groups they name. */

import { REFERENCE, type RouteServices, routes } from '../../src/apps/admin/administration.ts';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import type { SavedViews } from '../../src/apps/views/savedViews.ts';
import { VIEWS_REFERENCE, viewRoutes } from '../../src/apps/views/views.ts';
import { allRoutes } from '../../src/serve/routes/index.ts';
import { type TableServices, tableRoutes } from '../../src/serve/tables/application.ts';
import { TABLES_REFERENCE } from '../../src/serve/tables/described.ts';

export const KNOWN = {
  parameters: {
    ...REFERENCE.parameters,
    ...TABLES_REFERENCE.parameters,
    ...VIEWS_REFERENCE.parameters,
  },
  groups: { ...REFERENCE.groups, ...TABLES_REFERENCE.groups, ...VIEWS_REFERENCE.groups },
};

/** For their descriptions, which need no service. */
export function everyRoute() {
  const management = { catalogue: taskCatalogue() };
  const ofApplications = [
    ...routes({ management } as unknown as RouteServices),
    ...tableRoutes({} as TableServices),
    ...viewRoutes({} as SavedViews),
  ];
  return allRoutes(ofApplications, KNOWN, { pages: [] });
}
