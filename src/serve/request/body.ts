/**
 * A request's body → the JSON value in it, or the fields of a form: `@koa/bodyparser`, and checks that it lacks.
 *
 * ```
 * type, charset, encoding known? 415 ─▶ declared length within the limit? 413 ─▶ 100 Continue
 *     ─▶ small and plain       @koa/bodyparser: read, count (413), parse ────┬─▶ UTF-8? 400 ─▶ value
 *     ─▶ large or compressed   kept (decompress.ts: 413) ─▶ in turn, parsed ─┘
 *        └─ beside it: bytes over the limit 413, too many of this caller's 429, sender gone
 * ```
 *
 * The value is exactly what `JSON.parse` makes of the text: nothing is coerced, and a member named
 * `__proto__` is an ordinary member. Left alone, the parser answers a body of another type with `{}` and
 * 200. It waits for ever for a compressed body whose sender went away, and decompresses without end. It
 * replaces bytes that are not UTF-8, and refuses `__proto__` as if it were no JSON.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyParser } from '@koa/bodyparser';
import { parse } from 'content-type';
import type { Context } from 'koa';
import { AppError } from '../../errors.ts';
import { Ended } from '../../store/deadline.ts';
import { validationFailed } from '../../tables/query/schema.ts';
import type { Hold } from '../../tables/search/quota.ts';
import type { Holdings } from '../guard.ts';
import type { Route } from '../route.ts';
import { type CompressedEncoding, KeptBody } from './decompress.ts';
import { excessOf, type JsonExtent } from './jsonExtent.ts';
import { jsonFault, parseError } from './jsonFault.ts';

/** Reads the body of a request: the value in it becomes `ctx.request.body`. */
export type ReadBody = (ctx: Context, holdings: Holdings) => Promise<void>;

/**
 * Readers of bodies of at most `limit` bytes, compressed and decompressed: JSON, or the fields of a form.
 *
 * They throw AppError `UnsupportedMediaType`, `BodyTooLarge` or `MalformedBody`, `TooManyRequests` or
 * `Overloaded`; Ended.
 */
