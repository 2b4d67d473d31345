/**
 * Connections whose clients do not take their answers are cut, and what was held for them comes back.
 *
 * ```
 * every second: unsent bytes? ─▶ less than 16 kB taken since the last good look ─▶ for too long: cut
 * ```
 *
 * A timeout of the socket is not enough: a client that takes a byte every few seconds keeps it from
 * ever firing. So what counts is what the client has taken into its own buffers, as far as that can be
 * told (unacknowledged.ts), and what the system has accepted where it cannot.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { unacknowledged } from './unacknowledged.ts';

/** Least that a client has to take within the time, bytes. */
const MIN_BYTES = 16_384;

const LOOK_EVERY_MS = 1_000;

interface Progress {
  /** Bytes that the system has accepted. */
  readonly accepted: number;
  /** Bytes that the client has taken; known once the system has accepted nothing for a while. */
  readonly taken?: number;
  /** For how long the client has hardly taken anything, milliseconds. */
  readonly waitedMs: number;
}

export class StalledReaders {
  readonly #limitMs: number;
  readonly #answering = new Map<ServerResponse, Progress | undefined>();
  readonly #everyMs: number;
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  #lookedAt = performance.now();

  /** @param limitMs time in which a client has to take a part of what waits for it */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#everyMs = Math.min(LOOK_EVERY_MS, limitMs / 4);
    this.#timer = setInterval(() => void this.#look(), this.#everyMs);
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

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const slow = this.#slow();
      const sockets = [...slow.values()];
      const queued = await unacknowledged(sockets);
      const now = performance.now();
      // A service that was blocked itself does not blame its clients for that time.
      const passedMs = Math.min(now - this.#lookedAt, 2 * this.#everyMs);
      this.#lookedAt = now;
      for (const [res, socket] of slow) {
        this.#judge(res, socket, queued.get(socket) ?? 0, passedMs);
      }
    } finally {
      this.#looking = false;
    }
  }

  /** Those of whose answers the system has hardly accepted more than when they were last looked at. */
  #slow(): Map<ServerResponse, Socket> {
    const slow = new Map<ServerResponse, Socket>();
    for (const [res, before] of this.#answering) {
      const { socket } = res;
      if (!socket || !(res.writableNeedDrain || res.writableLength > 0)) {
        this.#answering.set(res, undefined);
        continue;
      }
      const accepted = acceptedOf(socket);
      if (before !== undefined && accepted - before.accepted < MIN_BYTES) slow.set(res, socket);
      else this.#answering.set(res, { accepted, waitedMs: 0 });
    }
    return slow;
  }

  /** @param queued bytes that the system has accepted and the client has not taken */
  #judge(res: ServerResponse, socket: Socket, queued: number, passedMs: number): void {
    const before = this.#answering.get(res);
    // It may have ended meanwhile.
    if (before === undefined || res.socket !== socket) return;
    const accepted = acceptedOf(socket);
    const taken = accepted - queued;
    const waitedMs = before.waitedMs + passedMs;
    if (before.taken !== undefined && taken - before.taken >= MIN_BYTES) {
      this.#answering.set(res, { accepted, taken, waitedMs: 0 });
    } else if (waitedMs > this.#limitMs) {
      socket.destroy();
    } else {
      this.#answering.set(res, { ...before, taken: before.taken ?? taken, waitedMs });
    }
  }
}

/** Node's handle of a connection, as far as its own timeouts use it. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes that the system has accepted. */
function acceptedOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle: Handle | null };
  return handle === null ? 0 : handle.bytesWritten - handle.writeQueueSize;
}
