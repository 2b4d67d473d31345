/** The routes of the administration service, and the parameters of their paths. */

import type { EventStreams } from '../../../serve/live/eventStreams.ts';
import type { AppReference, PathParameters } from '../../../serve/openapi/document.ts';
import type { Route } from '../../../serve/route.ts';
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
}

const PATH_PARAMETERS = {
  project_id: {
    example: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
    who: 'For members of the project and admins; others get 404.',
  },
  schedule_id: { example: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d' },
  task_id: {
    example: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
    who: "For members of the task's project and admins; others get 404.",
  },
} satisfies PathParameters;

export const REFERENCE: AppReference = {
  parameters: PATH_PARAMETERS,
  groups: {
    Schedules: 'Enable, disable or delete a schedule.',
    Tasks: 'Cancel and preserve tasks, read their metadata, download their snapshots.',
    Logs: "A task's log.",
  },
};

export const PAGES = ['/tasks', '/schedules', '/projects', '/users', '/audit'];

export function routes({ management, streams, ...searching }: RouteServices): Route[] {
  return [
    ...searchRoutes(searching),
    ...scheduleRoutes(management),
    ...taskRoutes(management),
    ...routingKeyRoutes(management.catalogue),
    ...logRoutes({ logs: management.logs, tails: management.logTails, streams }),
    ...snapshotRoutes(management),
  ];
}
