/**
 * Requests of one connection, handled one after the other.
 *
 * ```
 * pipelined   A B C D E …          Node begins all of them, and keeps their answers until it is their turn
 * here        A │ B │ C │ closed   the next one begins when the answer before it is sent
 * ```
 *
 * HTTP lets a client send on without waiting for answers, which come in the order of the requests. An early
 * answer cannot be sent early; it can only be held. So a connection has one request under way and few
 * that wait. When more come, it closes after those: a client that pipelines must be able to send the
 * others again (RFC 9112, 9.3.2).
 *
 * Later requests are not even parsed. One piece of 64 kB can hold two thousand requests. Node would make
 * objects for all of them in one turn of the event loop, and an error for each when the connection
 * closes. So the parser is told to stop at the first request too many.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait on one connection. Browsers have none, tools for load a few. */
const MAX_WAITING = 16;

interface Line {
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  last: ServerResponse;
}

/**
 * Node's parser of a connection, no public part of it: `onIncoming` is called with each head, and makes
 * the response. Node has no other way to stop it.
 */
interface Parser {
  onIncoming?: (req: IncomingMessage, keepAlive: boolean) => number;
}

/** The result of `onIncoming` that makes the parser stop with an error. */
const STOP = -1;

/**
 * Once its end is written, a connection takes no more answers. A connection that is gone never tells its
 * requests, which would keep their holdings for ever.
 */
const isOpen = (socket: Socket) => !socket.writableEnded && !socket.destroyed;

export class Pipelining {
  readonly #handle: RequestListener;
  readonly #lines = new WeakMap<Socket, Line>();
  /** Connections that are closed after the requests that they have. */
  readonly #ending = new WeakSet<Socket>();

  constructor(handle: RequestListener) {
    this.#handle = handle;
  }

  /** Call it for each connection once that has a parser. */
  opened(socket: Socket): void {
    const { parser } = socket as Socket & { readonly parser?: Parser };
    const onIncoming = parser?.onIncoming;
    if (!parser || !onIncoming) return;
    parser.onIncoming = (req, keepAlive) => {
      if (!this.isEnding(socket) && !this.#isFull(socket)) {
        return onIncoming.call(parser, req, keepAlive);
      }
      this.end(socket);
      return STOP;
    };
  }

  /** Whether its parser was told to stop: its error about that is no fault of a request. */
  isEnding(socket: Socket): boolean {
    return this.#ending.has(socket);
  }

  /** Handles the request once the one before it on its connection is answered. */
  request(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    // The parser goes on over bytes that came before the end.
    if (!isOpen(socket)) return;
    const line = this.#lines.get(socket);
    if (line === undefined) {
      this.#lines.set(socket, { waiting: [], last: res });
      this.#begin(socket, req, res);
    } else if (!this.#isFull(socket)) {
      line.waiting.push([req, res]);
      line.last = res;
    } else this.end(socket);
  }

  #isFull(socket: Socket): boolean {
    return this.#lines.get(socket)?.waiting.length === MAX_WAITING;
  }

  /** The connection reads nothing more, and ends after the last request that it answers. */
  end(socket: Socket): void {
    this.#ending.add(socket);
    const line = this.#lines.get(socket);
    if (line) line.last.shouldKeepAlive = false;
    socket.pause();
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
