/**
 * Requests to one service: its address, the token, retries, and the end of a call.
 *
 * ```
 * request ─▶ token ─▶ fetch ─┬─ success ─▶ the response
 *               ▲            ├─ 429, 503 of a read ─▶ wait as long as Retry-After says ─┐
 *               │            ├─ no answer to a read ─▶ once more, at once ──────────────┤
 *               └────────────┼──────────────────────────────────────────────────────────┘
 *                            └─ else ─▶ ApiError, ConnectionError
 * ```
 *
 * Changes are sent once: a lost answer does not tell whether the change was made.
 *
 * Each request tells the latest moment that any answer has told (`Search-As-Of`), and no answer goes back
 * before it, however many instances the service has.
 */
import { abortable } from './abortable.ts';
import { ApiError, ConnectionError, errorOf } from './errors.ts';
import { pause } from './pause.ts';

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`; `''` in a page that comes from there. */
  readonly baseUrl: string;
  /** The caller's token, or a function that gives it: each request calls it. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** In place of the platform's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Ends everything that the client does. */
  readonly signal?: AbortSignal | undefined;
  /** How often a read that was refused with 429 or 503 is tried again; 3 by default. */
  readonly retries?: number | undefined;
  /** Longest wait before such a try, milliseconds; 30,000 by default. A longer one is not waited for. */
  readonly maxRetryWaitMs?: number | undefined;
}

/** Every call takes these. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Call extends CallOptions {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Changes nothing, so that it may be sent again. */
  readonly isRead: boolean;
}

/** The headers of an answer, as values. */
export interface AnswerInfo {
  /** The moment that is shown: a cluster time, `<seconds>.<increment>`. */
  readonly asOf: string | undefined;
  readonly route: 'index' | 'pipeline' | undefined;
  /** For admins: milliseconds by name (`plan`, `search`, `rows`). */
  readonly timing: Readonly<Record<string, number>>;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  readonly headers: Headers;
}

const RETRIES = 3;
const MAX_RETRY_WAIT_MS = 30_000;
/** The first wait where the service names none, milliseconds; twice as long each time. */
const FIRST_WAIT_MS = 250;

export class Connection {
  readonly #options: ClientOptions;
  readonly #base: string;
  #seen: string | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/+$/, '');
  }

  /** A moment was shown: later answers show it or a later one. */
  noteSeen(asOf: string | null | undefined): void {
    if (asOf && isLater(asOf, this.#seen)) this.#seen = asOf;
  }

  /** The signal that ends a call: its own, or the client's. */
  signalOf({ signal }: CallOptions): AbortSignal | undefined {
    const { signal: ofClient } = this.#options;
    if (signal && ofClient) return AbortSignal.any([signal, ofClient]);
    return signal ?? ofClient;
  }

  /**
   * The response of a success; its body is not read yet.
   *
   * @throws ApiError when the service refuses; ConnectionError when there is no answer; the signal's
   * reason when that ended it
   */
  async send(call: Call): Promise<Response> {
    const signal = this.signalOf(call);
    const { retries = RETRIES, maxRetryWaitMs = MAX_RETRY_WAIT_MS } = this.#options;
    let lost = 0;
    for (let tries = 0; ; tries++) {
      try {
        return await this.#once(call, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!call.isRead) throw error;
        if (error instanceof ConnectionError && lost === 0) {
          lost += 1;
          tries -= 1;
          continue;
        }
        const wait = waitBefore(error, tries);
        if (wait === undefined || tries >= retries || wait > maxRetryWaitMs) throw error;
        await pause(wait, signal);
      }
    }
  }

  /** The JSON of a success, with the values of its headers. */
  async json<T>(call: Call): Promise<{ readonly body: T; readonly info: AnswerInfo }> {
    const response = await this.send(call);
    const info = infoOf(response);
    const signal = this.signalOf(call);
    let text: string;
    try {
      text = await abortable(response.text(), signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw new ConnectionError('The connection was lost in the middle of the answer.', {
        cause: error,
      });
    }
    if (response.status === 204) return { body: undefined as T, info };
    try {
      return { body: JSON.parse(text) as T, info };
    } catch {
      throw new ConnectionError(`${this.#named} does not answer in JSON.`);
    }
  }

  async #once(call: Call, signal: AbortSignal | undefined): Promise<Response> {
    const { token, fetch = globalThis.fetch } = this.#options;
    const held =
      typeof token === 'function' ? await abortable(Promise.resolve(token()), signal) : token;
    const { method, accept = 'application/json', headers } = call;
    const body: string | undefined = JSON.stringify(call.body);
    let response: Response;
    try {
      const asked = fetch.call(globalThis, this.#urlOf(call), {
        method,
        headers: {
          accept,
          ...(held !== undefined && { authorization: `Bearer ${held}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(this.#seen !== undefined && { 'search-not-before': this.#seen }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      response = await abortable(asked, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw new ConnectionError(`${this.#named} cannot be reached${causeOf(error)}.`, {
        cause: error,
      });
    }
    if (held !== undefined && response.redirected) this.#checkPlace(response);
    this.noteSeen(response.headers.get('search-as-of'));
    if (response.ok || response.status === 304) {
      this.#checkType(response, call.accept);
      return response;
    }
    throw await errorOf(response);
  }

  /** No token goes along to another origin, which would only say that there is none. @throws ConnectionError */
  #checkPlace(response: Response): void {
    const { origin } = new URL(response.url);
    if (!URL.canParse(this.#base) || new URL(this.#base).origin === origin) return;
    throw this.#noAnswer(response, `redirects to ${origin}, which gets no token from here.`);
  }

  /** A page of a proxy is no file of rows, and no stream. @throws ConnectionError */
  #checkType(response: Response, accept = '*/*'): void {
    const type = response.headers.get('content-type') ?? 'no type';
    if (accept === '*/*' || type.startsWith(accept)) return;
    throw this.#noAnswer(response, `answers with ${type} instead of ${accept}.`);
  }

  /** Ends the connection of an answer that nobody reads. */
  #noAnswer({ body }: Response, what: string): ConnectionError {
    body?.cancel().catch(() => {});
    return new ConnectionError(`${this.#named} ${what}`);
  }

  get #named(): string {
    return this.#base || 'The service';
  }

  #urlOf({ path, query = {} }: Call): string {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const asked = new URLSearchParams(
      given.map(([name, value]): [string, string] => [name, `${value}`]),
    );
    return `${this.#base}${path}${given.length > 0 ? `?${asked}` : ''}`;
  }
}

