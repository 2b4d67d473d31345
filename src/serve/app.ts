/**
 * The service as a Koa application, made of what it is given; does no I/O of its own.
 *
 * ```
 * exchange (id, log, errors) ─▶ router (path, caller, body) ─▶ a route's handler
 * ```
 */
import Koa from 'koa';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { exchange, lateFailures } from './exchange.ts';
import type { Guard } from './guard.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';
import type { Route } from './route.ts';
import { createRouter, type RouterOptions } from './router.ts';
import { healthRoutes } from './routes/health.ts';
import type { Requests } from './server/requests.ts';
import type { Traces } from './traces/requestTrace.ts';

export interface AppDeps {
  readonly config: Pick<Config, 'bodyLimit' | 'corsOrigins' | 'metricsToken'>;
  readonly guard: Guard;
  /** See the router. */
  readonly clock?: RouterOptions['clock'];
  readonly routes: readonly Route[];
  readonly rights: RouterOptions['rights'];
  readonly health: Health;
  readonly metrics: Metrics;
  readonly requests: Requests;
  readonly log: Log;
  readonly traces?: Traces | undefined;
}

export function buildApp(deps: AppDeps): Koa {
  const { config, routes, rights, guard, clock } = deps;
  const { health, metrics, requests, log, traces } = deps;
  const { corsOrigins, metricsToken } = config;
  const app = new Koa();
  const all = [...healthRoutes({ health, metrics, metricsToken }), ...routes];
  app.use(exchange({ corsOrigins, log, metrics, requests, traces }));
  const { bodyLimit } = config;
  app.use(createRouter({ routes: all, rights, guard, clock, bodyLimit }));

  app.context.onerror = lateFailures(log);
  return app;
}
