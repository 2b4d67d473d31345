/**
 * The row numbers in use.
 *
 *     never used ◄─ next │ live │ free, by segment
 *
 * Free numbers are used again only when they are one in 16, and then from one segment after the
 * other. UUID lists are sorted by segment, so new rows should come to one place.
 */
import { Bitmap } from './bitmap.ts';
import type { RowNumber } from './brands.ts';
import type { Space } from './space.ts';
import { keepNumbers, type State, type Steps } from './state.ts';

const REUSE_SHARE = 16;

export class RowNumbers {
  readonly live: Bitmap;
  size = 0;
  readonly #space: Space;
  readonly #free: RowNumber[][] = [];
  #freeCount = 0;
  #next = 0;
  /** The segment whose free numbers are being used. */
  #refilling = 0;

  constructor(space: Space) {
    this.#space = space;
    this.live = new Bitmap(space);
  }

  take(): RowNumber {
    const row = this.#reused() ?? this.#fresh();
    this.live.add(row);
    this.size++;
    return row;
  }

  give(row: RowNumber): void {
    this.live.delete(row);
    this.size--;
    this.#free[row >>> this.#space.segmentBits]!.push(row);
    this.#freeCount++;
  }

  *keep(state: State): Steps {
    yield* this.live.keep(state);
    this.size = state.number(this.size);
    this.#freeCount = state.number(this.#freeCount);
    this.#next = state.number(this.#next);
    this.#refilling = state.number(this.#refilling);
    for (let segment = 0; segment < this.#space.segments; segment++) {
      if (state.reading) this.#free.push([]);
      yield* keepNumbers(state, this.#free[segment]!);
    }
  }

  get heapBytes(): number {
    return this.#freeCount * 8;
  }

  check(): void {
    const free = this.#free.flat();
    if (this.live.count() !== this.size) throw new Error('rows: live rows miscounted');
    if (free.some((row) => this.live.has(row))) throw new Error('rows: a free row is live');
    if (free.length !== this.#freeCount || this.size + free.length !== this.#next) {
      throw new Error('rows: a row is lost');
    }
  }

  #reused(): RowNumber | undefined {
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

  #fresh(): RowNumber {
    if (this.#next === this.#space.segments * this.#space.segmentRows) {
      this.#space.addSegment();
      this.#free.push([]);
    }
    return this.#next++ as RowNumber;
  }
}