/** Whether one moment, `<seconds>.<increment>`, is later than another. */
function isLater(asOf: string, seen = '0.0'): boolean {
  const [seconds = 0, increment = 0] = asOf.split('.').map(Number);
  const [seenSeconds = 0, seenIncrement = 0] = seen.split('.').map(Number);
  return seconds > seenSeconds || (seconds === seenSeconds && increment > seenIncrement);
}

/** Milliseconds to wait before the same is asked again; undefined where that would be of no use. */
function waitBefore(error: unknown, tries: number): number | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status !== 429 && error.status !== 503) return undefined;
  if (error.retryAfterS !== undefined) return error.retryAfterS * 1_000;
  // Callers who were refused together do not come back together.
  return FIRST_WAIT_MS * 2 ** tries * (0.5 + Math.random() / 2);
}

/** Node's reason for a failed request: `connect ECONNREFUSED 127.0.0.1:8080`. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return '';
  const { code } = cause as Error & { code?: string };
  const text = cause.message || code;
  return text ? `: ${text}` : '';
}

/**
 * A path with its `{parameters}` filled in.
 *
 * @throws TypeError for one that is missing, and for dots alone, which lead to another path
 */
export function filled(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? '';
    if (isNoStep(value)) throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(keyInPath(value));
  });
}

/** Whether a text cannot be one step of a path: a URL leaves it out, or goes up. */
const isNoStep = (text: string): boolean => /^\.{0,2}$/.test(text);

/**
 * A key as the service reads it in a path: objects as JSON; in quotes, texts that no step can be, empty or of dots.
 *
 * @param isMixed whether keys are of several types: then quotes also tell "7" from 7
 */
export function keyInPath(key: unknown, isMixed = false): string {
  if (typeof key === 'object') return JSON.stringify(key);
  if (typeof key !== 'string') return String(key);
  const isQuoted = isNoStep(key) || (isMixed && isAsOther(key));
  // Half a surrogate pair, which no stored text has, would end as "URI malformed".
  return isQuoted ? JSON.stringify(key) : key.toWellFormed();
}

/** Whether a text reads as a key of another type, or as one in quotes. */
function isAsOther(text: string): boolean {
  if (/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text)) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function infoOf({ headers }: Response): AnswerInfo {
  const route = headers.get('search-route');
  return {
    asOf: headers.get('search-as-of') ?? undefined,
    route: route === 'index' || route === 'pipeline' ? route : undefined,
    timing: timingOf(headers.get('server-timing') ?? ''),
    requestId: headers.get('x-request-id') ?? undefined,
    headers,
  };
}

function timingOf(header: string): Readonly<Record<string, number>> {
  const metrics = [...header.matchAll(/([\w-]+)\s*;[^,]*?dur=([\d.]+)/g)];
  return Object.fromEntries(metrics.map(([, name, ms]) => [name, Number(ms)]));
}
