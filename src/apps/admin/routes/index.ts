/** Every route of the service: what the router, `Allow` and the permission matrix are made from. */

import type { EventStreams } from '../../../serve/live/eventStreams.ts';
import type { Route } from '../../../serve/route.ts';
import { HEALTH } from '../../../serve/routes/health.ts';
import { referenceRoutes } from '../../../serve/routes/reference.ts';
import { type UiSignIn, uiRoutes } from '../../../serve/routes/webUi.ts';
import type { SearchServices } from '../../../serve/searching.ts';
import type { Management } from '../manage/management.ts';
import { logRoutes } from './logs.ts';
import { routingKeyRoutes } from './routingKeys.ts';
import { scheduleRoutes } from './schedules.ts';
import { searchRoutes } from './searches.ts';
import { snapshotRoutes } from './snapshots.ts';
import { taskRoutes } from './tasks.ts';

export interface RouteServices extends SearchServices {
  readonly management: Management;
  readonly streams: EventStreams;
  /** How the web UI signs people in, beside by pasted tokens. */
  readonly signIn?: UiSignIn;
}

export function routes({ management, streams, signIn = {}, ...searching }: RouteServices): Route[] {
  const contract = [
    ...searchRoutes(searching),
    ...scheduleRoutes(management),
    ...taskRoutes(management),
    ...routingKeyRoutes(management.catalogue),
    ...logRoutes({ logs: management.logs, tails: management.logTails, streams }),
    ...snapshotRoutes(management),
  ];
  return [...contract, ...referenceRoutes([...contract, ...HEALTH]), ...uiRoutes(signIn)];
}
