/**
 * Texts that were read lately, by their bytes: most columns repeat some thousand values.
 *
 *     bytes ──length, all of them──► place ──► the bytes cached there, compared ──► the same string
 *
 * Making a string takes 100 ns and comes back as garbage; comparing takes 20. And a string that is
 * the very one a dictionary knows is found there without being hashed and compared once more.
 */
import { inView } from '../../store/bson/bytesInView.ts';
import { int32At, textAt } from '../../store/bson/raw.ts';

/** Places, one text each: as many as a large column of people's emails has values. */
const PLACES = 2 ** 13;
/** Longer texts seldom repeat, UUIDs never. */
const MAX_BYTES = 32;
/** Bytes that are compared at once, and most texts that have fewer. */
const WORD = 4;
const MAX_SHORTS = 1_024;

export class TextCache {
  readonly #bytes = new Uint8Array(PLACES * MAX_BYTES);
  /** The same, four bytes a step. */
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #texts = new Array<string>(PLACES).fill('');
  readonly #lengths = new Uint8Array(PLACES);
  readonly #shorts = new Map<number, string>();

  /** The text of the BSON string at `at`, as `textAt` returns it. */
  textAt(bytes: Uint8Array, at: number): string {
    const length = int32At(bytes, at) - 1;
    if (length < 1 || length > MAX_BYTES) return textAt(bytes, at);
    if (length < WORD) return this.#short(bytes, at, length);
    inView.look(bytes);
    const { view, base } = inView;
    const from = base + at + 4;
    // The last word overlaps the one before, so that it ends where the text does.
    const last = length - WORD;
    const place = placeOf(view, from, last);
    if (this.#lengths[place] === length && this.#holds(place, view, from, last)) {
      return this.#texts[place]!;
    }
    const text = textAt(bytes, at);
    const start = place * MAX_BYTES;
    for (let i = 0; i < length; i++) this.#bytes[start + i] = bytes[at + 4 + i]!;
    this.#texts[place] = text;
    this.#lengths[place] = length;
    return text;
  }

  /** A text shorter than a word is told by one number. */
  #short(bytes: Uint8Array, at: number, length: number): string {
    let number = length;
    for (let i = at + 4; i < at + 4 + length; i++) number = (number << 8) | bytes[i]!;
    const cached = this.#shorts.get(number);
    if (cached !== undefined) return cached;
    if (this.#shorts.size >= MAX_SHORTS) this.#shorts.clear();
    const text = textAt(bytes, at);
    this.#shorts.set(number, text);
    return text;
  }

  #holds(place: number, view: DataView, from: number, last: number): boolean {
    const own = this.#view;
    const start = place * MAX_BYTES;
    for (let i = 0; i < last; i += WORD) {
      if (own.getInt32(start + i, true) !== view.getInt32(from + i, true)) return false;
    }
    return own.getInt32(start + last, true) === view.getInt32(from + last, true);
  }
}

/** After FNV-1a, a word at a time. */
function placeOf(view: DataView, from: number, last: number): number {
  let hash = last;
  for (let i = 0; i < last; i += WORD) {
    hash = Math.imul(hash ^ view.getInt32(from + i, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ view.getInt32(from + last, true), 0x01000193);
  return (hash ^ (hash >>> 13) ^ (hash >>> 22)) & (PLACES - 1);
}
