/**
 * The documents that rows are joined to, at one moment: an LRU by the key that leads to them.
 *
 *     rows ──► their keys ──► cached? ─┬─► documents of each key, in the order of `_id`
 *                                └─ no ┴─► find {key: {$in: keys}} as of the same moment
 *
 * A page of orders shows the names of a few shops, and all pages together show few more. A
 * `$lookup` reads each of them again for each row, which takes the server longer than the rest of a
 * page.
 */
import { LRUCache } from 'lru-cache';
import type { Document } from 'mongodb';
import { queryValue, scalarOf } from '../../store/bson/storeValue.ts';
import { compareScalars, scalarKey } from '../../textindex/index.ts';
import type { Join, Resource, Resources } from '../definition/definition.ts';
import { at, type JoinedRow, type StoredDocument, valuesAt } from '../definition/record.ts';
import { keyTypeOf, type RelationKey } from './relatedRows.ts';

/** Whatever reads one moment. */
export interface DocumentReader {
  find(collection: string, options: Document): Promise<Document[]>;
}

export interface RelatedDocumentsOptions {
  readonly resources: Resources;
  /** Bytes cached, as JSON, over all collections. */
  readonly maxBytes: number;
}

type Documents = readonly StoredDocument[];

/** Documents by `joinKeyOf`. */
type ByKey = Map<string, Documents>;

const ENTRY_BYTES = 200;

export class RelatedDocuments {
  readonly #options: RelatedDocumentsOptions;
  readonly #cached: LRUCache<string, Map<Join, Documents>>;

  constructor(options: RelatedDocumentsOptions) {
    this.#options = options;
    this.#cached = new LRUCache({
      maxSize: Math.max(1, options.maxBytes),
      sizeCalculation: (joins) => {
        let bytes = ENTRY_BYTES;
        // The driver's own count fails at a stored member named `_bsontype`.
        for (const documents of joins.values()) bytes += JSON.stringify(documents).length;
        return bytes;
      },
    });
  }

  /**
   * Joins each document as the server's `$lookup` would. Undefined if the order of several is unknown.
   */
  async join(
    { joins }: Resource,
    documents: readonly StoredDocument[],
    read: DocumentReader,
  ): Promise<(JoinedRow | undefined)[]> {
    const joined = documents.map((): Record<string, Documents> | undefined => ({}));
    for (const join of joins) {
      const keys = documents.map((document) => keysOf(join, document));
      const byKey = await this.#documentsOf(join, keys.flat(), read);
      for (const [i, some] of keys.entries()) {
        const found = documentsBy(some, join, byKey);
        if (!found) joined[i] = undefined;
        else if (joined[i]) joined[i][join.as] = found;
      }
    }
    return documents.map((document, i) => joined[i] && { document, joined: joined[i] });
  }

  /** The documents for each key. */
  async #documentsOf(
    join: Join,
    keys: readonly RelationKey[],
    read: DocumentReader,
  ): Promise<ByKey> {
    const found: ByKey = new Map();
    const missing = new Map<string, RelationKey>();
    for (const key of keys) {
      const joinKey = joinKeyOf(join.to, key);
      if (found.has(joinKey) || missing.has(joinKey)) continue;
      const cached = this.#cached.get(joinKey)?.get(join);
      if (cached) found.set(joinKey, cached);
      else missing.set(joinKey, key);
    }
    if (missing.size === 0) return found;
    const documents = await this.#read(join, [...missing.values()], read);
    for (const joinKey of missing.keys()) {
      const some = documents.get(joinKey) ?? [];
      found.set(joinKey, some);
      this.#keep(join, joinKey, some);
    }
    return found;
  }

  async #read(join: Join, keys: readonly RelationKey[], read: DocumentReader): Promise<ByKey> {
    const projection = Object.fromEntries([...join.shows, join.key].map((path) => [path, 1]));
    const documents = await read.find(this.#options.resources[join.to]!.collection, {
      filter: { [join.key]: { $in: keys.map(queryValue), ...ofType(join) } },
      projection,
      sort: { _id: 1 },
    });
    const byKey = new Map<string, StoredDocument[]>();
    for (const document of documents) {
      const key = relationKeyOf(join, at(document, join.key));
      if (key === undefined) continue;
      const joinKey = joinKeyOf(join.to, key);
      if (join.key !== '_id' && !join.shows.includes(join.key)) delete document[join.key];
      const before = byKey.get(joinKey);
      if (!before) byKey.set(joinKey, [document]);
      else if (!join.one) before.push(document);
    }
    return byKey;
  }

  #keep(join: Join, joinKey: string, documents: Documents): void {
    const joins = new Map(this.#cached.get(joinKey));
    this.#cached.set(joinKey, joins.set(join, documents));
  }
}

const joinKeyOf = (to: string, key: RelationKey) => `joined to ${to}\0${scalarKey(key)}`;

/** The keys that lead to the join's documents, as relations have them. */
export function keysOf(join: Join, document: StoredDocument): RelationKey[] {
  const only = at(document, join.through);
  if (typeof only === 'string') return join.keyType === 'string' ? [only] : [];
  const keys: RelationKey[] = [];
  for (const value of valuesAt(document, join.through)) {
    const key = relationKeyOf(join, value);
    if (key !== undefined) keys.push(key);
  }
  return keys;
}

/** A stored value as a key; undefined when it is of another type and leads nowhere. */
function relationKeyOf({ keyType }: Join, value: unknown): RelationKey | undefined {
  const key = scalarOf(value);
  return key !== undefined && keyTypeOf(key) === keyType ? (key as RelationKey) : undefined;
}

/** The driver makes strings of symbols, which are no keys. */
const ofType = ({ keyType }: Join) => (keyType === 'string' ? { $type: 'string' } : {});

/** The documents for the keys; undefined if these or their order are unknown. */
function documentsBy(
  keys: readonly RelationKey[],
  join: Join,
  byKey: ByKey,
): Documents | undefined {
  const joinKeys = new Map(keys.map((key) => [joinKeyOf(join.to, key), key]));
  if (joinKeys.size > 1 && (join.one || join.key !== '_id')) return undefined;
  const found: StoredDocument[] = [];
  for (const [joinKey] of [...joinKeys].sort(([, a], [, b]) => compareScalars(a, b))) {
    const some = byKey.get(joinKey);
    if (!some) return undefined;
    found.push(...some);
  }
  return found;
}
