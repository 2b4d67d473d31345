/**
 * Requests of one connection, handled one after the other.
 *
 * ```
 * pipelined   A B C D E …          Node begins all of them, and keeps their answers until it is their turn
 * here        A │ B │ C │ closed   the next one begins when the answer before it is sent
 * ```
 *
 * HTTP lets a client send on without waiting for answers, which come in the order of the requests. An
 * answer that is made early has to be held. So a connection has one request under way and a few that
 * wait. When more come the service closes it after those: a client that pipelines has to be able to
 * send the others again (RFC 9112, 9.3.2).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Requests that wait on one connection. Browsers have none, tools for load a few. */
const MAX_WAITING = 16;

interface Line {
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  last: ServerResponse;
}

/**
 * Once its end is written, a connection takes no more answers; and one that is gone never tells the
 * requests on it, which would hold what they take for ever.
 */
const isOpen = (socket: Socket) => !socket.writableEnded && !socket.destroyed;

export class Pipelining {
  readonly #handle: Handler;
  readonly #lines = new WeakMap<Socket, Line>();

  constructor(handle: Handler) {
    this.#handle = handle;
  }

  /** Handles the request once the one before it on its connection is answered. */
  request(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    // The parser goes on over what has come before the end.
    if (!isOpen(socket)) return;
    const line = this.#lines.get(socket);
    if (line === undefined) {
      this.#lines.set(socket, { waiting: [], last: res });
      this.#begin(socket, req, res);
    } else if (line.last.shouldKeepAlive && line.waiting.length < MAX_WAITING) {
      line.waiting.push([req, res]);
      line.last = res;
    } else {
      // The parser goes on over what has come: two thousand requests at most, which nobody answers.
      line.last.shouldKeepAlive = false;
      socket.pause();
    }
  }

  #begin(socket: Socket, req: IncomingMessage, res: ServerResponse): void {
    res.once('close', () => {
      const line = this.#lines.get(socket);
      const next = line?.waiting.shift();
      if (next !== undefined && isOpen(socket)) this.#begin(socket, ...next);
      else this.#lines.delete(socket);
    });
    this.#handle(req, res);
  }
}
