/**
 * Precomputed unions: the rows of frequent sets of values, so that a search that finds nearly the same
 * values starts from there instead of uniting hundreds of thousands of rows.
 *
 *     values found     ████████▒▒              from the nearest precomputed union:
 *     precomputed      ████████  ░░            its rows, + rows of ▒▒, - rows of ░░
 *
 * A union belongs to a set of values, not to a text: substrings only suggest which sets searches
 * will want (unionChoice.ts). So it stays exact when a value is renamed or new; at worst it is a
 * poorer starting point. A sample of 2,048 rows decides which union is nearest: 256 bytes each,
 * compared in 2 µs. `everything` is the union of all values; the empty one needs no rows.
 *
 * Rows with arrays are in no precomputed union, since removing a value's rows would be wrong for them.
 */
import { Bitmap } from '../storage/bitmap.ts';
import { hasBit } from '../storage/bits.ts';
import type { BitmapHandle, Ordinal, Pointer, RowNumber } from '../storage/brands.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import { NO_VALUE } from './ordinals.ts';

export const SAMPLE = 2048;
const SAMPLE_BYTES = SAMPLE / 8;
/** The most unions of a column: 8 bytes a row. */
export const MAX_UNIONS = 64;
const WORDS = MAX_UNIONS / 32;

export interface PrecomputedUnion {
  /** A bitmap over ordinals, and its bytes. */
  readonly members: Pointer;
  readonly bytes: number;
  readonly signature: Pointer;
  readonly rows: Bitmap;
}

export class PrecomputedUnions {
  /** Rows that hold one value, and no array. */
  readonly everything: Bitmap;
  readonly all: PrecomputedUnion[] = [];
  readonly #space: Space;
  /** The values of rows drawn at random. */
  readonly #sample: Vector<Ordinal>;
  /** The unions of each ordinal: WORDS numbers. */
  readonly #memberships: Vector;

  constructor(space: Space) {
    this.#space = space;
    this.everything = new Bitmap(space);
    this.#sample = new Vector(space.memory);
    this.#memberships = new Vector(space.memory);
  }

  /** A row holds one value now, this one. */
  add(ordinal: Ordinal, row: RowNumber): void {
    this.everything.add(row);
    if (this.all.length > 0) this.#each(ordinal, (rows) => rows.add(row));
  }

  delete(ordinal: Ordinal, row: RowNumber): void {
    this.everything.delete(row);
    if (this.all.length > 0) this.#each(ordinal, (rows) => rows.delete(row));
  }

  /** Forgets all unions and takes a new sample. */
  reset(sample: readonly Ordinal[]): void {
    this.clear();
    for (let i = 0; i < SAMPLE; i++) this.#sample.push(sample[i % sample.length] ?? NO_VALUE);
  }

  /** Forgets all unions and the sample; searches use no unions until `reset`. */
  clear(): void {
    if (!this.sampled) return;
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
  }

  /** Writes which rows of the sample hold a value of the set (a bitmap over all ordinals) to `to`. */
  sign(members: Pointer, to: Pointer): void {
    this.#space.kernel.gather(this.#sample.ptr, SAMPLE, members, to);
  }

  get sampled(): boolean {
    return this.#sample.length > 0;
  }

  /**
   * The union nearest to a signature and how far it is, as a share of all rows. `undefined` means
   * the empty set, and `everything` all values.
   */
  nearest(signature: Pointer): {
    near: PrecomputedUnion | 'everything' | undefined;
    distance: number;
  } {
    const { kernel } = this.#space;
    let near: PrecomputedUnion | 'everything' | undefined;
    let least = kernel.count(signature, SAMPLE_BYTES);
    if (SAMPLE - least < least) {
      least = SAMPLE - least;
      near = 'everything';
    }
    for (const union of this.all) {
      const distance = kernel.countXor(signature, union.signature, SAMPLE_BYTES);
      if (distance >= least) continue;
      least = distance;
      near = union;
    }
    return { near, distance: least / SAMPLE };
  }

  /** Keeps the union of these ordinals: the members of a bitmap over all, and all rows that hold one. */
  place(ordinals: readonly Ordinal[], members: Pointer, bytes: number, rows: BitmapHandle): void {
    const { kernel, memory, scratch, bitmapBytes } = this.#space;
    const number = this.all.length;
    const kept = memory.alloc(bytes);
    memory.u8.copyWithin(kept, members, members + bytes);
    const signature = memory.alloc(SAMPLE_BYTES);
    this.sign(kept, signature);
    const single = scratch.bitmap(false);
    this.everything.copyTo(single);
    kernel.and(single, rows, bitmapBytes);
    const bitmap = new Bitmap(this.#space);
    bitmap.copyFrom(single);
    this.all.push({ members: kept, bytes, signature, rows: bitmap });
    for (const ordinal of ordinals) {
      while (this.#memberships.length < (ordinal + 1) * WORDS) this.#memberships.push(0);
      const at = ordinal * WORDS + (number >>> 5);
      this.#memberships.set(at, (this.#memberships.at(at) | (1 << (number & 31))) >>> 0);
    }
  }

  #each(ordinal: Ordinal, act: (rows: Bitmap) => void): void {
    const at = ordinal * WORDS;
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

  /** `ordinalOf` returns the ordinal of a row that holds one value, `rows` all rows. */
  check(ordinalOf: (row: RowNumber) => Ordinal | undefined, allRows: Iterable<RowNumber>): void {
    const { u8 } = this.#space.memory;
    for (const row of allRows) {
      const ordinal = ordinalOf(row);
      if (this.everything.has(row) !== (ordinal !== undefined)) {
        throw new Error(`unions: row ${row} is wrong in the union of all values`);
      }
      for (const { members, bytes, rows } of this.all) {
        const member = ordinal !== undefined && ordinal < bytes * 8 && hasBit(u8, members, ordinal);
        if (rows.has(row) !== member)
          throw new Error(`unions: row ${row} is in the wrong union, or in none`);
      }
    }
  }
}
