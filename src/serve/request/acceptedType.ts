/** The type of an answer that the header `Accept` prefers. */
import type { Context } from 'koa';

/**
 * A longer header is as none. Its parser looks at all quotes so far for each comma: 64 kB of both take
 * seconds, and a form may send it with a megabyte.
 */
const LONGEST = 2_048;

/** All answers are UTF-8; the parser would take this for another type. */
const UTF8 = /;[ \t]*charset="?utf-?8"?(?![^ \t,;])/gi;

/** One of these types, the first of them where all are welcome; undefined where none is. */
export function acceptedType<T extends string>(
  ctx: Context,
  ...types: readonly T[]
): T | undefined {
  const { accept = '' } = ctx.req.headers;
  if (accept.length > LONGEST) return types[0];
  if (accept !== '') ctx.req.headers.accept = accept.replaceAll(UTF8, '');
  return (ctx.accepts(...types) || undefined) as T | undefined;
}
