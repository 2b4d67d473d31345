/**
 * Which slots rows live in.
 *
 *     never used ◄─ next │ live rows │ free slots, by segment
 *
 * Free slots are used again only when they are one in 16, and then all of one segment: UUID lists
 * are sorted by segment, so new rows should come to one place.
 */
import { Bitmap } from './bitmap.ts';
import type { Slot, Space } from './space.ts';

const REUSE_SHARE = 16;

export class Slots {
  readonly live: Bitmap;
  size = 0;
  readonly #space: Space;
  readonly #free: Slot[][] = [];
  #freeCount = 0;
  #next: Slot = 0;
  /** The segment whose free slots are being used. */
  #refilling = 0;

  constructor(space: Space) {
    this.#space = space;
    this.live = new Bitmap(space);
  }

  take(): Slot {
    const slot = this.#reused() ?? this.#fresh();
    this.live.add(slot);
    this.size++;
    return slot;
  }

  give(slot: Slot): void {
    this.live.delete(slot);
    this.size--;
    this.#free[slot >>> this.#space.segmentBits]!.push(slot);
    this.#freeCount++;
  }

  get heapBytes(): number {
    return this.#freeCount * 8;
  }

  check(): void {
    const free = this.#free.flat();
    if (this.live.count() !== this.size) throw new Error('slots: live rows miscounted');
    if (free.some((slot) => this.live.has(slot))) throw new Error('slots: a free slot is live');
    if (free.length !== this.#freeCount || this.size + free.length !== this.#next) {
      throw new Error('slots: a slot is lost');
    }
  }

  #reused(): Slot | undefined {
    if (this.#freeCount === 0) return undefined;
    let list = this.#free[this.#refilling]!;
    if (list.length === 0) {
      if (this.#freeCount * REUSE_SHARE < this.#next) return undefined;
      list = this.#free.reduce((most, other) => (other.length > most.length ? other : most));
      this.#refilling = this.#free.indexOf(list);
    }
    this.#freeCount--;
    return list.pop();
  }

  #fresh(): Slot {
    if (this.#next === this.#space.segments * this.#space.segmentRows) {
      this.#space.addSegment();
      this.#free.push([]);
    }
    return this.#next++;
  }
}
