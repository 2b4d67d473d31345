/**
 * How many connections may be open, and which one goes when there are more.
 *
 * ```
 * new connection ─▶ room? ─▶ kept
 *                    └─ full ─▶ the oldest without a request makes room; where all have one, the new one goes
 * ```
 *
 * A limit that only refuses lets thousands of idle sockets keep all clients out, probes included. An
 * idle connection may be closed at any time by the rules of HTTP, so those are the ones that go.
 */
import type { Socket } from 'node:net';

export class Connections {
  readonly #limit: number;
  readonly #open = new Set<Socket>();
  /** Those without a request under way, the one that has been idle longest first. */
  readonly idle = new Set<Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  opened(socket: Socket): void {
    if (this.#open.size >= this.#limit) {
      const [oldest = socket] = this.idle;
      this.#forget(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    this.#open.add(socket);
    this.idle.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  busy(socket: Socket): void {
    this.idle.delete(socket);
  }

  freed(socket: Socket): void {
    if (this.#open.has(socket)) this.idle.add(socket);
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.idle.delete(socket);
  }
}
