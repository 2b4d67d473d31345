/**
 * What a client says it has already, compared with what there is (RFC 9110, 13).
 *
 * - `If-None-Match`, else `If-Modified-Since`: the client has it; 304.
 * - `If-Range`, `If-Match`: the client has a part; the rest is worth sending only if that is unchanged,
 *   otherwise all of it is sent.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** The state of what is asked for. */
export interface Validators {
  /** A strong one, quotes included. */
  readonly etag: string;
  readonly lastModified: Date | null;
}

/** Whether the client has exactly this already. */
export function isUnmodified(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined) return listsTag(tags, validators.etag);
  const date = since === undefined ? Number.NaN : Date.parse(since);
  return secondOf(validators.lastModified) <= date;
}

/** Whether a part fits what the client has of it. */
export function mayResume(headers: IncomingHttpHeaders, validators: Validators): boolean {
  const { 'if-match': tags, 'if-range': had } = headers;
  if (tags !== undefined && !listsTag(tags, validators.etag, 'strong')) return false;
  if (had === undefined) return true;
  const value = String(had).trim();
  if (/^(W\/)?"/.test(value)) return value === validators.etag;
  return secondOf(validators.lastModified) === Date.parse(value);
}

/** `*`, or a list of tags; a weak one counts where the comparison is weak. */
function listsTag(header: string, etag: string, comparison: 'weak' | 'strong' = 'weak'): boolean {
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag === etag || (comparison === 'weak' && tag === `W/${etag}`));
}

/** HTTP dates know seconds. */
function secondOf(date: Date | null): number {
  return date === null ? Number.NaN : Math.floor(date.getTime() / 1_000) * 1_000;
}
