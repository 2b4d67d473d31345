/** Saved views as an application: names for addresses of the web UI, kept in one collection. */
import type { Application } from '../../serve/application.ts';
import { Changes } from '../changes/changes.ts';
import { VIEWS_REFERENCE, viewRoutes } from './routes.ts';
import { INDEXES } from './savedView.ts';
import { SavedViews } from './savedViews.ts';

/** @param audited whether the service keeps an audit trail */
export const views = (collection: string, audited: boolean): Application => ({
  ...{ resources: {}, labels: {}, pages: [] },
  databaseIndexes: { [collection]: INDEXES },
  reference: VIEWS_REFERENCE,
  sees: () => false,
  routes({ store, search, mayUse, sees }) {
    const { db } = store;
    const changes = new Changes({ store, resources: {}, written: search });
    return viewRoutes(new SavedViews({ ...{ db, changes, collection, audited, mayUse, sees } }));
  },
});
