/**
 * A cache of the related documents that rows show: many shops share owners.
 *
 *     join, key ──► place ──► the document, while what it was made of is the same
 *
 * A direct-mapped cache of bounded size: a new key overwrites the old one at its place.
 */
import type { Join } from '../../definition/definition.ts';
import type { StoredDocument } from '../../definition/record.ts';
import type { RelationKey } from '../relatedRows.ts';

/**
 * Some 7 MB, with the text written of them (serve/answer/listWriter.ts). A document is kept until another
 * one takes its place.
 */
const PLACES_BITS = 14;
const PLACES = 2 ** PLACES_BITS;

interface Place {
  readonly join: Join;
  readonly key: number;
  /** Another object once the document has changed. */
  readonly of: object;
  readonly document: StoredDocument;
}

export class ShownDocuments {
  readonly #places: (Place | undefined)[] = [];

  get(join: Join, key: RelationKey, of: object): StoredDocument | undefined {
    const place = typeof key === 'number' ? this.#places[placeOf(key)] : undefined;
    return place?.of === of && place.key === key && place.join === join
      ? place.document
      : undefined;
  }

  set(join: Join, key: RelationKey, of: object, document: StoredDocument): void {
    if (typeof key !== 'number') return;
    if (this.#places.length === 0) for (let i = 0; i < PLACES; i++) this.#places.push(undefined);
    this.#places[placeOf(key)] = { join, key, of, document };
  }
}

/** Spreads consecutive ids, and ids that are a power of two apart (Knuth's multiplicative hash). */
const placeOf = (key: number) => Math.imul(key, 0x9e3779b1) >>> (32 - PLACES_BITS);
