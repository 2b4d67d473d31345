/**
 * The service as a Koa application, made of the given parts; does no I/O of its own.
 *
 * ```
 * exchange (id, log, errors) ─▶ router (path, caller, body) ─▶ a route's handler
 * ```
 */
import Koa from 'koa';
import type { Config } from '../config.ts';
import { type ExchangeOptions, exchange, lateFailures } from './exchange.ts';
import { createRouter, type RouterOptions } from './router.ts';
import { type HealthRoutesOptions, healthRoutes } from './routes/health.ts';

type Settings = Pick<Config, 'bodyLimit' | 'corsOrigins' | 'metricsToken'>;

export type AppDeps = Omit<
  ExchangeOptions & RouterOptions & HealthRoutesOptions,
  keyof Settings
> & {
  readonly config: Settings;
};

export function buildApp({ config, routes, ...deps }: AppDeps): Koa {
  const { corsOrigins, metricsToken, bodyLimit } = config;
  const app = new Koa();
  const all = [...healthRoutes({ ...deps, metricsToken }), ...routes];
  app.use(exchange({ ...deps, corsOrigins }));
  app.use(createRouter({ ...deps, routes: all, bodyLimit }));
  app.context.onerror = lateFailures(deps.log);
  return app;
}
