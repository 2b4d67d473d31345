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
import { keepNumbers, type State, type Steps } from '../storage/state.ts';

/** The ordinal of a row that holds nothing here. */
export const NO_VALUE = 0 as Ordinal;
/** The ordinal of a row that holds an array. */
export const ARRAY = 1 as Ordinal;
/** The least ordinal of a value. */
export const FIRST_VALUE = 2 as Ordinal;

export class Ordinals {
  readonly #space: Space;
  readonly #chunks: Pointer[] = [];
  readonly #widths: number[] = [];
  /** For the kernel: each segment's ordinals and their width. */
  readonly #table: Vector;

  constructor(space: Space) {
    this.#space = space;
    this.#table = new Vector(space.memory);
  }

  /** Two numbers for each segment, for the kernel's `splitByOrdinal`. */
  get table(): Pointer {
    this.settle();
    return this.#table.ptr;
  }

  /** Has an entry for every segment in the table. */
  settle(): void {
    while (this.#table.length < this.#space.segments * 2) this.#table.push(0);
  }

  /** The address of a segment's ordinals, and their width in bits; zeros if none was set. */
  chunkOf(segment: number): readonly [at: Pointer, width: number] {
    return [this.#chunks[segment] ?? NULL_POINTER, this.#widths[segment] ?? 0];
  }

  /** NO_VALUE for a row that was never set. */
  get(row: RowNumber): Ordinal {
    const segment = row >>> this.#space.segmentBits;
    const chunk = this.#chunks[segment];
    if (!chunk) return NO_VALUE;
    const at = row & this.#space.segmentMask;
    const width = this.#widths[segment];
    const { u8 } = this.#space.memory;
    if (width === 4) return ((u8[chunk + (at >>> 1)]! >>> ((at & 1) * 4)) & 15) as Ordinal;
    if (width === 8) return u8[chunk + at]! as Ordinal;
    if (width === 16) return this.#space.memory.u16[(chunk >>> 1) + at]! as Ordinal;
    return this.#space.memory.u32[(chunk >>> 2) + at]! as Ordinal;
  }

  set(row: RowNumber, ordinal: Ordinal): void {
    const segment = row >>> this.#space.segmentBits;
    const need = ordinal < 16 ? 4 : ordinal < 256 ? 8 : ordinal < 65536 ? 16 : 32;
    if (!this.#chunks[segment]) {
      if (ordinal === NO_VALUE) return;
      this.#addChunk(segment, need);
    } else if (need > this.#widths[segment]!) this.#widen(segment, need);
    const chunk = this.#chunks[segment]!;
    const at = row & this.#space.segmentMask;
    const width = this.#widths[segment];
    const { u8 } = this.#space.memory;
    if (width === 4) {
      const pair = chunk + (at >>> 1);
      const shift = (at & 1) * 4;
      u8[pair] = (u8[pair]! & ~(15 << shift)) | (ordinal << shift);
    } else if (width === 8) u8[chunk + at] = ordinal;
    else if (width === 16) this.#space.memory.u16[(chunk >>> 1) + at] = ordinal;
    else this.#space.memory.u32[(chunk >>> 2) + at] = ordinal;
  }

  *keep(state: State): Steps {
    yield* keepNumbers(state, this.#chunks);
    yield* keepNumbers(state, this.#widths);
    this.#table.keep(state);
  }

  #addChunk(segment: number, width: number): void {
    while (this.#chunks.length <= segment) {
      this.#chunks.push(NULL_POINTER);
      this.#widths.push(0);
    }
    this.#chunks[segment] = this.#space.memory.allocZero((this.#space.segmentRows * width) / 8);
    this.#widths[segment] = width;
    while (this.#table.length < (segment + 1) * 2) this.#table.push(0);
    this.#table.set(segment * 2, this.#chunks[segment]!);
    this.#table.set(segment * 2 + 1, width);
  }

  #widen(segment: number, width: number): void {
    const { segmentRows, memory } = this.#space;
    const old = this.#chunks[segment]!;
    const oldWidth = this.#widths[segment]!;
    this.#addChunk(segment, width);
    const at = (this.#chunks[segment]! * 8) / width;
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
