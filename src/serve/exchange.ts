/**
 * The frame of every request: its id, its headers, its line in the log, and the answers to errors.
 *
 * ```
 *  request ─▶ id, no-store, nosniff, CORS ─▶ router ─▶ body as JSON text, compressed ─▶ answer ─▶ closed: log, metrics
 *                                        └─ anything thrown ─▶ problem+json
 * ```
 */
import { randomUUID } from 'node:crypto';
import { Readable, Stream } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { loop } from '../loop.ts';
import { Ended, isEndedBy } from '../store/deadline.ts';
import type { Hold } from '../tables/search/quota.ts';
import { compressBody } from './answer/compression.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { toAppError } from './failures.ts';
import { changeMsOf } from './guard.ts';
import type { Metrics } from './metrics.ts';
import { PROBLEM_JSON, problemText } from './problem.ts';
import type { Route, RouteState } from './route.ts';
import { piecesOf } from './server/pieces.ts';
import type { Requests } from './server/requests.ts';
import { RequestTrace, type Traces, tracedBy } from './traces/requestTrace.ts';

export interface ExchangeOptions {
  /** Origins whose pages may call. */
  readonly corsOrigins: Config['corsOrigins'];
  readonly log: Log;
  readonly metrics: Metrics;
  readonly requests: Requests;
  /** Where traces go, if the settings ask for them. */
  readonly traces?: Traces | undefined;
}

/** The outermost middleware. Nothing passes it: every error thrown inside has become an answer. */
export function exchange(options: ExchangeOptions): Middleware {
  const { corsOrigins, log, metrics, requests, traces } = options;
  return async (ctx, next) => {
    const started = performance.now();
    const deadline = requests.begin();
    ctx.state.deadline = deadline;
    ctx.state.requestId = requestIdOf(ctx.req.headers['x-request-id']);
    const trace = traces && new RequestTrace(ctx.get('traceparent') || undefined);
    if (trace) ctx.state.trace = trace;
    const end = (isSent: boolean, ms: number) => {
      const { holdings, principal, search } = ctx.state as Partial<RouteState>;
      holdings?.end(ENDED);
      const { path: route, probe, cost = 'free' } = (ctx.state.route ?? {}) as Partial<Route>;
      if (!isSent && changeMsOf(cost) === undefined) deadline.stop('client');
      const status = isSent ? ctx.res.statusCode : CLIENT_GONE;
      log[probe ? 'debug' : 'info'](accessLine(ctx, route, status, ms), 'request');
      const method = METHODS.has(ctx.method) ? ctx.method : 'other';
      metrics.request(method, route ?? 'none', status, ms / 1_000);
      const { requestId } = ctx.state;
      const userId = principal?.sub;
      if (trace) traces?.take(trace, { requestId, method, route, status, userId, search });
      if (search !== undefined && status === 200) metrics.search(search, ms / 1_000);
    };
    ctx.res.once('close', () => {
      const ms = performance.now() - started;
      if (ctx.res.writableFinished) end(true, ms);
      // Thousands of clients may leave at once.
      else void loop.run('answer', undefined, async () => end(false, ms));
    });
    ctx.state.commonHeaders = {
      'X-Request-Id': ctx.state.requestId,
      ...COMMON_HEADERS,
      ...corsHeaders(ctx.req, corsOrigins),
    };
    ctx.set(ctx.state.commonHeaders);
    try {
      const allowed = preflightHeaders(ctx.req, corsOrigins);
      if (allowed) {
        ctx.status = 204;
        ctx.set(allowed);
        return;
      }
      await (trace ? tracedBy(trace, next) : next());
      asJsonText(ctx);
      const whole = holdAnswer(ctx);
      await compressBody(ctx);
      if (ctx.res.hasHeader('Content-Encoding')) {
        whole?.release();
        holdAnswer(ctx);
      }
      sendInPieces(ctx);
    } catch (thrown) {
      answerFailure(ctx, thrown, log);
    } finally {
      requests.end(deadline);
    }
  };
}

/** One for all requests: to make an error for each takes as long as all else at their end. */
const ENDED = new Ended('client');

/** nginx's status for a caller who left before the answer; it exists in logs and metrics alone. */
const CLIENT_GONE = 499;

/** A caller's own id is kept when it is short and plain; anything else is replaced. */
function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
}

const COMMON_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/**
 * One line a request: no query, no body, no token; a path only where no route explains it. A 401 names
 * the address the connection comes from; a header about it could be made up. The log leaves out what is undefined.
 */
function accessLine(ctx: Context, route: string | undefined, status: number, ms: number) {
  return {
    request_id: ctx.state.requestId,
    method: ctx.method,
    route: route ?? null,
    path: route === undefined ? ctx.path.slice(0, 256) : undefined,
    status,
    ms: Math.round(ms * 1_000) / 1_000,
    user_id: userIdOf(ctx.state) ?? null,
    address: status === 401 ? (ctx.req.socket.remoteAddress ?? null) : undefined,
    search: ctx.state.search?.route,
    code: ctx.state.code,
  };
}

