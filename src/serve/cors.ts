/**
 * Pages of other origins: the allowed ones, and the headers that they may read.
 *
 * ```
 * Origin on the list ─▶ preflight: 204, what may be sent ─▶ answer: readable, with the headers it carries
 *         not there  ─▶ no header at all: the browser keeps the answer from the page
 * ```
 *
 * Failures are readable too, and so is a path that is not there: a preflight tells the allowed headers,
 * not whether a route exists. No credentials: a token stands in a header that only the page itself can
 * set, and there are no cookies. The setting takes no `*`: all pages there are must not see the data
 * that this machine sees without a token.
 */
import type { IncomingMessage } from 'node:http';
import { HEADERS } from './description.ts';
import { NOT_BEFORE } from './request/notBefore.ts';

/** Undefined: none. */
type Origins = ReadonlySet<string> | undefined;

/** Beside those that the reference names. */
const ALSO_EXPOSED = ['Accept-Ranges', 'Allow', 'Last-Modified'];
const EXPOSED = [...Object.keys(HEADERS), ...ALSO_EXPOSED].join(', ');

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const SENT = [
  ...['Authorization', 'Content-Type', 'X-Request-Id', 'Last-Event-ID', NOT_BEFORE],
  ...['If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Range', 'Range'],
  ...['traceparent', 'tracestate'],
].join(', ');

/** Seconds for which a browser need not ask again. */
const KEPT_S = 7_200;

/** Headers for any answer to this request. */
export function corsHeaders(req: IncomingMessage, origins: Origins): Record<string, string> {
  if (origins === undefined) return {};
  const { origin } = req.headers;
  if (origin === undefined || !origins.has(origin)) return { Vary: 'Origin' };
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED,
    // So that the page's own measurements have `Server-Timing`.
    'Timing-Allow-Origin': origin,
  };
}

/** The headers that answer a preflight, from a page that may ask; undefined for any other request. */
export function preflightHeaders(
  { method, headers }: IncomingMessage,
  origins: Origins,
): Record<string, string> | undefined {
  const isPreflight = method === 'OPTIONS' && 'access-control-request-method' in headers;
  if (!isPreflight || headers.origin === undefined || !origins?.has(headers.origin)) {
    return undefined;
  }
  return {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': SENT,
    'Access-Control-Max-Age': String(KEPT_S),
  };
}
