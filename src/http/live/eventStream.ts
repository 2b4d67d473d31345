/**
 * Server-sent events to one client, one at a time: the next is asked for when it can be sent.
 *
 *     send(event) ──► on its way, not ready ──► taken by the connection ──► ready
 *
 * Nothing is queued. Who sends waits until the stream is ready, and then sends what holds by then.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

export interface StreamEvent {
  readonly event: string;
  readonly id?: string;
  /** One line. */
  readonly data: string | Buffer;
}

/** What stands before the data of an event, and after it. */
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

/** How long a client is to wait before it comes again, milliseconds. */
const RETRY_MS = 3_000;

export class EventStream extends Readable {
  readonly #res: ServerResponse;
  readonly #onReady: () => void;
  /** Whether an event has not been handed to the connection yet. */
  #sending = false;

  /** @param onReady called when the next event can be sent after one that was */
  constructor(res: ServerResponse, onReady: () => void) {
    super({ highWaterMark: 1 });
    this.#res = res;
    this.#onReady = onReady;
    res.on('drain', () => this.#tell());
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  /** Whether the connection has taken all that was sent. */
  get ready(): boolean {
    return !this.#sending && !this.destroyed && !this.#res.writableNeedDrain;
  }

  send(bytes: Buffer | string): void {
    this.#sending = true;
    this.push(bytes);
  }

  /** The last of all, whether or not the client has taken what came before. */
  end(bytes: Buffer): void {
    this.push(bytes);
    this.push(null);
  }

  override _read(): void {
    // Called before what was read is written to the connection.
    setImmediate(() => {
      this.#sending = false;
      this.#tell();
    });
  }

  #tell(): void {
    if (this.ready) this.#onReady();
  }
}
