/**
 * The fault of a text that is no JSON, in the words of `JSON.parse`. Texts too large to be parsed are
 * checked without parsing.
 *
 *     {"q": "x",}   ──▶   Expected double-quoted property name at line 1, column 11.
 */
import { loop } from '../../loop.ts';

/** The fault that `JSON.parse` found, as a sentence. It quotes some twenty characters at most. */
export function jsonFault(error: unknown, text: string): string {
  if (text.startsWith('\ufeff')) return 'It begins with a byte order mark (U+FEFF); send none.';
  // It may quote half a surrogate pair.
  const message = (error as SyntaxError).message.toWellFormed();
  return `${message.replace(PLACE, (_, at) => placeIn(text, Number(at)))}.`;
}

/** `… in JSON at position 7`, `… after JSON at position 7`; since Node 22 with line and column. */
const PLACE = /(?: in JSON)? at position (\d+)(?: \(line \d+ column \d+\))?$/;

/** Line and column as editors count them, from 1. */
function placeIn(text: string, at: number): string {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return ` at line ${line}, column ${at - start + 1}`;
}

/** Tokens that are looked at in one turn of the event loop: some milliseconds. */
const TOKENS = 50_000;

const SPACE = /[ \t\n\r]*/y;
/** A part of a string: a pattern for all of it would need a place on a stack for each escape. */
const PART = /(?:[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000}/y;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'item or end' | 'name' | 'name or end' | 'colon' | 'next';

const VALUE = { text: 'next', literal: 'next', '{': 'name or end', '[': 'item or end' } as const;

/** By the expected token: the kinds of tokens that fit, and the token that is expected next. A comma's kind is the end of its list. */
const AFTER: Readonly<Record<Expected, Readonly<Record<string, Expected>>>> = {
  value: VALUE,
  'item or end': { ...VALUE, end: 'next' },
  name: { text: 'colon' },
  'name or end': { text: 'colon', end: 'next' },
  colon: { ':': 'value' },
  next: { ',}': 'name', ',]': 'value', end: 'next' },
};

/**
 * Whether `JSON.parse` would take it. Makes nothing of it, since 400,000 levels would hold the event
 * loop for a second.
 */
export async function isJson(text: string): Promise<boolean> {
  const tokens = new Tokens(text);
  let expected: Expected | undefined = 'value';
  for (let taken = 1; expected && !tokens.isOver; taken++) {
    if (taken % TOKENS === 0) await loop.turn('step');
    expected = AFTER[expected][tokens.take()];
  }
  return expected === 'next' && !tokens.isOpen;
}

const [LIST, OBJECT] = [0, 1];

class Tokens {
  readonly #text: string;
  #at = 0;
  /** The ends of the objects and lists around this place, a byte each: a body may be nothing else. */
  readonly #ends: Buffer;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#ends = Buffer.alloc(text.length);
    this.#skip(SPACE);
  }

  get isOver(): boolean {
    return this.#at === this.#text.length;
  }

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  /** Takes the next token, by its kind. */
  take(): string {
    const kind = this.#kind(this.#text[this.#at]!);
    this.#skip(SPACE);
    return kind;
  }

  #kind(sign: string): string {
    if (sign !== '"' && this.#skip(LITERAL)) return 'literal';
    this.#at += 1;
    const end = this.#depth > 0 && (this.#ends[this.#depth - 1] === OBJECT ? '}' : ']');
    if (sign === end) {
      this.#depth -= 1;
      return 'end';
    }
    if (sign === '"') return this.#string() ? 'text' : 'nothing';
    if (sign === ',') return sign + end;
    if (sign === '{' || sign === '[') this.#ends[this.#depth++] = sign === '{' ? OBJECT : LIST;
    return sign;
  }

  #string(): boolean {
    while (this.#skip(PART));
    this.#at += 1;
    return this.#text[this.#at - 1] === '"';
  }

  /** Moves on over what the pattern takes; whether that is anything. */
  #skip(pattern: RegExp): boolean {
    const before = this.#at;
    pattern.lastIndex = before;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
    return this.#at > before;
  }
}
