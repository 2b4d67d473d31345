/**
 * What rows show of the one related document that a value of theirs leads to, as it was made last: the name
 * of a project, for all rows that have its id.
 *
 *     number of the value in its column ──► value, version ──► documents, while both are the same
 *
 * A number may stand for another value later, so the value is compared: mostly it is the same object.
 */
import type { StoredDocument } from '../../resources/record.ts';

/** Values with a greater number are looked up each time. */
const NUMBERS = 16_384;

interface Cached {
  readonly value: unknown;
  readonly version: number;
  readonly documents: readonly StoredDocument[];
}

export class RelatedByOrdinal {
  readonly #cached: (Cached | undefined)[] = [];

  /** @param version another one after each change of any document that may be led to */
  get(number: number, value: unknown, version: number): Cached['documents'] | undefined {
    const cached = number < this.#cached.length ? this.#cached[number] : undefined;
    return cached?.version === version && cached.value === value ? cached.documents : undefined;
  }

  /** @param number 0 where it is not known */
  set(number: number, value: unknown, version: number, documents: Cached['documents']): void {
    if (number === 0 || number >= NUMBERS) return;
    while (this.#cached.length <= number) this.#cached.push(undefined);
    this.#cached[number] = { value, version, documents };
  }
}
