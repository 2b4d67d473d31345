/**
 * Large answers leave in pieces: a write counts as progress of its client once the system has accepted
 * the whole of it (stalledReaders.ts).
 */

/** Bytes of a piece. */
const PIECE = 65_536;

export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}
