/** Words of the command line as JSON values; text stays what fits no other type. */

export type Value = string | number | boolean | null;

export function typed(text: string, kind: string): string | number | boolean {
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumeric = kind === 'number' || kind === 'id' || kind === 'integer';
  if (isNumeric && /^-?\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    // A larger one would lose digits.
    if (Number.isSafeInteger(Math.trunc(number))) return number;
  }
  return text;
}
