/**
 * The service around a store: from settings to a port that answers, and back in order.
 *
 *     port ─▶ store ─▶ engine and applications (services.ts) ─▶ guard, metrics ─▶ app at the port
 *
 * A store that cannot be reached keeps nothing from starting: requests are answered with 503 until it
 * is there.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Config, ConfigError } from './config.ts';
import type { Log } from './log.ts';
import { buildApp } from './serve/app.ts';
import { Guard } from './serve/guard.ts';
import { createMetrics } from './serve/metrics.ts';
import type { DemoPeople } from './serve/routes/webUi.ts';
import { type Door, openDoor } from './serve/server/door.ts';
import { Requests } from './serve/server/requests.ts';
import type { Traces } from './serve/traces/requestTrace.ts';
import { noteCommands } from './serve/traces/storeCommands.ts';
import { applicationsOf, createServices, resourcesOf, type Services } from './services.ts';
import { runInOrder, type Step } from './shutdown.ts';
import { openRights, openStore } from './store/client.ts';
import { poolFigures } from './store/poolFigures.ts';
import { StoreClock } from './store/storeClock.ts';
import { StoreWatch } from './store/storeWatch.ts';
import type { CreateTable } from './tables/index/searchIndex.ts';

export interface StartOptions {
  readonly config: Config;
  /** Connection string of the store. */
  readonly uri: string;
  readonly log: Log;
  /** The port, where it was taken before; by default it is taken here. */
  readonly door?: Door | undefined;
  /** Makes the tables of the index; for tests that run on its brute-force twin. */
  readonly createTable?: CreateTable | undefined;
  /** Whom the web UI offers to sign in as: in a demo alone. */
  readonly demoPeople?: DemoPeople | undefined;
}

export interface RunningService {
  readonly url: string;
  readonly port: number;
  /**
   * Finishes the requests under way and cuts the slow ones, then closes the parts in order. Returns
   * whether every part closed.
   */
  stop(): Promise<boolean>;
}

/** Time for each part behind the server to close, beside the time for a checkpoint, milliseconds. */
const PART_MS = 5_000;

/** @throws the error of `listen`, such as `EADDRINUSE`; ConfigError where a package is missing. */
export async function startService(options: StartOptions): Promise<RunningService> {
  const open: Step[] = [];
  try {
    return await start(options, open);
  } catch (error) {
    await runInOrder(open, options.log);
    throw error;
  }
}

/** @param open is told how each part is closed that has been opened: the latest first */
async function start(options: StartOptions, open: Step[]): Promise<RunningService> {
  const { config, uri, log, createTable, demoPeople } = options;
  const opened = (name: string, run: Step['run']) => open.unshift({ name, run, withinMs: PART_MS });
  const traces = await tracesOf(config, log);
  if (traces) opened('traces', () => traces.close());
  const named = { uri, dbName: config.mongodbDb, monitored: traces !== undefined };
  const db = openStore({ ...named, maxSearches: config.maxSearches });
  opened('store client', () => farewell(db));
  const rightsDb = openRights(named);
  opened('rights client', () => farewell(rightsDb));
  if (traces) for (const { client } of [db, rightsDb]) noteCommands(client);
  const door = options.door ?? (await openDoor(config, log));
  // A process that keeps its port does not end. After `stop` it is closed already.
  opened('port', () => door.close(0));
  const watch = new StoreWatch(db.client, uri, log);
  opened('store connection', () => watch.stop());
  const guard = new Guard(config);
  const applications = applicationsOf(config);
  const [anyResource] = Object.values(resourcesOf(applications));
  if (!anyResource) {
    throw new ConfigError('Bad settings: BUILT_IN_TABLES is off, and TABLES names no file');
  }
  const clock: StoreClock = new StoreClock(rightsDb, anyResource.collection, () =>
    services.reached(),
  );
  const services: Services = createServices({
    ...{ config, applications, db, rightsDb, watch, guard, log, createTable, demoPeople },
    latest: () => clock.readable,
  });
  open.unshift({
    name: 'services',
    run: () => services.close(),
    get withinMs() {
      return PART_MS + services.checkpointMs;
    },
  });
  const { health } = services;
  const metrics = createMetrics(health, guard.quotas, services.watched, poolFigures(db.client));
  const requests = new Requests(config.queryTimeoutMs);
  const { routes, rights } = services;
  const app = buildApp({
    ...{ config, routes, rights, guard, clock, health, metrics, requests, log, traces },
  });

  door.lead(app.callback());
  // A caller who waited for the start then learns the store's state at once, not that it is unknown.
  await watch.settled;
  // The first caller is not to wait until these are connected as well: that may take longer than a read has.
  if (watch.state.state === 'up') await rightsDb.command({ ping: 1 }).catch(() => undefined);
  return {
    url: door.url,
    port: door.port,
    async stop() {
      requests.refuse();
      services.stop();
      const closed = new AbortController();
      const answered = answerWaiting(db, requests, config.shutdownTimeoutMs, closed.signal);
      const cut = await door.close(config.shutdownTimeoutMs);
      closed.abort();
      await answered;
      // No fault of the service: a client that does not read its answer must not make its end a failure.
      if (cut > 0) log.warn({ requests: cut }, 'requests were cut off');
      return await runInOrder(open, log);
    },
  };
}

/** Loaded where they are asked for: a service without traces has no use for it. */
async function tracesOf({ otlpEndpoint }: Config, log: Log): Promise<Traces | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { openTraces } = await import('./serve/traces/otlp.ts').catch(withoutPackages);
  return openTraces(otlpEndpoint, log);
}

/** OpenTelemetry is optional: with all it depends on, it would be half of an installation. */
function withoutPackages(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: object };
  const packages = Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`);
  throw new ConfigError(
    `OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, which need: npm install ${packages.join(' ')}`,
  );
}

/** Closes the connections. The driver takes leave of the store first, and a silent one never answers. */
async function farewell({ client }: Db): Promise<void> {
  await Promise.race([client.close(), sleep(SILENT_MS, undefined, { ref: false })]);
}

/** How long the store may be silent while the service stops, and the time left for answers, milliseconds. */
const SILENT_MS = 1_000;

/**
 * Tells waiting requests that the service stops: when the store has been silent for `SILENT_MS`, or, if
 * it is only slow, shortly before the cut.
 */
async function answerWaiting(
  db: Db,
  requests: Requests,
  timeoutMs: number,
  closed: AbortSignal,
): Promise<void> {
  const last = setTimeout(() => requests.giveUp(), Math.max(0, timeoutMs - SILENT_MS));
  while (!closed.aborted) {
    const signal = AbortSignal.any([closed, AbortSignal.timeout(SILENT_MS)]);
    await db.command({ ping: 1 }, { signal }).catch(() => requests.giveUp());
    await sleep(SILENT_MS, undefined, { signal: closed }).catch(() => {});
  }
  clearTimeout(last);
}
