/**
 * The route table → middleware: what happens to a request between its path and its handler.
 *
 * ```
 * path known? 404 ─▶ method? 405, Allow ─▶ who? 401 ─▶ may they? 403, 404 ─▶ body? 415, 413, 400 ─▶ handle
 * ```
 *
 * That order is the contract's. Paths are matched as they were sent, case and trailing slash
 * included. No path here needs a percent sign, so one that has any is unknown: that settles `%2F`,
 * `%00`, `%ff` and every other spelling at once, as it does what URL parsers mend: `\` and `#`.
 */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type Authenticator, nothingHere } from '../auth/authenticator.ts';
import type { Principal } from '../auth/principal.ts';
import { AppError } from '../errors.ts';
import { jsonBodies, type ReadBody } from './body.ts';
import type { Route, RouteContext } from './route.ts';

export interface RouterOptions {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  /** Bytes. */
  readonly bodyLimit: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const ODD = /[%#\\]/;

export function createRouter({ routes, authenticator, bodyLimit }: RouterOptions): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  const readBody = jsonBodies(bodyLimit);
  for (const route of routes) {
    router.register(route.path, [route.method], async (ctx, next) => {
      const routed = ctx as unknown as RoutedContext;
      // Another route may still know the path: `…/schedules/search` is no `…/schedules/:schedule_id`.
      if (!hasUuids(routed.params)) return await next();
      await run(routed, route, authenticator, readBody);
    });
  }
  const known = router.routes() as unknown as Middleware;
  return async (ctx, next) => {
    if (ODD.test(ctx.originalUrl.split('?', 1)[0]!)) throw nothingHere();
    await known(ctx, next);
    if (ctx.state.route === undefined) refuseMethod(router, ctx);
  };
}

type RoutedContext = Context & { params: Record<string, string> };

async function run(
  ctx: RoutedContext,
  route: Route,
  authenticator: Authenticator,
  readBody: ReadBody,
): Promise<void> {
  ctx.state.route = route;
  if (route.permission !== 'public') {
    const principal = await authenticator.authenticate(ctx.req.headers.authorization);
    ctx.state.principal = principal satisfies Principal;
    await authenticator.authorize(route.permission, principal, ctx.params);
  }
  if (route.body === 'json') await readBody(ctx);
  await route.handle(ctx as unknown as RouteContext);
}

function hasUuids(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) if (!UUID.test(params[name]!)) return false;
  return true;
}

/** No route took the request: 404, or the methods that the path does take. */
function refuseMethod(router: Router, ctx: Context): void {
  const matched = router.match(ctx.path, ctx.method).path;
  const usable = matched.filter((layer) =>
    hasUuids(layer.params(ctx.path, layer.captures(ctx.path), {})),
  );
  if (usable.length === 0) throw nothingHere();
  const allow = [...new Set(usable.flatMap((layer) => layer.methods)), 'OPTIONS'].join(', ');
  if (ctx.method !== 'OPTIONS') {
    const detail = `This path takes ${allow}.`;
    throw new AppError('MethodNotAllowed', detail, { headers: { Allow: allow } });
  }
  ctx.status = 204;
  ctx.set('Allow', allow);
}
