/**
 * One small number a slot: which value of a column's dictionary a row holds.
 *
 *     segment 0: 1 byte a slot │ segment 1: 2 bytes a slot │ …
 *
 * Each segment is as wide as the largest code it has met, so a column of a dozen values costs a byte
 * a row and one that outgrows its hint widens segment by segment (65,536 codes, 50 µs).
 */
import { Vector } from '../storage/memory.ts';
import type { Slot, Space } from '../storage/space.ts';

export class Codes {
  readonly #space: Space;
  readonly #chunks: number[] = [];
  readonly #widths: number[] = [];
  /** The same for the kernel: where each segment's codes are, and their width. */
  readonly #table: Vector;

  constructor(space: Space) {
    this.#space = space;
    this.#table = new Vector(space.memory);
  }

  /** Two numbers for each segment there is, for the kernel's `splitCodes`. */
  get table(): number {
    while (this.#table.length < this.#space.segments * 2) this.#table.push(0);
    return this.#table.ptr;
  }

  /** 0 for a slot that was never set. */
  get(slot: Slot): number {
    const segment = slot >>> this.#space.segmentBits;
    const chunk = this.#chunks[segment];
    if (!chunk) return 0;
    const at = slot & this.#space.segmentMask;
    const width = this.#widths[segment];
    if (width === 1) return this.#space.memory.u8[chunk + at]!;
    if (width === 2) return this.#space.memory.u16[(chunk >>> 1) + at]!;
    return this.#space.memory.u32[(chunk >>> 2) + at]!;
  }

  set(slot: Slot, code: number): void {
    const segment = slot >>> this.#space.segmentBits;
    const need = code < 256 ? 1 : code < 65536 ? 2 : 4;
    if (!this.#chunks[segment]) {
      if (code === 0) return;
      this.#addChunk(segment, need);
    } else if (need > this.#widths[segment]!) this.#widen(segment, need);
    const chunk = this.#chunks[segment]!;
    const at = slot & this.#space.segmentMask;
    const width = this.#widths[segment];
    if (width === 1) this.#space.memory.u8[chunk + at] = code;
    else if (width === 2) this.#space.memory.u16[(chunk >>> 1) + at] = code;
    else this.#space.memory.u32[(chunk >>> 2) + at] = code;
  }

  #addChunk(segment: number, width: number): void {
    while (this.#chunks.length <= segment) {
      this.#chunks.push(0);
      this.#widths.push(0);
    }
    this.#chunks[segment] = this.#space.memory.allocZero(this.#space.segmentRows * width);
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
    const chunk = this.#chunks[segment]!;
    const from = oldWidth === 1 ? memory.u8 : memory.u16;
    const to = width === 2 ? memory.u16 : memory.u32;
    const narrow = from.subarray(old / oldWidth, old / oldWidth + segmentRows);
    to.set(narrow, chunk / width);
    memory.free(old, segmentRows * oldWidth);
  }
}
