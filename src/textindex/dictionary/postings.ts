/**
 * For each value of a dictionary, the rows that hold it.
 *
 *     rows      lens[c]    ptrs[c]
 *     none      0          0
 *     one       1          the row itself
 *     more      n          a list of n rows, in no order, with room for the next power of two
 *     many      n          0, and a bitmap in `dense`
 *
 * From one row in 32 on a bitmap is smaller than its list. Uniting it with a set takes 5 µs a
 * million rows, the list 1 ns a row. From one row in 128 on it is worth its memory.
 */
import { invariant } from '../../errors.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { NULL_POINTER, type Ordinal, type Pointer, type RowNumber } from '../storage/brands.ts';
import { Vector } from '../storage/memory.ts';
import type { Space } from '../storage/space.ts';
import { keepMap, type State, type Steps } from '../storage/state.ts';
import { NO_VALUE } from './ordinals.ts';

const DENSE_SHARE = 128;

export type ValueRows = Bitmap | readonly RowNumber[];

export class Postings {
  readonly #space: Space;
  readonly ptrs: Vector<Pointer | RowNumber>;
  readonly lens: Vector;
  readonly dense = new Map<Ordinal, Bitmap>();

  constructor(space: Space) {
    this.#space = space;
    this.ptrs = new Vector(space.memory);
    this.lens = new Vector(space.memory);
  }

  /** Makes the ordinal known, without rows. */
  open(ordinal: Ordinal): void {
    while (this.lens.length <= ordinal) {
      this.lens.push(0);
      this.ptrs.push(NULL_POINTER);
    }
  }

  countOf(ordinal: Ordinal): number {
    return this.lens.at(ordinal);
  }

  add(ordinal: Ordinal, row: RowNumber): void {
    const n = this.lens.at(ordinal);
    this.lens.set(ordinal, n + 1);
    if (n === 0) {
      this.ptrs.set(ordinal, row);
      return;
    }
    // A bitmap's place is 0. So is the place of row 0 alone, stored as its number; every other
    // value with rows has another place.
    const dense = this.ptrs.at(ordinal) === NULL_POINTER ? this.dense.get(ordinal) : undefined;
    if (dense) {
      dense.add(row);
      return;
    }
    if (n === 1) this.#startList(ordinal);
    else if ((n & (n - 1)) === 0 && n >= 4) {
      if (n >= this.#denseFrom()) {
        this.#toBitmap(ordinal, n).add(row);
        return;
      }
      this.#resize(ordinal, n, n * 2);
    }
    this.#space.memory.u32[(this.ptrs.at(ordinal) >>> 2) + n] = row;
  }

