/**
 * The places of a piece of text in the bytes of an id.
 *
 *     13f-a ──► digits 1 3 f a at nibbles 5, 9, 13, 17
 *
 * A piece can stand at any offset at which its hyphens fall on hyphens and its digits on digits.
 */
import type { IdFormat } from './format.ts';
import { HYPHEN, NIBBLE } from './text.ts';

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

/**
 * Where a text that may stand in an id does: where the id's shape has the text's. Without a digit it stands in
 * all ids or in none, and one place is enough.
 */
export function pieceOf({ shape, hyphensAt }: IdFormat, text: string): Piece {
  const digits: number[] = [];
  let own = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    own += code === HYPHEN ? '-' : '0';
    if (code !== HYPHEN) digits.push(NIBBLE[code]!);
  }
  if (digits.length === 0) return { digits, at: shape.includes(own) ? [0] : [] };
  const at: number[] = [];
  let hyphens = 0;
  for (let offset = shape.indexOf(own); offset >= 0; offset = shape.indexOf(own, offset + 1)) {
    while (hyphens < hyphensAt.length && hyphensAt[hyphens]! * 2 + hyphens < offset) hyphens++;
    at.push(offset - hyphens);
  }
  return { digits, at };
}
