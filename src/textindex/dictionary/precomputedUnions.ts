/**
 * Sets of values whose rows are kept joined, so that a search that finds nearly the same values
 * starts from there instead of joining hundreds of thousands of rows.
 *
 *     found values     ████████▒▒              joined from the landmark next to it:
 *     a landmark       ████████  ░░            its rows, + rows of ▒▒, - rows of ░░
 *
 * A landmark is a set of values, not a piece of text: pieces only suggest which sets will be asked
 * for (unionChoice.ts). So it stays exact when a value is renamed or comes anew, at worst it is
 * less near. Which landmark is nearest, by rows, is told by a sample of 2,048 rows: 256 bytes each,
 * compared in 2 µs. `everything` is the landmark of all values; no value at all needs none.
 *
 * Rows with arrays stand in no landmark, since taking a value's rows away would be wrong for them.
 */
import { Bitmap } from '../storage/bitmap.ts';
import { hasBit } from '../storage/bits.ts';
import { Vector } from '../storage/memory.ts';
import type { Slot, Space } from '../storage/space.ts';

export const SAMPLE = 2048;
const SAMPLE_BYTES = SAMPLE / 8;
/** At most so many in a column: 8 bytes a row. */
export const MOST_LANDMARKS = 64;
const WORDS = MOST_LANDMARKS / 32;

export interface Landmark {
  /** A bitmap over codes, and its bytes. */
  readonly members: number;
  readonly bytes: number;
  readonly signature: number;
  readonly rows: Bitmap;
}

export class Landmarks {
  /** Slots that hold one value. */
  readonly everything: Bitmap;
  readonly all: Landmark[] = [];
  readonly #space: Space;
  /** The values of rows drawn at random. */
  readonly #sample: Vector;
  /** For each code, the landmarks it is in: WORDS numbers. */
  readonly #memberships: Vector;

  constructor(space: Space) {
    this.#space = space;
    this.everything = new Bitmap(space);
    this.#sample = new Vector(space.memory);
    this.#memberships = new Vector(space.memory);
  }

  /** A slot holds one value now, this one. */
  add(code: number, slot: Slot): void {
    this.everything.add(slot);
    if (this.all.length > 0) this.#each(code, (rows) => rows.add(slot));
  }

  delete(code: number, slot: Slot): void {
    this.everything.delete(slot);
    if (this.all.length > 0) this.#each(code, (rows) => rows.delete(slot));
  }

  /** Forgets all landmarks and takes a new sample. */
  reset(sample: readonly number[]): void {
    const { memory } = this.#space;
    for (const { members, bytes, signature, rows } of this.all) {
      memory.free(members, bytes);
      memory.free(signature, SAMPLE_BYTES);
      rows.free();
    }
    this.all.length = 0;
    this.#memberships.fill(0);
    this.#memberships.length = 0;
    this.#sample.length = 0;
    for (let i = 0; i < SAMPLE; i++) this.#sample.push(sample[i % sample.length] ?? 0);
  }

  /** Writes which rows of the sample hold a value of the set (a bitmap over all codes) to `to`. */
  sign(members: number, to: number): void {
    this.#space.kernel.gather(this.#sample.ptr, SAMPLE, members, to);
  }

  get sampled(): boolean {
    return this.#sample.length > 0;
  }

  /**
   * The landmark nearest to a signature and how far it is, as a share of all rows. No landmark means
   * the empty set, and `everything` all values.
   */
  nearest(signature: number): { near: Landmark | 'everything' | undefined; distance: number } {
    const { kernel } = this.#space;
    let near: Landmark | 'everything' | undefined;
    let least = kernel.count(signature, SAMPLE_BYTES);
    if (SAMPLE - least < least) {
      least = SAMPLE - least;
      near = 'everything';
    }
    for (const landmark of this.all) {
      const distance = kernel.countXor(signature, landmark.signature, SAMPLE_BYTES);
      if (distance >= least) continue;
      least = distance;
      near = landmark;
    }
    return { near, distance: least / SAMPLE };
  }

  /** Makes a landmark of these codes; `rows` is a borrowed bitmap of all rows that hold one. */
  place(codes: readonly number[], members: number, bytes: number, rows: number): void {
    const { memory } = this.#space;
    const number = this.all.length;
    const kept = memory.alloc(bytes);
    memory.u8.copyWithin(kept, members, members + bytes);
    const signature = memory.alloc(SAMPLE_BYTES);
    this.sign(kept, signature);
    const bitmap = new Bitmap(this.#space);
    const single = this.#space.borrow(false);
    this.everything.copyTo(single);
    this.#space.kernel.and(single, rows, this.#space.bitmapBytes);
    bitmap.copyFrom(single);
    this.#space.giveBack(single);
    this.all.push({ members: kept, bytes, signature, rows: bitmap });
    for (const code of codes) {
      while (this.#memberships.length < (code + 1) * WORDS) this.#memberships.push(0);
      const at = code * WORDS + (number >>> 5);
      this.#memberships.set(at, (this.#memberships.at(at) | (1 << (number & 31))) >>> 0);
    }
  }

  #each(code: number, act: (rows: Bitmap) => void): void {
    const at = code * WORDS;
    if (at >= this.#memberships.length) return;
    for (let word = 0; word < WORDS; word++) {
      let bits = this.#memberships.at(at + word);
      while (bits !== 0) {
        const low = bits & -bits;
        act(this.all[word * 32 + 31 - Math.clz32(low)]!.rows);
        bits ^= low;
      }
    }
  }

  /** `codeOf` gives the code of a slot that holds one value, `slots` all slots. */
  check(codeOf: (slot: Slot) => number | undefined, slots: Iterable<Slot>): void {
    const { u8 } = this.#space.memory;
    for (const slot of slots) {
      const code = codeOf(slot);
      if (this.everything.has(slot) !== (code !== undefined)) {
        throw new Error(`landmarks: slot ${slot} is not where everything is`);
      }
      for (const { members, bytes, rows } of this.all) {
        const member = code !== undefined && code < bytes * 8 && hasBit(u8, members, code);
        if (rows.has(slot) !== member) throw new Error(`landmarks: slot ${slot} is astray`);
      }
    }
  }
}
