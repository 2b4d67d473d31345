/** A double for each slot, 8 bytes: one chunk a segment. */
import type { Slot, Space } from './space.ts';

export class SlotNumbers {
  readonly #space: Space;
  readonly #chunks: number[] = [];

  constructor(space: Space) {
    this.#space = space;
  }

  /** The number of a slot that was set. */
  at(slot: Slot): number {
    const chunk = this.#chunks[slot >>> this.#space.segmentBits]!;
    return this.#space.memory.f64[(chunk >>> 3) + (slot & this.#space.segmentMask)]!;
  }

  set(slot: Slot, number: number): void {
    const segment = slot >>> this.#space.segmentBits;
    while (this.#chunks.length <= segment) {
      this.#chunks.push(this.#space.memory.alloc(this.#space.segmentRows * 8));
    }
    const at = (this.#chunks[segment]! >>> 3) + (slot & this.#space.segmentMask);
    this.#space.memory.f64[at] = number;
  }
}
