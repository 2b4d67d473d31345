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

interface Kept {
  readonly value: unknown;
  readonly version: number;
  readonly documents: readonly StoredDocument[];
}

export class OfValues {
  readonly #kept: (Kept | undefined)[] = [];

  /** @param version another one after each change of any document that may be led to */
  get(number: number, value: unknown, version: number): Kept['documents'] | undefined {
    const kept = number < this.#kept.length ? this.#kept[number] : undefined;
    return kept?.version === version && kept.value === value ? kept.documents : undefined;
  }

  /** @param number 0 where it is not known */
  set(number: number, value: unknown, version: number, documents: Kept['documents']): void {
    if (number === 0 || number >= NUMBERS) return;
    while (this.#kept.length <= number) this.#kept.push(undefined);
    this.#kept[number] = { value, version, documents };
  }
}
