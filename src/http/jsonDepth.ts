/**
 * How deep JSON is nested, told from its bytes before it is parsed.
 *
 * Parsing 400,000 levels takes 0.1 s, and the collection of what they leave 0.8 s. No body that fits a schema
 * has more than ten, so one with a hundred times as many fits none, and need not be parsed to say so.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}` differ in this bit alone. */
const CURLY = 0x20;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** Whether more than `most` brackets are open at once. Bytes that are no JSON may be either. */
export function isDeeperThan(most: number, json: Uint8Array): boolean {
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!;
    if (byte === QUOTE) i = endOfString(json, i);
    else if ((byte & ~CURLY) === OPEN) {
      depth += 1;
      if (depth > most) return true;
    } else if ((byte & ~CURLY) === CLOSE) depth -= 1;
  }
  return false;
}

/** Where the string that begins here ends. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
