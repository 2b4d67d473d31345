/**
 * The page among few hits: their keys are read, and only what stands on the page is sorted.
 *
 *     slots   7   3   9   1   4          moved alike: an object for each hit takes ten times as long
 *     keys    20  10  10  40  30
 *
 * A page near an end is kept sorted while the hits go by: after the first few, nearly every hit is
 * refused by one comparison. Any other page is cut out by selecting (quickselect, Hoare 1961).
 */

import type { Slot } from '../storage/space.ts';
import type { Order } from './order.ts';
import type { Ranks } from './page.ts';

/** Up to so many hits from an end on are kept sorted. */
const KEPT = 64;

/** Slots by rank among some, which are moved about. */
export function selectFew(order: Order, slots: Uint32Array, { first, end }: Ranks): Slot[] {
  const hits = new Hits(order, slots);
  const n = slots.length;
  if (end <= KEPT) return hits.least(end).slice(first);
  if (n - first <= KEPT)
    return hits
      .greatest(n - first)
      .slice(n - end)
      .reverse();
  hits.partition(0, n, first);
  hits.partition(first, n, end);
  return hits.sorted(first, end);
}

class Hits {
  readonly #order: Order;
  readonly #slots: Uint32Array;
  readonly #keys: Float64Array;

  constructor(order: Order, slots: Uint32Array) {
    this.#order = order;
    this.#slots = slots;
    this.#keys = new Float64Array(slots.length);
    order.keys.read(slots, this.#keys);
  }

  /** Negative, or positive, as the hit at i comes before or after another one. */
  #compare(i: number, key: number, slot: Slot): number {
    const own = this.#keys[i]!;
    if (own !== key) return own < key ? -1 : 1;
    return this.#order.compare(this.#slots[i]!, slot);
  }

  /** The first `count` hits, in order. */
  least(count: number): Slot[] {
    return this.#extreme(count, 1);
  }

  /** The last `count` hits, the last one first. */
  greatest(count: number): Slot[] {
    return this.#extreme(count, -1);
  }

  /** Keeps the best at the front, sorted. */
  #extreme(count: number, sign: number): Slot[] {
    const keys = this.#keys;
    const slots = this.#slots;
    let kept = 0;
    for (let i = 0; i < slots.length; i++) {
      const key = keys[i]!;
      const slot = slots[i]!;
      if (kept === count) {
        const worst = keys[kept - 1]!;
        if (sign > 0 ? key > worst : key < worst) continue;
        if (sign * this.#compare(kept - 1, key, slot) < 0) continue;
        kept--;
      }
      let at = kept++;
      for (; at > 0 && sign * this.#compare(at - 1, key, slot) > 0; at--) {
        keys[at] = keys[at - 1]!;
        slots[at] = slots[at - 1]!;
      }
      keys[at] = key;
      slots[at] = slot;
    }
    return Array.from(slots.subarray(0, count));
  }

  /** Moves the least hits of a range before place `at`, in no order. */
  partition(from: number, to: number, at: number): void {
    let low = from;
    let high = to - 1;
    while (low < high && at > low && at <= high) {
      const key = this.#keys[(low + high) >>> 1]!;
      const slot = this.#slots[(low + high) >>> 1]!;
      let i = low;
      let j = high;
      while (i <= j) {
        while (this.#compare(i, key, slot) < 0) i++;
        while (this.#compare(j, key, slot) > 0) j--;
        if (i > j) break;
        this.#swap(i++, j--);
      }
      if (at <= j) high = j;
      else if (at >= i) low = i;
      else return;
    }
  }

  #swap(i: number, j: number): void {
    const slot = this.#slots[i]!;
    this.#slots[i] = this.#slots[j]!;
    this.#slots[j] = slot;
    const key = this.#keys[i]!;
    this.#keys[i] = this.#keys[j]!;
    this.#keys[j] = key;
  }

  /** The slots of a range, in order. */
  sorted(from: number, to: number): Slot[] {
    const places = Array.from({ length: to - from }, (_, i) => from + i);
    places.sort((i, j) => this.#compare(i, this.#keys[j]!, this.#slots[j]!));
    return places.map((i) => this.#slots[i]!);
  }
}
