/**
 * The documents of pages, as of the frontier: an LRU of rows in front of reads at one cluster time.
 *
 *     ids of a page ──► cached at F ─┬─► rows
 *                  └──► read at F ───┘      a jump to the next F evicts what changed
 *
 * Everything cached is the document at the frontier. A read that was under way while its document
 * changed answers its own caller (who asked for the moment before) and is not cached.
 */
import { LRUCache } from 'lru-cache';
import { BSON, type Db, type Document, Long, ObjectId, type Timestamp } from 'mongodb';
import { SnapshotRead } from '../mongo/snapshotRead.ts';
import type { StoredDocument } from '../resources/record.ts';
import type { RowId } from '../textindex/api.ts';
import { RANK } from '../textindex/scalars.ts';

export interface RowStoreOptions {
  readonly db: Db;
  /** Bytes of BSON kept, over all collections. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** A read under way: what changes meanwhile must not be cached from it. */
interface Reading {
  readonly collection: string;
  readonly changed: Set<string>;
  cleared: boolean;
}

export class RowStore {
  readonly #options: RowStoreOptions;
  readonly #rows: LRUCache<string, StoredDocument>;
  readonly #readings = new Set<Reading>();

  constructor(options: RowStoreOptions) {
    this.#options = options;
    this.#rows = new LRUCache({
      maxSize: options.maxBytes,
      maxEntrySize: Math.max(1, Math.floor(options.maxBytes / 8)),
      sizeCalculation: (document) => BSON.calculateObjectSize(document) + 200,
    });
  }

  /** The document at the frontier, if it is cached. */
  get(collection: string, id: RowId): StoredDocument | undefined {
    return this.#rows.get(cacheKey(collection, id));
  }

  /**
   * The documents with these ids, as of `at`, which was the frontier when the caller asked.
   *
   * @returns by `rowKey`; an id that has no document, or that cannot be asked for, is missing.
   */
  async read(
    collection: string,
    ids: readonly RowId[],
    at: Timestamp,
  ): Promise<Map<string, StoredDocument>> {
    const { db, timeoutMs } = this.#options;
    const asked = new Map<string, unknown>();
    for (const id of ids) {
      const value = queryValue(id);
      if (value !== undefined) asked.set(rowKey(id), value);
    }
    const reading: Reading = { collection, changed: new Set(), cleared: false };
    this.#readings.add(reading);
    try {
      const read = new SnapshotRead(db, { at, timeoutMs });
      const filter = { _id: { $in: [...asked.values()] } };
      const documents = await read.find(collection, { filter });
      return this.#keep(collection, asked, documents, reading);
    } finally {
      this.#readings.delete(reading);
    }
  }

  #keep(
    collection: string,
    asked: ReadonlyMap<string, unknown>,
    documents: readonly Document[],
    reading: Reading,
  ): Map<string, StoredDocument> {
    const byValue = new Map<string, string>();
    for (const [key, value] of asked) byValue.set(valueKey(value), key);
    const found = new Map<string, StoredDocument>();
    for (const document of documents) {
      const key = byValue.get(valueKey(document._id));
      if (key === undefined) continue;
      found.set(key, document);
      if (!reading.cleared && !reading.changed.has(key)) {
        this.#rows.set(`${collection}\0${key}`, document);
      }
    }
    return found;
  }

  /** To be called in the same step in which the frontier moves past a change of these rows. */
  evict(collection: string, ids: Iterable<RowId>): void {
    const readings = [...this.#readings].filter((reading) => reading.collection === collection);
    for (const id of ids) {
      const key = rowKey(id);
      this.#rows.delete(`${collection}\0${key}`);
      for (const reading of readings) reading.changed.add(key);
    }
  }

  /** Forgets all rows of a collection, as when it is loaded anew. */
  clear(collection: string): void {
    for (const key of [...this.#rows.keys()]) {
      if (key.startsWith(`${collection}\0`)) this.#rows.delete(key);
    }
    for (const reading of this.#readings) {
      if (reading.collection === collection) reading.cleared = true;
    }
  }
}

const cacheKey = (collection: string, id: RowId) => `${collection}\0${rowKey(id)}`;

/** A text that is equal just if the ids are. */
export function rowKey(id: RowId): string {
  switch (typeof id) {
    case 'string':
      return `"${id}`;
    case 'object':
      if (id === null) return 'null';
      return id instanceof Date ? `date ${id.getTime()}` : `odd ${id.rank} ${id.key}`;
    default:
      return String(id);
  }
}

/** What to ask the server for; undefined for ids of rare types, which only the pipeline can read. */
function queryValue(id: RowId): unknown {
  if (typeof id === 'bigint') return Long.fromBigInt(id);
  if (typeof id !== 'object' || id === null || id instanceof Date) return id;
  if (id.rank !== RANK.objectId) return undefined;
  return ObjectId.createFromHexString(Buffer.from(id.key, 'latin1').toString('hex'));
}

const valueKey = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? `${typeof value}${value}`
    : BSON.EJSON.stringify({ value });
