/**
 * A cache of the one related document that a value leads to: the name of a shop, for all rows
 * that have its id.
 *
 *     ordinal of the value in its column ──► value, version ──► documents, while both are the same
 *
 * An ordinal may stand for another value later, so the value is compared: mostly it is the same object.
 */
import type { StoredDocument } from '../../definition/record.ts';

/** Values with an ordinal from this on are not cached. */
const MAX_ORDINAL = 16_384;

interface Cached {
  readonly value: unknown;
  readonly version: number;
  readonly documents: readonly StoredDocument[];
}

export class RelatedByOrdinal {
  readonly #cached: (Cached | undefined)[] = [];

  /** @param version another one after each change of any document that may be led to */
  get(ordinal: number, value: unknown, version: number): Cached['documents'] | undefined {
    const cached = ordinal < this.#cached.length ? this.#cached[ordinal] : undefined;
    return cached?.version === version && cached.value === value ? cached.documents : undefined;
  }

  /** @param ordinal 0 if it is unknown */
  set(ordinal: number, value: unknown, version: number, documents: Cached['documents']): void {
    if (ordinal === 0 || ordinal >= MAX_ORDINAL) return;
    while (this.#cached.length <= ordinal) this.#cached.push(undefined);
    this.#cached[ordinal] = { value, version, documents };
  }
}
