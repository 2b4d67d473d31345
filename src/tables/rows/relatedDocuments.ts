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
import { BSON, type Document } from 'mongodb';
import { scalarAt } from '../../follow/bson/scalar.ts';
import { queryValue, scalarOf } from '../../store/bson/storeValue.ts';
import type { FindOne } from '../../store/commands.ts';
import { compareScalars, type Scalar, scalarKey } from '../../textindex/index.ts';
import type { Join, Resource, Resources } from '../definition/definition.ts';
import { at, type JoinedRow, type StoredDocument, valuesAt } from '../definition/record.ts';
import { keyTypeOf, type RelationKey } from './relatedRows.ts';

/** Whatever reads one moment: a `SnapshotRead`, or a transaction. */
export interface DocumentReader {
  find(
    collection: string,
    asked: Pick<FindOne, 'filter' | 'projection' | 'sort'>,
  ): Promise<Document[]>;
}

type Documents = readonly StoredDocument[];

/** Documents by the name of their join. */
type Joined = Record<string, Documents>;

/** Documents by `joinKeyOf`. */
type ByKey = Map<string, Documents>;

/** Bytes cached, as JSON, over all collections. */
export const JOINED_BYTES = 4 * 2 ** 20;

const ENTRY_BYTES = 200;

export class RelatedDocuments {
  readonly #resources: Resources;
  readonly #cached = new LRUCache<string, Map<Join, Documents>>({
    maxSize: JOINED_BYTES,
    sizeCalculation: (joins) => {
      let bytes = ENTRY_BYTES;
      // The driver's own count fails at a stored member named `_bsontype`.
      for (const documents of joins.values()) bytes += JSON.stringify(documents).length;
      return bytes;
    },
  });

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  /** Joins each document as the server's `$lookup` would. */
  async join(
    { joins }: Resource,
    documents: readonly StoredDocument[],
    read: DocumentReader,
  ): Promise<JoinedRow[]> {
    const rows = documents.map((document) => ({ document, joined: {} as Joined }));
    for (const join of joins) {
      const keys = documents.map((document) => keysOf(join, document));
      const byKey = await this.#documentsOf(join, keys.flat(), read);
      for (const [i, { joined }] of rows.entries()) {
        joined[join.as] = documentsBy(keys[i]!, join, byKey);
      }
    }
    return rows;
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
    const documents = await read.find(this.#resources[join.to]!.collection, {
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

/** The documents for the keys, in the order of `_id`, as the server sorts them. */
function documentsBy(keys: readonly RelationKey[], { to, one }: Join, byKey: ByKey): Documents {
  const joinKeys = new Set(keys.map((key) => joinKeyOf(to, key)));
  const found = [...joinKeys].flatMap((joinKey) => byKey.get(joinKey)!);
  if (joinKeys.size <= 1) return found;
  const sorted = found
    .map((document) => ({ document, id: idOf(document) }))
    .sort((a, b) => compareScalars(a.id, b.id))
    .map(({ document }) => document);
  return one ? sorted.slice(0, 1) : sorted;
}

/** The `_id` as a scalar, of whatever type it is. */
function idOf({ _id }: StoredDocument): Scalar {
  const id = scalarOf(_id);
  if (id !== undefined) return id;
  const bytes = BSON.serialize({ _id });
  return scalarAt(bytes, bytes[4]!, FIRST_VALUE);
}

/** Where the value of a document's first member `_id` begins: after length, type and name. */
const FIRST_VALUE = 4 + 1 + '_id\0'.length;
