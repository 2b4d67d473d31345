/**
 * The route table → middleware: the steps of a request between its path and its handler.
 *
 * ```
 * path known? 404 ─▶ method? 405, Allow ─▶ who? 401 ─▶ may they? 403, 404 ─▶ body? 415, 413, 400 ─▶ query? 422 ─▶ handle
 *                                          └─ once the token is good: what the request holds, 429 and 503
 * ```
 *
 * That order is the contract's. A form has its token inside, so the router reads it before it knows the
 * sender, and looks at the request in it later, in the body's turn. Paths are matched as they were sent,
 * case and trailing slash included. Only ids of documents are sent encoded, so any other path with a percent
 * sign is unknown. That settles `%2F`, `%00`, `%ff` and every other spelling at once. Paths with `\` or `#`,
 * which URL parsers mend, are unknown too.
 */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AppError } from '../errors.ts';
import { Ended } from '../store/deadline.ts';
import { isUuid } from '../tables/definition/uuid.ts';
import type { Principal } from './auth/principal.ts';
import { nothingHere } from './auth/refusals.ts';
import type { Rights, RightsBasis } from './auth/rights.ts';
import { changeMsOf, type Guard, type Holdings } from './guard.ts';
import { bodies, isForm } from './request/body.ts';
import { bearerOf, requestOf } from './request/form.ts';
import { type Clock, NotBefore } from './request/notBefore.ts';
import { readQuery } from './request/queryParameters.ts';
import { hasBody, type Route, type RouteContext, type RouteState, UNKNOWN_PATH } from './route.ts';

export interface RouterOptions {
  readonly routes: readonly Route[];
  readonly rights: Pick<Rights, 'claims' | 'authenticate' | 'authorize'>;
  readonly guard: Guard;
  /** How far the store is, of which requests may ask for moments; left out, they may not. */
  readonly clock?: Clock | undefined;
  /** Bytes. */
  readonly bodyLimit: number;
}

