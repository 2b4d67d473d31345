/**
 * The places of a piece of text in the bytes of an id.
 *
 *     13f-a ──► digits 1 3 f a at nibbles 5, 9, 13, 17
 *
 * A piece can stand at any offset at which its hyphens fall on hyphens and its digits on digits.
 */
import type { IdFormat } from './format.ts';
import { NIBBLE } from './text.ts';

const DIGITS_ALONE = /^[0-9a-f]*$/;
const DIGITS_AND_HYPHENS = /^[0-9a-f-]*$/;

/** Whether the folded text has no other characters than an id, and no more of them. */
export function mayStandIn({ shape, hyphensAt }: IdFormat, text: string): boolean {
  const characters = hyphensAt.length > 0 ? DIGITS_AND_HYPHENS : DIGITS_ALONE;
  return text.length <= shape.length && characters.test(text);
}

/** A piece of text that may stand in an id: its digits, and the nibbles at which they may start. */
export interface Piece {
  readonly digits: readonly number[];
  readonly at: readonly number[];
}

/** Where the folded text, which has a digit, can stand in an id's text; nowhere if it holds more. */
export function pieceOf(format: IdFormat, text: string): Piece {
  if (!mayStandIn(format, text)) return { digits: [], at: [] };
  const { shape } = format;
  const digits = Array.from(text.replaceAll('-', ''), (digit) => NIBBLE[digit.charCodeAt(0)]!);
  const at: number[] = [];
  let nibble = 0;
  for (let offset = 0; offset + text.length <= shape.length; offset++) {
    if (fitsAt(shape, offset, text)) at.push(nibble);
    if (shape[offset] !== '-') nibble++;
  }
  return { digits, at };
}

/** Whether hyphens fall on hyphens, and digits on digits. */
function fitsAt(shape: string, offset: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if ((text[i] === '-') !== (shape[offset + i] === '-')) return false;
  }
  return true;
}
