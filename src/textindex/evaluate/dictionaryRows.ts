/**
 * The rows of a dictionary's values: united, listed, split, subtracted. How they are united:
 *
 *     few rows ──► set the rows of each value
 *     many ──────► the nearest precomputed union, and the rows of the values that it lacks or has too many
 */

import type { Dictionary } from '../dictionary/dictionary.ts';
import { ordinalSet } from '../dictionary/ordinalSet.ts';
import { ARRAY, FIRST_VALUE } from '../dictionary/ordinals.ts';
import { type PrecomputedUnion, SAMPLE } from '../dictionary/precomputedUnions.ts';
import { placeUnions } from '../dictionary/unionChoice.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import { clearBit, hasBit, setBit } from '../storage/bits.ts';
import {
  type BitmapHandle,
  type Ordinal,
  type Pointer,
  plus,
  type RowNumber,
} from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { Union } from './union.ts';

/** How many of the rows were added. */
export type Share = 'all' | 'some' | 'none';

/** Setting this many rows takes as long as finding and copying a precomputed union: fewer are set. */
const MIN_PRECOMPUTED_ROWS = 16_000;
/** Uniting this many bitmaps takes as long as finding and copying a precomputed union. */
const MAX_BITMAPS = 12;
/** Past this many rows with arrays, looking at each of them costs more than precomputed unions save. */
const MAX_ARRAYS = 4096;
/** Past this many values, looking through their texts costs more than uniting their rows. */
const MAX_VALUES = 200_000;

/** The n rows of a list, rows with arrays last; the ordinals of the others, in their order. */
export interface RowsWithOrdinals {
  readonly list: Pointer;
  readonly n: number;
  /** Rows without arrays. */
  readonly plain: number;
  readonly ordinals: Pointer;
}

type DenseValue = readonly [ordinal: Ordinal, rows: Bitmap];

export class DictionaryRows {
  readonly #space: Space;
  readonly #dictionary: Dictionary;
  #placing: Generator<void> | undefined;
  /** Rows and values when the unions were chosen. */
  #placedFor = { rows: 0, values: 0 };

  constructor(space: Space, dictionary: Dictionary) {
    this.#space = space;
    this.#dictionary = dictionary;
  }

  /** Writes the rows of the n ordinals that are not in `seen` yet to `out`, which has room for all. */
  list(list: Pointer, n: number, seen: BitmapHandle, out: Pointer): number {
    const { kernel, scratch } = this.#space;
    const { postings } = this.#dictionary;
    let found = kernel.addLists(seen, list, n, postings.ptrs.ptr, postings.lens.ptr, out);
    for (const [ordinal, rows] of this.#denseOf(list, n)) {
      const count = postings.countOf(ordinal);
      const collected = scratch.take(count * 4);
      const listed = rows.listTo(collected, count);
      found += kernel.addNew(seen, collected, listed, plus(out, found * 4));
    }
    return found;
  }

  /**
   * Partitions the first n rows of a list: rows that hold a member go to `matched`, the others to
   * the front of the list. Returns the number of matches.
   */
  split(members: Pointer, list: Pointer, n: number, matched: Pointer): number {
    const { kernel, segmentBits } = this.#space;
    const { ordinals } = this.#dictionary;
    const plain = n - this.arraysLast(list, n);
    const found = kernel.splitByOrdinal(list, plain, ordinals.table, segmentBits, members, matched);
    return this.#splitArrays(members, list, { plain, n, found }, matched);
  }

  /** The same for a list with the rows of arrays last and known ordinals for the others. */
  splitWithOrdinals(
    members: Pointer,
    { list, n, plain, ordinals }: RowsWithOrdinals,
    matched: Pointer,
  ): number {
    const found = this.#space.kernel.splitByKnownOrdinal(list, plain, ordinals, members, matched);
    return this.#splitArrays(members, list, { plain, n, found }, matched);
  }

