/**
 * For each value of a dictionary, which of the kept pieces stand in its texts: one bit a piece.
 *
 *     piece      a b e n …          numbered as ngramBitmaps.ts says, at most MOST_PIECES
 *     code 17    1 0 0 1 …          WORDS numbers a code
 *
 * The texts tell of every value that comes or changes; what a new piece stands in is marked from a
 * search, so that a mask never follows from anything but the texts as they are.
 */

import type { Texts } from '../dictionary/texts.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';

/** Each takes an eighth of a byte a row. */
export const MOST_PIECES = 128;
/** Letters, and pairs of them. */
export const LONGEST_KEPT = 2;
export const WORDS = MOST_PIECES / 32;

/** Calls for the letters and pairs of neighbours in a text, as often as they stand there. */
export function eachPieceIn(text: string, take: (piece: string) => void): void {
  let before = '';
  for (const letter of text) {
    take(letter);
    if (before !== '') take(before + letter);
    before = letter;
  }
}

export class PieceMasks {
  readonly #space: Space;
  readonly #words: Vector;
  /** The pieces and their numbers: shared, and changed by their owner. */
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(space: Space, texts: Texts, numbers: ReadonlyMap<string, number>) {
    this.#space = space;
    this.#words = new Vector(space.memory);
    this.#numbers = numbers;
    texts.onSet = (code, folded) => this.#learn(code, folded);
  }

  /** mask |= the pieces in the texts of this code. */
  orInto(code: number, mask: Uint32Array): void {
    const at = code * WORDS;
    if (at >= this.#words.length) return;
    const { u32 } = this.#space.memory;
    const from = (this.#words.ptr >>> 2) + at;
    for (let word = 0; word < WORDS; word++) mask[word]! |= u32[from + word]!;
  }

  /** The pieces in the texts of this code. */
  of(code: number): Uint32Array {
    const mask = new Uint32Array(WORDS);
    this.orInto(code, mask);
    return mask;
  }

  /** The piece of this number stands in the texts of the n listed codes, and in no others. */
  mark(number: number, list: number, n: number): void {
    const { u32 } = this.#space.memory;
    const word = number >>> 5;
    const bit = 1 << (number & 31);
    for (let at = word; at < this.#words.length; at += WORDS) {
      u32[(this.#words.ptr >>> 2) + at]! &= ~bit;
    }
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      const code = this.#space.memory.u32[i]!;
      this.#open(code);
      this.#space.memory.u32[(this.#words.ptr >>> 2) + code * WORDS + word]! |= bit;
    }
  }

  #learn(code: number, folded: readonly string[]): void {
    if (this.#numbers.size === 0) return;
    this.#open(code);
    for (let word = 0; word < WORDS; word++) this.#words.set(code * WORDS + word, 0);
    for (const text of folded) {
      eachPieceIn(text, (piece) => this.#set(code, this.#numbers.get(piece)));
    }
  }

  #set(code: number, number: number | undefined): void {
    if (number === undefined) return;
    const at = code * WORDS + (number >>> 5);
    this.#words.set(at, this.#words.at(at) | (1 << (number & 31)));
  }

  #open(code: number): void {
    while (this.#words.length < (code + 1) * WORDS) this.#words.push(0);
  }

  /** `current`: the pieces whose marks must be right. */
  check(texts: Texts, current: Uint32Array): void {
    const held = new Map<number, string[]>();
    for (const [code, text] of texts.all()) {
      held.set(code, [...(held.get(code) ?? []), new TextDecoder().decode(text)]);
    }
    const codes = Math.max(this.#words.length / WORDS, ...[...held.keys()].map((code) => code + 1));
    for (let code = 0; code < codes; code++) {
      const mask = this.of(code);
      for (const [piece, number] of this.#numbers) {
        const bit = 1 << (number & 31);
        if ((current[number >>> 5]! & bit) === 0) continue;
        const stands = held.get(code)?.some((text) => text.includes(piece)) ?? false;
        if (((mask[number >>> 5]! & bit) !== 0) !== stands) {
          throw new Error(`pieces: code ${code} is wrongly marked for '${piece}'`);
        }
      }
    }
  }
}
