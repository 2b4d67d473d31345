/**
 * What the service counts about itself, as Prometheus reads it (`GET /metrics`).
 *
 * ```
 * table_search_request_seconds{method,route,status}    every answer, by route pattern
 * table_search_searches_total{view,route}              searches, by index or pipeline
 * table_search_search_seconds{view,route}              the same, by how long they took
 * table_search_index_state{state}                      1 for the state the index is in
 * table_search_index_lag_seconds, _bytes               since when it is behind, and its size
 * table_search_table_live{table}, _documents, _bytes   each table of it
 * table_search_index_failures_total{table,operation}   tables that broke and were set aside
 * table_search_index_left_total{reason}                searches that fell back to the pipeline
 * table_search_quota_held{quota}, _waiting             what callers hold, and wait for (serve/guard.ts)
 * table_search_store_connections{state}                connections to the store: in use, and waited for
 * table_search_watched_explores                        different explores that are watched
 * process_*, nodejs_*                                  the process
 * ```
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolFigures } from '../store/poolFigures.ts';
import { type CollectionHealth, INDEX_STATES } from '../tables/index/indexHealth.ts';
import { FALLBACK_REASONS } from '../tables/search/fallbacks.ts';
import type { Quota } from '../tables/search/quota.ts';
import type { Health } from './health.ts';
import type { RouteState } from './route.ts';

export interface Metrics {
  /** An answer: `route` is the pattern of its path, or `none`. */
  request(method: string, route: string, status: number, seconds: number): void;
  /** A search that was answered: the name of its view, and what answered it, alone or not. */
  search(answered: NonNullable<RouteState['search']>, seconds: number): void;
  /** The text that Prometheus scrapes, and its content type. */
  exposition(): Promise<{ readonly type: string; readonly text: string }>;
}

export function createMetrics(
  health: Health,
  quotas: Quotas = {},
  watched?: { readonly size: number },
  pool?: PoolFigures,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Histogram({
    name: 'table_search_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 2.5, 5, 15],
    registers,
  });
  const searches = new Counter({
    name: 'table_search_searches_total',
    help: 'Searches answered, by view and by what answered them',
    labelNames: ['view', 'route'],
    registers,
  });
  const searchSeconds = new Histogram({
    name: 'table_search_search_seconds',
    help: 'Time to answer a search, by view and by what answered it',
    labelNames: ['view', 'route'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 15],
    registers,
  });
  const alone = new Counter({
    name: 'table_search_stale_answers_total',
    help: 'Searches answered from memory alone while the store was away',
    registers,
  });
  registerIndexGauges(health, registers);
  registerQuotaGauges(quotas, registers);
  new Gauge({
    name: 'table_search_store_connections',
    help: 'Connections to the store that are in use, and commands that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'in_use' }, pool?.inUse ?? 0);
      this.set({ state: 'waiting' }, pool?.waiting ?? 0);
    },
  });
  new Gauge({
    name: 'table_search_watched_explores',
    help: 'Different explores that are watched: those of equal ones are asked as one',
    registers,
    collect() {
      this.set(watched?.size ?? 0);
    },
  });

  return {
    request: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    search({ view, route, silentMs }, seconds) {
      searches.inc({ view, route });
      searchSeconds.observe({ view, route }, seconds);
      if (silentMs !== undefined) alone.inc();
    },
    exposition: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

type Quotas = Readonly<Record<string, Pick<Quota, 'held' | 'waiting'>>>;

function registerQuotaGauges(quotas: Quotas, registers: Registry[]): void {
  const gauge = (figure: 'held' | 'waiting', help: string) =>
    new Gauge({
      name: `table_search_quota_${figure}`,
      help,
      labelNames: ['quota'],
      registers,
      collect() {
        for (const [quota, of] of Object.entries(quotas)) this.set({ quota }, of[figure]);
      },
    });
  gauge('held', 'Units that callers hold');
  gauge('waiting', 'Requests that wait for a unit');
}

/** Gauges and counters of the index read their values when they are scraped. */
function registerIndexGauges(health: Health, registers: Registry[]): void {
  new Gauge({
    name: 'table_search_index_state',
    help: '1 for the state the index is in',
    labelNames: ['state'],
    registers,
    collect() {
      const now = health.index().state;
      for (const state of INDEX_STATES) this.set({ state }, state === now ? 1 : 0);
    },
  });
  new Gauge({
    name: 'table_search_index_lag_seconds',
    help: 'For how long the store has had what the index does not show; 0 when nothing is outstanding',
    registers,
    collect() {
      this.set((health.index().lag_ms ?? 0) / 1_000);
    },
  });
  new Gauge({
    name: 'table_search_index_bytes',
    help: 'Memory reserved by the index',
    registers,
    collect() {
      this.set(health.index().bytes ?? 0);
    },
  });
  const ofTables = (name: string, help: string, figure: (table: CollectionHealth) => number) =>
    new Gauge({
      name: `table_search_table_${name}`,
      help,
      labelNames: ['table'],
      registers,
      collect() {
        this.reset();
        for (const [table, of] of Object.entries(health.index().collections ?? {})) {
          this.set({ table }, figure(of));
        }
      },
    });
  ofTables('live', '1 where searches of the table go by the index', ({ phase }) =>
    phase === 'live' ? 1 : 0,
  );
  ofTables('documents', 'Documents of the table in the index', ({ documents }) => documents);
  ofTables('bytes', 'Memory that the table reserves', ({ bytes }) => bytes);
  new Counter({
    name: 'table_search_index_failures_total',
    help: 'Tables of the index that broke and were set aside, by what they broke in',
    labelNames: ['table', 'operation'],
    registers,
    collect() {
      this.reset();
      for (const [table, operations] of Object.entries(health.index().failures ?? {})) {
        for (const [operation, count] of Object.entries(operations)) {
          this.inc({ table, operation }, count);
        }
      }
    },
  });
  new Counter({
    name: 'table_search_index_left_total',
    help: 'Searches that the index left to the pipeline, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      // Those that never came too, as 0: a first one would be no increase to Prometheus otherwise.
      const counts = health.fallbacks();
      for (const reason of FALLBACK_REASONS) this.inc({ reason }, counts[reason] ?? 0);
    },
  });
}