export function bodies(limit: number): { readonly json: ReadBody; readonly form: ReadBody } {
  const parser = bodyParser({
    enableTypes: ['json'],
    // The route says that it takes JSON, and `requireType` that it is: no more to detect.
    parsedMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    detectJSON: () => true,
    jsonStrict: false,
    jsonLimit: limit,
    // A character for each byte, so that the bytes can still be looked at.
    encoding: 'binary',
    onError: keepText,
  });
  const reader =
    (kind: Kind): ReadBody =>
    async (ctx, holdings) => {
      const { req, request } = ctx;
      requireType(kind.type, req.headers['content-type']);
      const encoding = knownEncoding(req.headers['content-encoding']);
      if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
      if (req.destroyed) throw new Ended('client');
      // HTTP/1.0 has no such answer: its clients would take it for the one (RFC 9110, 10.1.1).
      const waits = req.headers.expect !== undefined && req.httpVersion !== '1.0';
      if (waits) ctx.res.writeContinue();
      // The parser knows encodings by their exact names.
      req.headers['content-encoding'] = encoding;

      const kept = keptBody(req, encoding, limit, holdings);
      const arrival = watchArrival(req, limit, holdings, kept);
      const valueFrom = (bytes: Buffer, parsed?: unknown) => {
        if (kind === JSON_BODY && bytes.length === 0) throw malformed(emptyAdvice(ctx));
        return kind.valueIn(bytes, parsed);
      };
      const read = async (): Promise<unknown> => {
        if (kept === undefined) {
          await parser(ctx, async () => undefined);
          const bytes = Buffer.from(request.rawBody, 'latin1');
          request.rawBody = '';
          return valueFrom(bytes, request.body);
        }
        await once(req, 'end');
        const bytes = await kept.whole();
        if (bytes.length <= SMALL) return valueFrom(bytes);
        return await parseLarge(holdings, async () => {
          const excess = kind === JSON_BODY ? excessOf(bytes, MOST) : undefined;
          if (excess) throw await tooMuch(excess, textOf(bytes));
          return valueFrom(bytes);
        });
      };
      try {
        request.body = await Promise.race([read(), arrival.failed]);
      } catch (error) {
        req.unpipe().pause();
        throw failureOf(error, limit, encoding);
      } finally {
        arrival.end();
        kept?.drop();
      }
    };
  return { json: reader(JSON_BODY), form: reader(FORM_BODY) };
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

interface Kind {
  readonly type: string;
  /** The value in a body; `parsed`: the JSON value that the parser made of it, if any. */
  readonly valueIn: (bytes: Buffer, parsed?: unknown) => unknown;
}

/** A media type in UTF-8, with any other parameters. */
export function requireType(wanted: string, header = ''): void {
  const { type, parameters } = parse(header);
  if (type === wanted && /^utf-?8$/i.test(parameters.charset ?? 'utf-8')) return;
  throw new AppError('UnsupportedMediaType', `Send Content-Type: ${wanted}, in UTF-8.`);
}

/** Whether the body says that it is a form. */
export const isForm = (header = ''): boolean =>
  parse(header, { parameters: false }).type === FORM_TYPE;

type Encoding = 'identity' | CompressedEncoding;

const ENCODINGS: readonly Encoding[] = ['identity', 'gzip', 'deflate', 'br'];

function knownEncoding(sent = 'identity'): Encoding {
  const name = sent.trim().toLowerCase().replace('x-gzip', 'gzip');
  const known = ENCODINGS.find((encoding) => encoding === name);
  if (known !== undefined) return known;
  throw new AppError('UnsupportedMediaType', 'Bodies may be compressed with gzip, deflate or br.', {
    headers: { 'Accept-Encoding': 'gzip, deflate, br' },
  });
}

/** Bodies up to this size are parsed as they come, bytes. */
const SMALL = 65_536;

/** The largest extent of a large body; see jsonExtent.ts. */
const MOST: JsonExtent = { levels: 1_000, members: 10_000 };

/** A compressed or large body is kept until it is whole. The parser reads any other itself. */
function keptBody(
  { headers }: IncomingMessage,
  encoding: Encoding,
  limit: number,
  holdings: Holdings,
): KeptBody | undefined {
  const isSmall = Number(headers['content-length'] ?? limit) <= SMALL;
  if (encoding === 'identity' && isSmall) return undefined;
  return new KeptBody(encoding, limit, (work) => holdings.run('decompressing', work));
}

/**
 * Parses one large body at a time, since parsing blocks the event loop or begins a thread. Others have the
 * loop afterwards for as long as it took. JSON of 1 MB takes 40 to 120 ms, 400,000 levels the longest.
 */
const parseLarge = <T>(holdings: Holdings, work: () => Promise<T>): Promise<T> =>
  holdings.run('parsing', async () => {
    const started = performance.now();
    try {
      return await work();
    } finally {
      await sleep(performance.now() - started);
    }
  });

/** A sender chooses the pieces of a body, down to single bytes, and a hold takes more memory than that. */
const LEAST_HOLD = 1_024;

/**
 * Events that the parser does not see: the sender goes away, too many bytes arrive, compressed or
 * not, or bodies of this caller take too much room.
 */
function watchArrival(
  req: IncomingMessage,
  limit: number,
  holdings: Holdings,
  kept: KeptBody | undefined,
) {
  const holds: Hold[] = [];
  let end = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    let received = 0;
    let held = 0;
    const take = async (chunk: Buffer) => {
      received += chunk.length;
      if (received > limit) throw tooLarge(limit);
      if (received > held) {
        const units = Math.max(received - held, LEAST_HOLD);
        holds.push(holdings.hold('bodies', units));
        held += units;
      }
      await kept?.add(chunk);
    };
    const onData = (chunk: Buffer) => void take(chunk).catch(reject);
    const onClose = () => {
      if (!req.readableEnded) reject(new Ended('client'));
    };
    req.on('data', onData).on('close', onClose);
    end = () => {
      req.off('data', onData).off('close', onClose);
      for (const hold of holds) hold.release();
    };
  });
  return { failed, end };
}