  /** Removes a row that holds the value; any other row is a broken invariant, and throws. */
  delete(ordinal: Ordinal, row: RowNumber): void {
    const n = this.lens.at(ordinal);
    const dense = this.dense.get(ordinal);
    if (dense) {
      invariant(dense.has(row), `row ${row} is in the bitmap of ordinal ${ordinal}`);
      this.lens.set(ordinal, n - 1);
      dense.delete(row);
      if (n - 1 < this.#sparseBelow()) this.#toList(ordinal, n - 1);
      return;
    }
    if (n <= 1) {
      invariant(
        n === 1 && this.ptrs.at(ordinal) === row,
        `row ${row} is the row of ordinal ${ordinal}`,
      );
      this.lens.set(ordinal, 0);
      this.ptrs.set(ordinal, NULL_POINTER);
      return;
    }
    const { u32 } = this.#space.memory;
    const from = this.ptrs.at(ordinal) >>> 2;
    const at = u32.indexOf(row, from);
    invariant(at >= from && at < from + n, `row ${row} is in the list of ordinal ${ordinal}`);
    this.lens.set(ordinal, n - 1);
    u32[at] = u32[from + n - 1]!;
    if (n === 2) this.#endList(ordinal);
    else if (((n - 1) & (n - 2)) === 0 && n - 1 >= 4) this.#resize(ordinal, n - 1, n - 1);
  }

  /** The rows of an ordinal as they are kept. */
  keptRowsOf(ordinal: Ordinal): ValueRows {
    return this.dense.get(ordinal) ?? this.rowsOf(ordinal);
  }

  /** The rows of an ordinal; for checks and conversions. */
  rowsOf(ordinal: Ordinal): RowNumber[] {
    const n = this.lens.at(ordinal);
    const dense = this.dense.get(ordinal);
    if (dense) return rowsIn(this.#space, dense, n);
    if (n <= 1) return n === 1 ? [this.ptrs.at(ordinal) as RowNumber] : [];
    const from = this.ptrs.at(ordinal) >>> 2;
    return Array.from(this.#space.memory.u32.subarray(from, from + n)) as RowNumber[];
  }

  *keep(state: State): Steps {
    this.ptrs.keep(state);
    this.lens.keep(state);
    yield* keepMap(state, this.dense, (ordinal, bitmap = new Bitmap(this.#space)) => [
      state.number(ordinal),
      bitmap,
    ]);
    for (const bitmap of this.dense.values()) yield* bitmap.keep(state);
  }

  #denseFrom(): number {
    const share = (this.#space.segments * this.#space.segmentRows) / DENSE_SHARE;
    return Math.max(this.#space.layout.denseRows, share);
  }

  #sparseBelow(): number {
    return this.#denseFrom() / 4;
  }

  #startList(ordinal: Ordinal): void {
    const only = this.ptrs.at(ordinal);
    const list = this.#space.memory.alloc(16);
    this.#space.memory.u32[list >>> 2] = only;
    this.ptrs.set(ordinal, list);
  }

  #endList(ordinal: Ordinal): void {
    const list = this.ptrs.at(ordinal) as Pointer;
    this.ptrs.set(ordinal, this.#space.memory.u32[list >>> 2]! as RowNumber);
    this.#space.memory.free(list, 16);
  }

  /** Moves a list of n rows to a block with room for `room`. */
  #resize(ordinal: Ordinal, n: number, room: number): void {
    const { memory } = this.#space;
    const old = this.ptrs.at(ordinal) as Pointer;
    const oldRoom = room > n ? n : n * 2;
    const list = memory.alloc(room * 4);
    memory.u8.copyWithin(list, old, old + n * 4);
    memory.free(old, oldRoom * 4);
    this.ptrs.set(ordinal, list);
  }

  /** n is the list's length, a power of two, and so its room. */
  #toBitmap(ordinal: Ordinal, n: number): Bitmap {
    const bitmap = new Bitmap(this.#space);
    const list = this.ptrs.at(ordinal) as Pointer;
    for (let i = 0; i < n; i++) bitmap.add(this.#space.memory.u32[(list >>> 2) + i]! as RowNumber);
    this.#space.memory.free(list, n * 4);
    this.ptrs.set(ordinal, NULL_POINTER);
    this.dense.set(ordinal, bitmap);
    return bitmap;
  }

  #toList(ordinal: Ordinal, n: number): void {
    const bitmap = this.dense.get(ordinal)!;
    const rows = rowsIn(this.#space, bitmap, n);
    bitmap.free();
    this.dense.delete(ordinal);
    if (n <= 1) {
      this.ptrs.set(ordinal, n === 1 ? rows[0]! : NULL_POINTER);
      return;
    }
    const room = Math.max(4, 2 ** Math.ceil(Math.log2(n)));
    const list = this.#space.memory.alloc(room * 4);
    this.#space.memory.u32.set(rows, list >>> 2);
    this.ptrs.set(ordinal, list);
  }

  check(): void {
    for (let ordinal = NO_VALUE; ordinal < this.lens.length; ordinal++) {
      const rows = this.rowsOf(ordinal);
      const n = this.lens.at(ordinal);
      if (rows.length !== n || new Set(rows).size !== n) {
        throw new Error(`postings: ordinal ${ordinal} says ${n} rows and has ${rows.length}`);
      }
    }
  }
}

function rowsIn(space: Space, bitmap: Bitmap, n: number): RowNumber[] {
  const { memory, scratch } = space;
  // Room for one more, so that a bitmap of too many rows does not pass for one of n.
  const list = scratch.take((n + 1) * 4);
  const listed = bitmap.listTo(list, n + 1);
  const rows = Array.from(memory.u32.subarray(list >>> 2, (list >>> 2) + listed)) as RowNumber[];
  scratch.cut(list);
  return rows;
}
