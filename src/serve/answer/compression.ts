/**
 * Answers compressed for those who accept it.
 *
 * ```
 * whole, 1 kB or more ─▶ gzip or brotli, beside the event loop ─▶ with its length
 * a stream            ─▶ gzip, flushed with each piece that comes ─▶ as it comes
 * events, downloads, parts of them, what does not get smaller ─▶ as they are
 * ```
 *
 * A page of 100 rows shrinks to a fifth. Where more than a few are being compressed, others go as
 * they are: no answer waits for it. A stream takes
 * some 300 kB while it lasts, and exports and downloads are bounded; brotli would take megabytes.
 *
 * No secret stands beside a caller's own text: no token, no cookie, nothing of another caller. So
 * the size of an answer tells nothing that its reader does not have.
 */
import { pipeline, type Readable, Stream } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';
import type { Context } from 'koa';

/** Smaller answers fit into a packet, bytes. */
const MIN_BYTES = 1_024;

/** Answers that are compressed at once. */
const AT_ONCE = 16;

const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 4;

/** Media types that compress well. Event streams are left out: compression would delay them. */
const COMPRESSIBLE =
  /^(text\/(?!event-stream)|application\/([\w.-]+\+)?(json|x-ndjson|javascript|xml))/;

type Encoding = 'gzip' | 'br';
type Compress = (bytes: Buffer) => Promise<Buffer>;

const brotli = promisify(brotliCompress) as (bytes: Buffer, options: object) => Promise<Buffer>;
const COMPRESSORS: Readonly<Record<Encoding, Compress>> = {
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        // A window as large as the body: the usual one is 4 MB, all of which is written to first.
        [constants.BROTLI_PARAM_LGWIN]: windowFor(bytes.length),
      },
    }),
};

/** As a power of two. */
const windowFor = (bytes: number) => Math.min(20, Math.max(14, Math.ceil(Math.log2(bytes))));

let compressing = 0;

/** Compresses the body of an answer that is ready to be sent, where that is worth while and wanted. */
export async function compressBody(ctx: Context): Promise<void> {
  // The web UI's files were compressed when it was built.
  if (ctx.res.hasHeader('Content-Encoding')) return;
  if (!COMPRESSIBLE.test(headerOf(ctx, 'Content-Type')) || ctx.res.hasHeader('Accept-Ranges'))
    return;
  ctx.vary('Accept-Encoding');
  const { body } = ctx;
  if (ctx.status !== 200 || !ctx.req.headers['accept-encoding']) return;
  if (body instanceof Stream) compressStream(ctx, body as Readable);
  else if (typeof body === 'string' || Buffer.isBuffer(body)) await compressWhole(ctx, body);
}

async function compressWhole(ctx: Context, body: string | Buffer): Promise<void> {
  if (body.length < MIN_BYTES || compressing >= AT_ONCE) return;
  const encoding = ctx.acceptsEncodings('gzip', 'br', 'identity');
  if (encoding !== 'gzip' && encoding !== 'br') return;
  compressing += 1;
  try {
    ctx.body = await compressedOnce(Buffer.isBuffer(body) ? body : Buffer.from(body), encoding);
  } finally {
    compressing -= 1;
  }
  mark(ctx, encoding);
}

const headerOf = (ctx: Context, name: string) => String(ctx.res.getHeader(name) ?? '');

/**
 * Files of the reference are sent again and again: each is compressed once. The largest takes 25 ms,
 * so that forty requests a second without a token would keep a processor busy.
 */
const files = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>();

function compressedOnce(file: Buffer, encoding: Encoding): Promise<Buffer> {
  const known = files.get(file) ?? {};
  files.set(file, known);
  known[encoding] ??= COMPRESSORS[encoding](file);
  return known[encoding];
}

function compressStream(ctx: Context, body: Readable): void {
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  mark(ctx, 'gzip');
  ctx.remove('Content-Length');
  if (ctx.method === 'HEAD') return;
  const compressed = createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH });
  // An error of either stream ends the other one, and Koa hears of it.
  ctx.body = pipeline(body, compressed, () => {});
}

/** Other bytes than those that a strong tag names. */
function mark(ctx: Context, encoding: Encoding): void {
  ctx.set('Content-Encoding', encoding);
  const tag = headerOf(ctx, 'ETag');
  if (tag.startsWith('"')) ctx.set('ETag', `W/${tag}`);
}
