/**
 * Whether what a client has a part of is still what there is (RFC 9110, 13): `If-Range`, `If-Match`. The
 * rest is worth sending only then; otherwise all of it is sent. What a client has whole is told by Koa's
 * `ctx.fresh`.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** The state of what is asked for. */
export interface Validators {
  /** A strong one, quotes included. */
  readonly etag: string;
  readonly lastModified: Date | null;
}

/** Whether a part fits what the client has of it. */
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
