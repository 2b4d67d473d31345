/** Every route of the service: the source of the router, `Allow` and the permission matrix. */
import type { Rights } from '../auth/rights.ts';
import type { AppReference } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { HEALTH } from './health.ts';
import { referenceRoutes } from './reference.ts';
import { uiRoutes, type WebUi } from './webUi.ts';

/** The routes of the applications, with the reference of these and the web UI. */
export const allRoutes = (
  routes: readonly Route[],
  known: AppReference,
  ui: WebUi,
  rights?: Pick<Rights, 'claims' | 'authenticate'>,
): Route[] => [
  ...routes,
  ...referenceRoutes([...routes, ...HEALTH], known, rights),
  ...uiRoutes(ui),
];
