/**
 * For each value of a dictionary, the n-grams with a bitmap that its texts contain: one bit an
 * n-gram.
 *
 *     ngram      a b e n …    numbered as ngramBitmaps.ts says, at most MAX_NGRAMS
 *     ordinal 17    1 0 0 1 …    WORDS numbers an ordinal
 *
 * The texts tell of every value that comes or changes. A search for a new n-gram marks the values
 * that contain it, so a mask always follows from the present texts.
 */

import { NO_VALUE } from '../dictionary/ordinals.ts';
import type { Texts } from '../dictionary/texts.ts';
import type { Ordinal, Pointer } from '../storage/brands.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import type { State } from '../storage/state.ts';

/** Each takes an eighth of a byte a row. */
export const MAX_NGRAMS = 128;
export const WORDS = MAX_NGRAMS / 32;

/** Calls for the unigrams and bigrams of neighbours in a text, as often as they stand there. */
export function eachNgramIn(text: string, take: (ngram: string) => void): void {
  let before = '';
  for (const letter of text) {
    take(letter);
    if (before !== '') take(before + letter);
    before = letter;
  }
}

export class NgramMasks {
  readonly #space: Space;
  readonly #words: Vector;
  /** The n-grams and their numbers: shared, and changed by their owner. */
  readonly #numbers: ReadonlyMap<string, number>;

  constructor(space: Space, texts: Texts, numbers: ReadonlyMap<string, number>) {
    this.#space = space;
    this.#words = new Vector(space.memory);
    this.#numbers = numbers;
    texts.onSet = (ordinal, folded) => this.#learn(ordinal, folded);
  }

  /** mask |= the ngrams in the texts of this ordinal. */
  orInto(ordinal: Ordinal, mask: Uint32Array): void {
    const at = ordinal * WORDS;
    if (at >= this.#words.length) return;
    const { u32 } = this.#space.memory;
    const from = (this.#words.ptr >>> 2) + at;
    for (let word = 0; word < WORDS; word++) mask[word]! |= u32[from + word]!;
  }

  /** The ngrams in the texts of this ordinal. */
  of(ordinal: Ordinal): Uint32Array {
    const mask = new Uint32Array(WORDS);
    this.orInto(ordinal, mask);
    return mask;
  }

  /** The ngram of this number stands in the texts of the n listed ordinals, and in no others. */
  mark(number: number, list: Pointer, n: number): void {
    const { u32 } = this.#space.memory;
    const word = number >>> 5;
    const bit = 1 << (number & 31);
    for (let at = word; at < this.#words.length; at += WORDS) {
      u32[(this.#words.ptr >>> 2) + at]! &= ~bit;
    }
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      const ordinal = this.#space.memory.u32[i]! as Ordinal;
      this.#open(ordinal);
      this.#space.memory.u32[(this.#words.ptr >>> 2) + ordinal * WORDS + word]! |= bit;
    }
  }

  keep(state: State): void {
    this.#words.keep(state);
  }

  #learn(ordinal: Ordinal, folded: readonly string[]): void {
    if (this.#numbers.size === 0) return;
    this.#open(ordinal);
    for (let word = 0; word < WORDS; word++) this.#words.set(ordinal * WORDS + word, 0);
    for (const text of folded) {
      eachNgramIn(text, (ngram) => this.#set(ordinal, this.#numbers.get(ngram)));
    }
  }

  #set(ordinal: Ordinal, number: number | undefined): void {
    if (number === undefined) return;
    const at = ordinal * WORDS + (number >>> 5);
    this.#words.set(at, this.#words.at(at) | (1 << (number & 31)));
  }

  #open(ordinal: Ordinal): void {
    while (this.#words.length < (ordinal + 1) * WORDS) this.#words.push(0);
  }

  /** `current`: the ngrams whose marks must be right. */
  check(texts: Texts, current: Uint32Array): void {
    const textsOf = new Map<Ordinal, string[]>();
    for (const [ordinal, text] of texts.all()) {
      textsOf.set(ordinal, [...(textsOf.get(ordinal) ?? []), new TextDecoder().decode(text)]);
    }
    let end = this.#words.length / WORDS;
    for (const ordinal of textsOf.keys()) end = Math.max(end, ordinal + 1);
    for (let ordinal = NO_VALUE; ordinal < end; ordinal++) {
      const mask = this.of(ordinal);
      for (const [ngram, number] of this.#numbers) {
        const bit = 1 << (number & 31);
        if ((current[number >>> 5]! & bit) === 0) continue;
        const stands = textsOf.get(ordinal)?.some((text) => text.includes(ngram)) ?? false;
        if (((mask[number >>> 5]! & bit) !== 0) !== stands) {
          throw new Error(`ngrams: ordinal ${ordinal} is wrongly marked for '${ngram}'`);
        }
      }
    }
  }
}
