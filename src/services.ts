/**
 * The engine and the applications on it, made of their parts here and nowhere else.
 *
 *     applications: tables, labels ─▶ index, pipeline ─▶ search, watches, exports
 *                   policy ─▶ rights     routes ◄───────────────────────┘
 */
import type { Db, Timestamp } from 'mongodb';
import { administration } from './apps/admin/administration.ts';
import { views } from './apps/views/views.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import type { Application, Engine } from './serve/application.ts';
import { BY_CLAIMS } from './serve/auth/policy.ts';
import { Rights } from './serve/auth/rights.ts';
import { TokenVerifier } from './serve/auth/token.ts';
import type { Guard } from './serve/guard.ts';
import type { Health } from './serve/health.ts';
import { Watches } from './serve/live/watches.ts';
import type { AppReference } from './serve/openapi/document.ts';
import { allRoutes } from './serve/routes/index.ts';
import type { DemoPeople } from './serve/routes/webUi.ts';
import { ownTables } from './serve/tables/application.ts';
import { CaseFolding } from './store/caseFolding.ts';
import { laterOf } from './store/clusterTime.ts';
import type { Deadline } from './store/deadline.ts';
import { Hedge } from './store/hedged.ts';
import { type DatabaseIndex, type DatabaseIndexes, IndexKeeper } from './store/indexes.ts';
import type { StoreWatch } from './store/storeWatch.ts';
import type { CheckpointSettings } from './tables/checkpoint/checkpoints.ts';
import { tablesAround } from './tables/definition/collectionsRead.ts';
import { type Resource, type Resources, tableName } from './tables/definition/definition.ts';
import type { ValueLabels } from './tables/definition/valueLabels.ts';
import { type CreateTable, SearchIndex } from './tables/index/searchIndex.ts';
import { PipelineChances } from './tables/pipeline/pipelineChances.ts';
import { PipelineExecutor } from './tables/pipeline/pipelineExecutor.ts';
import type { ParseSettings } from './tables/query/parse.ts';
import { AllRowsReader } from './tables/rows/allRows.ts';
import { Explainer } from './tables/search/explainer.ts';
import { Readiness } from './tables/search/readiness.ts';
import { Search } from './tables/search/search.ts';
import { WatchedSearches } from './tables/watch/watchedSearches.ts';
import { createIndex, type Fold, requireKernel } from './textindex/index.ts';

export type Services = ReturnType<typeof createServices>;

/** Bytes of a checkpoint that a slow disk takes in a millisecond. */
const WRITTEN_A_MS = 50_000;

export interface ServiceDeps {
  readonly config: Config;
  /** When left out: the applications that the settings ask for. */
  readonly applications?: readonly Application[];
  /** The store. */
  readonly db: Db;
  readonly watch: StoreWatch;
  readonly guard: Guard;
  /** The same, by a client whose connections no search uses. */
  readonly rightsDb: Db;
  /** The latest known moment that a read may ask for. */
  readonly latest?: () => Timestamp | undefined;
  readonly log: Log;
  /** Makes the tables of the index; `createIndex` when left out. */
  readonly createTable?: CreateTable | undefined;
  readonly demoPeople?: DemoPeople | undefined;
}

/** How often the service looks for missing database indexes, milliseconds. */
const KEEP_EVERY_MS = 10_000;

const keepsViews = ({ viewsCollection }: Config) => viewsCollection !== 'off';

/** The applications that the settings ask for. */
export const applicationsOf = (config: Config): readonly Application[] => [
  ...(config.builtInTables ? [administration(config)] : []),
  ownTables(
    config.tables ?? [],
    { builtIn: config.builtInTables, views: keepsViews(config) },
    config.storeIndexes === 'all',
  ),
  ...(keepsViews(config) ? [views(config.viewsCollection, config.builtInTables)] : []),
];

export const resourcesOf = (applications: readonly Application[]): Resources =>
  Object.assign({}, ...applications.map(({ resources }) => resources));

