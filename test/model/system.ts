/**
 * The service under test: the real search, index, management and HTTP edge over one database, with
 * the table that is wanted. It only takes the caller from the header as it stands: these tests are
 * about answers.
 *
 *     ask ──► Search ──► SearchIndex (tables of `createTable`) | PipelineExecutor ──► Answer
 *      └────► HTTP ──► the same Search
 */
import { MongoClient } from 'mongodb';
import { administration } from '../../src/apps/admin/administration.ts';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { buildApp } from '../../src/serve/app.ts';
import { Holders } from '../../src/serve/auth/holders.ts';
import { BY_CLAIMS } from '../../src/serve/auth/policy.ts';
import { Guard } from '../../src/serve/guard.ts';
import { Watches } from '../../src/serve/live/watches.ts';
import { createMetrics } from '../../src/serve/metrics.ts';
import { Requests } from '../../src/serve/server/requests.ts';
import { serve } from '../../src/serve/server/server.ts';
import type { CaseFolding } from '../../src/store/caseFolding.ts';
import { SearchIndex } from '../../src/tables/index/searchIndex.ts';
import { PipelineExecutor } from '../../src/tables/pipeline/pipelineExecutor.ts';
import { AllRowsReader } from '../../src/tables/rows/allRows.ts';
import { Explainer } from '../../src/tables/search/explainer.ts';
import { Search } from '../../src/tables/search/search.ts';
import { WatchedSearches } from '../../src/tables/watch/watchedSearches.ts';
import { createIndex, type Fold } from '../../src/textindex/index.ts';
import { MAX_PER_PAGE, parseSettings } from './asks.ts';

/** The service's own connections; failpoints are aimed at them. */
export const APP_NAME = 'model-service';

export interface SystemOptions {
  readonly uri: string;
  readonly dbName: string;
  readonly caseFolding: CaseFolding;
  /** The most bytes that the rests of rows may take. */
  readonly maxRestBytes?: number;
  /** The folder of its checkpoints. */
  readonly checkpoints?: string;
}

export interface System {
  /** The service's own client; tests can listen to its commands. */
  readonly client: MongoClient;
  readonly search: Search;
  readonly pipeline: PipelineExecutor;
  readonly index: SearchIndex;
  readonly searches: WatchedSearches;
  readonly fold: Fold;
  readonly url: string;
  /** Lines of its log that are warnings or worse. */
  readonly warnings: readonly string[];
  /** All lines of its log. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

export async function startSystem(options: SystemOptions): Promise<System> {
  const { uri, dbName, caseFolding, maxRestBytes = 2 ** 26, checkpoints } = options;
  const client = await MongoClient.connect(uri, {
    appName: APP_NAME,
    serverSelectionTimeoutMS: 2_000,
    monitorCommands: true,
  });
  const db = client.db(dbName);
  const warnings: string[] = [];
  const lines: string[] = [];
  const log = createLog('info', {
    write(line) {
      lines.push(line);
      if (JSON.parse(line).level !== 'info') warnings.push(line);
    },
  });
  const fold = await caseFolding.fold();
  const config = readConfig(
    {
      AUTH_JWT_SECRET: 'of no use here, but 32 bytes at least',
      PORT: '0',
      DB_ITEM_LIMIT: String(MAX_PER_PAGE),
    },
    { maxRequestsPerUser: 1_000, maxSearchesPerUser: 1_000 },
  );
  const guard = new Guard(config);
  const pipeline = new PipelineExecutor({
    db,
    resources: RESOURCES,
    running: guard.quotas.pipelines,
  });
  const searches = new WatchedSearches(RESOURCES);
  const index = new SearchIndex({
    changes: searches,
    db,
    resources: RESOURCES,
    caseFolding,
    log,
    createTable: (definition, fold, expectedRows = 0) =>
      createIndex(definition, { fold, expectedRows }),
    maxTableBytes: 2 ** 32,
    maxRestBytes,
    checkpoints:
      checkpoints === undefined
        ? undefined
        : { folder: checkpoints, decides: () => [RESOURCES, maxRestBytes > 0] },
    maxSilentMs: 10_000,
  });
  const search = new Search({ index, pipeline });
  const reading = { db, resources: RESOURCES, search, index, pipeline, timeoutMs: 15_000 };
  const health = {
    store: () => ({ state: 'up' }) as const,
    isReady: () => true,
    fallbacks: () => index.fallbacks,
    index: () => index.state(),
    checkpointUpTo: () => index.checkpointUpTo,
  };
  const settings = parseSettings(fold);
  const parse = async () => settings;
  const rights = new Holders(BY_CLAIMS, async () => true);
  const watches = new Watches({
    ...{ rights, search, searches, parseSettings: parse, timeoutMs: 15_000 },
    settingsNow: () => settings,
    unavailable: (resource) => index.unavailable(resource),
    reached: () => null,
    inside: guard.inside,
  });
  const claimsOf = async (authorization: string | undefined) => ({
    sub: /\d+/.exec(authorization ?? '')?.[0] ?? '1',
    ...{ roles: [], admin: authorization === undefined, claims: {} },
    expires: Number.POSITIVE_INFINITY,
  });
  const app = buildApp({
    config,
    requests: new Requests(15_000),
    routes: administration(config).routes({
      ...{ db, search, watches, rights },
      explainer: new Explainer({ search, index, pipeline }),
      allRows: new AllRowsReader(reading),
      timeoutMs: 15_000,
      parseSettings: parse,
      mayUse: async () => true,
      sees: () => true,
      tables: Object.keys(RESOURCES),
      unavailable: (resource) => index.unavailable(resource),
    }),
    rights: { claims: claimsOf, authenticate: async () => {}, authorize: async () => {} },
    guard,
    health,
    metrics: createMetrics(health),
    log,
  });
  const server = await serve(app.callback(), config, log);
  return {
    client,
    search,
    pipeline,
    index,
    searches,
    fold,
    url: server.url,
    warnings,
    lines,
    async stop() {
      await server.close(0);
      await index.close();
      await client.close();
    },
  };
}