const ODD = /[%#\\]/;

/** Ids of documents may be any text, so they are sent encoded. */
const ENCODED_ID = /^\/api\/v2\/tables\/\w+\/documents\/(?:[\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})+$/;

/** The beginning of a target that is a whole address (RFC 9112, 3.2.2). */
const AUTHORITY = /^https?:\/\/[^/?#\\]*/i;

function isOdd(target: string): boolean {
  const [path] = target.replace(AUTHORITY, '').split('?', 1) as [string];
  if (!ODD.test(path)) return false;
  if (!ENCODED_ID.test(path)) return true;
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

export function createRouter({ routes, rights, ...others }: RouterOptions): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  const run = runner(rights, others.guard, bodies(others.bodyLimit), others.clock);
  const pageOfUnknown = routes.find(({ path }) => path === UNKNOWN_PATH);
  for (const route of routes) {
    if (route === pageOfUnknown) continue;
    router.register(route.path, [route.method], async (ctx, next) => {
      const routed = ctx as unknown as RoutedContext;
      // Another route may still know the path: `…/orders/search` is no `…/orders/:id`.
      if (!takesParams(routed.params)) return await next();
      await run(routed, route);
    });
  }
  const known = router.routes() as unknown as Middleware;
  const methods = [...new Set(routes.map(({ method }) => method)), 'HEAD', 'OPTIONS'].join(', ');
  return async (ctx, next) => {
    // A request about the service as a whole (RFC 9110, 9.3.7).
    if (ctx.method === 'OPTIONS' && ctx.originalUrl === '*') return offer(ctx, methods);
    const odd = isOdd(ctx.originalUrl);
    if (!odd) await known(ctx, next);
    if (ctx.state.route !== undefined) return;
    if (!odd && refuseMethod(router, ctx)) return;
    if (!pageOfUnknown || !isOpenedByBrowser(ctx)) throw nothingHere();
    await run(ctx as unknown as RoutedContext, pageOfUnknown);
  };
}

/** A browser that opens an address names the type HTML; programs, scripts and images accept anything. */
function isOpenedByBrowser({ method, path, req }: Context): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !OF_PROGRAMS.test(path) && /\btext\/html\b/.test(req.headers.accept ?? '');
}
const OF_PROGRAMS = /^\/(api|page)(\/|$)/;

type RoutedContext = Context & { params: Record<string, string> };

/** Runs a route, once it is found. */
function runner(
  rights: RouterOptions['rights'],
  guard: Guard,
  read: ReturnType<typeof bodies>,
  clock: RouterOptions['clock'],
) {
  return async (ctx: RoutedContext, route: Route): Promise<void> => {
    ctx.state.route = route;
    const { deadline } = ctx.state as RouteState;
    const { permission, cost } = route;
    const changeMs = changeMsOf(cost);
    if (changeMs !== undefined) deadline.allow(changeMs);
    const basis = route.fromMemory && { silentMs: undefined };
    const isSentByForm = route.body === 'jsonOrForm' && isForm(ctx.req.headers['content-type']);
    if (isSentByForm) {
      const holdings = holdingsOf(ctx, guard);
      await deadline.outside(() => read.form(ctx, holdings));
    }
    const authorization = () => (isSentByForm ? bearerOf(ctx) : ctx.req.headers.authorization);
    let notBefore: NotBefore | undefined;
    if (permission !== 'public') {
      notBefore = clock && new NotBefore(ctx.req, clock);
      deadline.check();
      ctx.state.principal = (await rights.claims(authorization())) satisfies Principal;
    }
    const confirm = async (byMemory?: RightsBasis) => {
      const { principal } = ctx.state as RouteState;
      await rights.authenticate(principal, deadline, byMemory);
      await rights.authorize(permission, principal, ctx.params, deadline, byMemory);
    };
    const holdings = holdingsOf(ctx, guard);
    if (permission !== 'public') {
      // Before the first read: reads of rights are as few at once as the caller's requests.
      if (cost !== 'free') await holdings.take('requests');
      await notBefore?.begin(deadline);
      await confirm(basis);
    }
    if (basis?.silentMs !== undefined) ctx.state.confirmRights = () => confirm();
    if (await notBefore?.reach(deadline, isSentByForm)) await confirm();
    if (isSentByForm) ctx.request.body = await requestOf(ctx, holdings);
    else if (hasBody(route)) await deadline.outside(() => read.json(ctx, holdings));
    if (route.query !== 'ignored') readQuery(ctx, route.query ?? {});
    notBefore?.check();
    await holdings.handle(cost, () => route.handle(ctx as unknown as RouteContext));
  };
}

/** The holdings of the request, until `exchange` sees the end of the answer. */
function holdingsOf(ctx: RoutedContext, guard: Guard): Holdings {
  const { principal, deadline } = ctx.state as Partial<RouteState> & Pick<RouteState, 'deadline'>;
  const address = ctx.req.socket.remoteAddress ?? 'gone';
  const caller = principal ? `user:${principal.sub}` : `address:${address}`;
  if (ctx.res.closed) throw new Ended('client');
  // An answer that goes on has as long as it is taken: only each wait of it is bounded.
  const left = () => (deadline.isClosed ? Number.POSITIVE_INFINITY : deadline.left);
  const holdings = guard.holdings(caller, left);
  deadline.onEnd((ended) => {
    if (ended.end === 'stopping') holdings.end(ended);
  });
  ctx.state.holdings = holdings;
  return holdings;
}

/** Parameters of paths that are no UUIDs, with the texts that they take. */
const TAKES: Readonly<Record<string, (text: string) => boolean>> = {
  table: (text) => /^[a-z][a-z0-9_]{0,31}$/.test(text),
  id: () => true,
};

function takesParams(params: Readonly<Record<string, string>>): boolean {
  for (const name in params) if (!(TAKES[name] ?? isUuid)(params[name]!)) return false;
  return true;
}

/**
 * Says which methods the path takes.
 *
 * @returns false where it takes none
 * @throws AppError `MethodNotAllowed`
 */
function refuseMethod(router: Router, ctx: Context): boolean {
  const matched = router.match(ctx.path, ctx.method).path;
  const usable = matched.filter((layer) =>
    takesParams(layer.params(ctx.path, layer.captures(ctx.path), {})),
  );
  if (usable.length === 0) return false;
  const allow = [...new Set(usable.flatMap((layer) => layer.methods)), 'OPTIONS'].join(', ');
  if (ctx.method !== 'OPTIONS') {
    const detail = `This path takes ${allow}.`;
    throw new AppError('MethodNotAllowed', detail, { headers: { Allow: allow } });
  }
  offer(ctx, allow);
  return true;
}

function offer(ctx: Context, allow: string): void {
  ctx.status = 204;
  ctx.set('Allow', allow);
}
