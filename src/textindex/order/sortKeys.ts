/**
 * What rows are ordered by: for each slot a number that mostly decides, and the scalar when it
 * does not.
 *
 *     a before b   ⇒   at(a) ≤ at(b)            so unequal numbers decide at once
 *     at(a) = at(b) ⇒  scalarAt decides         only where the number is vague
 *
 * Two kinds: numbers or dates kept for each slot (8 bytes), and keys of a dictionary's values.
 */
import type { Cell, Scalar } from '../api.ts';
import { ARRAY, type Dictionary, NONE } from '../dictionary/dictionary.ts';
import { compareScalars, isArray, millisOf, prefixKey, RANK, rankOf, sortKey } from '../scalars.ts';
import { SlotNumbers } from '../storage/rowDoubles.ts';
import type { Slot, Space } from '../storage/space.ts';
import type { Uuids } from '../uuid/column.ts';

/** The order of rows by one column, in one direction's reading of arrays. */
export interface Keys {
  /** Never decreases along the order. */
  at(slot: Slot): number;
  /** Writes the numbers of all the slots: in one loop, which takes a third of the time. */
  read(slots: Uint32Array, numbers: Float64Array): void;
  /** Decides between slots whose numbers are the same; 0 when their scalars are. */
  decide(a: Slot, b: Slot): number;
}

/** Past this a number may stand for several integers. */
const VAGUE = 2 ** 53;

/**
 * Scalars of one home type (numbers, or dates) by slot. The home type's values are their own keys;
 * all that comes before is -Infinity, all that comes after Infinity. Scalars that their key does not
 * tell are kept aside, all but null, which is what -Infinity stands for when nothing is.
 */
export class SlotKeys implements Keys {
  readonly #home: number;
  readonly #keys: SlotNumbers;
  readonly #aside = new Map<Slot, Scalar>();

  constructor(space: Space, home: 'number' | 'date') {
    this.#home = RANK[home];
    this.#keys = new SlotNumbers(space);
  }

  at(slot: Slot): number {
    return this.#keys.at(slot);
  }

  read(slots: Uint32Array, numbers: Float64Array): void {
    for (let i = 0; i < slots.length; i++) numbers[i] = this.at(slots[i]!);
  }

  decide(a: Slot, b: Slot): number {
    if (this.#aside.size === 0) return 0;
    const key = this.at(a);
    if (key < VAGUE && key > -VAGUE) return 0;
    return compareScalars(this.scalarAt(a), this.scalarAt(b));
  }

  set(slot: Slot, scalar: Scalar): void {
    const key = this.#keyOf(scalar);
    this.#keys.set(slot, key);
    const told = scalar === null || (key < VAGUE && key > -VAGUE);
    if (!told) this.#aside.set(slot, scalar);
    else if (this.#aside.size > 0) this.#aside.delete(slot);
  }

  forget(slot: Slot): void {
    if (this.#aside.size > 0) this.#aside.delete(slot);
  }

  /** Whether the slot's scalar is this one. */
  same(slot: Slot, scalar: Scalar): boolean {
    const key = this.at(slot);
    if (key !== this.#keyOf(scalar)) return false;
    if (key < VAGUE && key > -VAGUE) return true;
    return compareScalars(this.scalarAt(slot), scalar) === 0;
  }

  scalarAt(slot: Slot): Scalar {
    const aside = this.#aside.get(slot);
    if (aside !== undefined) return aside;
    const key = this.at(slot);
    if (key === Number.NEGATIVE_INFINITY) return null;
    return this.#home === RANK.date ? new Date(key) : key;
  }

  get heapBytes(): number {
    return this.#aside.size * 100;
  }

  #keyOf(scalar: Scalar): number {
    const rank = rankOf(scalar);
    if (rank < this.#home) return Number.NEGATIVE_INFINITY;
    if (rank > this.#home) return Number.POSITIVE_INFINITY;
    if (scalar instanceof Date) return millisOf(scalar);
    const number = Number(scalar);
    return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number;
  }
}

/** A column that is only sorted by: the keys of its cells ascending and descending. */
export class SortedCells {
  readonly ascending: SlotKeys;
  /** Present from the first cell with two keys on. */
  descending: SlotKeys | undefined;
  readonly #space: Space;
  readonly #home: 'number' | 'date';

  constructor(space: Space, home: 'number' | 'date') {
    this.#space = space;
    this.#home = home;
    this.ascending = new SlotKeys(space, home);
  }

  same(slot: Slot, cell: Cell): boolean {
    if (!this.ascending.same(slot, sortKey(cell, false))) return false;
    return (this.descending ?? this.ascending).same(slot, sortKey(cell, true));
  }

  add(slot: Slot, cell: Cell): void {
    this.ascending.set(slot, sortKey(cell, false));
    this.descending?.set(slot, sortKey(cell, true));
  }

  /** Keeps descending keys apart from now on; these slots have a key already. */
  split(slots: Iterable<Slot>): void {
    this.descending = new SlotKeys(this.#space, this.#home);
    for (const slot of slots) this.descending.set(slot, this.ascending.scalarAt(slot));
  }

  remove(slot: Slot): void {
    this.ascending.forget(slot);
    this.descending?.forget(slot);
  }

  get heapBytes(): number {
    return this.ascending.heapBytes + (this.descending?.heapBytes ?? 0);
  }
}

/** Keys of a dictionary's values: a class by rank, then up to six bytes of the text. */
export class ValueKeys implements Keys {
  readonly #dictionary: Dictionary;
  readonly #uuids: Uuids | undefined;
  readonly #descending: boolean;

  constructor(dictionary: Dictionary, uuids: Uuids | undefined, descending: boolean) {
    this.#dictionary = dictionary;
    this.#uuids = uuids;
    this.#descending = descending;
  }

  at(slot: Slot): number {
    const code = this.#dictionary.codes.get(slot);
    if (code === NONE) return this.#uuids!.prefixAt(slot);
    if (code !== ARRAY) return this.#dictionary.prefixes[code]!;
    return prefixKey(this.scalarAt(slot));
  }

  read(slots: Uint32Array, numbers: Float64Array): void {
    for (let i = 0; i < slots.length; i++) numbers[i] = this.at(slots[i]!);
  }

  decide(a: Slot, b: Slot): number {
    const code = this.#dictionary.codes.get(a);
    if (code === this.#dictionary.codes.get(b)) {
      if (code === NONE) return this.#uuids!.compare(a, b);
      if (code !== ARRAY) return 0;
    }
    return compareScalars(this.scalarAt(a), this.scalarAt(b));
  }

  scalarAt(slot: Slot): Scalar {
    const code = this.#dictionary.codes.get(slot);
    if (code === NONE) return this.#uuids!.textAt(slot);
    if (code !== ARRAY) return this.#dictionary.values[code]!;
    const values = this.#dictionary.arrays.get(slot)!.map((c) => this.#dictionary.values[c]!);
    return sortKey(values, this.#descending);
  }
}

/** Whether a cell's ascending and descending keys may differ. */
export function hasTwoKeys(cell: Cell): boolean {
  return isArray(cell) && cell.length > 1;
}
