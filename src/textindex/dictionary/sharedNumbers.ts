/** The numbers that the values of a dictionary have in all partitions of a table: see sharedValues.ts. */
import type { Ordinal } from '../storage/brands.ts';

export class SharedNumbers {
  /** The shared number of each ordinal; 0 without one. Empty in a table of one partition. */
  byOrdinal = new Uint32Array(0);
  /** Ordinals below this have been looked at. */
  #seen = 0;
  /** Ordinals below it that stand for another value now. */
  #again: Ordinal[] = [];

  /** An ordinal, of so many, whose value may have no number, each once; undefined when there is none. */
  take(length: number): Ordinal | undefined {
    if (this.byOrdinal.length < length) {
      const grown = new Uint32Array(length * 2);
      grown.set(this.byOrdinal);
      this.byOrdinal = grown;
    }
    return this.#again.pop() ?? (this.#seen < length ? (this.#seen++ as Ordinal) : undefined);
  }

  /** The ordinal stands for a new value. */
  came(ordinal: Ordinal): void {
    if (ordinal < this.#seen) this.#again.push(ordinal);
  }

  left(ordinal: Ordinal): void {
    if (ordinal < this.#seen) this.byOrdinal[ordinal] = 0;
  }

  clear(): void {
    this.byOrdinal.fill(0);
    this.#seen = 0;
    this.#again = [];
  }
}
