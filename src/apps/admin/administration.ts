/** The administration service as an application: five tables, changes to them, logs and audit. */
import type { Application } from '../../serve/application.ts';
import { DATABASE_INDEXES } from './databaseIndexes.ts';
import { createManagement } from './manage/management.ts';
import { DataPolicy } from './policy.ts';
import { RESOURCES } from './resources/index.ts';
import { type TaskTypeEntry, taskCatalogue } from './resources/taskTypes.ts';
import { PAGES, REFERENCE, routes } from './routes/index.ts';

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
    routes({ store, ...engine }) {
      const written = engine.search;
      const management = createManagement({ store, resources: RESOURCES, catalogue, written });
      return routes({ ...engine, management });
    },
  };
}
