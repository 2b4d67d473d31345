/**
 * For each value of a dictionary, the rows that hold it.
 *
 *     rows      lens[c]    ptrs[c]
 *     none      0          0
 *     one       1          the slot itself
 *     more      n          a list of n slots, in no order, with room for the next power of two
 *     many      n          0, and a bitmap in `heavy`
 *
 * A bitmap is smaller than its list from one row in 32 on, and joins a set in 5 µs a million rows
 * where the list takes 1 ns a row; from one in 128 on it is worth its memory.
 */
import { invariant } from '../../errors.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { Vector } from '../storage/memory.ts';
import type { Slot, Space } from '../storage/space.ts';

const HEAVY_SHARE = 128;

export class Postings {
  readonly #space: Space;
  readonly ptrs: Vector;
  readonly lens: Vector;
  readonly heavy = new Map<number, Bitmap>();

  constructor(space: Space) {
    this.#space = space;
    this.ptrs = new Vector(space.memory);
    this.lens = new Vector(space.memory);
  }

  /** Makes the code known, without rows. */
  open(code: number): void {
    while (this.lens.length <= code) {
      this.lens.push(0);
      this.ptrs.push(0);
    }
  }

  countOf(code: number): number {
    return this.lens.at(code);
  }

  add(code: number, slot: Slot): void {
    const n = this.lens.at(code);
    this.lens.set(code, n + 1);
    if (n === 0) {
      this.ptrs.set(code, slot);
      return;
    }
    const heavy = this.heavy.get(code);
    if (heavy) {
      heavy.add(slot);
      return;
    }
    if (n === 1) this.#startList(code);
    else if ((n & (n - 1)) === 0 && n >= 4) {
      if (n >= this.#heavyAt()) {
        this.#toBitmap(code, n).add(slot);
        return;
      }
      this.#resize(code, n, n * 2);
    }
    this.#space.memory.u32[(this.ptrs.at(code) >>> 2) + n] = slot;
  }

  /** Takes a row away that holds the value; one that does not is a broken invariant, and throws. */
  delete(code: number, slot: Slot): void {
    const n = this.lens.at(code);
    const heavy = this.heavy.get(code);
    if (heavy) {
      invariant(heavy.has(slot), `slot ${slot} is in the bitmap of code ${code}`);
      this.lens.set(code, n - 1);
      heavy.delete(slot);
      if (n - 1 < this.#lightBelow()) this.#toList(code, n - 1);
      return;
    }
    if (n <= 1) {
      invariant(n === 1 && this.ptrs.at(code) === slot, `slot ${slot} is the row of code ${code}`);
      this.lens.set(code, 0);
      this.ptrs.set(code, 0);
      return;
    }
    const { u32 } = this.#space.memory;
    const from = this.ptrs.at(code) >>> 2;
    const at = u32.indexOf(slot, from);
    invariant(at >= from && at < from + n, `slot ${slot} is in the list of code ${code}`);
    this.lens.set(code, n - 1);
    u32[at] = u32[from + n - 1]!;
    if (n === 2) this.#endList(code);
    else if (((n - 1) & (n - 2)) === 0 && n - 1 >= 4) this.#resize(code, n - 1, n - 1);
  }

  /** The rows of a code; for checks and conversions. */
  slotsOf(code: number): Slot[] {
    const n = this.lens.at(code);
    const heavy = this.heavy.get(code);
    if (heavy) return slotsIn(this.#space, heavy, n);
    if (n <= 1) return n === 1 ? [this.ptrs.at(code)] : [];
    const from = this.ptrs.at(code) >>> 2;
    return Array.from(this.#space.memory.u32.subarray(from, from + n));
  }

  #heavyAt(): number {
    const share = (this.#space.segments * this.#space.segmentRows) / HEAVY_SHARE;
    return Math.max(this.#space.layout.heavyRows, share);
  }

  #lightBelow(): number {
    return this.#heavyAt() / 4;
  }

  #startList(code: number): void {
    const only = this.ptrs.at(code);
    const list = this.#space.memory.alloc(16);
    this.#space.memory.u32[list >>> 2] = only;
    this.ptrs.set(code, list);
  }

  #endList(code: number): void {
    const list = this.ptrs.at(code);
    this.ptrs.set(code, this.#space.memory.u32[list >>> 2]!);
    this.#space.memory.free(list, 16);
  }

  /** Moves a list of n slots to a block with room for `room`. */
  #resize(code: number, n: number, room: number): void {
    const { memory } = this.#space;
    const old = this.ptrs.at(code);
    const oldRoom = room > n ? n : n * 2;
    const list = memory.alloc(room * 4);
    memory.u8.copyWithin(list, old, old + n * 4);
    memory.free(old, oldRoom * 4);
    this.ptrs.set(code, list);
  }

  /** n is the list's length, a power of two, and so its room. */
  #toBitmap(code: number, n: number): Bitmap {
    const bitmap = new Bitmap(this.#space);
    const list = this.ptrs.at(code);
    for (let i = 0; i < n; i++) bitmap.add(this.#space.memory.u32[(list >>> 2) + i]!);
    this.#space.memory.free(list, n * 4);
    this.ptrs.set(code, 0);
    this.heavy.set(code, bitmap);
    return bitmap;
  }

  #toList(code: number, n: number): void {
    const bitmap = this.heavy.get(code)!;
    const slots = slotsIn(this.#space, bitmap, n);
    bitmap.free();
    this.heavy.delete(code);
    if (n <= 1) {
      this.ptrs.set(code, n === 1 ? slots[0]! : 0);
      return;
    }
    const room = Math.max(4, 2 ** Math.ceil(Math.log2(n)));
    const list = this.#space.memory.alloc(room * 4);
    this.#space.memory.u32.set(slots, list >>> 2);
    this.ptrs.set(code, list);
  }

  check(): void {
    for (let code = 0; code < this.lens.length; code++) {
      const slots = this.slotsOf(code);
      const n = this.lens.at(code);
      if (slots.length !== n || new Set(slots).size !== n) {
        throw new Error(`postings: code ${code} says ${n} rows and has ${slots.length}`);
      }
    }
  }
}

function slotsIn(space: Space, bitmap: Bitmap, n: number): Slot[] {
  const slots: Slot[] = [];
  for (const [segment, chunk] of bitmap.chunks.entries()) {
    if (!chunk) continue;
    const list = space.listOf(n + 1);
    const base = segment * space.segmentRows;
    const found = space.kernel.collect(chunk, space.segmentBytes, base, list, n + 1);
    for (let i = 0; i < found; i++) slots.push(space.memory.u32[(list >>> 2) + i]!);
  }
  return slots;
}
