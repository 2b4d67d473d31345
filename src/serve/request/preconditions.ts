/**
 * Preconditions of a request: the client's copy, compared with the current state (RFC 9110, 13).
 *
 * - `If-None-Match`, else `If-Modified-Since`: the client's copy is current; 304.
 * - `If-Range`, `If-Match`: the client has a part. If that is unchanged, the service sends the remainder,
 *   otherwise all of it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';

/** The current state of the resource. */
export interface Validators {
  /** A strong one, quotes included. */
  readonly etag: string;
  readonly lastModified: Date | null;
}

/**
 * Whether the client has exactly this already. Koa's `ctx.fresh` would also heed `Cache-Control: no-cache`,
 * which `fetch` adds to every request with a condition, and is meant for caches.
 */
export function isUnmodified(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  const { etag, lastModified } = validators;
  const has = { etag, 'last-modified': lastModified?.toUTCString() };
  return fresh({ 'if-none-match': tags, 'if-modified-since': since }, has);
}

/** Whether a part fits the client's part. */
export function mayResume(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const { 'if-match': tags, 'if-range': had } = headers;
  if (tags !== undefined && !listsTag(tags, validators.etag)) return false;
  if (had === undefined) return true;
  const value = String(had).trim();
  if (/^(W\/)?"/.test(value)) return value === validators.etag;
  return secondOf(validators.lastModified) === Date.parse(value);
}

/** `*`, or a list of tags, among which weak ones do not count. */
function listsTag(header: string, etag: string): boolean {
  const tags: readonly string[] = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return header.trim() === '*' || tags.includes(etag);
}

/** HTTP dates know seconds. */
function secondOf(date: Date | null): number {
  return date === null ? Number.NaN : Math.floor(date.getTime() / 1_000) * 1_000;
}
