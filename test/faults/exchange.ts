/** One request of a client to an instance, and its answer. */
import type { Timestamp } from 'mongodb';
import { printTime } from '../../src/store/clusterTime.ts';
import type { GeneratedRequest } from '../properties/worlds.ts';
import { readTime } from '../support/readTime.ts';
import { waitedMs } from '../support/usage.ts';
import type { Instance } from './instance.ts';

export interface Exchange {
  readonly instance: Instance;
  /** On the clock of `performance.now`, milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** For how long the instance or this process had waited for a processor when it ended, milliseconds. */
  readonly waitedMs: number;
  /** Null when no answer came: why is in `code`. */
  readonly status: number | null;
  /** The problem's code, when the answer is a problem. */
  readonly code: string | null;
  readonly text: string;
  readonly retryAfter: boolean;
  /** The age of an answer that was given while the store was away, seconds. */
  readonly age: number | null;
  /** The instance's log line about a 500; empty for any other answer. */
  readonly reason: string;
  readonly search?: GeneratedRequest | undefined;
  /** The number of the instance's reader that asked; a reader searches one time after the other. */
  readonly reader?: number | undefined;
  readonly change?: Change | undefined;
  /** The moment that was asked for. */
  readonly notBefore?: Timestamp | undefined;
  /** The executor of an answered search. */
  readonly route?: 'index' | 'pipeline';
  /** The moment of an answered search, or of a change. */
  readonly asOf?: Timestamp;
}

/** A search with an answer, by some route and as of some moment. */
export interface Answered extends Exchange {
  readonly search: GeneratedRequest;
  readonly route: 'index' | 'pipeline';
  readonly asOf: Timestamp;
}

export const isAnswered = (one: Exchange): one is Answered =>
  one.status === 200 && one.search !== undefined && one.asOf !== undefined;

/** A change that a client asks for. */
export interface Change {
  readonly requestId: string;
  readonly collection: string;
  /** The target's `_id`. */
  readonly id: unknown;
  /**
   * The target's member and value after the change; undefined when the change removes the target.
   */
  readonly after: readonly [member: string, value: unknown] | undefined;
}

export interface Call {
  readonly instance: Instance;
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
  readonly search?: GeneratedRequest;
  readonly reader?: number | undefined;
  readonly change?: Change;
  readonly notBefore?: Timestamp | undefined;
}

/** Longer than any request may take. */
const PATIENCE_MS = 45_000;

/** Makes the call. It never throws: a failure is part of the exchange. */
export async function exchange(call: Call): Promise<Exchange> {
  const { instance, search, reader, change, notBefore } = call;
  const startedAt = performance.now();
  const seen = await send(call).catch((error: unknown) => ({
    ...{ status: null, code: nameOf(error), text: '', retryAfter: false, reason: '', age: null },
  }));
  const ended = { endedAt: performance.now(), waitedMs: instance.waitedMs + waitedMs() };
  return { instance, startedAt, ...ended, search, reader, change, notBefore, ...seen };
}

async function send({ instance, method, path, token, body, change, notBefore }: Call) {
  const response = await fetch(`${instance.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(change && { 'x-request-id': change.requestId }),
      ...(notBefore && { 'search-not-before': printTime(notBefore) }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await response.text();
  const { status, headers } = response;
  const route = headers.get('search-route') as 'index' | 'pipeline' | null;
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  const requestId = headers.get('x-request-id');
  const asOf = headers.get('search-as-of');
  return {
    status,
    text,
    code: isProblem ? String((JSON.parse(text) as { code: unknown }).code) : null,
    retryAfter: headers.has('retry-after'),
    age: headers.has('age') ? Number(headers.get('age')) : null,
    reason: status === 500 ? await instance.logged(requestId) : '',
    ...(route && { route }),
    ...(asOf && { asOf: readTime(asOf) }),
  };
}

/** `fetch` has the reason in its error's cause. */
function nameOf(error: unknown): string {
  const { name, cause } = error as Error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : name;
}
