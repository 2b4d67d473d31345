/**
 * Texts of one member that repeat from row to row, as the bytes that are written of them.
 *
 *     'SUCCESS' ──► place 3 ──► ,"status":"SUCCESS"      64 bytes a place, four of them a step
 *
 * Most columns of a table have few values, or some that most rows have. Letter by letter a text takes three
 * times as long. Of a column whose values hardly repeat nothing is looked up.
 */
import { writeJsonText } from '../mongo/bson/jsonText.ts';
import { Known, type Output } from '../mongo/bson/output.ts';

/** Texts that are known at a time: 16 kB a member. */
const PLACES = 256;
/** Of a place, in words of four bytes. Longer texts are written anew. */
const WORDS = 16;
/** After so many that were not known it is looked whether it is worth it, and if not, left for a while. */
const LOOK_AFTER = 1_024;
const PAUSE = 16_384;

export class RepeatedTexts {
  readonly #name: Known;
  readonly #places = new Map<string, number>();
  readonly #words = new Int32Array(PLACES * WORDS);
  readonly #lengths = new Uint8Array(PLACES);
  #found = 0;
  #missed = 0;
  #pause = 0;

  /** @param head what stands before each of them */
  constructor(head: string) {
    this.#name = new Known(head);
  }

  /** Writes the text as JSON, with its head. */
  write(out: Output, text: string): void {
    if (this.#pause > 0) {
      this.#pause--;
      this.#anew(out, text);
      return;
    }
    const place = this.#places.get(text);
    if (place === undefined) {
      const start = out.length;
      this.#anew(out, text);
      this.#miss(text, out, start);
      return;
    }
    this.#found++;
    out.words(this.#words, place * WORDS, this.#lengths[place]!);
  }

  #anew(out: Output, text: string): void {
    out.known(this.#name);
    writeJsonText(out, text);
  }

  #miss(text: string, out: Output, start: number): void {
    if (this.#places.size < PLACES) this.#keep(text, out, start);
    if (++this.#missed < LOOK_AFTER) return;
    // What is written most often comes again at once.
    if (this.#found < this.#missed) this.#pause = PAUSE;
    this.#places.clear();
    this.#found = 0;
    this.#missed = 0;
  }

  /** What was written from there on. */
  #keep(text: string, out: Output, start: number): void {
    const length = out.length - start;
    if (length > WORDS * 4) return;
    const place = this.#places.size;
    this.#places.set(text, place);
    this.#lengths[place] = length;
    out.wordsFrom(start, this.#words, place * WORDS);
  }
}