  /**
   * Finishes `split` for the rows from `plain` on, which hold arrays; `found` of the rows before
   * are matched.
   */
  #splitArrays(
    members: Pointer,
    list: Pointer,
    { plain, n, found: before }: { plain: number; n: number; found: number },
    matched: Pointer,
  ): number {
    const { memory } = this.#space;
    let found = before;
    const { u8, u32 } = memory;
    const isMember = (ordinal: Ordinal) => hasBit(u8, members, ordinal);
    const first = list >>> 2;
    let left = first + plain - found;
    for (let i = first + plain; i < first + n; i++) {
      const row = u32[i]! as RowNumber;
      if (this.#dictionary.arrays.get(row)!.some(isMember)) u32[(matched >>> 2) + found++] = row;
      else u32[left++] = row;
    }
    return found;
  }

  /** Moves the rows of a list that hold arrays to its end; returns how many. */
  arraysLast(list: Pointer, n: number): number {
    const { kernel, memory, scratch, segmentBits } = this.#space;
    const { ordinals, arrays, ordinalBytes } = this.#dictionary;
    if (arrays.size === 0) return 0;
    const moved = scratch.take(n * 4);
    const only = scratch.takeZero(ordinalBytes);
    setBit(memory.u8, only, ARRAY);
    const count = kernel.splitByOrdinal(list, n, ordinals.table, segmentBits, only, moved);
    memory.u8.copyWithin(list + (n - count) * 4, moved, moved + count * 4);
    scratch.cut(moved);
    return count;
  }

  /**
   * bitmap &= rows of the n ordinals in the list, by subtracting the rows of all others; returns
   * how many are left, if known.
   */
  subtractOthers(ordinals: Pointer, n: number, bitmap: BitmapHandle): number | undefined {
    const { values, postings } = this.#dictionary;
    const from = ordinals >>> 2;
    const wanted = new Set(this.#space.memory.u32.subarray(from, from + n));
    const others: Ordinal[] = [];
    for (let ordinal = FIRST_VALUE; ordinal < values.length; ordinal++) {
      if (!wanted.has(ordinal) && postings.countOf(ordinal) > 0) others.push(ordinal);
    }
    if (others.length === 0) return undefined;
    const list = this.#space.scratch.take(others.length * 4);
    this.#space.memory.u32.set(others, list >>> 2);
    return this.#clearEach(list, others.length, bitmap);
  }

  /** union |= rows of the n ordinals in the list, which must not change until the union is done. */
  addTo(union: Union, list: Pointer, n: number): Share {
    if (n === 0) return 'none';
    const { kernel } = this.#space;
    const { postings, unions, arrays } = this.#dictionary;
    const rows = n === 1 ? 0 : kernel.sumAt(list, n, postings.lens.ptr);
    const least = Math.min(MIN_PRECOMPUTED_ROWS, this.#space.layout.precomputeRows);
    if (rows < least || !unions.sampled || arrays.size > MAX_ARRAYS) {
      this.#addEach(list, n, union);
      return 'some';
    }
    // Values with bitmaps are united as they are, when they are few and hardly any others are found.
    if (rows < this.#dictionary.size) {
      const dense = this.#denseOf(list, n);
      const inLists = dense.reduce((left, [ordinal]) => left - postings.countOf(ordinal), rows);
      if (inLists < least && dense.length <= MAX_BITMAPS) {
        this.#addEach(list, n, union, dense);
        return 'some';
      }
    }
    return this.#addNear(list, n, union) ? 'all' : 'some';
  }

  /** Does a step of choosing unions; false when they are as they should be. */
  step(): boolean {
    if (!this.#placing && this.#isLeftToInfixes) {
      this.#dictionary.unions.clear();
      return false;
    }
    if (!this.#placing && !this.#outdated()) return false;
    this.#placing ??= placeUnions(this.#space, this.#dictionary, (ordinals) =>
      this.#rowsOf(ordinals),
    );
    if (this.#placing.next().done) this.#placing = undefined;
    return true;
  }

  /** Infixes answer for large texts. */
  get #isLeftToInfixes(): boolean {
    const { texts, labels } = this.#dictionary;
    return texts?.large === true && labels.size === 0;
  }

  #outdated(): boolean {
    const { values, searched, unions } = this.#dictionary;
    if (!searched || values.length > MAX_VALUES) return false;
    const { rows, values: known } = this.#placedFor;
    const now = this.#dictionary.size;
    const grown = now > rows * 1.5 || values.length > known * 1.5;
    if (now < this.#space.layout.precomputeRows || (unions.sampled && !grown)) return false;
    this.#placedFor = { rows: now, values: values.length };
    return true;
  }

  /** A bitmap of the rows of some ordinals. */
  #rowsOf(ordinals: readonly Ordinal[]): BitmapHandle {
    const list = this.#space.scratch.take(ordinals.length * 4);
    this.#space.memory.u32.set(ordinals, list >>> 2);
    const union = new Union(this.#space);
    this.#addEach(list, ordinals.length, union);
    return union.finish();
  }

  #addEach(list: Pointer, n: number, union: Union, dense = this.#denseOf(list, n)): void {
    if (dense.length < n) union.addLists(list, n, this.#dictionary.postings);
    for (const [, rows] of dense) union.add(rows);
  }

  /** bitmap &= ~rows of the n ordinals in the list; returns how many are left, if known. */
  #clearEach(list: Pointer, n: number, bitmap: BitmapHandle): number | undefined {
    const union = new Union(this.#space);
    this.#addEach(list, n, union);
    return union.takeFrom(bitmap);
  }

  /** The ordinals that have a bitmap, with their bitmaps. */
  #denseOf(list: Pointer, n: number): DenseValue[] {
    const { dense } = this.#dictionary.postings;
    if (dense.size === 0 || n === 0) return [];
    const { memory } = this.#space;
    const found: DenseValue[] = [];
    if (n <= dense.size) {
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        const rows = dense.get(memory.u32[i]! as Ordinal);
        if (rows) found.push([memory.u32[i]! as Ordinal, rows]);
      }
      return found;
    }
    const members = ordinalSet(this.#space, this.#dictionary, list, n);
    for (const [ordinal, rows] of dense) {
      if (hasBit(memory.u8, members, ordinal)) found.push([ordinal, rows]);
    }
    return found;
  }

  /**
   * union |= rows of the n ordinals, by the nearest precomputed union; returns whether the result
   * is all rows.
   */
  #addNear(list: Pointer, n: number, union: Union): boolean {
    const { unions } = this.#dictionary;
    const found = ordinalSet(this.#space, this.#dictionary, list, n);
    const signature = this.#space.scratch.take(SAMPLE / 8);
    unions.sign(found, signature);
    const { near } = unions.nearest(signature);
    if (near) return this.#addFrom(near, found, union);
    this.#addEach(list, n, union);
    return false;
  }

  /**
   * union |= rows of the values found, starting from a precomputed union; returns whether the
   * result is all rows.
   */
  #addFrom(near: PrecomputedUnion | 'everything', found: Pointer, union: Union): boolean {
    const { kernel, scratch } = this.#space;
    const { unions, values, arrays, ordinalBytes: bytes } = this.#dictionary;
    const beyond = scratch.take(bytes);
    const rows = near === 'everything' ? unions.everything : near.rows;
    this.#membersOf(near, beyond, bytes);
    kernel.andNot(beyond, found, bytes);
    const extra = scratch.take(values.length * 4);
    const extras = kernel.collect(beyond, bytes, 0, extra, values.length);
    if (this.#rowsIn(extra, extras) === 0) {
      union.add(rows);
      if (near === 'everything' && arrays.size === 0) return true;
    } else {
      const own = this.#space.scratch.bitmap(false);
      rows.copyTo(own);
      this.#clearEach(extra, extras, own);
      union.addScratch(own);
    }
    if (near !== 'everything') {
      this.#membersOf(near, beyond, bytes);
      this.#difference(found, beyond, bytes);
      const missing = scratch.take(values.length * 4);
      const n = kernel.collect(beyond, bytes, 0, missing, values.length);
      scratch.cut(plus(missing, n * 4));
      this.#addEach(missing, n, union);
    }
    if (arrays.size > 0) this.#addArrays(found, union.open);
    return false;
  }

  #rowsIn(list: Pointer, n: number): number {
    return n === 0 ? 0 : this.#space.kernel.sumAt(list, n, this.#dictionary.postings.lens.ptr);
  }

  /** to = the union's members, as a bitmap over all ordinals. */
  #membersOf(near: PrecomputedUnion | 'everything', to: Pointer, bytes: number): void {
    const { u8 } = this.#space.memory;
    if (near === 'everything') {
      u8.fill(255, to, to + bytes);
      // Ordinals that no value has are in no list.
      const { length } = this.#dictionary.values;
      for (let ordinal = length; ordinal < bytes * 8; ordinal++) clearBit(u8, to, ordinal);
      return;
    }
    const shared = Math.min(bytes, near.bytes);
    u8.copyWithin(to, near.members, near.members + shared);
    u8.fill(0, to + shared, to + bytes);
  }

  /** b = a & ~b */
  #difference(a: Pointer, b: Pointer, bytes: number): void {
    const { u32 } = this.#space.memory;
    for (let i = 0; i < bytes >>> 2; i++)
      u32[(b >>> 2) + i] = u32[(a >>> 2) + i]! & ~u32[(b >>> 2) + i]!;
  }

  /** Rows with arrays are in no precomputed union, so each one is tested. */
  #addArrays(found: Pointer, bitmap: BitmapHandle): void {
    const { u8 } = this.#space.memory;
    for (const [row, ordinals] of this.#dictionary.arrays) {
      if (ordinals.some((ordinal) => hasBit(u8, found, ordinal))) setBit(u8, bitmap, row);
    }
  }
}
