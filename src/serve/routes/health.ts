/**
 * The three routes for operators.
 *
 * - `/livez`: the process answers. It asks no other part, so that a supervisor never restarts a service
 *   whose store is away for a while.
 *
 * - `/readyz`: 200 exactly while searches are answered in time (tables/search/readiness.ts); else 503. The body
 *   says why. It is answered from memory, too. Callers who are not operators see states alone, no counts.
 *
 * - `/metrics`: with the token; where none is set, for a scraper on this machine.
 */
import { AppError } from '../../errors.ts';
import { closedObject, fullObject, type JsonSchema } from '../../tables/definition/jsonSchema.ts';
import { INDEX_STATES } from '../../tables/index/indexHealth.ts';
import { type Description, jsonAnswer } from '../description.ts';
import type { Health } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import { hasToken, isLocal } from '../operator.ts';
import { type ListedRoute, PUBLIC_GET, type Route, type RouteContext } from '../route.ts';

export interface HealthRoutesOptions {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
}

const READINESS: JsonSchema = {
  title: 'Readiness',
  ...fullObject({
    status: { enum: ['ready', 'not ready'] },
    store: closedObject({ state: { enum: ['up', 'down'] }, reason: { type: 'string' } }, ['state']),
    index: {
      type: 'object',
      description: 'Details for loopback and `METRICS_TOKEN` alone.',
      properties: { state: { enum: INDEX_STATES } },
      required: ['state'],
    },
  }),
};

/** The routes as the reference shows them. */
export const HEALTH: readonly ListedRoute[] = [
  open('/livez', {
    id: 'isAlive',
    group: 'Operations',
    summary: 'Whether the process runs',
    answers: { 200: jsonAnswer('It runs.', fullObject({ status: { const: 'alive' } })) },
  }),
  open('/readyz', {
    id: 'isReady',
    group: 'Operations',
    summary: 'Whether the service answers searches in time; the state of store and index',
    answers: {
      200: jsonAnswer('It does.', READINESS),
      503: jsonAnswer('It does not; `store` and `index` say why.', READINESS, ['Retry-After']),
    },
  }),
  open('/metrics', {
    id: 'readMetrics',
    group: 'Operations',
    summary: 'Metrics for Prometheus; needs `METRICS_TOKEN` where that is set',
    answers: { 200: { text: 'The metrics.', content: { 'text/plain': { type: 'string' } } } },
    problems: ['Unauthenticated', 'Forbidden'],
  }),
];

export function healthRoutes(options: HealthRoutesOptions): Route[] {
  const { health, metrics } = options;
  const handlers: Readonly<Record<string, Route['handle']>> = {
    '/livez': (ctx) => {
      ctx.body = { status: 'alive' };
    },
    '/readyz': (ctx) => {
      const found = health.store();
      const ready = health.isReady();
      ctx.status = ready ? 200 : 503;
      if (!ready) ctx.set('Retry-After', '1');
      const index = health.index();
      const shown = showsDetails(ctx, options) ? index : { state: index.state };
      ctx.body = { status: ready ? 'ready' : 'not ready', store: found, index: shown };
    },
    '/metrics': async (ctx) => {
      requireScraper(ctx, options);
      const { type, text } = await metrics.exposition();
      ctx.set('Content-Type', type);
      ctx.body = text;
    },
  };
  return HEALTH.map((route) => ({ ...route, handle: handlers[route.path]! }));
}

function open(path: string, description: Description): ListedRoute {
  return { ...PUBLIC_GET, path, description, probe: true };
}

function requireScraper({ req }: RouteContext, { metricsToken }: HealthRoutesOptions) {
  if (metricsToken === undefined) {
    if (!isLocal(req)) throw new AppError('Forbidden', 'Metrics are for this machine only.');
  } else if (!hasToken(req, metricsToken)) {
    throw new AppError('Unauthenticated', 'Metrics need their own token.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
    });
  }
}

function showsDetails({ req }: RouteContext, { metricsToken }: HealthRoutesOptions) {
  if (isLocal(req)) return true;
  return metricsToken !== undefined && hasToken(req, metricsToken);
}
