/** The administration service as an application: five tables, changes to them, logs and audit. */
import type { Application, Engine } from '../../serve/application.ts';
import type { AppReference, PathParameters } from '../../serve/openapi/document.ts';
import type { Route } from '../../serve/route.ts';
import { Changes } from '../changes/changes.ts';
import { DATABASE_INDEXES } from './databaseIndexes.ts';
import { DataPolicy } from './policy.ts';
import { RESOURCES } from './resources/index.ts';
import { type TaskCatalogue, type TaskTypeEntry, taskCatalogue } from './resources/taskTypes.ts';
import { logRoutes } from './routes/logs.ts';
import { routingKeyRoutes } from './routes/routingKeys.ts';
import { scheduleRoutes } from './routes/schedules.ts';
import { searchRoutes } from './routes/searches.ts';
import { snapshotRoutes } from './routes/snapshots.ts';
import { taskRoutes } from './routes/tasks.ts';

/** The settings of its catalogue. */
interface CatalogueSettings {
  readonly taskTypes: readonly TaskTypeEntry[] | undefined;
  readonly taskPrefix: string;
}

export function administration({ taskTypes, taskPrefix }: CatalogueSettings): Application {
  const catalogue = taskCatalogue(taskTypes, taskPrefix);
  const { users, projects } = RESOURCES;
  return {
    resources: RESOURCES,
    labels: catalogue.labels,
    databaseIndexes: DATABASE_INDEXES,
    reference: REFERENCE,
    pages: PAGES,
    policy: ({ db, known, unavailable }) =>
      new DataPolicy({
        ...{ db, known },
        seesChanges: () => !unavailable(users) && !unavailable(projects),
      }),
    // Every user may be a member of a project, and sees its tasks and schedules then.
    sees: ({ admin }, table) => Object.hasOwn(RESOURCES, table) && (admin || table !== 'audit'),
    routes: (engine) => routes(engine, catalogue),
  };
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

const REFERENCE: AppReference = {
  parameters: PATH_PARAMETERS,
  groups: {
    Schedules: 'Enable, disable or delete a schedule.',
    Tasks: 'Cancel and preserve tasks, read their metadata, download their snapshots.',
    Logs: "A task's log.",
  },
};

export const PAGES = ['/tasks', '/schedules', '/projects', '/users', '/audit'];

function routes(engine: Engine, catalogue: TaskCatalogue): Route[] {
  const { db, search, rights } = engine;
  const changes = new Changes({ db, resources: RESOURCES, written: search });
  const context = { labels: catalogue.labels, options: new Set<string>() };
  return [
    ...searchRoutes(engine),
    ...scheduleRoutes(changes, context),
    ...taskRoutes(changes, db, context),
    ...routingKeyRoutes(catalogue),
    ...logRoutes(engine),
    ...snapshotRoutes(db, rights),
  ];
}
