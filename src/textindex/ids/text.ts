/**
 * UUIDs as text and as 16 bytes.
 *
 *     01234567-89ab-cdef-0123-456789abcdef     36 characters, 32 nibbles, 4 hyphens
 */

const LENGTH = 36;

/** The value of a character that is no digit: more than any nibble. */
const NO_DIGIT = 128;
export const NIBBLE = new Uint8Array(128).fill(NO_DIGIT);
for (let i = 0; i < 16; i++) NIBBLE[i.toString(16).charCodeAt(0)] = i;
export const HYPHEN = '-'.charCodeAt(0);

/**
 * Writes the 16 bytes of a UUID written as the table keeps them: lower case, 8-4-4-4-12. False for any
 * other value; some bytes may be written then.
 */
export function parseUuid(value: unknown, to: Uint8Array): boolean {
  if (typeof value !== 'string' || value.length !== LENGTH) return false;
  let wrong = 0;
  for (let i = 0, byte = 0; i < LENGTH; i += 2, byte++) {
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      wrong |= value.charCodeAt(i) ^ HYPHEN;
      i++;
    }
    const first = value.charCodeAt(i);
    const second = value.charCodeAt(i + 1);
    if ((first | second) >= NO_DIGIT) return false;
    const high = NIBBLE[first]!;
    const low = NIBBLE[second]!;
    wrong |= (high | low) & NO_DIGIT;
    to[byte] = (high << 4) | low;
  }
  return wrong === 0;
}

const DIGITS = Buffer.from('0123456789abcdef');
const written = Buffer.alloc(LENGTH, '-');

/** The canonical text of 16 bytes. */
export function readUuid(bytes: Uint8Array, at: number): string {
  let to = 0;
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) to++;
    const byte = bytes[at + i]!;
    written[to++] = DIGITS[byte >>> 4]!;
    written[to++] = DIGITS[byte & 15]!;
  }
  return written.toString('latin1');
}
