/**
 * Connections whose bodies come in very many small pieces are closed.
 *
 * ```
 * 1\r\n{\r\n1\r\n"\r\n …     a chunked body: the sender chooses the pieces, down to single bytes
 * parser ─▶ a call and a buffer for each ─▶ one of more pieces than MOST and its bytes allow: 400, closed
 * ```
 *
 * One read of 64 kB can hold ten thousand pieces. Node makes an object of each, in one turn of the event
 * loop, also of a body that nobody reads because its sender is not known. Three hundred strangers so took
 * 780 MB, and held the loop for 4.7 s. Node bounds the extensions of chunks for the same reason.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Pieces that a body may have, however small they are. */
const MOST = 512;
/** It may have one more for each of so many bytes. */
const BYTES_OF_PIECE = 64;

type OnBody = (this: Parser, bytes: Buffer) => void;

/** Node's parser of a connection, no public part of it. It goes from one to the next, of clients too. */
type Parser = {
  readonly constructor: { readonly kOnBody?: number };
  readonly socket: (Socket & { readonly server?: unknown }) | null;
  /** The message that is being read. */
  incoming: object | null;
  pause?(): void;
  /** Takes it off the list of connections with clocks. */
  remove(): void;
} & { [index: number]: OnBody | undefined };

/** Node's own function, which every parser has at first. */
let nodes: OnBody | undefined;

/** Pieces and bytes of each body so far. A connection that kept its last message would keep the answer to it as well. */
const CAME = new WeakMap<object, { pieces: number; bytes: number }>();

/** @param refuse answers on the connection and ends it; the rest of the body goes nowhere */
export function boundPieces(server: Server, refuse: (socket: Socket) => void): void {
  function count(this: Parser, piece: Buffer) {
    const { incoming, socket } = this;
    // The parser may be another server's by now, or a client's.
    const isOurs = incoming !== null && socket?.server === server;
    if (!isOurs || isAllowed(incoming, piece)) return nodes!.call(this, piece);
    this.pause?.();
    // The parser stops after this read, and goes over its other pieces without a call. Node up to 24 does so for a
    // parser without a function, and Node from 24 on for one that is on no list.
    const kOnBody = this.constructor.kOnBody!;
    this[kOnBody] = undefined;
    this.remove();
    socket.once('close', () => {
      this[kOnBody] = count;
    });
    // Nobody takes the pieces that came for the whole.
    this.incoming = null;
    refuse(socket);
  }
  server.on('connection', (socket: Socket & { readonly parser?: Parser }) => {
    const { parser } = socket;
    const { kOnBody } = parser?.constructor ?? {};
    if (!parser || kOnBody === undefined) return;
    nodes ??= parser[kOnBody];
    parser[kOnBody] = count;
  });
}

/** Counts the piece, and tells whether its body may have so many. */
function isAllowed(message: object, { length }: Buffer): boolean {
  const came = CAME.get(message) ?? { pieces: 0, bytes: 0 };
  if (came.pieces === 0) CAME.set(message, came);
  came.pieces += 1;
  came.bytes += length;
  return came.pieces <= MOST + came.bytes / BYTES_OF_PIECE;
}