/** Keeps a body that was read whole and is no JSON to the parser: `valueIn` judges it. */
function keepText(error: Error, ctx: Context): void {
  const { body } = error as { body?: unknown };
  if (typeof body !== 'string') throw error;
  ctx.request.rawBody = body;
}

function failureOf(error: unknown, limit: number, encoding: string): unknown {
  if (error instanceof AppError || error instanceof Ended) return error;
  const { type, code } = error as { type?: unknown; code?: unknown };
  if (type === 'entity.too.large' || code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(limit);
  if (type === 'request.aborted') return new Ended('client');
  const broken = type === undefined && encoding !== 'identity';
  return broken ? malformed('The compressed body cannot be decompressed.', error) : error;
}

/** JSON is ASCII outside its strings. So the parser's value is right where all bytes are ASCII. */
function valueIn(bytes: Buffer, parsed?: unknown): unknown {
  return parsed !== undefined && isAscii(bytes) ? parsed : jsonIn(textOf(bytes));
}

/** @param where the text before a fault: it says which part of the body has it */
function jsonIn(text: string, where = ''): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(where + jsonFault(error, text));
  }
}

/** The text of a body. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  return bytes.toString();
}

/** Many more than any route knows. */
const MAX_FIELDS = 16;

/** The fields of a form, each of which may come once. */
function fieldsIn(bytes: Buffer): Readonly<Record<string, string>> {
  const text = textOf(bytes);
  try {
    // URLSearchParams would keep or replace bytes that are no UTF-8.
    decodeURIComponent(text);
  } catch (error) {
    throw malformed('A % in the form begins no character of UTF-8.', error);
  }
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) {
    throw malformed(`A form has at most ${MAX_FIELDS} fields.`);
  }
  const pairs = [...new URLSearchParams(text)];
  const fields = Object.fromEntries(pairs);
  if (Object.keys(fields).length === pairs.length) return fields;
  throw malformed('A field of the form comes twice.');
}

/**
 * The value in JSON that has come as a part of a body, such as a field of a form.
 *
 * @param where the text before a fault: it says which part has it
 * @throws AppError `MalformedBody`, `ValidationFailed`; errors of `holdings.run`
 */
export async function valueOfPart(
  text: string,
  where: string,
  holdings: Holdings,
): Promise<unknown> {
  if (text.length <= SMALL) return jsonIn(text, where);
  return await parseLarge(holdings, async () => {
    const excess = excessOf(Buffer.from(text), MOST);
    if (excess) throw await tooMuch(excess, text, where);
    return jsonIn(text, where);
  });
}

const JSON_BODY: Kind = { type: JSON_TYPE, valueIn };
const FORM_BODY: Kind = { type: FORM_TYPE, valueIn: fieldsIn };

/** Advice for an empty body: the first example of the route. */
function emptyAdvice({ state }: Context): string {
  const { description } = (state.route ?? {}) as Partial<Route>;
  const examples = typeof description === 'object' ? description.request?.examples : undefined;
  const example = Object.values(examples ?? {})[0] ?? {};
  return `The body is empty; send a JSON object, such as ${JSON.stringify(example)}.`;
}

function tooLarge(limit: number): AppError {
  return new AppError('BodyTooLarge', `A body may have at most ${limit} bytes, decompressed.`);
}

/** As a schema would say it, had the text been parsed. First comes the error for text that is no JSON, as always. */
async function tooMuch(excess: keyof JsonExtent, text: string, where = ''): Promise<AppError> {
  const error = await parseError(text);
  if (error) return malformed(where + jsonFault(error, text));
  const detail =
    excess === 'levels'
      ? `Nested more than ${MOST.levels} levels deep.`
      : `More than ${MOST.members} members.`;
  return validationFailed([{ pointer: '', detail }]);
}

function malformed(detail: string, cause?: unknown): AppError {
  return new AppError('MalformedBody', detail, { cause });
}
