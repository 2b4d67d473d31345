/**
 * The three routes for whoever runs the service.
 *
 * - `/livez`: the process answers. Asks nothing and nobody, so that a store that is away never makes
 *   a supervisor restart what would come back by itself.
 * - `/readyz`: 200 while searches can be answered, be it by pipeline; else 503. The body says why.
 *   It is answered from memory, too. Strangers see states alone, no counts.
 * - `/metrics`: with the token; where none is set, for a scraper on this machine.
 */
import { AppError } from '../../errors.ts';
import type { Health } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import { hasToken, isLocal } from '../operator.ts';
import type { Route, RouteContext } from '../route.ts';

export interface HealthRoutesOptions {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  /** Whoever comes here may see everything: the listener of `METRICS_PORT`. */
  readonly trusted: boolean;
}

export function healthRoutes(options: HealthRoutesOptions): Route[] {
  const { health, metrics } = options;
  return [
    open('/livez', (ctx) => {
      ctx.body = { status: 'alive' };
    }),
    open('/readyz', (ctx) => {
      const found = health.store();
      const ready = found.state === 'up';
      ctx.status = ready ? 200 : 503;
      if (!ready) ctx.set('Retry-After', '1');
      const index = health.index();
      const shown = showsDetails(ctx, options) ? index : { state: index.state };
      ctx.body = { status: ready ? 'ready' : 'not ready', store: found, index: shown };
    }),
    open('/metrics', async (ctx) => {
      requireScraper(ctx, options);
      const { type, text } = await metrics.exposition();
      ctx.set('Content-Type', type);
      ctx.body = text;
    }),
  ];
}

function open(path: string, handle: (ctx: RouteContext) => Promise<void> | void): Route {
  return {
    method: 'GET',
    path,
    permission: 'public',
    cost: 'free',
    body: 'none',
    query: 'ignored',
    probe: true,
    handle,
  };
}

function requireScraper({ req }: RouteContext, { trusted, metricsToken }: HealthRoutesOptions) {
  if (trusted) return;
  if (metricsToken === undefined) {
    if (!isLocal(req)) throw new AppError('Forbidden', 'Metrics are for this machine only.');
  } else if (!hasToken(req, metricsToken)) {
    throw new AppError('Unauthenticated', 'Metrics need their own token.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
    });
  }
}

function showsDetails({ req }: RouteContext, { trusted, metricsToken }: HealthRoutesOptions) {
  if (trusted || isLocal(req)) return true;
  return metricsToken !== undefined && hasToken(req, metricsToken);
}
