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
import type { Socket } from 'node:net';

/** Pieces that a body may have, however small they are. */
const MOST = 512;
/** It may have one more for each of so many bytes. */
const BYTES_OF_PIECE = 64;

type OnBody = (this: Parser, bytes: Buffer) => void;

/** Node's parser of a connection, no public part of it. It goes from one to the next, of clients too. */
type Parser = {
  readonly constructor: { readonly kOnBody?: number };
  /** The message that is being read. */
  incoming: object | null;
  pause?(): void;
} & { [index: number]: OnBody | undefined };

/** Node's own function, which every parser has at first. */
let nodes: OnBody | undefined;

/** Pieces and bytes of each body so far. A connection that kept its last message would keep the answer to it as well. */
const CAME = new WeakMap<object, { pieces: number; bytes: number }>();

/**
 * Call it for each connection once that has a parser.
 *
 * @param refuse answers on the connection and ends it; the rest of the body goes nowhere
 */
export function boundPieces(socket: Socket, refuse: () => void): void {
  const { parser } = socket as Socket & { readonly parser?: Parser };
  const { kOnBody } = parser?.constructor ?? {};
  if (!parser || kOnBody === undefined) return;
  nodes ??= parser[kOnBody];
  const onBody = nodes;
  let own: OnBody | undefined = function count(this: Parser, piece: Buffer) {
    if (this.incoming === null || isAllowed(this.incoming, piece)) return onBody?.call(this, piece);
    // The parser stops at once; where it does not, it goes over the other pieces of its read without a function.
    this.pause?.();
    own = undefined;
    this[kOnBody] = undefined;
    // Nobody takes the pieces that came for the whole.
    this.incoming = null;
    refuse();
  };
  parser[kOnBody] = own;
  socket.once('close', () => {
    // After a CONNECT the parser may be another connection's by now.
    if (parser[kOnBody] === own) parser[kOnBody] = onBody;
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
