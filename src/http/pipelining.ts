/**
 * Requests of one connection, handled one after the other.
 *
 * ```
 * pipelined   A B C D E …          Node begins all of them, and keeps their answers until it is their turn
 * here        A │ B │ C │ closed   the next one begins when the answer before it is sent
 * ```
 *
 * HTTP lets a client send on without waiting for answers, which come in the order of the requests. What
 * is begun early cannot be sent early; it can only be held. So a connection has one request under way
 * and few that wait, and is closed after those when more come: a client that pipelines has to be able
 * to send the rest anew (RFC 9112, 9.3.2).
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

/** `handle`, called for the next request of a connection once the one before it is answered. */
export function oneAtATime(handle: Handler): Handler {
  const lines = new WeakMap<Socket, Line>();
  const begin = (socket: Socket, req: IncomingMessage, res: ServerResponse) => {
    res.once('close', () => {
      const line = lines.get(socket);
      const next = line?.waiting.shift();
      if (next !== undefined && isOpen(socket)) begin(socket, ...next);
      else lines.delete(socket);
    });
    handle(req, res);
  };
  return (req, res) => {
    const { socket } = req;
    // The parser goes on over what has come before the end.
    if (!isOpen(socket)) return;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { waiting: [], last: res });
      begin(socket, req, res);
    } else if (line.waiting.length < MAX_WAITING) {
      line.waiting.push([req, res]);
      line.last = res;
    } else {
      // What comes after the last one that is answered is not read any more.
      line.last.shouldKeepAlive = false;
      socket.pause();
    }
  };
}
