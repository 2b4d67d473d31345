/**
 * Which parts of a heap of texts can hold a piece, so that a search looks through those alone.
 *
 *     heap     [ part 0 │ part 1 │ … │ part 31 ]     an entry belongs to the part it starts in
 *     masks    #(61 6e 6e) ─► 0b…0101                three bytes in a row, hashed: where they stand
 *
 * The piece is in none but the parts in which all its threes are: a common word is in no email, so
 * none of their 250 kB is read; a piece of one email is mostly in one part of 32. Masks only ever
 * promise too much (hashes meet, texts go); they are exact again when the heap is rebuilt. 0.4 bytes
 * for each byte of the heap, for heaps past 4 kB, at most 256 kB.
 */

import type { Space } from '../storage/space.ts';
import { gramOf, type Needle } from './needle.ts';

const PARTS_BITS = 5;
export const PARTS = 2 ** PARTS_BITS;
/** Where no entry starts. */
const NOWHERE = 0xffffffff;
const LEAST_ROOM = 8192;
const MOST_BITS = 16;

export class Grams {
  readonly #space: Space;
  #masks = 0;
  #bits = 0;
  /** log2 of a part's bytes. */
  #shift = 0;
  /** Where the first entry that starts in each part starts; `NOWHERE` when none does. */
  readonly #firsts = new Uint32Array(PARTS);

  constructor(space: Space) {
    this.#space = space;
    this.#firsts.fill(NOWHERE);
  }

  /** Makes ready for a heap of this room, a power of two; all texts must be added anew. */
  reset(room: number): void {
    const { memory } = this.#space;
    if (this.#masks !== 0) memory.free(this.#masks, 4 << this.#bits);
    this.#masks = 0;
    this.#firsts.fill(NOWHERE);
    if (room < LEAST_ROOM) return;
    const bits = Math.log2(room);
    this.#shift = bits - PARTS_BITS;
    this.#bits = Math.min(MOST_BITS, bits - 3);
    this.#masks = memory.allocZero(4 << this.#bits);
  }

  /**
   * The heap's room, a power of two, doubled: makes a part of every two. False when the masks became
   * more as well, and all texts must be added anew.
   */
  grow(room: number): boolean {
    const bits = Math.log2(room);
    if (this.#masks === 0 || bits !== this.#shift + PARTS_BITS + 1 || this.#bits < MOST_BITS) {
      this.reset(room);
      return false;
    }
    this.#shift++;
    const { u32 } = this.#space.memory;
    for (let i = this.#masks >>> 2, end = i + 2 ** this.#bits; i < end; i++) {
      u32[i] = everySecond(u32[i]! | (u32[i]! >>> 1));
    }
    const firsts = this.#firsts.slice();
    this.#firsts.fill(NOWHERE);
    for (let part = 0; part < PARTS; part += 2) {
      this.#firsts[part / 2] = Math.min(firsts[part]!, firsts[part + 1]!);
    }
    return true;
  }

  /** A text stands from `from` up to `to` in the heap: an entry of its own. */
  add(heap: number, from: number, to: number): void {
    if (this.#masks === 0) return;
    const part = from >>> this.#shift;
    if (this.#firsts[part] === NOWHERE) this.#firsts[part] = from;
    const { u8, u32 } = this.#space.memory;
    const masks = this.#masks >>> 2;
    const down = 32 - this.#bits;
    const bit = 1 << part;
    for (let i = heap + from, last = heap + to - 3; i <= last; i++) {
      u32[masks + (gramOf(u8[i]!, u8[i + 1]!, u8[i + 2]!) >>> down)]! |= bit;
    }
  }

  /** A bit for each part in which the needle may be. */
  partsOf(needle: Needle): number {
    if (this.#masks === 0) return -1;
    const { u32 } = this.#space.memory;
    const masks = this.#masks >>> 2;
    const down = 32 - this.#bits;
    let parts = -1;
    for (const gram of needle.grams) {
      parts &= u32[masks + (gram >>> down)]!;
      if (parts === 0) return 0;
    }
    return parts;
  }

  /** Throws when a search could miss the entry from `from` up to `to`. */
  check(heap: number, from: number, to: number): void {
    if (this.#masks === 0) return;
    const { u8, u32 } = this.#space.memory;
    const part = from >>> this.#shift;
    if (this.#firsts[part]! > from) throw new Error(`grams: part ${part} starts after ${from}`);
    for (let i = heap + from; i + 3 <= heap + to; i++) {
      const gram = gramOf(u8[i]!, u8[i + 1]!, u8[i + 2]!) >>> (32 - this.#bits);
      if (((u32[(this.#masks >>> 2) + gram]! >>> part) & 1) === 0) {
        throw new Error(`grams: part ${part} lacks what it holds`);
      }
    }
  }

  /** Where the entries of a part start; `length`, the heap's, when none starts there or later. */
  startOf(part: number, length: number): number {
    for (let at = part; at < PARTS; at++) {
      if (this.#firsts[at] !== NOWHERE) return this.#firsts[at]!;
    }
    return length;
  }
}

/** Bits 0, 2, 4 … of a word, moved together. */
function everySecond(word: number): number {
  let w = word & 0x55555555;
  w = (w | (w >>> 1)) & 0x33333333;
  w = (w | (w >>> 2)) & 0x0f0f0f0f;
  w = (w | (w >>> 4)) & 0x00ff00ff;
  return (w | (w >>> 8)) & 0xffff;
}
