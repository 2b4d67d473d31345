/** Every route of a service that has all its parts, and the parameters and groups they name. */

import { readConfig } from '../../src/config.ts';
import type { Engine } from '../../src/serve/application.ts';
import { allRoutes } from '../../src/serve/routes/index.ts';
import { applicationsOf, referenceOf } from '../../src/services.ts';

const applications = applicationsOf(readConfig({ AUTH_JWT_SECRET: 'x'.repeat(32) }));

export const KNOWN = referenceOf(applications);

/** For their descriptions, which need no service. */
export function everyRoute() {
  const ofApplications = applications.flatMap(({ routes }) => routes({} as Engine));
  return allRoutes(ofApplications, KNOWN, { pages: [] });
}
