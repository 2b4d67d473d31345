/**
 * The rows that counts cover: a list, a bitmap, or all rows.
 *
 *     few     list ─────────────► looked at one by one
 *     many    bitmap ─► lists, a segment at a time
 *     most    the rows that are not in it, and what is known of all
 *
 * A set that was found as a list never becomes a look at other rows: time tells nothing of them.
 */
import { ALL_ROWS, bitmapOf, countOf, type HitSet, listOf, NO_ROWS } from '../evaluate/hitSet.ts';
import type { Place } from '../order/block.ts';
import type { Order } from '../order/order.ts';
import { keepBetween } from '../order/places.ts';
import { copiedRows } from '../storage/bitmap.ts';
import { hasBit } from '../storage/bits.ts';
import {
  type BitmapHandle,
  NULL_POINTER,
  type Pointer,
  plus,
  type RowNumber,
} from '../storage/brands.ts';
import type { RowNumbers } from '../storage/rowNumbers.ts';
import type { Space } from '../storage/space.ts';

/** Contents by row. */
interface KeyedByRow {
  readonly size: number;
  has(row: RowNumber): boolean;
  keys(): Iterable<RowNumber>;
}

/** Takes a list of n rows. */
export type VisitRows = (list: Pointer, n: number) => void;

/**
 * A set of up to this many rows becomes a list at once; larger ones are visited segment by segment.
 */
const KEPT_ROWS = 131_072;

export class RowSet {
  readonly count: number;
  readonly #space: Space;
  readonly #numbers: RowNumbers;
  readonly #found: HitSet;
  /** Made when it is needed. */
  #bitmap: BitmapHandle | undefined;
  /** A list of all of them; 0 until there is one. */
  #list = NULL_POINTER;
  #others: RowSet | undefined;
  /** Sets that were made of it, and go with it. */
  readonly #parts: RowSet[] = [];
  /** Whether the bitmap that it was found as is another set's. */
  #isCopy = false;

  /** Takes over a bitmap. A list must not change while the set is used. */
  constructor(space: Space, numbers: RowNumbers, found: HitSet) {
    this.#space = space;
    this.#numbers = numbers;
    this.#found = found;
    if (found.form === 'bitmap') this.#bitmap = found.bitmap;
    if (found.form === 'list') this.#list = found.list;
    this.count = countOf(space, found, numbers.size);
  }

  /** The hits, in the form that a page is selected from. */
  get hits(): HitSet {
    if (this.isAll) return ALL_ROWS;
    if (this.count === 0) return NO_ROWS;
    return this.#list !== NULL_POINTER ? listOf(this.#list, this.count) : bitmapOf(this.bitmap);
  }

  get isAll(): boolean {
    return this.#found.form === 'all';
  }

  /** How many rows of the table are not in it. */
  get missing(): number {
    return this.#numbers.size - this.count;
  }

  /** Whether it was found as a list. */
  get isList(): boolean {
    return this.#found.form === 'list';
  }

  /** Whether it is read by its bitmap, a word of 64 rows at a time, rather than row by row. */
  get readByWords(): boolean {
    return !this.isList && this.count * 16 > this.#space.bitmapBytes;
  }

