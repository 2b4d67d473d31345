/**
 * UUIDs as text and as 16 bytes, and the places of a piece of text in the bytes.
 *
 *     01234567-89ab-cdef-0123-456789abcdef     36 characters, 32 nibbles, 4 hyphens
 *
 * A piece can stand at any offset at which its hyphens fall on hyphens and its digits on digits.
 */

const HYPHENS: readonly number[] = [8, 13, 18, 23];
const LENGTH = 36;

/** The value of a character that is no digit: more than any nibble. */
const NO_DIGIT = 128;
const NIBBLE = new Uint8Array(128).fill(NO_DIGIT);
for (let i = 0; i < 16; i++) NIBBLE[i.toString(16).charCodeAt(0)] = i;
const HYPHEN_CODE = '-'.charCodeAt(0);

/**
 * Writes the 16 bytes of a UUID written as the table keeps them: lower case, 8-4-4-4-12. False for any
 * other value; some bytes may be written then.
 */
export function parseUuid(value: unknown, to: Uint8Array): boolean {
  if (typeof value !== 'string' || value.length !== LENGTH) return false;
  let wrong = 0;
  for (let i = 0, byte = 0; i < LENGTH; i += 2, byte++) {
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      wrong |= value.charCodeAt(i) ^ HYPHEN_CODE;
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

/** The bytes of the UUID being checked. */
const parsed = new Uint8Array(16);

/** Whether the value is a UUID written as the table keeps them. */
export const isCanonicalUuid = (value: unknown): value is string => parseUuid(value, parsed);

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

/** Whether the value is the UUID of these 16 bytes. */
export function sameUuid(value: unknown, bytes: Uint8Array, at: number): boolean {
  if (!parseUuid(value, parsed)) return false;
  for (let i = 0; i < 16; i++) if (bytes[at + i] !== parsed[i]) return false;
  return true;
}

const OF_UUIDS = /^[0-9a-f-]*$/;

/** Whether the folded text has no other characters than a UUID, and no more of them. */
export function mayStandInUuid(text: string): boolean {
  return text.length <= 36 && OF_UUIDS.test(text);
}

/** A piece of text that may stand in a UUID: its digits, and the nibbles at which they may start. */
export interface Piece {
  readonly digits: readonly number[];
  readonly at: readonly number[];
}

/** The start of each group, in characters, and of one past the end. */
const GROUPS = [0, 9, 14, 19, 24, 37] as const;

/** Where the folded text, which has a digit, can stand in a UUID's text; nowhere if it holds more. */
export function pieceOf(text: string): Piece {
  const at: number[] = [];
  if (!mayStandInUuid(text)) return { digits: [], at };
  const digits: number[] = [];
  const hyphens: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '-') hyphens.push(i);
    else digits.push(NIBBLE[text.charCodeAt(i)]!);
  }
  for (let group = 0; group < 5; group++) {
    const end = GROUPS[group + 1]! - 1;
    if (hyphens.length === 0) {
      const last = end - text.length;
      for (let offset = GROUPS[group]!; offset <= last; offset++) at.push(offset - group);
      continue;
    }
    // Its first hyphen is the one at the end of this group.
    const offset = end - hyphens[0]!;
    if (offset < 0 || offset + text.length > 36) continue;
    const inside = HYPHENS.filter((hyphen) => hyphen >= offset && hyphen < offset + text.length);
    if (inside.length !== hyphens.length) continue;
    if (inside.every((hyphen, i) => hyphen - offset === hyphens[i])) at.push(offset - group);
  }
  return { digits, at };
}
