/**
 * The three routes for whoever runs the service.
 *
 * - `/livez`: the process answers. Asks nothing and nobody, so that a store that is away never makes
 *   a supervisor restart what would come back by itself.
 * - `/readyz`: 200 while searches can be answered, be it by pipeline; else 503. The body says why.
 *   It is answered from memory, too.
 * - `/metrics`: for a scraper on this machine, or one that has the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';
import type { Health } from '../health.ts';
import type { Metrics } from '../metrics.ts';
import type { Route, RouteContext } from '../route.ts';

export interface HealthRoutesOptions {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
}

export function healthRoutes({ health, metrics, metricsToken }: HealthRoutesOptions): Route[] {
  return [
    open('/livez', (ctx) => {
      ctx.body = { status: 'alive' };
    }),
    open('/readyz', (ctx) => {
      const found = health.store();
      const ready = found.state === 'up';
      ctx.status = ready ? 200 : 503;
      if (!ready) ctx.set('Retry-After', '1');
      ctx.body = { status: ready ? 'ready' : 'not ready', store: found, index: health.index() };
    }),
    open('/metrics', async (ctx) => {
      requireScraper(ctx.req, metricsToken);
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
    probe: true,
    handle,
  };
}

function requireScraper(req: IncomingMessage, token: string | undefined): void {
  if (isLocal(req)) return;
  if (token === undefined) throw new AppError('Forbidden', 'Metrics are for this machine only.');
  const sent = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  if (sent !== undefined && sameText(sent, token)) return;
  throw new AppError('Unauthenticated', 'Metrics need their own token.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
  });
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Whether a process on this machine asks for itself. A proxy on this machine comes from loopback as
 * well, for others: it either says so in a header, or passes on a host name that is not loopback's.
 * The latter also stops a page in a local browser whose name was rebound to 127.0.0.1.
 */
function isLocal(req: IncomingMessage): boolean {
  const address = req.socket.remoteAddress ?? '';
  if (!/^(::ffff:)?127\.|^::1$/.test(address)) return false;
  if (FORWARDED.some((name) => name in req.headers)) return false;
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(req.headers.host ?? '');
}

/** Compares digests, so that neither content nor length shows in the time it takes. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
