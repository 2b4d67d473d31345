/**
 * Cuts connections whose clients do not read their answers, and so frees the memory of these answers.
 *
 * ```
 * every second: unsent bytes? ─▶ the system accepted less than 16 kB since the last progress ─▶ for too long: cut
 * ```
 *
 * A socket's own timeout is not enough: a client that reads a byte every few seconds keeps it from firing.
 * The socket's account says how much the system has accepted. Linux buffers up to 4 MB of a connection and
 * accepts more once a third of that is free: a client of 64 kB/s makes visible progress every 20 s. The limit has to be longer.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Least progress within the limit, bytes. */
const MIN_BYTES = 16_384;

const LOOK_EVERY_MS = 1_000;

interface Progress {
  /** Bytes that the system had accepted at the last progress. */
  readonly accepted: number;
  /** Time since then, milliseconds. */
  readonly waitedMs: number;
}

export class StalledReaders {
  readonly #limitMs: number;
  readonly #answering: () => Iterable<ServerResponse>;
  readonly #progress = new WeakMap<ServerResponse, Progress>();
  readonly #everyMs: number;
  readonly #timer: NodeJS.Timeout;
  #lookedAt = performance.now();

  /**
   * @param limitMs time in which the system has to accept more of an answer
   * @param answering the answers under way
   */
  constructor(limitMs: number, answering: () => Iterable<ServerResponse>) {
    this.#limitMs = limitMs;
    this.#answering = answering;
    this.#everyMs = Math.min(LOOK_EVERY_MS, limitMs / 4);
    this.#timer = setInterval(() => this.#look(), this.#everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    // A service that was blocked itself does not blame its clients for that time.
    const passedMs = Math.min(now - this.#lookedAt, 2 * this.#everyMs);
    this.#lookedAt = now;
    for (const res of this.#answering()) {
      const { socket } = res;
      const before = this.#progress.get(res);
      if (!socket || socket.writableLength === 0) {
        this.#progress.delete(res);
        continue;
      }
      const accepted = acceptedOf(socket);
      if (before === undefined || accepted - before.accepted >= MIN_BYTES) {
        this.#progress.set(res, { accepted, waitedMs: 0 });
      } else if (before.waitedMs + passedMs > this.#limitMs) {
        socket.destroy();
      } else {
        this.#progress.set(res, { ...before, waitedMs: before.waitedMs + passedMs });
      }
    }
  }
}

/** Bytes that the system has accepted; a write counts once the system has accepted the whole of it. */
function acceptedOf(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
