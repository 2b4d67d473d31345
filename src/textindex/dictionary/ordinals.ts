/**
 * One small number a row: which value of a column's dictionary a row holds.
 *
 *     segment 0: 4 bits a row │ segment 1: 16 bits a row │ …
 *
 * Each segment is as wide as the largest ordinal it has met: 4, 8, 16 or 32 bits. So a column of a dozen
 * values costs half a byte a row. A column that has more widens segment by segment: 65,536 ordinals take
 * 0.4 ms from 4 bits, 0.15 ms from 8.
 */
import { NULL_POINTER, type Ordinal, type Pointer, type RowNumber } from '../storage/brands.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import type { State } from '../storage/state.ts';

/** The ordinal of a row that holds nothing here. */
export const NO_VALUE = 0 as Ordinal;
/** The ordinal of a row that holds an array. */
export const ARRAY = 1 as Ordinal;
/** The least ordinal of a value. */
export const FIRST_VALUE = 2 as Ordinal;

/** Numbers of a segment in the table. */
const EACH = 2;

export class Ordinals {
  readonly #space: Space;
  /** For the kernel, by segment: where its ordinals are, and their width in bits; zeros if none was set. */
  readonly #table: Vector;

  constructor(space: Space) {
    this.#space = space;
    this.#table = new Vector(space.memory);
  }

  /** Two numbers for each segment, for the kernel's `ordinalsOf`. */
  get table(): Pointer {
    this.settle();
    return this.#table.ptr;
  }

  /** Has an entry for every segment in the table. */
  settle(): void {
    while (this.#table.length < this.#space.segments * EACH) this.#table.push(0);
  }

  /** The address of a segment's ordinals, and their width in bits; zeros if none was set. */
  chunkOf(segment: number): readonly [at: Pointer, width: number] {
    const width = this.#widthOf(segment);
    return width === 0 ? [NULL_POINTER, 0] : [this.#table.at(segment * EACH) as Pointer, width];
  }

  /** NO_VALUE for a row that was never set. */
  get(row: RowNumber): Ordinal {
    const { segmentBits, segmentMask, memory } = this.#space;
    const { u8, u16, u32 } = memory;
    const segment = row >>> segmentBits;
    if (segment * EACH >= this.#table.length) return NO_VALUE;
    // Not by calls of the table: sorts and changes of a column of texts take 1.04 times as long so.
    const from = (this.#table.ptr >>> 2) + segment * EACH;
    const [chunk, width] = [u32[from]!, u32[from + 1]!];
    if (width === 0) return NO_VALUE;
    const at = row & segmentMask;
    if (width === 4) return ((u8[chunk + (at >>> 1)]! >>> ((at & 1) * 4)) & 15) as Ordinal;
    if (width === 8) return u8[chunk + at]! as Ordinal;
    if (width === 16) return u16[(chunk >>> 1) + at]! as Ordinal;
    return u32[(chunk >>> 2) + at]! as Ordinal;
  }

  set(row: RowNumber, ordinal: Ordinal): void {
    const segment = row >>> this.#space.segmentBits;
    const need = ordinal < 16 ? 4 : ordinal < 256 ? 8 : ordinal < 65536 ? 16 : 32;
    const before = this.#widthOf(segment);
    if (before === 0 && ordinal === NO_VALUE) return;
    if (need > before) this.#widen(segment, before, need);
    const width = Math.max(need, before);
    const chunk = this.#table.at(segment * EACH);
    const at = row & this.#space.segmentMask;
    const { u8 } = this.#space.memory;
    if (width === 4) {
      const pair = chunk + (at >>> 1);
      const shift = (at & 1) * 4;
      u8[pair] = (u8[pair]! & ~(15 << shift)) | (ordinal << shift);
    } else if (width === 8) u8[chunk + at] = ordinal;
    else if (width === 16) this.#space.memory.u16[(chunk >>> 1) + at] = ordinal;
    else this.#space.memory.u32[(chunk >>> 2) + at] = ordinal;
  }

  keep(state: State): void {
    this.#table.keep(state);
  }

  #widthOf(segment: number): number {
    return segment * EACH < this.#table.length ? this.#table.at(segment * EACH + 1) : 0;
  }

  /** Gives a segment ordinals of this width, in place of narrower ones or of none. */
  #widen(segment: number, oldWidth: number, width: number): void {
    const { segmentRows, memory } = this.#space;
    const chunk = memory.allocZero((segmentRows * width) / 8);
    while (this.#table.length < (segment + 1) * EACH) this.#table.push(0);
    const old = this.#table.at(segment * EACH) as Pointer;
    this.#table.set(segment * EACH, chunk);
    this.#table.set(segment * EACH + 1, width);
    if (oldWidth === 0) return;
    const at = (chunk * 8) / width;
    const to = width === 8 ? memory.u8 : width === 16 ? memory.u16 : memory.u32;
    if (oldWidth === 4) {
      for (let i = 0; i < segmentRows; i += 2) {
        const pair = memory.u8[old + (i >>> 1)]!;
        to[at + i] = pair & 15;
        to[at + i + 1] = pair >>> 4;
      }
    } else {
      const from = oldWidth === 8 ? memory.u8 : memory.u16;
      const first = (old * 8) / oldWidth;
      to.set(from.subarray(first, first + segmentRows), at);
    }
    memory.free(old, (segmentRows * oldWidth) / 8);
  }
}
