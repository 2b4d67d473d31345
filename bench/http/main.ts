/**
 * Searches over HTTP against the same application sending constants: the part of the middleware's
 * throughput that is left when it searches.
 *
 *     load process ── 16 connections ──► app ─┬─ …/search            a fresh question each
 *                                             └─ …/search/constant   a text of the same size
 *
 * Each search has a twin, a constant of the mean size of its answers, with the same permission and
 * body, and a path that differs at its end only. Searches and constants take turns. The processor
 * time of this process for a request is compared as well, which says more on a busy machine.
 */
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
import type { Route } from '../../src/serve/route.ts';
import type { RunningServer } from '../../src/serve/server/server.ts';
import { inOwnProcess, takeJob } from '../job.ts';
import { percentile } from '../measure.ts';
import { product } from '../product.ts';
import { takeSample } from '../sample.ts';
import { SEARCHES, type SearchName } from '../searches.ts';
import type { Place } from '../store.ts';
import type { Fired, FiringJob } from './load/main.ts';
import type { Served, ServedJob } from './served/main.ts';

const { buildApp } = await product<typeof import('../../src/serve/app.ts')>('serve/app');
const { readConfig } = await product<typeof import('../../src/config.ts')>('config');
const { Guard } = await product<typeof import('../../src/serve/guard.ts')>('serve/guard');
const { createServices } = await product<typeof import('../../src/services.ts')>('services');
const { openStore } = await product<typeof import('../../src/store/client.ts')>('store/client');
const { StoreWatch } =
  await product<typeof import('../../src/store/storeWatch.ts')>('store/storeWatch');
const { serve } =
  await product<typeof import('../../src/serve/server/server.ts')>('serve/server/server');
const { createMetrics } =
  await product<typeof import('../../src/serve/metrics.ts')>('serve/metrics');
const { Requests } =
  await product<typeof import('../../src/serve/server/requests.ts')>('serve/server/requests');
const { createLog } = await product<typeof import('../../src/log.ts')>('log');
const { pino } = await import('pino');

export interface HttpJob {
  readonly place: Place;
  /** The seconds of each round. */
  readonly seconds: number;
  readonly rounds: number;
}

export interface HttpResult {
  readonly rounds: readonly { readonly search: Round; readonly constant: Round }[];
  /** Median of the rounds' ratios. */
  readonly throughputRatio: number;
  readonly cpuRatio: number;
  /** Sizes of the constants. */
  readonly bytes: Fired['bytes'];
  /** Mean time of a search alone, without its rows and all that is around it. */
  readonly searchMicros: number;
  readonly served: Served;
  /** Share of the bodies of a round that were sent only once. */
  readonly distinct: number;
}

export interface Round {
  readonly perSecond: number;
  /** Processor time of the service for one request, microseconds. */
  readonly cpuMicros: number;
  readonly p50: number;
  readonly p99: number;
}

const SECRET = 'a secret for benches only, longer than 32 bytes';
const CONNECTIONS = 16;
/** The compiler goes on optimizing for some ten thousand requests. */
const WARM_UP_SECONDS = 12;

takeJob(async ({ place, seconds, rounds }: HttpJob): Promise<HttpResult> => {
  const constants = new Map<string, string>();
  const service = await startTwins(place, (path) => constants.get(path) ?? '');
  const sample = await takeSample(service.db, place.tasks);
  const fire = (job: Partial<FiringJob>) =>
    inOwnProcess<Fired>('http/load/main.ts', {
      url: service.url,
      secret: SECRET,
      sample,
      connections: CONNECTIONS,
      seconds,
      twin: false,
      seed: 1,
      sizes: false,
      ...job,
    });
  try {
    const warm = await fire({ seed: 100, sizes: true, seconds: WARM_UP_SECONDS });
    for (const [search, bytes] of Object.entries(warm.bytes)) {
      const path = SEARCHES[search as SearchName].path(':project_id');
      constants.set(path, JSON.stringify('x'.repeat(bytes - 2)));
    }
    await fire({ twin: true, seed: 100, seconds: WARM_UP_SECONDS / 2 });
    const { searchMicros } = await fire({ seed: 101, sizes: true, seconds: 1 });
    const asked: ServedJob = { url: service.url, secret: SECRET, sample };
    const served = await inOwnProcess<Served>('http/served/main.ts', asked);
    const measured: { search: Round; constant: Round }[] = [];
    for (let n = 0; n < rounds; n++) {
      const search = await fire({ seed: n });
      const twin = await fire({ seed: n, twin: true });
      measured.push({ search: roundOf(search), constant: roundOf(twin) });
    }
    const median = (of: (one: (typeof measured)[number]) => number) =>
      percentile(measured.map(of), 0.5);
    return {
      rounds: measured,
      throughputRatio: median(({ search, constant: c }) => search.perSecond / c.perSecond),
      cpuRatio: median(({ search, constant: c }) => c.cpuMicros / search.cpuMicros),
      bytes: warm.bytes,
      searchMicros,
      served,
      distinct: warm.distinct,
    };
  } finally {
    await service.stop();
  }
});

const roundOf = ({ perSecond, cpuMicros, p50, p99 }: Round): Round => ({
  perSecond,
  cpuMicros,
  p50,
  p99,
});

/** The service as `service.ts` puts it together, with a twin for each search. */
async function startTwins(place: Place, constantOf: (path: string) => string) {
  const config: Config = readConfig({
    MONGODB_URI: place.uri,
    MONGODB_DB: place.dbName,
    AUTH_JWT_SECRET: SECRET,
    PORT: '0',
  });
  // As in production: lines are handed to the system without waiting for it.
  const out = pino.destination({ fd: openSync(devNull, 'w'), sync: false });
  const log = createLog('info', out);
  const db = openStore({ uri: place.uri, dbName: place.dbName, maxSearches: 16 });
  await db.client.connect();
  const guard = new Guard(config);
  const services = createServices({
    config,
    db,
    watch: new StoreWatch(db.client, place.uri, log),
    guard,
    rightsDb: db,
    log,
  });
  const metrics = createMetrics(services.health);
  const searches = services.routes.filter(({ path }) => path.endsWith('/search'));
  const twins = searches.map((route) => twinOf(route, constantOf));
  const usage: Route = {
    method: 'GET',
    path: '/bench/usage',
    permission: 'public',
    cost: 'free',
    body: 'none',
    query: 'ignored',
    description: 'not listed',
    handle(ctx) {
      ctx.body = process.cpuUsage();
    },
  };
  const app = buildApp({
    config,
    routes: [...services.routes, ...twins, usage],
    rights: services.rights,
    guard,
    health: services.health,
    metrics,
    requests: new Requests(config.queryTimeoutMs),
    log,
  });
  const server: RunningServer = await serve(app.callback(), config, log);
  while (services.health.index().state !== 'live') await sleep(10);
  return {
    url: server.url,
    db,
    async stop() {
      await server.close(1_000);
      await services.close();
      await db.client.close();
    },
  };
}

function twinOf(route: Route, constantOf: (path: string) => string): Route {
  return {
    ...route,
    path: `${route.path}/constant`,
    handle(ctx) {
      ctx.type = 'application/json';
      ctx.body = constantOf(route.path);
    },
  };
}
