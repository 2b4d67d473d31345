/**
 * Server-sent events for as long as their reader stays, from one connection to the next.
 *
 * ```
 * connect ─▶ events ─┬─ cut, or ended by the service ─▶ told, waited, connected again after the last id
 *    │               ├─ ended, as there will be no more ─▶ over
 *    │               └─ the reader leaves, the signal ends it ─▶ over
 *    └─ refused for good: it throws
 * ```
 *
 * Events come as fast as they are taken, and the service keeps no backlog for a slow reader.
 */
import type { Call, Connection } from './connection.ts';
import { ApiError, CutStreamError, isPassing } from './errors.ts';
import { eventsOf } from './eventStream.ts';
import { pause } from './pause.ts';

export interface FollowOptions {
  /** Whether it goes on after its connection has ended; true by default. */
  readonly reconnect?: boolean | undefined;
  /**
   * After so long a silence the connection counts as lost, milliseconds; 60,000 by default. A network
   * that is gone may end no connection, and the service says something every 15 s.
   */
  readonly silenceMs?: number | undefined;
  /** Called each time a connection stands: before its events, and where it has none. */
  readonly onOpen?: (() => void) | undefined;
  /**
   * Called while nothing changes, every 15 s, with the moment up to which the last
   * answer still holds: `<seconds>.<increment>`.
   */
  readonly onReached?: ((asOf: string) => void) | undefined;
}

/** An event of the service, its data as JSON. */
export interface Told<D> {
  readonly type: 'event';
  readonly event: string;
  readonly id: string | undefined;
  readonly data: D;
}

/** The connection is lost: until the next event, the shown data may be out of date. */
export interface Lost {
  readonly type: 'lost';
  readonly error: Error;
  /** When it is tried again, milliseconds. */
  readonly retryInMs: number;
}

/** The service ended the stream, and why: the token has expired, say. */
export interface Ended {
  readonly type: 'end';
  readonly reason: string;
  /** The status of a task that has ended: there will be no more events. */
  readonly status?: string | undefined;
  /** When it is asked again, milliseconds; undefined where this was the last event. */
  readonly retryInMs: number | undefined;
}

/** Where the service does not say, milliseconds. */
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 30_000;
const SILENCE_MS = 60_000;

type Request = Omit<Call, 'accept' | 'isRead'>;

/** @throws ApiError when it is refused for good; ConnectionError when the first connection fails */
export async function* following<D>(
  connection: Connection,
  request: Request,
  { reconnect = true, silenceMs = SILENCE_MS, onOpen, onReached }: FollowOptions,
): AsyncGenerator<Told<D> | Lost | Ended, void, void> {
  const signal = connection.signalOf(request);
  const course = new Course<D>(onReached);
  const call = { ...request, accept: 'text/event-stream' };
  // As any other read; later ones are tried again here, where it is told.
  let response: Response | undefined = await connection.send({ ...call, isRead: true });
  for (;;) {
    let failure: unknown;
    let end: EndData | undefined;
    try {
      const headers = { ...request.headers, ...course.resuming() };
      response ??= await connection.send({ ...call, headers, isRead: false });
      onOpen?.();
      end = yield* course.events(response, signal, silenceMs);
      failure = new CutStreamError('The stream ended without a word.');
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      failure = error;
    }
    response = undefined;
    const isOver = !reconnect || end?.status !== undefined;
    if (isOver && end === undefined) throw failure;
    const wait = isOver ? undefined : course.wait(failure);
    if (end) yield { type: 'end', ...end, retryInMs: wait };
    else yield { type: 'lost', error: failure as Error, retryInMs: wait! };
    if (wait === undefined) return;
    await pause(wait, signal);
  }
}

interface EndData {
  readonly reason: string;
  readonly status?: string | undefined;
}

/** The state kept from one connection to the next. */
class Course<D> {
  #retryMs = RETRY_MS;
  #lastId: string | undefined;
  /** Connections in a row that brought nothing. */
  #failures = 0;
  readonly #onReached: FollowOptions['onReached'];

  constructor(onReached: FollowOptions['onReached']) {
    this.#onReached = onReached;
  }

  /** Headers that tell the service how far this client has got. */
  resuming(): Readonly<Record<string, string>> {
    return this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId };
  }

  /** @returns the data of the last event, where the service ended the stream */
  async *events(
    response: Response,
    signal: AbortSignal | undefined,
    silenceMs: number,
  ): AsyncGenerator<Told<D>, EndData | undefined, void> {
    for await (const event of eventsOf(response, signal, silenceMs)) {
      if ('retry' in event) {
        this.#retryMs = event.retry;
        continue;
      }
      this.#failures = 0;
      if ('reached' in event) {
        this.#lastId = event.reached;
        this.#onReached?.(event.reached);
        continue;
      }
      const data = JSON.parse(event.data);
      if (event.event === 'end') return data as EndData;
      yield { type: 'event', event: event.event, id: event.id, data };
      // Once the reader has taken it.
      this.#lastId = event.id ?? this.#lastId;
    }
    return undefined;
  }

  /** Milliseconds until it is tried again: longer each time, and not all clients at once. */
  wait(failure: unknown): number {
    const asked = failure instanceof ApiError ? failure.retryAfterS : undefined;
    // A proxy may ask for no wait, and would be asked without end.
    if (asked) return asked * 1_000;
    const most = Math.min(this.#retryMs * 2 ** this.#failures, MAX_RETRY_MS);
    this.#failures += 1;
    return Math.round(most * (0.5 + Math.random() / 2));
  }
}
