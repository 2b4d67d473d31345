/**
 * Texts that were read lately, by their bytes: most columns repeat some thousand values.
 *
 *     bytes ──length, eight of them──► place ──► the bytes kept there, compared ──► the same string
 *
 * Making a string takes 100 ns and comes back as garbage; comparing takes 20. And a string that is
 * the very one a dictionary knows is found there without being hashed and compared once more.
 */
import { int32At, textAt } from '../../mongo/bson/raw.ts';

/** Places, one text each: as many as a large column of people's emails has values. */
const PLACES = 2 ** 13;
/** Longer texts seldom repeat, UUIDs never. */
const MAX_BYTES = 32;

export class TextCache {
  readonly #bytes = new Uint8Array(PLACES * MAX_BYTES);
  readonly #texts = new Array<string>(PLACES).fill('');
  readonly #lengths = new Uint8Array(PLACES);

  /** The text of the BSON string at `at`, as `textAt` returns it. */
  textAt(bytes: Uint8Array, at: number): string {
    const length = int32At(bytes, at) - 1;
    if (length < 1 || length > MAX_BYTES) return textAt(bytes, at);
    const from = at + 4;
    const place = placeOf(bytes, from, length);
    if (this.#holds(place, bytes, from, length)) return this.#texts[place]!;
    const text = textAt(bytes, at);
    const kept = place * MAX_BYTES;
    for (let i = 0; i < length; i++) this.#bytes[kept + i] = bytes[from + i]!;
    this.#texts[place] = text;
    this.#lengths[place] = length;
    return text;
  }

  #holds(place: number, bytes: Uint8Array, from: number, length: number): boolean {
    if (this.#lengths[place] !== length) return false;
    const kept = place * MAX_BYTES;
    for (let i = 0; i < length; i++) if (this.#bytes[kept + i] !== bytes[from + i]) return false;
    return true;
  }
}

/** FNV-1a over about eight of the bytes. */
function placeOf(bytes: Uint8Array, from: number, length: number): number {
  const step = 1 + (length >>> 3);
  let hash = length;
  for (let i = from + length - 1; i >= from; i -= step) {
    hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % PLACES;
}
