/**
 * Server-sent events to one client, one at a time: the stream asks for the next one when it can be
 * sent.
 *
 *     send(event) ──► on its way, not ready ──► taken by the connection ──► ready
 *
 * Nothing is queued: the sender waits until the stream is ready, and then sends the newest state. The stream
 * ends with the right of its caller, with an event that says why.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import type { Hold } from '../../tables/search/quota.ts';
import type { Holder } from '../auth/holders.ts';
import type { Right } from '../auth/policy.ts';
import { EVENTS } from '../description.ts';
import type { Holdings } from '../guard.ts';
import type { RouteContext } from '../route.ts';
import { piecesOf } from '../server/pieces.ts';

export interface StreamEvent {
  readonly event: string;
  readonly id?: string;
  /** One line. */
  readonly data: string | Buffer;
}

/** The bytes before the data of an event, and those after it. */
export const eventFrame = ({ event, id }: Omit<StreamEvent, 'data'>): [Buffer, Buffer] => [
  Buffer.from(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: `),
  EVENT_END,
];

const EVENT_END = Buffer.from('\n\n');

/** An event as its client reads it. */
export function eventBytes({ data, ...event }: StreamEvent): Buffer {
  const [head, end] = eventFrame(event);
  return Buffer.concat([head, Buffer.from(data), end]);
}

/** Answers for as long as the client stays and may: that counts as a watch, and as a request no more. */
export async function answerEvents(
  ctx: RouteContext,
  open: () => EventStream | Promise<EventStream>,
): Promise<void> {
  const { holdings } = ctx.state;
  await holdings.take('watches');
  holdings.giveBack('requests');
  ctx.body = await open();
  // Proxies are not to wait for more of it.
  ctx.set({ 'Content-Type': EVENTS, 'X-Accel-Buffering': 'no' });
}

/** How long a client waits before it connects again, milliseconds. */
const RETRY_MS = 3_000;

/** Smaller events fit into the buffers of their connection, bytes. */
const SMALL_EVENT = 16_384;

export interface EventStreamOptions {
  readonly res: ServerResponse;
  /** The right by which the client is answered; the stream ends with it. */
  readonly right: Right;
  readonly holdings: Holdings;
  /** Called when the next event can be sent after one that was. */
  readonly onReady: () => void;
  /** The moment up to which the last event still holds, where that is known; comments tell it. */
  readonly reached?: (() => string | null) | undefined;
}

export class EventStream extends Readable implements Holder {
  readonly right: Right;
  readonly #options: EventStreamOptions;
  /** Whether an event has not been handed to the connection yet. */
  #sending = false;
  #heardAt = performance.now();
  #hold: Hold | undefined;
  #over = false;

  constructor(options: EventStreamOptions) {
    super({ highWaterMark: 1 });
    this.#options = options;
    this.right = options.right;
    options.res.on('drain', () => this.#tell());
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  /** Whether the last event was sent, or the client is gone. */
  get isOver(): boolean {
    return this.#over || this.destroyed;
  }

  /** Whether the connection has taken all that was sent. */
  get ready(): boolean {
    return !this.#sending && !this.isOver && !this.#options.res.writableNeedDrain;
  }

  /** Sends an event, and returns false where the memory for unsent answers is full. */
  send(bytes: Buffer | string): boolean {
    try {
      if (bytes.length > SMALL_EVENT) {
        this.#hold = this.#options.holdings.hold('answers', bytes.length);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return false;
    }
    this.#heardAt = performance.now();
    this.#sending = true;
    // Progress of a slow client shows piece by piece (stalledReaders.ts).
    for (const piece of piecesOf(typeof bytes === 'string' ? Buffer.from(bytes) : bytes))
      this.push(piece);
    return true;
  }

  /** Keeps a connection that was silent for this time, milliseconds, from looking dead. */
  comment(silentMs: number): void {
    if (!this.ready || performance.now() - this.#heardAt < silentMs) return;
    const id = this.#options.reached?.() ?? null;
    // An id without data is no event: by the standard the client only remembers it.
    this.send(id === null ? ':\n\n' : `:\nid: ${id}\n\n`);
  }

  /** Sends the last event with its reason, whether or not the client has taken the events before. */
  end(reason: string, more: Readonly<Record<string, string>> = {}): void {
    if (this.isOver) return;
    this.#over = true;
    this.push(eventBytes({ event: 'end', data: JSON.stringify({ reason, ...more }) }));
    this.push(null);
  }

  override _read(): void {
    // Called before the read bytes are written to the connection.
    setImmediate(() => {
      this.#sending = false;
      this.#tell();
    });
  }

  #tell(): void {
    if (!this.ready) return;
    this.#hold?.release();
    this.#hold = undefined;
    this.#options.onReady();
  }
}
