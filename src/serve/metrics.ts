/**
 * The service's metrics, as Prometheus reads them (`GET /metrics`).
 *
 * ```
 * table_search_request_seconds{method,route,status}    every answer, by route pattern
 * table_search_searches_total{view,route}              searches, by index or pipeline
 * table_search_search_seconds{view,route}              the same, by how long they took
 * table_search_stale_answers_total                     those that memory answered while the store was away
 * table_search_index_state{state}                      1 for the state the index is in
 * table_search_index_lag_seconds, _bytes               since when it is behind, and its size
 * table_search_checkpoint_timestamp_seconds           up to when the checkpoint has all changes
 * table_search_table_live{table}                       each table of it that is not of views
 * table_search_table_documents{table}, _bytes          each table of it
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

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(
  health: Health,
  quotas: Quotas = {},
  watched?: { readonly size: number },
  pool?: PoolFigures,
) {
  const registry = Registry.merge([processFigures()]);
  const registers = [registry];

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
  const gauge = reader(Gauge, registers);
  readIndex(health, gauge, reader(Counter, registers));
  const quotaFigures = (of: 'held' | 'waiting'): Figures =>
    Object.entries(quotas).map(([quota, one]) => [one[of], { quota }]);
  gauge('quota_held', 'Units that callers hold', () => quotaFigures('held'));
  gauge('quota_waiting', 'Requests that wait for a unit', () => quotaFigures('waiting'));
  gauge(
    'store_connections',
    'Connections to the store that are in use, and commands that wait for one',
    () => [
      [pool?.inUse ?? 0, { state: 'in_use' }],
      [pool?.waiting ?? 0, { state: 'waiting' }],
    ],
  );
  gauge(
    'watched_explores',
    'Different explores that are watched: those of equal ones are asked as one',
    () => [[watched?.size ?? 0]],
  );
  return {
    /** An answer: `route` is the pattern of its path, or `none`. */
    request: (method: string, route: string, status: number, seconds: number) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    /** An answered search: its view, its route, and `silentMs` where memory answered alone. */
    search({ view, route, silentMs }: NonNullable<RouteState['search']>, seconds: number) {
      searches.inc({ view, route });
      searchSeconds.observe({ view, route }, seconds);
      if (silentMs !== undefined) alone.inc();
    },
    /** The text that Prometheus scrapes, and its content type. */
    exposition: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

let ofProcess: Registry | undefined;

/** Figures of the process. The observers of prom-client cannot be stopped, so all services of a process share one registry. */
function processFigures(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

type Quotas = Readonly<Record<string, Pick<Quota, 'held' | 'waiting'>>>;

type Figures = readonly (readonly [figure: number, labels?: Readonly<Record<string, string>>])[];
type Read = ReturnType<typeof reader>;

/** Figures that are read when they are scraped; all of one have the same labels. */
const reader =
  (Kind: typeof Gauge | typeof Counter, registers: Registry[]) =>
  (name: string, help: string, figures: () => Figures) =>
    new (Kind as typeof Gauge)({
      ...{ name: `table_search_${name}`, help, registers },
      labelNames: LABELS,
      collect() {
        this.reset();
        for (const [figure, labels = {}] of figures()) this.inc(labels, figure);
      },
    });

const LABELS = ['quota', 'state', 'table', 'operation', 'reason'];

function readIndex(health: Health, gauge: Read, counter: Read): void {
  const tables = () => Object.entries(health.index().collections ?? {});
  const ofTables = (figure: (table: CollectionHealth) => number) => (): Figures =>
    tables().map(([table, of]) => [figure(of), { table }]);
  gauge('index_state', '1 for the state the index is in', () => {
    const now = health.index().state;
    return INDEX_STATES.map((state) => [state === now ? 1 : 0, { state }]);
  });
  gauge(
    'index_lag_seconds',
    'For how long the store has had what the index does not show; 0 when nothing is outstanding',
    () => [[(health.index().lag_ms ?? 0) / 1_000]],
  );
  gauge('index_bytes', 'Memory reserved by the index', () => [[health.index().bytes ?? 0]]);
  gauge(
    'checkpoint_timestamp_seconds',
    'Unix time up to which the checkpoint has all changes of the index; nothing without CHECKPOINT_DIR',
    () => {
      const upTo = health.checkpointUpTo();
      return upTo === undefined ? [] : [[upTo / 1_000]];
    },
  );
  gauge(
    'table_live',
    '1 where searches of the table go by the index; nothing where they never do, for a view or a time series',
    () =>
      tables()
        .filter(([, of]) => !of.by_pipelines)
        .map(([table, { phase }]) => [phase === 'live' ? 1 : 0, { table }]),
  );
  const documents = ofTables((table) => table.documents);
  gauge('table_documents', 'Documents of the table in the index', documents);
  const bytes = ofTables((table) => table.bytes);
  gauge('table_bytes', 'Memory that the table reserves', bytes);
  const broken = 'Tables of the index that broke and were set aside, by what they broke in';
  counter('index_failures_total', broken, () =>
    Object.entries(health.index().failures ?? {}).flatMap(([table, operations]) =>
      Object.entries(operations).map(
        ([operation, count]) => [count, { table, operation }] as const,
      ),
    ),
  );
  counter('index_left_total', 'Searches that the index left to the pipeline, by reason', () => {
    // Reasons that never came count 0: without that, Prometheus would see no increase in the first one.
    const counts = health.fallbacks();
    return FALLBACK_REASONS.map((reason) => [counts[reason] ?? 0, { reason }]);
  });
}
