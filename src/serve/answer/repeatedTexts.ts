/**
 * Texts of one member that repeat from row to row, as the bytes that are written of them.
 *
 *     'SUCCESS', the column's ordinal 3 ──► place 3 ──► ,"status":"SUCCESS"      64 bytes a place, four of them a step
 *     'owner' ──► by the text itself ──► place 0
 *
 * Most columns of a table have few values, or some that most rows have. Letter by letter a text takes three
 * times as long. The table says a value's ordinal with it. An ordinal may stand for another value later, so
 * the text that is there is compared: mostly it is the same object. Of texts without an ordinal nothing is
 * looked up where they hardly repeat.
 */
import { writeJsonText } from '../../store/bson/jsonText.ts';
import { type Output, Utf8Literal } from '../../store/bson/output.ts';

/** Texts without an ordinal that are cached at a time: 16 kB a member. */
const PLACES = 256;
/** Texts with an ordinal below this are cached: 1 MB a member, where a column has so many values. */
const MAX_ORDINAL = 16_384;
/** Of a place, in words of four bytes. Longer texts are written anew. */
const WORDS = 16;
/** After so many misses it is decided whether looking up is worth it; if not, it pauses for so many texts. */
const LOOK_AFTER = 1_024;
const PAUSE = 16_384;

/** What is written of texts, by place. */
class Places {
  #words = new Int32Array(0);
  #lengths = new Uint8Array(0);

  write(out: Output, place: number): void {
    out.words(this.#words, place * WORDS, this.#lengths[place]!);
  }

  /** Keeps what was written from `start` on; whether there is room for it. */
  keep(out: Output, start: number, place: number): boolean {
    const length = out.length - start;
    if (length > WORDS * 4) return false;
    if (place >= this.#lengths.length) this.#grow(place + 1);
    this.#lengths[place] = length;
    out.wordsFrom(start, this.#words, place * WORDS);
    return true;
  }

  #grow(least: number): void {
    const places = Math.max(16, 2 ** Math.ceil(Math.log2(least)));
    const [words, lengths] = [this.#words, this.#lengths];
    this.#words = new Int32Array(places * WORDS);
    this.#words.set(words);
    this.#lengths = new Uint8Array(places);
    this.#lengths.set(lengths);
  }
}

export class RepeatedTexts {
  readonly #name: Utf8Literal;
  readonly #byText = new Map<string, number>();
  readonly #ofTexts = new Places();
  /** By ordinal: the text that was written last. */
  readonly #byOrdinal: (string | undefined)[] = [];
  readonly #ofOrdinals = new Places();
  #found = 0;
  #missed = 0;
  #pause = 0;

  /** @param head what stands before each of them */
  constructor(head: string) {
    this.#name = new Utf8Literal(head);
  }

  /**
   * Writes the text as JSON, with its head.
   *
   * @param ordinal what texts that are the same have in common for now; 0 where there is none
   */
  write(out: Output, text: string, ordinal = 0): void {
    if (ordinal > 0 && ordinal < MAX_ORDINAL) this.#withOrdinal(out, text, ordinal);
    else this.#withoutOrdinal(out, text);
  }

  #withOrdinal(out: Output, text: string, ordinal: number): void {
    const cached = this.#byOrdinal;
    if (ordinal < cached.length && cached[ordinal] === text) {
      this.#ofOrdinals.write(out, ordinal);
      return;
    }
    const start = out.length;
    this.#anew(out, text);
    if (!this.#ofOrdinals.keep(out, start, ordinal)) return;
    while (cached.length <= ordinal) cached.push(undefined);
    cached[ordinal] = text;
  }

  #withoutOrdinal(out: Output, text: string): void {
    if (this.#pause > 0) {
      this.#pause--;
      this.#anew(out, text);
      return;
    }
    const place = this.#byText.get(text);
    if (place === undefined) {
      const start = out.length;
      this.#anew(out, text);
      this.#miss(text, out, start);
      return;
    }
    this.#found++;
    this.#ofTexts.write(out, place);
  }

  #anew(out: Output, text: string): void {
    out.literal(this.#name);
    writeJsonText(out, text);
  }

  #miss(text: string, out: Output, start: number): void {
    const place = this.#byText.size;
    if (place < PLACES && this.#ofTexts.keep(out, start, place)) this.#byText.set(text, place);
    if (++this.#missed < LOOK_AFTER) return;
    // What is written most often comes again at once.
    if (this.#found < this.#missed) this.#pause = PAUSE;
    this.#byText.clear();
    this.#found = 0;
    this.#missed = 0;
  }
}
