/**
 * Where a text stops being JSON, and what was expected there, in words for people.
 *
 *     {"q": "x",}   ──▶   Line 1, column 11: a member name in double quotes is expected, not "}". …
 *
 * `JSON.parse` decides what is JSON; what it says of a text that is not differs between versions of Node and
 * often names no place. This walks over the text once, without recursion: depth costs no stack. It makes
 * nothing on the way, since a body of 1 MB can have a million tokens before its fault.
 */

import { loop } from '../../loop.ts';

/** Tokens that are walked over in one turn of the event loop: some milliseconds. */
const TOKENS = 50_000;

/** The fault as one sentence or two; undefined where there is none. Quotes 12 characters at most. */
export async function jsonFault(text: string): Promise<string | undefined> {
  const walk = new Walk(text);
  while (!walk.goOn(TOKENS)) await loop.turn('step');
  return walk.fault;
}

/** What may come next. `next`: what may follow a value. */
type Expected = 'value' | 'item or end' | 'name or end' | 'name' | 'colon' | 'next';

const [SPACE, TAB, LF, CR] = [0x20, 0x09, 0x0a, 0x0d];
const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** What stands at the place of a fault: a word, or one character. */
const FOUND = /[\w$.+-]{1,12}|./suy;

const A_VALUE = 'a value (text in double quotes, a number, true, false, null, { or [)';
const A_NAME = 'a member name in double quotes';

class Walk {
  readonly #text: string;
  #at = 0;
  /** The ends of the objects and lists around this place, so many of them: a body may be nothing else. */
  readonly #ends: Uint8Array;
  #depth = 0;
  #expected: Expected = 'value';
  #afterComma = false;
  /** What is expected in a string that goes wrong. */
  #wrongString: string | undefined;
  /** Once the walk has come to its end: undefined where there is none. */
  fault: string | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#ends = new Uint8Array(text.length);
  }

  /** Takes so many tokens at most; whether it has come to its end. */
  goOn(tokens: number): boolean {
    if (this.#at === 0 && this.#text.startsWith('\ufeff')) {
      this.fault = 'The body begins with a byte order mark (U+FEFF); send it without one.';
      return true;
    }
    for (let taken = 0; taken < tokens; taken++) {
      this.#skipSpace();
      if (this.#at >= this.#text.length && this.#depth === 0 && this.#expected === 'next') {
        return true;
      }
      const comma = this.#expected === 'next' && this.#text.charCodeAt(this.#at) === COMMA;
      if (!this.#step()) {
        this.fault = this.#sentence();
        return true;
      }
      this.#afterComma = comma;
    }
    return false;
  }

  /** Takes one token; false where none fits. */
  #step(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    switch (this.#expected) {
      case 'name or end':
      case 'name':
        if (this.#expected === 'name or end' && code === OBJECT_END) return this.#end();
        if (code !== QUOTE || !this.#string()) return false;
        this.#expected = 'colon';
        return true;
      case 'colon':
        if (code !== COLON) return false;
        this.#at += 1;
        this.#expected = 'value';
        return true;
      case 'next':
        if (this.#depth === 0) return false;
        if (code === this.#ends[this.#depth - 1]) return this.#end();
        if (code !== COMMA) return false;
        this.#at += 1;
        this.#expected = this.#ends[this.#depth - 1] === OBJECT_END ? 'name' : 'value';
        return true;
      default:
        if (this.#expected === 'item or end' && code === LIST_END) return this.#end();
        return this.#value(code);
    }
  }

  #value(code: number): boolean {
    if (code === LIST || code === OBJECT) {
      this.#at += 1;
      this.#ends[this.#depth++] = code === LIST ? LIST_END : OBJECT_END;
      this.#expected = code === LIST ? 'item or end' : 'name or end';
      return true;
    }
    const taken = code === QUOTE ? this.#string() : this.#take(NUMBER) || this.#take(LITERAL);
    if (!taken) return false;
    this.#expected = 'next';
    return true;
  }

  #end(): true {
    this.#at += 1;
    this.#depth -= 1;
    this.#expected = 'next';
    return true;
  }

  #string(): boolean {
    this.#at += 1;
    for (;;) {
      this.#take(PLAIN);
      const character = this.#text[this.#at];
      if (character === '"') {
        this.#at += 1;
        return true;
      }
      if (character === '\\' && this.#take(ESCAPE)) continue;
      if (character === undefined) this.#wrongString = 'the closing quote of a text';
      else if (character === '\\') this.#wrongString = 'an escape that JSON knows, such as \\n';
      else this.#wrongString = 'an escape such as \\n instead of a control character';
      return false;
    }
  }

  #sentence(): string {
    const expected = this.#wrongString ?? this.#wanted();
    const end = this.#at >= this.#text.length;
    FOUND.lastIndex = this.#at;
    const found = end ? '' : FOUND.exec(this.#text)![0].toWellFormed();
    const not = end ? 'but the body ends' : `not ${JSON.stringify(found)}`;
    const advice = this.#wrongString === undefined ? this.#advice(found) : '';
    return `${this.#place()}: ${expected} is expected here, ${not}.${advice}`;
  }

  #wanted(): string {
    switch (this.#expected) {
      case 'value':
        return A_VALUE;
      case 'item or end':
        return `${A_VALUE} or ]`;
      case 'name or end':
        return `${A_NAME} or }`;
      case 'name':
        return A_NAME;
      case 'colon':
        return 'a colon';
      case 'next': {
        if (this.#depth === 0) return 'the end of the body';
        return `a comma or ${String.fromCharCode(this.#ends[this.#depth - 1]!)}`;
      }
    }
  }

  #advice(found: string): string {
    if (found === "'") return ' JSON has no single quotes.';
    if (found === '/' || found === '#') return ' JSON has no comments.';
    if (this.#afterComma && (found === '}' || found === ']')) {
      return ' The comma before it is one too many.';
    }
    return '';
  }

  /** Lines and characters, both from 1. */
  #place(): string {
    const before = this.#text.slice(0, this.#at);
    const lineStart = before.lastIndexOf('\n') + 1;
    let line = 1;
    for (let i = before.indexOf('\n'); i !== -1; i = before.indexOf('\n', i + 1)) line += 1;
    let column = 1;
    for (let i = lineStart; i < before.length; i++) {
      // The second half of a character is none of its own.
      if ((before.charCodeAt(i) & 0xfc00) !== 0xdc00) column += 1;
    }
    return `Line ${line}, column ${column}`;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== SPACE && code !== LF && code !== CR && code !== TAB) return;
      this.#at += 1;
    }
  }

  /** Moves on over what the pattern takes; whether that is anything. */
  #take(pattern: RegExp): boolean {
    const before = this.#at;
    pattern.lastIndex = before;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
    return this.#at > before;
  }
}
