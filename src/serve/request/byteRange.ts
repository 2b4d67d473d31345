/**
 * The `Range` header of a download → the bytes to send (RFC 9110, 14.1 and 14.2).
 *
 * ```
 * of 1000 bytes:  bytes=0-99     the first hundred        bytes=900-       the last hundred
 *                 bytes=-100     the last hundred         bytes=-5000      all of them
 *                 bytes=1000-    none: 416                lines=1-2, x     not ours: ignored
 * ```
 *
 * Several ranges in one header are ignored as well, as the RFC allows: no client needs a
 * multipart answer here. Not `range-parser`: it takes a suffix longer than the file, which means the
 * whole file, for unsatisfiable.
 */
export interface Bytes {
  readonly start: number;
  /** Included. */
  readonly end: number;
}

/** The requested bytes; undefined for all; `unsatisfiable` when the range has none of them. */
export function byteRange(
  header: string | undefined,
  length: number,
): Bytes | undefined | 'unsatisfiable' {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const start = Math.max(0, length - Number(last));
    return start < length ? { start, end: length - 1 } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  if (end < start) return undefined;
  return start < length ? { start, end: Math.min(end, length - 1) } : 'unsatisfiable';
}
