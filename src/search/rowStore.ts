/**
 * The rows of pages as of the frontier: an LRU in front of reads at one cluster time.
 *
 *     ids of a page ──► cached at F ─┬─► rows, with the related documents their records show
 *                  └──► read at F ───┘
 *     a jump to the next F evicts the rows that changed, and those joined to what changed
 *
 * A cached row is the same object for as long as nothing of it changed, so that whatever was made of
 * it (its JSON) can be kept beside it. A read that was under way while its row changed answers its
 * own caller, who asked for the moment before, and is not cached.
 *
 * A collection that is gone by the time of the read reads as empty, also at a moment at which it was
 * there. The page's own rows are then missing; related documents that are missing although the
 * index knows of them make their row count as missing too.
 */
import { LRUCache } from 'lru-cache';
import { BSON, type Db, Decimal128, Long, ObjectId, type Timestamp } from 'mongodb';
import { SnapshotRead } from '../mongo/snapshotRead.ts';
import type { Resources } from '../query/pipeline.ts';
import type { Join, Resource } from '../resources/definition.ts';
import { type JoinedRow, valuesAt } from '../resources/record.ts';
import type { RowId } from '../textindex/api.ts';
import { RANK, scalarKey } from '../textindex/scalars.ts';
import { readRows } from './readRows.ts';
import type { RelationKey } from './relatedRows.ts';
import { type SharedRead, SharedReads } from './sharedReads.ts';

export interface RowStoreOptions {
  readonly db: Db;
  readonly resources: Resources;
  /** Bytes of BSON kept, over all collections. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Whether the index has a document that this join finds by this key, at the frontier. */
  readonly isThere: (join: Join, key: RelationKey) => boolean;
}

interface CachedRow {
  readonly row: JoinedRow;
  /** What the row was joined by, whether or not a document was found. */
  readonly joinKeys: readonly string[];
}

/** Cache keys and join keys that changed while a read was under way: not to be cached from it. */
type Reading = Set<string>;

