/**
 * How deep JSON is nested and how many members it has, told from its bytes before it is parsed.
 *
 * Parsing 400,000 levels takes 0.1 s, and the collection of their garbage 0.8 s; 70,000 members with names
 * of their own take 0.1 s. No body that fits a schema has more than ten levels or some hundred members. So the
 * service refuses a hundred times as many, without parsing them.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** `[` and `{`, `]` and `}` differ in this bit alone. */
const CURLY = 0x20;
const OPEN = 0x5b;
const CLOSE = 0x5d;

export interface JsonExtent {
  /** Brackets that are open at once. */
  readonly levels: number;
  /** Members of all objects together. */
  readonly members: number;
}

/** The first extent that exceeds `most`, if one does. For bytes that are no JSON it may be either. */
export function excessOf(json: Uint8Array, most: JsonExtent): keyof JsonExtent | undefined {
  let depth = 0;
  let members = 0;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!;
    if (byte === QUOTE) i = endOfString(json, i);
    else if ((byte & ~CURLY) === OPEN) {
      depth += 1;
      if (depth > most.levels) return 'levels';
    } else if (byte === COLON) {
      members += 1;
      if (members > most.members) return 'members';
    } else if ((byte & ~CURLY) === CLOSE) depth -= 1;
  }
  return undefined;
}

/** Where the string that begins here ends. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
