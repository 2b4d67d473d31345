/**
 * Selects a page among few hits: reads their keys, and sorts only the rows of the page.
 *
 *     rows   7   3   9   1   4          moved alike: an object for each hit takes ten times as long
 *     keys    20  10  10  40  30
 *
 * The page is cut out by selecting (quickselect, Hoare 1961).
 */

import type { RowNumber } from '../storage/brands.ts';
import type { Keys } from './keys.ts';
import type { Ranks } from './page.ts';

/** An order of rows, kept or not. */
interface Comparing {
  readonly keys: Keys;
  /** Negative, or positive, as a comes before b; 0 only for the same row. */
  compare(a: RowNumber, b: RowNumber): number;
}

/** The rows of these ranks among some, which are reordered; `keys`: numbers that decide as the order's do. */
export function selectFew(
  order: Comparing,
  rows: Uint32Array,
  { first, end }: Ranks,
  keys = keysOf(order, rows),
): RowNumber[] {
  const hits = new Hits(order, rows, keys);
  const n = rows.length;
  hits.partition(0, n, first);
  hits.partition(first, n, end);
  return hits.sorted(first, end);
}

function keysOf({ keys }: Comparing, rows: Uint32Array): Float64Array {
  const numbers = new Float64Array(rows.length);
  keys.read(rows, numbers);
  return numbers;
}

class Hits {
  readonly #order: Comparing;
  readonly #rows: Uint32Array;
  readonly #keys: Float64Array;

  constructor(order: Comparing, rows: Uint32Array, keys: Float64Array) {
    this.#order = order;
    this.#rows = rows;
    this.#keys = keys;
  }

  /** Negative, or positive, as the hit at i comes before or after another one. */
  #compare(i: number, key: number, row: RowNumber): number {
    const own = this.#keys[i]!;
    if (own !== key) return own < key ? -1 : 1;
    return this.#order.compare(this.#rows[i]! as RowNumber, row);
  }

  /** Moves the least hits of a range before place `at`, in no order. */
  partition(from: number, to: number, at: number): void {
    let low = from;
    let high = to - 1;
    while (low < high && at > low && at <= high) {
      // A writer of values could choose them against a pivot that is known.
      const pivot = low + Math.floor(Math.random() * (high - low + 1));
      const key = this.#keys[pivot]!;
      const row = this.#rows[pivot]! as RowNumber;
      let i = low;
      let j = high;
      while (i <= j) {
        while (this.#compare(i, key, row) < 0) i++;
        while (this.#compare(j, key, row) > 0) j--;
        if (i > j) break;
        this.#swap(i++, j--);
      }
      if (at <= j) high = j;
      else if (at >= i) low = i;
      else return;
    }
  }

  #swap(i: number, j: number): void {
    const row = this.#rows[i]!;
    this.#rows[i] = this.#rows[j]!;
    this.#rows[j] = row;
    const key = this.#keys[i]!;
    this.#keys[i] = this.#keys[j]!;
    this.#keys[j] = key;
  }

  /** The rows of a range, in order. */
  sorted(from: number, to: number): RowNumber[] {
    const places = Array.from({ length: to - from }, (_, i) => from + i);
    places.sort((i, j) => this.#compare(i, this.#keys[j]!, this.#rows[j]! as RowNumber));
    return places.map((i) => this.#rows[i]! as RowNumber);
  }
}
