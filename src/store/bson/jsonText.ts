/** Stored text as JSON, byte by byte, in place of `JSON.stringify` of its text. */
import { isUtf8 } from 'node:buffer';
import type { Output } from './output.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * How JSON writes each byte: as it is, after a backslash (the entry is the letter), or otherwise.
 */
const AS_IT_IS = 1;
const OTHERWISE = 0;
const BEYOND_ASCII = 2;
const ESCAPES = new Uint8Array(256).fill(AS_IT_IS, 0x20, 0x80).fill(BEYOND_ASCII, 0x80);
for (const [byte, letter] of Object.entries({ 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r' })) {
  ESCAPES[Number(byte)] = letter.charCodeAt(0);
}
ESCAPES[QUOTE] = QUOTE;
ESCAPES[BACKSLASH] = BACKSLASH;

/** False if the text has bytes that only its presenter can write. */
export function jsonText(out: Output, bytes: Uint8Array, from: number, end: number): boolean {
  out.reserve((end - from) * 2 + 2);
  const to = out.bytes;
  let isValid = false;
  let at = out.length;
  to[at++] = QUOTE;
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!;
    const written = ESCAPES[byte]!;
    if (written === AS_IT_IS) {
      to[at++] = byte;
      continue;
    }
    if (written === BEYOND_ASCII) isValid ||= isUtf8(bytes.subarray(i, end));
    if (written === OTHERWISE || (written === BEYOND_ASCII && !isValid)) return false;
    if (written !== BEYOND_ASCII) to[at++] = BACKSLASH;
    to[at++] = written === BEYOND_ASCII ? byte : written;
  }
  to[at++] = QUOTE;
  out.length = at;
  return true;
}
