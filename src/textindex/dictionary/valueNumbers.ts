/**
 * A number for each value of a dictionary, by ordinal, which never decreases along the order. An order
 * that is not kept is cut down to a page by these.
 *
 *     https://shop.test/orders/2026/481516
 *     └──── beginning, of a sample ─────┘└─ six bytes: the number
 *
 * They are made when a sort asks for them first, 8 bytes a value, and from then on new values are
 * numbered when the next sort comes. To read the values themselves takes five times as long, and of
 * few rows it waits for the memory three times a row.
 */
import { BEGINNING } from '../kernel/rankAbi.ts';
import { sharedBeginning } from '../scalars.ts';
import { NULL_POINTER, type Ordinal, type Pointer } from '../storage/brands.ts';
import { drawn } from '../storage/drawn.ts';
import type { Space } from '../storage/space.ts';

/** Values, as their numbers need them. */
export interface Numerable {
  readonly length: number;
  /** For the kernel: where each ordinal's value is. */
  readonly places: Pointer;
  /** The text of an ordinal; undefined if its value is none, or it is not in use. */
  textAt(ordinal: Ordinal): string | undefined;
}

/** Values whose shared beginning is looked for. */
const SAMPLED = 64;
/** The kernel reads this much past a beginning. */
const BEYOND = 16;

export class ValueNumbers {
  readonly #space: Space;
  #numbers = NULL_POINTER;
  #room = 0;
  #made = 0;
  /** How many there were when the beginning was chosen. */
  #chosenAt = 0;
  /** The beginning of most texts; a number tells the bytes after it. */
  beginning = '';

  constructor(space: Space) {
    this.#space = space;
  }

  /** The number of each value, by ARRAY that of an empty array. `skips`: whether texts may share a beginning. */
  of(values: Numerable, skips: boolean): Pointer {
    const { length } = values;
    if (length > this.#room) this.#grow(length);
    // The texts of a grown table may begin otherwise.
    if (length >= this.#chosenAt * 2) {
      const all = drawn(length, SAMPLED) as Ordinal[];
      this.beginning = skips ? beginningOf(values, all) : '';
      this.#chosenAt = length;
      this.#made = 0;
    }
    if (length > this.#made) this.#number(values, this.#made, length);
    this.#made = length;
    return this.#numbers;
  }

  /** An ordinal has another value. */
  change(values: Numerable, ordinal: Ordinal): void {
    if (ordinal < this.#made) this.#number(values, ordinal, ordinal + 1);
  }

  /** Gives its memory back. */
  forget(): void {
    if (this.#room > 0) this.#space.memory.free(this.#numbers, this.#room * 8);
    this.#room = 0;
    this.#made = 0;
    this.#chosenAt = 0;
  }

  #number({ places }: Numerable, from: number, to: number): void {
    const { kernel, scratch } = this.#space;
    const mark = scratch.take(0);
    const beginning = writtenBeginning(this.#space, Buffer.from(this.beginning));
    kernel.numberValues(places, NULL_POINTER, from, to, beginning, this.#numbers);
    scratch.cut(mark);
  }

  #grow(length: number): void {
    const { memory } = this.#space;
    const room = Math.ceil(length * 1.25);
    const to = memory.alloc(room * 8);
    memory.u8.copyWithin(to, this.#numbers, this.#numbers + this.#made * 8);
    if (this.#room > 0) memory.free(this.#numbers, this.#room * 8);
    this.#numbers = to;
    this.#room = room;
  }
}

/** The beginning that the texts of these ordinals share. */
export function beginningOf(values: Numerable, ordinals: readonly Ordinal[]): string {
  let shared: string | undefined;
  for (const ordinal of ordinals) {
    if (shared === '') break;
    const text = values.textAt(ordinal);
    if (text !== undefined) shared = shared === undefined ? text : sharedBeginning(shared, text);
  }
  return shared ?? '';
}

/** A beginning in scratch memory, as the kernel reads it. */
export function writtenBeginning({ memory, scratch }: Space, beginning: Uint8Array): Pointer {
  const at = scratch.takeZero(BEGINNING.bytes + beginning.length + BEYOND);
  memory.u32[(at + BEGINNING.shared) >>> 2] = beginning.length;
  memory.u8.set(beginning, at + BEGINNING.bytes);
  return at;
}
