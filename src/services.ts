/**
 * What the routes call: made here, and nowhere else, from the settings and a store.
 *
 *     config, store ──▶ search, management, … ──▶ routes, health
 */
import type { Authenticator } from './auth/authenticator.ts';
import type { Config } from './config.ts';
import type { Guard } from './guard/guard.ts';
import type { Health } from './http/health.ts';
import { Watches } from './http/live/watches.ts';
import type { Route } from './http/route.ts';
import { routes } from './http/routes/index.ts';
import type { Log } from './log.ts';
import { createManagement } from './manage/management.ts';
import { CaseFolding } from './mongo/caseFolding.ts';
import type { Store } from './mongo/client.ts';
import type { Deadline } from './mongo/deadline.ts';
import { IndexKeeper } from './mongo/indexes.ts';
import type { StoreWatch } from './mongo/storeWatch.ts';
import type { ParseSettings } from './query/parse.ts';
import { RESOURCES } from './resources/index.ts';
import { type TaskCatalogue, taskCatalogue } from './resources/taskTypes.ts';
import { AllRowsReader } from './search/allRows.ts';
import { PipelineExecutor } from './search/pipelineExecutor.ts';
import { Search } from './search/search.ts';
import { type CreateTable, SearchIndex } from './search/searchIndex.ts';
import { WatchedSearches } from './search/watch/watchedSearches.ts';
import { createIndex, type Fold, requireKernel } from './textindex/index.ts';

export interface Services {
  readonly health: Health;
  /** The routes of the contract. */
  readonly routes: readonly Route[];
  /** Ends answers that have no end of their own: the service is about to stop. */
  endWatches(): void;
  /** Stops what works in the background. The store is still open. */
  close(): Promise<void>;
}

export interface ServiceDeps {
  readonly config: Config;
  readonly store: Store;
  readonly watch: StoreWatch;
  readonly guard: Guard;
  /** Who says whether those who watch still may. */
  readonly authenticator: Pick<Authenticator, 'stillMay'>;
  readonly log: Log;
  /** What holds the rows of the index; `createIndex` when left out. */
  readonly createTable?: CreateTable | undefined;
}

/** How often missing database indexes are looked for, milliseconds. */
const KEEP_EVERY_MS = 10_000;

export function createServices(deps: ServiceDeps): Services {
  const { config, store, watch, guard, authenticator, log, createTable } = deps;
  const { db } = store;
  const keeper = new IndexKeeper(db, log, KEEP_EVERY_MS, watch);
  const caseFolding = new CaseFolding(db, config.queryTimeoutMs);
  caseFolding.watch(store.client);
  const catalogue = taskCatalogue(config.taskTypes, config.taskPrefix);
  const pipeline = new PipelineExecutor({
    db,
    resources: RESOURCES,
    running: guard.quotas.pipelines,
  });
  if (config.searchIndex && !createTable) requireKernel();
  const searches = new WatchedSearches(RESOURCES);
  const index = config.searchIndex
    ? new SearchIndex({
        client: store.client,
        dbName: db.databaseName,
        watch,
        resources: RESOURCES,
        caseFolding,
        log,
        createTable: createTable ?? indexTables(config.searchMaxBytes),
        heartbeats: config.storeHeartbeat,
        maxTableBytes: config.searchMaxBytes,
        maxRowBytes: config.rowCacheBytes,
        changes: searches,
      })
    : undefined;
  const search = new Search({ index, pipeline });
  const timeoutMs = config.queryTimeoutMs;
  const allRows = new AllRowsReader({
    ...{ db, resources: RESOURCES, search, index, pipeline, timeoutMs },
  });
  const parseSettings = parseSettingsWith(caseFolding, catalogue, config.dbItemLimit);
  const watches = new Watches({
    ...{ resources: RESOURCES, authenticator, search, searches, parseSettings, timeoutMs },
    unavailable: (resource) => (index ? index.unavailable(resource) : OFF),
    requested: guard.quotas.searches,
  });
  const management = createManagement({ store, resources: RESOURCES, catalogue, written: search });
  if (config.storeIndexes) keeper.start();
  return {
    health: {
      store: () => watch.state,
      index: () => index?.state() ?? { state: 'off', reason: OFF },
      leftByIndex: () => index?.left ?? {},
    },
    routes: routes({
      search,
      allRows,
      management,
      watches,
      parseSettings,
    }),
    endWatches: () => watches.stop(),
    async close() {
      keeper.stop();
      await index?.close();
    },
  };
}

const OFF = 'SEARCH_INDEX is off.';

/**
 * The count of rows to come is the store's estimate, which can be far too high after a crash. What is
 * reserved by it must not make a table too large that would fit.
 */
const indexTables =
  (maxBytes: number): CreateTable =>
  (definition, fold, expectedRows) =>
    createIndex(definition, {
      fold,
      mostReserved: maxBytes / 2,
      ...(expectedRows !== undefined && { expectedRows }),
    });

/** The settings of parsing: one object for as long as the case folding is the same. */
function parseSettingsWith(caseFolding: CaseFolding, catalogue: TaskCatalogue, maxPerPage: number) {
  let known: { readonly fold: Fold; readonly settings: ParseSettings } | undefined;
  return async (deadline: Deadline): Promise<ParseSettings> => {
    const fold = await caseFolding.fold(deadline);
    if (known?.fold !== fold) {
      known = { fold, settings: { catalogue, fold: (text) => fold.fold(text), maxPerPage } };
    }
    return known.settings;
  };
}