/** A number where the `sub` is the text of one. */
function userIdOf({ principal }: Partial<RouteState>): number | string | undefined {
  const sub = principal?.sub;
  return sub !== undefined && String(Number(sub)) === sub ? Number(sub) : sub;
}

/** Labels must not grow with the texts that callers send. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Bodies that are values become text here, where a failure to do so can still be answered. */
function asJsonText(ctx: Context): void {
  const { body } = ctx;
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return;
  if (body instanceof Stream) return;
  ctx.body = JSON.stringify(body);
  ctx.set('Content-Type', 'application/json; charset=utf-8');
}

/** Smaller answers fit into the buffers of their connection, bytes. */
const SMALL_ANSWER = 16_384;

/**
 * Counts an answer as held until it is sent; streams account for themselves.
 *
 * @throws AppError `TooManyRequests`, `Overloaded` when too much waits to be read already.
 */
function holdAnswer({ body, state }: Context): Hold | undefined {
  const { holdings } = state as Partial<RouteState>;
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body.length : 0;
  return bytes > SMALL_ANSWER ? holdings?.hold('answers', bytes) : undefined;
}

/** Larger answers are sent in pieces, bytes. */
const LARGE_ANSWER = 262_144;

function sendInPieces(ctx: Context): void {
  const { body } = ctx;
  if (!(typeof body === 'string' || Buffer.isBuffer(body)) || body.length <= LARGE_ANSWER) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  ctx.body = Readable.from(piecesOf(bytes), { objectMode: false });
  ctx.length = bytes.length;
}

/**
 * Answers with the thrown error, on a clean slate: no header of the failed answer is left. When
 * the answer is under way already, or its receiver is gone, the connection is cut instead.
 */
function answerFailure(ctx: Context, thrown: unknown, log: Log): void {
  if (isEndedBy('client', thrown)) {
    ctx.res.destroy();
    return;
  }
  const error = toAppError(thrown);
  ctx.state.code = error.code;
  const fields = { request_id: ctx.state.requestId, code: error.code, err: error.cause ?? error };
  if (error.code === 'Internal') log.error(fields, 'request failed');
  else if (error.status >= 500 || ctx.headerSent) log.warn(fields, 'request failed');

  if (ctx.headerSent || !ctx.writable) {
    ctx.res.destroy();
    return;
  }
  for (const name of ctx.res.getHeaderNames()) {
    // A server that closes has said so, and still does.
    if (name !== 'connection') ctx.res.removeHeader(name);
  }
  ctx.set(ctx.state.commonHeaders);
  // To others than admins a 404 must not reveal whether a transaction looked for the target.
  if (error.code === 'NotFound' && ctx.state.route?.permission !== 'admin') {
    ctx.remove('Search-As-Of');
  }
  ctx.status = error.status;
  ctx.body = problemText(error, ctx.state.requestId);
  ctx.set('Content-Type', PROBLEM_JSON);
  ctx.set(error.headers);
  if (leavesBodyUnread(ctx)) refuseUnread(ctx);
}

/**
 * Koa's handler of errors after the middleware: a stream that breaks while it is sent, a socket
 * that closes. Koa's own would answer in plain text.
 */
export function lateFailures(log: Log): Context['onerror'] {
  return function onerror(this: Context, thrown: Error | null | undefined) {
    if (thrown === null || thrown === undefined) return;
    // Koa reports a broken stream twice: when it breaks, and when its pipeline ends.
    if (this.state.brokenBy === thrown) return;
    this.state.brokenBy = thrown;
    if (isDeparture(thrown)) {
      this.res.destroy();
      return;
    }
    answerFailure(this, thrown, log);
    if (!this.res.headersSent && this.writable) {
      this.res.end(this.method === 'HEAD' ? undefined : this.body);
    }
  };
}

const DEPARTURES = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED']);

/** The caller hung up: no failure of the service. */
function isDeparture(thrown: Error): boolean {
  return DEPARTURES.has((thrown as NodeJS.ErrnoException).code ?? '');
}

/** More than this is not worth reading only to keep the connection, bytes. */
const WORTH_READING = 65_536;

function leavesBodyUnread({ req }: Context): boolean {
  if (req.complete) return false;
  const length = req.headers['content-length'];
  return length === undefined ? 'transfer-encoding' in req.headers : Number(length) > WORTH_READING;
}

/** Time a sender has to read its answer before an unread body costs it the connection. */
const LINGER_MS = 500;

/**
 * Leaves a body, or its remainder, unread: the answer goes out and ends the connection. Closing a socket
 * that holds unread bytes resets it, and the reset can overtake the answer. So the socket stays half
 * open for a moment, unread.
 */
function refuseUnread(ctx: Context): void {
  const { req, socket } = ctx;
  ctx.set('Connection', 'close');
  req.pause();
  const cut = () => socket.destroy();
  socket.destroySoon = () => {
    socket.pause();
    socket.end();
    setTimeout(cut, LINGER_MS).unref();
  };
}
