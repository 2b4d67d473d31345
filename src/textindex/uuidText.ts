/**
 * UUIDs as text and as 16 bytes, and what a piece of text says about the bytes it may stand in.
 *
 *     01234567-89ab-cdef-0123-456789abcdef     36 characters, 32 nibbles, 4 hyphens
 *
 * A piece can stand at any offset at which its hyphens fall on hyphens and its digits on digits.
 */

const HYPHENS = [8, 13, 18, 23];
const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Where each group starts, in nibbles, and after the last. */
export const GROUPS = [0, 8, 12, 16, 20, 32] as const;

/** Whether the text is a UUID written as the table keeps them: lower case, 8-4-4-4-12. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && value.length === 36 && CANONICAL.test(value);
}

const NIBBLE = new Uint8Array(128);
for (let i = 0; i < 16; i++) NIBBLE[i.toString(16).charCodeAt(0)] = i;

/** Writes a canonical UUID's 16 bytes. */
export function writeUuid(text: string, bytes: Uint8Array, at: number): void {
  let to = at;
  for (let i = 0; i < 36; i += 2) {
    if (i === 8 || i === 13 || i === 18 || i === 23) i++;
    bytes[to++] = (NIBBLE[text.charCodeAt(i)]! << 4) | NIBBLE[text.charCodeAt(i + 1)]!;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The canonical text of 16 bytes. */
export function readUuid(bytes: Uint8Array, at: number): string {
  let text = '';
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
    text += HEX[bytes[at + i]!];
  }
  return text;
}

/** A run of known nibbles inside one group. */
export interface Run {
  readonly at: number;
  readonly nibbles: readonly number[];
}

/** One way a piece of text can stand in a UUID. */
export interface Alignment {
  /** Its runs of nibbles, one for each group it touches. */
  readonly runs: readonly Run[];
  /** For each of its hyphens (0 to 3), in order. */
  readonly hyphens: readonly number[];
}

/** All ways the folded text can stand in a UUID's text; none if it holds anything else. */
export function alignments(text: string): Alignment[] {
  if (text.length === 0 || text.length > 36 || !/^[0-9a-f-]*$/.test(text)) return [];
  const found: Alignment[] = [];
  for (let offset = 0; offset + text.length <= 36; offset++) {
    const alignment = alignAt(text, offset);
    if (alignment) found.push(alignment);
  }
  return found;
}

function alignAt(text: string, offset: number): Alignment | undefined {
  const runs: { at: number; nibbles: number[] }[] = [];
  const hyphens: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const position = offset + i;
    const hyphen = HYPHENS.indexOf(position);
    if ((text[i] === '-') !== hyphen >= 0) return undefined;
    if (hyphen >= 0) {
      hyphens.push(hyphen);
      continue;
    }
    const nibble = position - HYPHENS.filter((h) => h < position).length;
    const last = runs.at(-1);
    const value = NIBBLE[text.charCodeAt(i)]!;
    if (last && !GROUPS.some((start) => start === nibble)) last.nibbles.push(value);
    else runs.push({ at: nibble, nibbles: [value] });
  }
  return { runs, hyphens };
}
