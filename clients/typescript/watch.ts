/**
 * An explore that is watched, over server-sent events, for as long as its reader stays.
 *
 * ```
 * connect ─▶ answer, answer, state … ─┬─ cut, or ended by the service ─▶ told, waited, connected again
 *    │                                └─ the reader leaves, the signal ends it ─▶ over
 *    └─ refused for good: it throws
 * ```
 *
 * Events come as fast as they are taken: the service keeps no backlog for a slow reader, and sends the
 * latest answer next. A client that was not connected for a while is told so, and gets the whole answer anew.
 */
import { type Call, type Connection, waitBefore } from './connection.ts';
import { ApiError, ConnectionError, CutStreamError } from './errors.ts';
import { eventsOf } from './eventStream.ts';
import { pause } from './pause.ts';

export type WatchEvent<A> =
  /** The whole answer, as of that moment. */
  | { readonly type: 'answer'; readonly asOf: string; readonly answer: A }
  /** Whether the index answers; while it does not, answers come every five seconds. */
  | { readonly type: 'state'; readonly index: 'live' | 'unavailable'; readonly reason: string }
  /** The service ended the stream: the token has expired, say. What comes of asking again follows. */
  | { readonly type: 'end'; readonly reason: string; readonly retryInMs: number }
  /** The connection is lost: until the next answer, what was shown may be out of date. */
  | { readonly type: 'lost'; readonly error: Error; readonly retryInMs: number };

export interface WatchOptions {
  /** Whether it goes on after its connection has ended; true by default. */
  readonly reconnect?: boolean | undefined;
}

/** Where the service does not say, milliseconds. */
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 30_000;

type Request = Omit<Call, 'accept' | 'isRead'>;

/** @throws ApiError when it is refused for good; ConnectionError when the first connection fails */
export async function* watch<A>(
  connection: Connection,
  request: Request,
  { reconnect = true }: WatchOptions,
): AsyncGenerator<WatchEvent<A>, void, void> {
  const signal = connection.signalOf(request);
  const course = new Course<A>();
  const call = { ...request, accept: 'text/event-stream' };
  // As any other read; later ones are tried again here, where it is told.
  let response: Response | undefined = await connection.send({ ...call, isRead: true });
  for (;;) {
    let failure: unknown;
    let reason: string | undefined;
    try {
      response ??= await connection.send({ ...call, isRead: false });
      reason = yield* course.events(response, signal);
      failure = new CutStreamError('The stream ended without a word.');
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      failure = error;
    }
    response = undefined;
    if (!reconnect && reason === undefined) throw failure;
    const retryInMs = reconnect ? course.wait(failure) : 0;
    yield reason === undefined
      ? { type: 'lost', error: failure as Error, retryInMs }
      : { type: 'end', reason, retryInMs };
    if (!reconnect) return;
    await pause(retryInMs, signal);
  }
}

/** What is remembered from one connection to the next. */
class Course<A> {
  #retryMs = RETRY_MS;
  /** Connections in a row that brought nothing. */
  #failures = 0;

  /** @returns the reason, where the service ended it */
  async *events(
    response: Response,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WatchEvent<A>, string | undefined, void> {
    for await (const event of eventsOf(response, signal)) {
      if ('retry' in event) {
        this.#retryMs = event.retry;
        continue;
      }
      this.#failures = 0;
      const data = JSON.parse(event.data);
      if (event.event === 'answer') yield { type: 'answer', asOf: event.id ?? '', answer: data };
      else if (event.event === 'state') {
        yield { type: 'state', index: data.index, reason: data.reason ?? '' };
      } else if (event.event === 'end') return String(data.reason);
    }
    return undefined;
  }

  /** Milliseconds until it is tried again: longer each time, and not all clients at once. */
  wait(failure: unknown): number {
    const asked = failure instanceof ApiError ? failure.retryAfterS : undefined;
    if (asked !== undefined) return waitBefore(failure, 0) ?? asked * 1_000;
    const most = Math.min(this.#retryMs * 2 ** this.#failures, MAX_RETRY_MS);
    this.#failures += 1;
    return Math.round(most * (0.5 + Math.random() / 2));
  }
}

/** Whether the same may well be answered later. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}