  /** A bitmap of it, which stays the set's own. */
  get bitmap(): BitmapHandle {
    if (this.#bitmap !== undefined) return this.#bitmap;
    const { kernel } = this.#space;
    if (this.isAll) this.#bitmap = copiedRows(this.#space, this.#numbers.live);
    else {
      this.#bitmap = this.#space.scratch.bitmap();
      if (this.#list !== NULL_POINTER) kernel.setBits(this.#bitmap, this.#list, this.count);
    }
    return this.#bitmap;
  }

  /** A list of it, not to be changed. */
  get list(): Pointer {
    if (this.#list !== NULL_POINTER) return this.#list;
    const { kernel, scratch, bitmapBytes } = this.#space;
    const list = scratch.take(this.count * 4);
    if (this.count > 0) kernel.collect(this.bitmap, bitmapBytes, 0, list, this.count);
    this.#list = list;
    return list;
  }

  /** A copy of the list. */
  listed(): Uint32Array {
    const { list, count } = this;
    return this.#space.memory.u32.slice(list >>> 2, (list >>> 2) + count);
  }

  /** Every row once, in lists that are good for the call. */
  each(visit: VisitRows): void {
    if (this.count === 0) return;
    if (this.#list !== NULL_POINTER || this.count <= KEPT_ROWS) {
      visit(this.list, this.count);
      return;
    }
    const { kernel, scratch, segments, segmentRows, segmentBytes } = this.#space;
    const bitmap = this.bitmap;
    const list = scratch.take(segmentRows * 4);
    for (let segment = 0; segment < segments; segment++) {
      const chunk = plus(bitmap, segment * segmentBytes);
      const n = kernel.collect(chunk, segmentBytes, segment * segmentRows, list, segmentRows);
      if (n > 0) visit(list, n);
    }
    scratch.cut(list);
  }

  /** The same in lists of at most so many rows. */
  eachOf(most: number, visit: VisitRows): void {
    this.each((list, n) => {
      for (let i = 0; i < n; i += most) visit(plus(list, i * 4), Math.min(most, n - i));
    });
  }

  has(row: RowNumber): boolean {
    if (this.isAll) return true;
    const { bitmap } = this;
    return hasBit(this.#space.memory.u8, bitmap, row);
  }

  /** The given rows that are in this set; quick for large and for small sets. */
  among(rows: KeyedByRow): RowNumber[] {
    if (rows.size === 0) return [];
    if (!this.isList) return [...rows.keys()].filter((row) => this.has(row));
    return (Array.from(this.listed()) as RowNumber[]).filter((row) => rows.has(row));
  }

  /** All other rows. */
  get others(): RowSet {
    if (!this.#others) {
      const { kernel, bitmapBytes } = this.#space;
      const bitmap = copiedRows(this.#space, this.#numbers.live);
      kernel.andNot(bitmap, this.bitmap, bitmapBytes);
      this.#others = this.#part(this.of(bitmap));
    }
    return this.#others;
  }

  /** The rows of a bitmap, which is taken over. */
  of(bitmap: BitmapHandle): RowSet {
    return new RowSet(this.#space, this.#numbers, bitmapOf(bitmap));
  }

  /** Its rows between two places of an order. */
  between(order: Order, from: Place, to: Place): RowSet {
    const { memory, scratch, bitmapBytes } = this.#space;
    // Both may grow the memory, which moves its views.
    const [all, bitmap] = [this.bitmap, scratch.bitmap(false)];
    memory.u8.copyWithin(bitmap, all, all + bitmapBytes);
    keepBetween(this.#space, order, from, to, bitmap);
    return this.of(bitmap);
  }

  /** It without these rows, which are in it. */
  without(rows: readonly RowNumber[] | Uint32Array): RowSet {
    if (rows.length === 0) return this;
    const { kernel, memory, scratch, bitmapBytes } = this.#space;
    if (this.isList) {
      const out = new Set<number>(rows);
      const kept = this.listed().filter((row) => !out.has(row));
      const to = scratch.take(kept.length * 4);
      memory.u32.set(kept, to >>> 2);
      return this.#part(new RowSet(this.#space, this.#numbers, listOf(to, kept.length)));
    }
    // Both may grow the memory, which moves its views.
    const [from, bitmap] = [this.bitmap, scratch.bitmap(false)];
    memory.u8.copyWithin(bitmap, from, from + bitmapBytes);
    const taken = scratch.take(rows.length * 4);
    memory.u32.set(rows, taken >>> 2);
    kernel.clearBits(bitmap, taken, rows.length);
    return this.#part(this.of(bitmap));
  }

  #part(made: RowSet): RowSet {
    this.#parts.push(made);
    return made;
  }

  /** The same rows. Lists that the copy makes can go with it, and this set has none of them. */
  copy(): RowSet {
    const copy = new RowSet(this.#space, this.#numbers, this.#found);
    copy.#isCopy = true;
    return copy;
  }

  /** Gives its bitmaps back. */
  free(): void {
    const isOwn = !(this.#isCopy && this.#found.form === 'bitmap');
    if (this.#bitmap !== undefined && isOwn) this.#space.scratch.giveBack(this.#bitmap);
    this.#bitmap = undefined;
    for (const part of this.#parts) part.free();
  }
}