export const referenceOf = (applications: readonly Application[]): AppReference => ({
  parameters: Object.assign({}, ...applications.map(({ reference }) => reference.parameters)),
  groups: Object.assign({}, ...applications.map(({ reference }) => reference.groups)),
});

export function createServices(deps: ServiceDeps) {
  const { config, db, watch: storeWatch, guard, log, createTable, demoPeople } = deps;
  const { applications = applicationsOf(config) } = deps;
  const resources = resourcesOf(applications);
  const labels: ValueLabels = Object.assign({}, ...applications.map((one) => one.labels));
  const reference = referenceOf(applications);
  const caseFolding = new CaseFolding(db, config.queryTimeoutMs);
  caseFolding.watch();
  const chances = new PipelineChances(config.queryTimeoutMs);
  const pipeline = new PipelineExecutor({
    db,
    resources,
    running: guard.quotas.pipelines,
    counting: guard.quotas.counts,
    requireChance: (plan) => readiness.requireChance(plan),
    countsOf: async (...asked) => await index?.counts(...asked),
    onTook: (plan, ms, error) => chances.note(plan, ms, error),
  });
  if (config.searchIndex && !createTable) requireKernel();
  const watchedSearches = new WatchedSearches(resources);
  const index = config.searchIndex
    ? new SearchIndex({
        db,
        watch: storeWatch,
        resources,
        caseFolding,
        log,
        createTable: createTable ?? indexTables(config.searchMaxBytes),
        heartbeats: config.heartbeats,
        checkpoints: checkpointsOf(config, resources),
        maxTableBytes: config.searchMaxBytes,
        maxRestBytes: config.rowsMemoryBytes,
        maxSilentMs: config.staleAnswersMs,
        changes: watchedSearches,
        pipelineHasChance: (plan) => readiness.hasChance(plan),
      })
    : undefined;
  const readiness = new Readiness({
    ...{ resources: Object.values(resources), chances, index },
    storeIsUp: () => storeWatch.state.state === 'up',
  });
  const indexes = indexesOf(applications);
  const keeper = new IndexKeeper(db, indexes, log, KEEP_EVERY_MS, storeWatch, index?.firstLoad);
  const search = new Search({ index, pipeline, requireStore: () => storeWatch.requireUsable() });
  const explainer = new Explainer({ search, index, pipeline });
  const { queryTimeoutMs: timeoutMs } = config;
  const allRows = new AllRowsReader({ db, resources, search, index, pipeline, timeoutMs });
  const foldings = new Hedge();
  const foldAway = () => index?.foldWhileAway;
  const settingsOf = settingsByFold(labels, config.dbItemLimit);
  const settingsNow = () => caseFolding.standing && settingsOf(caseFolding.standing);
  const parseSettings = (deadline: Deadline) =>
    settingsNow() ?? foldings.ask(() => caseFolding.fold(deadline), foldAway).then(settingsOf);
  const unavailable = (resource: Resource) => (index ? index.unavailable(resource) : OFF);
  const decides = applications.find((one) => one.policy);
  const policy =
    decides?.policy?.({ db: deps.rightsDb, known: () => index?.known, unavailable }) ?? BY_CLAIMS;
  const rights = new Rights({
    tokens: new TokenVerifier(config),
    policy,
    grants: applications.find((one) => one.grants)?.grants,
    requireStore: () => storeWatch.requireUsable(),
    latest: deps.latest,
    commentMs: config.watchCommentMs,
  });
  const { holders } = rights;
  watchedSearches.onChange((change) => holders.changing(change));
  const watches = new Watches({
    ...{ rights: holders, search, parseSettings, settingsNow, timeoutMs, unavailable },
    searches: watchedSearches,
    reached: () => index?.state().frontier ?? null,
    inside: guard.inside,
  });
  const engine: Engine = {
    ...{ db, search, explainer, allRows, watches, rights: holders },
    ...{ timeoutMs, parseSettings },
    mayUse: (principal, params, deadline) => rights.mayUse(principal, params, deadline),
    sees: (principal, table) => applications.some((one) => one.sees(principal, table)),
    tables: Object.keys(resources).map(tableName),
    unavailable: (resource) => (index ? unavailable(resource) : undefined),
  };
  const routes = applications.flatMap((one) => one.routes(engine));
  const pages = applications.flatMap((one) => one.pages);
  const webUi = { pages, demoPeople, openId: openIdOf(config) };
  if (config.storeIndexes !== 'off') keeper.start();
  let stopping = false;
  // A service that is about to end is not ready, even with a healthy store.
  const health: Health = {
    store: () => (stopping ? STOPPING : storeWatch.state),
    isReady: () => !stopping && readiness.isReady,
    index: () => index?.state() ?? { state: 'off', ...OFF },
    checkpointUpTo: () => index?.checkpointUpTo,
    fallbacks: () => index?.fallbacks ?? {},
  };
  return {
    ...{ health, rights },
    /** The routes of the contract. */
    routes: allRoutes(routes, reference, webUi, rights),
    /** Explores that are watched. */
    watched: watchedSearches,
    /** A moment that the store is known to have reached. */
    reached() {
      const frontier = index?.frontier;
      return frontier ? laterOf(search.notBefore, frontier) : search.notBefore;
    },
    /** Ends answers that have no end of their own: the service is about to stop. */
    stop() {
      stopping = true;
      holders.stop();
    },
    /** Stops the background work, and writes the last checkpoint. The store is still open. */
    async close() {
      keeper.stop();
      await index?.close();
    },
    /** How long the last checkpoint may take to be written, milliseconds; 0 without one. */
    get checkpointMs() {
      return config.checkpointDir === undefined ? 0 : (index?.state().bytes ?? 0) / WRITTEN_A_MS;
    },
  };
}

