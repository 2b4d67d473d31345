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
export function mayStandIn({ bytes, hyphensAt }: IdFormat, text: string): boolean {
  const characters = hyphensAt.length > 0 ? DIGITS_AND_HYPHENS : DIGITS_ALONE;
  return text.length <= bytes * 2 + hyphensAt.length && characters.test(text);
}

/** A piece of text that may stand in an id: its digits, and the nibbles at which they may start. */
export interface Piece {
  readonly digits: readonly number[];
  readonly at: readonly number[];
}

/** Where the folded text, which has a digit, can stand in an id's text; nowhere if it holds more. */
export function pieceOf(format: IdFormat, text: string): Piece {
  const at: number[] = [];
  const { groups, bytes, hyphensAt } = format;
  if (!mayStandIn(format, text)) return { digits: [], at };
  const digits: number[] = [];
  const hyphens: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '-') hyphens.push(i);
    else digits.push(NIBBLE[text.charCodeAt(i)]!);
  }
  const length = bytes * 2 + hyphensAt.length;
  for (let group = 0; group + 1 < groups.length; group++) {
    const end = groups[group + 1]! - 1;
    if (hyphens.length === 0) {
      const last = end - text.length;
      for (let offset = groups[group]!; offset <= last; offset++) at.push(offset - group);
      continue;
    }
    // Its first hyphen is the one at the end of this group.
    const offset = end - hyphens[0]!;
    if (offset < 0 || offset + text.length > length) continue;
    const inside = groups
      .slice(1, -1)
      .map((start) => start - 1)
      .filter((hyphen) => hyphen >= offset && hyphen < offset + text.length);
    if (inside.length !== hyphens.length) continue;
    if (inside.every((hyphen, i) => hyphen - offset === hyphens[i])) at.push(offset - group);
  }
  return { digits, at };
}
