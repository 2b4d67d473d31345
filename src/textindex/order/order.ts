/**
 * All rows in one order: blocks of rows, each sorted, one after the other.
 *
 *     blocks   [ 7 3 9 ] [ 1 4 ] [ 8 2 6 5 ]        up to 2,048 rows each
 *     range        0        0         1             numbers blocks in steps; see rankIndex.ts
 *
 * A binary search finds a row's place, over the blocks' first rows and then inside a block. No row
 * stores its place, so an insertion only moves up to 2,048 numbers. A full block splits, an emptied
 * one goes, two small neighbours merge. The rows of a load may be sorted later, all at once.
 */

import type { RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { keepList, type State, type Steps } from '../storage/state.ts';
import type { Block, Place, RowBlocks } from './block.ts';
import { firstNot } from './firstNot.ts';
import { compareBy, type Keys } from './keys.ts';
import { LateRows } from './lateRows.ts';
import { RankIndex } from './rankIndex.ts';

/** The part of a block that is filled when rows are sorted at once: there is room for some more. */
const FILLED = 31 / 32;

/** Compares a row that has the sought key with the sought row. */
export type Decide = (row: RowNumber) => number;

export class Order {
  readonly blocks: Block[] = [];
  size = 0;
  readonly #space: Space;
  readonly keys: Keys;
  readonly rankIndex: RankIndex;
  readonly #ids: Keys;
  /** Until they are sorted, `blocks` has no row. */
  #late: LateRows | undefined;

  /** `ids` decides where `keys` tie. */
  constructor(space: Space, keys: Keys, ids: Keys) {
    this.#space = space;
    this.keys = keys;
    this.#ids = ids;
    this.rankIndex = new RankIndex(space, this);
  }

  /** Negative, or positive, as a comes before b; 0 only for the same row. */
  compare(a: RowNumber, b: RowNumber): number {
    return compareBy(this.keys, a, b) || compareBy(this.#ids, a, b);
  }

  /** The same for rows with one key. */
  #decide(a: RowNumber, b: RowNumber): number {
    return this.keys.decide(a, b) || compareBy(this.#ids, a, b);
  }

  /** Puts a row with a known key and id in its place. */
  add(row: RowNumber): void {
    this.size++;
    if (this.#late) {
      this.#late.restart();
      return;
    }
    const key = this.keys.at(row);
    const decide: Decide = (other) => this.#decide(other, row);
    const number = this.#blockFor(key, decide);
    const block = this.blocks[number] ?? this.#append(0);
    const at = this.#placeIn(block, key, decide);
    if (block.count < this.#space.layout.blockRows) {
      this.#insert(block, at, row);
      return;
    }
    this.#split(number, at);
    const left = this.blocks[number]!;
    if (at <= left.count) this.#insert(left, at, row);
    else this.#insert(this.blocks[number + 1]!, at - left.count, row);
  }

  /** Takes a row out; its key and id must not have changed since it was put. */
  remove(row: RowNumber): void {
    if (this.#late) {
      this.#late.restart();
      this.size--;
      return;
    }
    const key = this.keys.at(row);
    const decide: Decide = (other) => this.#decide(other, row);
    const number = this.#blockFor(key, decide);
    const block = this.blocks[number]!;
    const at = this.#placeIn(block, key, decide);
    const { u32, u8 } = this.#space.memory;
    if (u32[(block.ptr >>> 2) + at] !== row) throw new Error(`order: row ${row} is not there`);
    const from = block.ptr + at * 4;
    u8.copyWithin(from, from + 4, block.ptr + block.count * 4);
    block.count--;
    this.size--;
    if (block.count === 0) this.#drop(number);
    else if (block.count * 4 < this.#space.layout.blockRows) this.#merge(number);
  }

  /**
   * Leaves the rows that come to the empty order to `sort`, before anything reads it. It sorts the rows
   * that `byId` has then.
   */
  sortLater(byId: RowBlocks): void {
    const decide = (a: RowNumber, b: RowNumber) => this.#decide(a, b);
    this.#late ??= new LateRows(this.#space, byId, this.keys, decide);
  }

  /** Sorts for a while; false when all rows are in their places. */
  sort(until: number): boolean {
    if (!this.#late) return false;
    const rows = this.#late.sorted(until);
    if (!rows) return true;
    const { memory, layout } = this.#space;
    const filled = Math.max(1, Math.floor(layout.blockRows * FILLED));
    memory.makeRoom(Math.ceil(rows.length / filled) * layout.blockRows * 4);
    for (let from = 0; from < rows.length; from += filled) {
      const some = rows.subarray(from, from + filled);
      const { ptr } = this.#append(some.length);
      memory.u32.set(some, ptr >>> 2);
    }
    this.#late = undefined;
    return false;
  }

  /** The row with this key for which `decide` returns 0, if there is one. */
  find(key: number, decide: Decide): RowNumber | undefined {
    const block = this.blocks[this.#blockFor(key, decide)];
    if (!block) return undefined;
    const at = this.#placeIn(block, key, decide);
    if (at === block.count) return undefined;
    const row = this.#space.memory.u32[(block.ptr >>> 2) + at]! as RowNumber;
    return this.keys.at(row) === key && decide(row) === 0 ? row : undefined;
  }

  /** The first row that is not before the bound; all rows before it must come first in the order. */
  placeOf(isBefore: (row: RowNumber) => boolean): Place {
    const { blocks } = this;
    const { u32 } = this.#space.memory;
    const isBlockBefore = (i: number) => isBefore(u32[blocks[i]!.ptr >>> 2]! as RowNumber);
    const block = Math.max(0, firstNot(blocks.length, isBlockBefore) - 1);
    const within = blocks[block];
    if (!within) return { block: 0, at: 0 };
    const from = within.ptr >>> 2;
    return { block, at: firstNot(within.count, (i) => isBefore(u32[from + i]! as RowNumber)) };
  }

  /** All rows in order; before `sort`, by id. */
  *rows(): Generator<RowNumber> {
    for (const block of this.#late?.byId.blocks ?? this.blocks) {
      for (let i = 0; i < block.count; i++) {
        yield this.#space.memory.u32[(block.ptr >>> 2) + i]! as RowNumber;
      }
    }
  }

  /** Takes over another order's rows, which must be in this order too. */
  copyFrom(other: Order): void {
    this.size = other.size;
    if (other.#late) {
      this.sortLater(other.#late.byId);
      return;
    }
    const { memory } = this.#space;
    for (const block of other.blocks) {
      const { ptr } = this.#append(block.count);
      memory.u8.copyWithin(ptr, block.ptr, block.ptr + block.count * 4);
    }
  }

  *keep(state: State): Steps {
    this.size = state.number(this.size);
    yield* keepList(state, this.blocks, (block) => ({
      ptr: state.number(block?.ptr),
      count: state.number(block?.count),
      range: state.number(block?.range),
      edition: state.number(block?.edition),
    }));
    yield* this.rankIndex.keep(state);
  }

  /** The last block whose first row does not come after the sought row, else the first. */
  #blockFor(key: number, decide: Decide): number {
    const { blocks, keys } = this;
    const { u32 } = this.#space.memory;
    let low = 0;
    let high = blocks.length;
    // Rows mostly come in order: look at the last block first.
    let middle = high - 1;
    while (high - low > 1) {
      const row = u32[blocks[middle]!.ptr >>> 2]! as RowNumber;
      const other = keys.at(row);
      if (other === key ? decide(row) <= 0 : other < key) low = middle;
      else high = middle;
      middle = (low + high) >>> 1;
    }
    return low;
  }

  /** The first place in a block whose row does not come before the sought row. */
  #placeIn(block: Block, key: number, decide: Decide): number {
    const { keys } = this;
    const { u32 } = this.#space.memory;
    const from = block.ptr >>> 2;
    let low = 0;
    let high = block.count;
    // As above: at the end first.
    let middle = high - 1;
    while (low < high) {
      const row = u32[from + middle]! as RowNumber;
      const other = keys.at(row);
      if (other === key ? decide(row) < 0 : other < key) low = middle + 1;
      else high = middle;
      middle = (low + high) >>> 1;
    }
    return low;
  }

  #insert(block: Block, at: number, row: RowNumber): void {
    const { u8, u32 } = this.#space.memory;
    const to = block.ptr + at * 4;
    if (at < block.count) u8.copyWithin(to + 4, to, block.ptr + block.count * 4);
    u32[to >>> 2] = row;
    block.count++;
    this.rankIndex.mark(row, block.range);
  }

  /** A block at the end, for rows that are not numbered yet. */
  #append(count: number): Block {
    const ptr = this.#space.memory.alloc(this.#space.layout.blockRows * 4);
    const block: Block = { ptr, count, range: 0, edition: 0 };
    this.blocks.push(block);
    return block;
  }

  /**
   * Takes rows off a full block. It takes half of them; an eighth if the block fills near its end,
   * because rows come nearly in order; one row at the very end of the order.
   */
  #split(number: number, at: number): void {
    const { memory, layout } = this.#space;
    const block = this.blocks[number]!;
    const last = number === this.blocks.length - 1 && at === block.count;
    const near = at * 4 > block.count * 3;
    const moved = last ? 1 : near ? Math.max(1, block.count >>> 3) : (block.count + 1) >>> 1;
    const keep = block.count - moved;
    const ptr = memory.alloc(layout.blockRows * 4);
    memory.u8.copyWithin(ptr, block.ptr + keep * 4, block.ptr + block.count * 4);
    this.blocks.splice(number + 1, 0, {
      ptr,
      count: block.count - keep,
      range: block.range,
      edition: block.edition,
    });
    block.count = keep;
  }

  #drop(number: number): void {
    this.#space.memory.free(this.blocks[number]!.ptr, this.#space.layout.blockRows * 4);
    this.blocks.splice(number, 1);
  }

  /** Merges a small block with its smaller neighbour when both fit in half a block. */
  #merge(number: number): void {
    const { blocks } = this;
    const size = (i: number) => blocks[i]?.count ?? Number.POSITIVE_INFINITY;
    const left = size(number - 1) < size(number + 1) ? number - 1 : number;
    if (size(left) + size(left + 1) > this.#space.layout.blockRows / 2) return;
    const { memory } = this.#space;
    const into = blocks[left]!;
    const from = blocks[left + 1]!;
    memory.u8.copyWithin(into.ptr + into.count * 4, from.ptr, from.ptr + from.count * 4);
    if (into.range !== from.range) {
      for (let i = 0; i < from.count; i++) {
        this.rankIndex.mark(memory.u32[(from.ptr >>> 2) + i]! as RowNumber, into.range);
      }
    }
    into.count += from.count;
    this.#drop(left + 1);
  }

  check(): void {
    let before: RowNumber | undefined;
    let rows = 0;
    for (const [i, block] of this.blocks.entries()) {
      rows += block.count;
      if (block.count < 1 || block.count > this.#space.layout.blockRows) {
        throw new Error(`order: block ${i} holds ${block.count}`);
      }
    }
    if (rows !== this.size) throw new Error(`order: ${rows} rows, counted ${this.size}`);
    this.rankIndex.check();
    for (const row of this.rows()) {
      if (before !== undefined && this.compare(before, row) >= 0) {
        throw new Error(`order: row ${row} stands after ${before}`);
      }
      before = row;
    }
  }
}
