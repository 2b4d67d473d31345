/**
 * A request's body → the JSON value in it.
 *
 * ```
 * type and encoding known? 415 ─▶ declared length within the limit? 413 ─▶ read, unpack, count
 *     ─▶ over the limit, packed or unpacked: stop there, 413 ─▶ UTF-8 and JSON? 400
 * ```
 *
 * The value is exactly what `JSON.parse` makes of the text: nothing is coerced, and a member named
 * `__proto__` is an ordinary member. Reading it here rather than with co-body decides three cases: a
 * packed body whose sender goes away ends the read (`inflation` pipes without passing that on, and
 * the request waits for ever), bytes that are not UTF-8 are refused instead of replaced, and what is
 * refused stays unread.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '../errors.ts';

/** The sender went away before the body had arrived: there is nobody left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

const UNPACKERS: Readonly<Record<string, (() => Transform) | null>> = {
  identity: null,
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Reads the body of `req`, of at most `limit` bytes packed and unpacked.
 *
 * @throws AppError `UnsupportedMediaType`, `BodyTooLarge`, `MalformedBody`; ClientGone.
 */
export async function readJsonBody(req: IncomingMessage, limit: number): Promise<unknown> {
  requireJson(req.headers['content-type']);
  const unpack = unpacker(req.headers['content-encoding']);
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return parse(await collect(req, unpack?.() ?? null, limit));
}

/** `application/json`, with no parameter but `charset=utf-8`. */
function requireJson(contentType: string | undefined): void {
  const json = /^application\/json\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?;?\s*$/i;
  if (contentType !== undefined && json.test(contentType)) return;
  throw new AppError('UnsupportedMediaType', 'Send Content-Type: application/json.');
}

function unpacker(encoding = 'identity'): (() => Transform) | null {
  const name = encoding.trim().toLowerCase();
  if (Object.hasOwn(UNPACKERS, name)) return UNPACKERS[name] ?? null;
  throw new AppError('UnsupportedMediaType', 'Bodies may be packed with gzip, deflate or br.', {
    headers: { 'Accept-Encoding': 'gzip, deflate, br' },
  });
}

function tooLarge(limit: number): AppError {
  return new AppError('BodyTooLarge', `A body may have at most ${limit} bytes, unpacked.`);
}

function malformed(detail: string, cause?: unknown): AppError {
  return new AppError('MalformedBody', detail, { cause });
}

/** The bytes of the body, unpacked. Stops reading at the first byte too many. */
function collect(req: IncomingMessage, unpack: Transform | null, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let size = 0;
    const settle = (end: () => void) => {
      req.off('data', onReceived).off('end', onEnd).off('error', onGone).off('close', onClose);
      req.pause();
      unpack
        ?.removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      end();
    };
    const onReceived = (chunk: Buffer) => {
      received += chunk.length;
      if (received > limit) settle(() => reject(tooLarge(limit)));
      else if (unpack === null) chunks.push(chunk);
      else if (!unpack.write(chunk)) req.pause();
    };
    const onUnpacked = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle(() => reject(tooLarge(limit)));
      else chunks.push(chunk);
    };
    const finish = () => settle(() => resolve(Buffer.concat(chunks)));
    const onEnd = () => (unpack === null ? finish() : unpack.end());
    const onGone = () => settle(() => reject(new ClientGone('the sender went away')));
    const onClose = () => req.complete || onGone();
    const onBroken = (cause: Error) =>
      settle(() => reject(malformed('The packed body cannot be unpacked.', cause)));

    if (req.destroyed) return onGone();
    unpack?.on('data', onUnpacked).on('end', finish).on('error', onBroken);
    unpack?.on('drain', () => req.resume());
    req.on('data', onReceived).on('end', onEnd).on('error', onGone).on('close', onClose);
  });
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) throw malformed('The body is empty; {} is a body without conditions.');
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw malformed('The body cannot be read as JSON.');
  }
}
