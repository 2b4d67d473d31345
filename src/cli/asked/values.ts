/** Words of the command line as JSON values; a word that fits no other type stays text. */

export type Value = string | number | boolean | null;

export const NUMBER = /^-?\d+(\.\d+)?$/;
/** As answers write doubles that are very small or very large. */
const WITH_EXPONENT = /^-?\d+(\.\d+)?e[+-]?\d+$/i;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const OBJECT_ID = /^[0-9a-f]{24}$/i;
/** Digits that a double always keeps. */
const SAFE_DIGITS = 15;

export function typed(text: string, kind: string): string | number | boolean {
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumeric = kind === 'number' || kind === 'id' || kind === 'integer';
  if (isNumeric && NUMBER.test(text)) {
    const number = Number(text);
    if (isKept(text, number)) return number;
  }
  // The service compares text as the very decimal, which hardly any double of these is.
  if (kind === 'number' && WITH_EXPONENT.test(text)) {
    const number = Number(text);
    if (Number.isFinite(number) && number !== 0 && isKept(text, number)) return number;
  }
  return text;
}

/** Whether the double has all digits of the text. */
const isKept = (text: string, number: number): boolean =>
  text.replace(/e.*|\D/gi, '').length <= SAFE_DIGITS || String(number) === text.toLowerCase();
