/**
 * Connections whose clients do not take their answers are cut, and what was held for them comes back.
 *
 * ```
 * every second: unsent bytes? ─▶ less than 16 kB taken since the last good look ─▶ for too long: cut
 * ```
 *
 * A timeout of the socket is not enough: a client that takes a byte every few seconds keeps it from
 * ever firing. So what counts is what the system has accepted of an answer, which is what the client has
 * read and its buffers hold.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Least that a client has to take within the time, bytes. */
const LEAST_BYTES = 16_384;

const LOOK_EVERY_MS = 1_000;

interface Progress {
  readonly taken: number;
  readonly at: number;
}

export class StalledReaders {
  readonly #limitMs: number;
  readonly #answering = new Map<ServerResponse, Progress | undefined>();
  readonly #timer: NodeJS.Timeout;

  /** @param limitMs time in which a client has to take a part of what waits for it */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#timer = setInterval(() => this.#look(), Math.min(LOOK_EVERY_MS, limitMs / 2));
    this.#timer.unref();
  }

  /** Watches the connection of an answer until `done` with it. */
  watch(res: ServerResponse): void {
    this.#answering.set(res, undefined);
  }

  done(res: ServerResponse): void {
    this.#answering.delete(res);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    for (const [res, before] of this.#answering) {
      const { socket } = res;
      if (!socket || !(res.writableNeedDrain || socket.writableLength > 0)) {
        this.#answering.set(res, undefined);
        continue;
      }
      const taken = takenFrom(socket);
      if (before === undefined || taken - before.taken >= LEAST_BYTES) {
        this.#answering.set(res, { taken, at: now });
      } else if (now - before.at > this.#limitMs) {
        socket.destroy();
      }
    }
  }
}

/** Node's handle of a connection, as far as its own timeouts use it. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes that the system has accepted. */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle: Handle | null };
  return handle === null ? 0 : handle.bytesWritten - handle.writeQueueSize;
}
