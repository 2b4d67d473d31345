/** Words of the command line as JSON values; text stays what fits no other type. */

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
    const isShort = text.replace(/\D/g, '').length <= SAFE_DIGITS;
    // Any other would lose digits.
    if (isShort || String(number) === text) return number;
  }
  // The service compares text as the very decimal, which hardly any double of these is.
  if (kind === 'number' && WITH_EXPONENT.test(text)) {
    const number = Number(text);
    const isShort = text.replace(/e.*|\D/gi, '').length <= SAFE_DIGITS;
    const isKept = isShort || String(number) === text.toLowerCase();
    if (Number.isFinite(number) && number !== 0 && isKept) return number;
  }
  return text;
}
