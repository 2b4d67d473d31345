/** Every route of the service: what the router, `Allow` and the permission matrix are made from. */
import type { PathParameters } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { HEALTH } from './health.ts';
import { referenceRoutes } from './reference.ts';
import { type UiSignIn, uiRoutes } from './webUi.ts';

/** The routes of the applications, with the reference of these and the web UI. */
export const allRoutes = (
  routes: readonly Route[],
  parameters: PathParameters,
  signIn: UiSignIn = {},
): Route[] => [
  ...routes,
  ...referenceRoutes([...routes, ...HEALTH], parameters),
  ...uiRoutes(signIn),
];