export class RowStore {
  readonly #options: RowStoreOptions;
  readonly #cached: LRUCache<string, CachedRow>;
  /** Cached rows by what they were joined by. */
  readonly #joinedBy = new Map<string, Set<string>>();
  readonly #readings = new Set<Reading>();
  readonly #reads = new SharedReads<RowId, Reading, Map<string, JoinedRow>>({
    keyOf: scalarKey,
    open: () => this.#beginReading(),
    read: (read) => this.#read(read),
  });

  constructor(options: RowStoreOptions) {
    this.#options = options;
    this.#cached = new LRUCache({
      maxSize: options.maxBytes,
      maxEntrySize: Math.max(1, Math.floor(options.maxBytes / 8)),
      sizeCalculation: ({ row }) => sizeOf(row),
      dispose: ({ joinKeys }, key) => this.#unlink(key, joinKeys),
    });
  }

  /** The row at the frontier, if it is cached. */
  get(collection: string, id: RowId): JoinedRow | undefined {
    return this.#cached.get(cacheKey(collection, id))?.row;
  }

  /**
   * Rows as of `at`, which must be the frontier at the moment of the call.
   *
   * @returns by `scalarKey`; an id that has no document, that cannot be asked for, or whose related
   *   documents were gone when they were read, is missing. There may be rows that others asked for.
   */
  read(
    resource: Resource,
    ids: readonly RowId[],
    at: Timestamp,
  ): Promise<ReadonlyMap<string, JoinedRow>> {
    const askable = ids.filter((id) => queryValue(id) !== undefined);
    return this.#reads.read(resource, askable, at);
  }

  #beginReading(): Reading {
    const reading: Reading = new Set();
    this.#readings.add(reading);
    return reading;
  }

  async #read(shared: SharedRead<RowId, Reading>): Promise<Map<string, JoinedRow>> {
    const { db, resources, timeoutMs } = this.#options;
    const { resource, at, opened: reading } = shared;
    const ids = [...shared.ids.values()];
    try {
      const read = new SnapshotRead(db, { at, timeoutMs });
      const rows = await readRows(read, resource, resources, ids.map(queryValue));
      const found = new Map<string, JoinedRow>();
      for (const [position, row] of rows.entries()) {
        if (!row || this.#isTorn(resource, row, reading)) continue;
        const id = ids[position]!;
        found.set(scalarKey(id), row);
        this.#keep(resource, cacheKey(resource.collection, id), row, reading);
      }
      return found;
    } finally {
      this.#readings.delete(reading);
    }
  }

  /** Whether related documents are missing that were there, or of which nobody can tell. */
  #isTorn(resource: Resource, row: JoinedRow, reading: Reading): boolean {
    const { isThere } = this.#options;
    return resource.joins.some((join) => {
      if (row.joined[join.as]?.length !== 0) return false;
      const keys = keysOf(join, row) ?? [];
      return keys.some((key) => reading.has(joinKeyOf(join.to, key)) || isThere(join, key));
    });
  }

  #keep(resource: Resource, key: string, row: JoinedRow, reading: Reading): void {
    const joinKeys = joinKeysOf(resource, row);
    if (!joinKeys) return;
    const everything = `${resource.collection}\0`;
    if ([key, everything, ...joinKeys].some((one) => reading.has(one))) return;
    this.#cached.set(key, { row, joinKeys });
    if (!this.#cached.has(key)) return; // larger than an entry may be
    for (const joinKey of joinKeys) {
      const keys = this.#joinedBy.get(joinKey);
      if (keys) keys.add(key);
      else this.#joinedBy.set(joinKey, new Set([key]));
    }
  }

  /** To be called in the step in which the frontier moves past a change of these rows. */
  evict(collection: string, ids: Iterable<RowId>): void {
    for (const id of ids) this.#evict(cacheKey(collection, id));
  }

  /** Rows of any collection that are joined to documents of `to` by one of these keys. */
  evictJoined(to: string, keys: Iterable<RelationKey>): void {
    for (const relationKey of keys) {
      const joinKey = joinKeyOf(to, relationKey);
      for (const reading of this.#readings) reading.add(joinKey);
      for (const key of [...(this.#joinedBy.get(joinKey) ?? [])]) this.#evict(key);
    }
  }

  /** Forgets all rows of a collection, as when it is loaded anew. */
  clear(collection: string): void {
    for (const reading of this.#readings) reading.add(`${collection}\0`);
    for (const key of [...this.#cached.keys()]) {
      if (key.startsWith(`${collection}\0`)) this.#cached.delete(key);
    }
  }

  #evict(key: string): void {
    for (const reading of this.#readings) reading.add(key);
    this.#cached.delete(key);
  }

  #unlink(key: string, joinKeys: readonly string[]): void {
    for (const joinKey of joinKeys) {
      const keys = this.#joinedBy.get(joinKey);
      keys?.delete(key);
      if (keys?.size === 0) this.#joinedBy.delete(joinKey);
    }
  }
}

/** What an entry costs beside its documents: keys, links, the objects themselves. */
const ENTRY_BYTES = 400;

function sizeOf({ document, joined }: JoinedRow): number {
  return ENTRY_BYTES + BSON.calculateObjectSize(document) + BSON.calculateObjectSize(joined);
}

const cacheKey = (collection: string, id: RowId) => `${collection}\0${scalarKey(id)}`;

const joinKeyOf = (to: string, key: RelationKey) =>
  `joined to ${to}\0${typeof key === 'string' ? 'text' : 'number'} ${key}`;

/** Everything the row is joined by; undefined when it cannot be said. */
function joinKeysOf({ joins }: Resource, row: JoinedRow): string[] | undefined {
  const all: string[] = [];
  for (const join of joins) {
    const keys = keysOf(join, row);
    if (!keys) return undefined;
    all.push(...keys.map((key) => joinKeyOf(join.to, key)));
  }
  return all;
}

/** The keys that lead to the join's documents, as relations have them; undefined for decimals. */
function keysOf({ through, keyType }: Join, { document }: JoinedRow): RelationKey[] | undefined {
  const keys: RelationKey[] = [];
  for (const value of valuesAt(document, through)) {
    if (typeof value === keyType) keys.push(value as RelationKey);
    else if (keyType === 'number' && value instanceof Long) keys.push(value.toBigInt());
    else if (keyType === 'number' && value instanceof Decimal128) return undefined;
  }
  return keys;
}

/** What to ask the server for; undefined for ids of rare types, which only the pipeline can read. */
function queryValue(id: RowId): unknown {
  if (typeof id === 'bigint') return Long.fromBigInt(id);
  if (typeof id !== 'object' || id === null || id instanceof Date) return id;
  if (id.rank !== RANK.objectId) return undefined;
  return ObjectId.createFromHexString(Buffer.from(id.key, 'latin1').toString('hex'));
}
