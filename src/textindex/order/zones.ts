/**
 * Zones of dates: for each 64 neighbouring rows, the least and the greatest date they hold.
 *
 *     rows 0 … 63 │ 64 … 127 │ …       rows that came together have dates that are close
 *     least, greatest                  where both lie in one bucket, 64 rows are counted at once
 *     dates       which rows hold a date at all
 *
 * A zone is exact: when a row at one of its ends goes, the others are read.
 */
import { Bitmap } from '../storage/bitmap.ts';
import type { Pointer, RowNumber } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { keepNumbers, type State, type Steps } from '../storage/state.ts';

const ZONE_BITS = 6;
const BYTES = 16;

export class Zones {
  /** Rows with a date. */
  readonly dates: Bitmap;
  /** Where each segment's zones are: two doubles each. */
  readonly chunks: Pointer[] = [];
  readonly #space: Space;

  constructor(space: Space) {
    this.#space = space;
    this.dates = new Bitmap(space);
  }

  /** Adds a row with this key, which is infinite if it holds no date. */
  add(row: RowNumber, key: number): void {
    if (!Number.isFinite(key)) return;
    this.dates.add(row);
    const at = this.#zoneOf(row);
    const { f64 } = this.#space.memory;
    if (key < f64[at]!) f64[at] = key;
    if (key > f64[at + 1]!) f64[at + 1] = key;
  }

  /** Removes a row that had this key; `keyAt` returns the keys of the others. */
  remove(row: RowNumber, key: number, keyAt: (row: RowNumber) => number): void {
    if (!Number.isFinite(key)) return;
    this.dates.delete(row);
    const at = this.#zoneOf(row);
    const { f64 } = this.#space.memory;
    if (key === f64[at] || key === f64[at + 1]) [f64[at], f64[at + 1]] = this.#endsOf(row, keyAt);
  }

  *keep(state: State): Steps {
    yield* this.dates.keep(state);
    yield* keepNumbers(state, this.chunks);
  }

  check(rows: Iterable<RowNumber>, keyAt: (row: RowNumber) => number): void {
    for (const row of rows) {
      if (this.dates.has(row) !== Number.isFinite(keyAt(row))) {
        throw new Error(`zones: row ${row} is taken for what it is not`);
      }
      if (!this.dates.has(row)) continue;
      const [least, greatest] = this.#endsOf(row, keyAt);
      const at = this.#zoneOf(row);
      const { f64 } = this.#space.memory;
      if (f64[at] !== least || f64[at + 1] !== greatest) {
        throw new Error(`zones: that of row ${row} is not what its rows hold`);
      }
    }
  }

  #endsOf(row: RowNumber, keyAt: (row: RowNumber) => number): [least: number, greatest: number] {
    const from = ((row >>> ZONE_BITS) << ZONE_BITS) as RowNumber;
    let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let other = from; other < from + 2 ** ZONE_BITS; other++) {
      if (!this.dates.has(other)) continue;
      const key = keyAt(other);
      least = Math.min(least, key);
      greatest = Math.max(greatest, key);
    }
    return [least, greatest];
  }

  /** The place of a row's zone among the memory's doubles. */
  #zoneOf(row: RowNumber): number {
    const { segmentBits, segmentMask } = this.#space;
    const segment = row >>> segmentBits;
    while (this.chunks.length <= segment) this.chunks.push(this.#newChunk());
    return (this.chunks[segment]! >>> 3) + ((row & segmentMask) >>> ZONE_BITS) * 2;
  }

  #newChunk(): Pointer {
    const { memory, segmentRows } = this.#space;
    const zones = segmentRows >>> ZONE_BITS;
    const chunk = memory.alloc(zones * BYTES);
    for (let i = 0; i < zones; i++) {
      memory.f64[(chunk >>> 3) + i * 2] = Number.POSITIVE_INFINITY;
      memory.f64[(chunk >>> 3) + i * 2 + 1] = Number.NEGATIVE_INFINITY;
    }
    return chunk;
  }
}
