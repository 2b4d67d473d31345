/**
 * The values that a group of rows holds in some columns, with the number of its rows that hold each.
 *
 *     pairs   17 240  31 12 │ 4 250  5 2 │ …      ordinal, rows
 *     ends                  4            8        where each column's end
 *
 * A group has a hundred values or so, few of which come and go: a search reads the pairs in turn,
 * and adding a value copies them.
 */
import type { Ordinal } from '../storage/brands.ts';

export class HeldGroup {
  /** Rows of the group. */
  rows: number;
  readonly #places: ReadonlyMap<number, number>;
  readonly #ends: Uint32Array;
  #pairs = new Uint32Array();

  /** @param places of the columns that are counted, by their number in the table */
  constructor(places: ReadonlyMap<number, number>, rows: number) {
    this.#places = places;
    this.#ends = new Uint32Array(places.size);
    this.rows = rows;
  }

  /** Values, including values that no row holds any more. */
  get size(): number {
    return this.#pairs.length / 2;
  }

  /** Whether the values of the column are counted. */
  knows(column: number): boolean {
    return this.#places.has(column);
  }

  /** The values that rows hold in a column, and how many rows hold each. */
  *valuesOf(column: number): Generator<readonly [ordinal: Ordinal, rows: number]> {
    const [from, end] = this.#boundsOf(column);
    for (let i = from; i < end; i += 2) {
      if (this.#pairs[i + 1]! > 0) yield [this.#pairs[i]! as Ordinal, this.#pairs[i + 1]!];
    }
  }

  /** Writes the values that rows hold in a column to `out` at `to`; returns how many. */
  listTo(column: number, out: Uint32Array, to: number): number {
    const [from, end] = this.#boundsOf(column);
    let n = 0;
    for (let i = from; i < end; i += 2)
      if (this.#pairs[i + 1]! > 0) out[to + n++] = this.#pairs[i]!;
    return n;
  }

  /** Adds `by`, which may be negative, to the number of rows that hold the value. */
  count(column: number, ordinal: Ordinal, by: number): void {
    const [from, end] = this.#boundsOf(column);
    let free = end;
    for (let i = from; i < end; i += 2) {
      if (this.#pairs[i] === ordinal) {
        this.#pairs[i + 1]! += by;
        return;
      }
      if (this.#pairs[i + 1] === 0) free = i;
    }
    if (free === end) this.append(column, [ordinal, by]);
    else this.#pairs.set([ordinal, by], free);
  }

  /** Adds values of a column that are not there yet, each with how many rows hold it. */
  append(column: number, added: readonly number[]): void {
    const [, end] = this.#boundsOf(column);
    const pairs = new Uint32Array(this.#pairs.length + added.length);
    pairs.set(this.#pairs.subarray(0, end));
    pairs.set(added, end);
    pairs.set(this.#pairs.subarray(end), end + added.length);
    this.#pairs = pairs;
    for (let i = this.#places.get(column)!; i < this.#ends.length; i++) {
      this.#ends[i]! += added.length;
    }
  }

  #boundsOf(column: number): readonly [from: number, end: number] {
    const place = this.#places.get(column)!;
    return [place === 0 ? 0 : this.#ends[place - 1]!, this.#ends[place]!];
  }
}