/** Several applications may have tables of one collection. */
function indexesOf(applications: readonly Application[]): DatabaseIndexes {
  const indexes: Record<string, DatabaseIndex[]> = {};
  for (const { databaseIndexes } of applications) {
    for (const [collection, some] of Object.entries(databaseIndexes)) {
      indexes[collection] = [...(indexes[collection] ?? []), ...some];
    }
  }
  return indexes;
}

const openIdOf = ({ authIssuer, oidcClientId, oidcScope, authAudience }: Config) =>
  authIssuer !== undefined && oidcClientId !== undefined
    ? {
        ...{ issuer: new URL(authIssuer), clientId: oidcClientId, scope: oidcScope },
        audience: authAudience,
      }
    : undefined;

/**
 * Rows are made by definitions, which follow from these settings; uses of a file's fields tell what rows show.
 * Titles and looks change nothing of a table: people alone see them.
 */
const checkpointsOf = (config: Config, resources: Resources): CheckpointSettings | undefined =>
  config.checkpointDir === undefined
    ? undefined
    : {
        folder: config.checkpointDir,
        decides: (table) => [
          tablesAround(table, resources).map((name) => [
            resources[name],
            Object.entries(
              config.tables?.find(({ resource }) => resource.name === name)?.fields ?? {},
            ).map(([field, { title: _, look: _look, ...decides }]) => [field, decides]),
          ]),
          ...[config.taskTypes, config.taskPrefix, config.rowsMemoryBytes > 0],
        ],
      };

const STOPPING = { state: 'down', reason: 'The service is stopping.' } as const;

const OFF = { reason: 'SEARCH_INDEX is off.' };

/**
 * The count of rows to come is the store's estimate, which can be far too high after a crash. So a table
 * reserves at most half of the limit by it: the reserve must not make a table too large that would fit.
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
function settingsByFold(labels: ValueLabels, maxPerPage: number) {
  let last: { readonly fold: Fold; readonly settings: ParseSettings } | undefined;
  return (fold: Fold): ParseSettings => {
    if (last?.fold !== fold) {
      last = { fold, settings: { labels, fold: (text) => fold.fold(text), maxPerPage } };
    }
    return last.settings;
  };
}
