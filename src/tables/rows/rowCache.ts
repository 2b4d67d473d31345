/**
 * The rows of pages as of the frontier: an LRU in front of reads at one cluster time. For watched
 * explores, which show the same rows again and again, it also caches the text written of rows from
 * memory.
 *
 *     ids of a page ──► cached at F ─┬─► rows, with the related documents their records show
 *                  └──► read at F ───┘
 *     an advance to the next F evicts the rows that changed, and those joined to what changed
 *
 * A cached row stays the same object until something of it changes, so that text made of it (its
 * JSON) can be kept beside it. If a row changes during a read, the read still answers its own
 * caller, who asked for the moment before. Its result is not cached.
 *
 * A collection that was dropped before the read reads as empty, even at a moment when it existed.
 * The page's own rows are then missing. A row also counts as missing if related documents are
 * missing that the index knows.
 *
 * The cache reads and keeps only the size of a large row; the row itself is read when its page is
 * written.
 */
import { LRUCache } from 'lru-cache';
import { BSON, type Db, type Timestamp } from 'mongodb';
import type { Deadline } from '../../store/deadline.ts';
import { SnapshotRead } from '../../store/snapshotRead.ts';
import { RestText, type RowId, scalarKey } from '../../textindex/index.ts';
import type { Join, Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import { inSlices } from '../index/slices.ts';
import { queryValue } from '../query/storeValue.ts';
import { IS_SMALL, isLarge, type LargeRow, withSizes } from './largeRows.ts';
import { type ExportedRow, MomentReader } from './momentReader.ts';
import { inOrder, readRows } from './readRows.ts';
import { everythingOf, joinKeyOf, keysOf, RelatedDocuments } from './relatedDocuments.ts';
import type { RelationKey } from './relatedRows.ts';
import { type SharedRead, SharedReads } from './sharedReads.ts';
import { WatchedRow } from './watchedRow.ts';

export interface RowCacheOptions {
  readonly db: Db;
  readonly resources: Resources;
  /** Bytes of BSON cached, over all collections. */
  readonly maxBytes: number;
  /** Whether the index has a document that this join finds by this key, at the frontier. */
  readonly isThere: (join: Join, key: RelationKey) => boolean;
}

interface CachedRow {
  readonly row: JoinedRow | LargeRow;
  /** The keys by which the row was joined, whether or not a document was found. */
  readonly joinKeys: readonly string[];
}

/** Reads rows that are large, of one moment. */
export interface LargeReads {
  /** The large rows that still exist, in the order of the ids. */
  read(ids: readonly unknown[], deadline: Deadline): Promise<readonly ExportedRow[]>;
  /** Ends the reading. */
  end(): void;
}

/** Cache keys and join keys that changed while a read was under way: not to be cached from it. */
type Reading = Set<string>;

export class RowCache {
  readonly #options: RowCacheOptions;
  readonly #cached: LRUCache<string, CachedRow>;
  /** Cached rows by the keys they were joined by. */
  readonly #joinedBy = new Map<string, Set<string>>();
  readonly #readings = new Set<Reading>();
  readonly #related: RelatedDocuments;
  readonly #reads = new SharedReads<RowId, Reading, Map<string, JoinedRow | LargeRow>>({
    idKey: scalarKey,
    open: () => this.#beginReading(),
    read: (read) => this.#read(read),
  });

  constructor(options: RowCacheOptions) {
    this.#options = options;
    const { maxBytes } = options;
    const relatedBytes = Math.floor(maxBytes / RELATED_SHARE);
    this.#related = new RelatedDocuments({ ...options, maxBytes: relatedBytes });
    this.#cached = new LRUCache({
      maxSize: maxBytes - relatedBytes,
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
      sizeCalculation: ({ row }) => sizeOf(row),
      dispose: ({ joinKeys }, key) => this.#unlink(key, joinKeys),
    });
  }

  /** The row at the frontier, if it is cached. */
  get(collection: string, id: RowId): JoinedRow | LargeRow | undefined {
    const row = this.entry(collection, id);
    return row instanceof WatchedRow ? undefined : row;
  }

  /** The same, and rows of watched explores with the text written of them. */
  entry(collection: string, id: RowId): JoinedRow | LargeRow | undefined {
    return this.#cached.get(cacheKey(collection, id))?.row;
  }

  /**
   * Rows as of `at`, which must be the frontier at the moment of the call.
   *
   * @returns by `scalarKey`; an id that has no document, that cannot be asked for, or whose related
   * documents were gone when they were read, is missing. It may hold rows that other callers asked
   * for.
   */
  read(
    resource: Resource,
    ids: readonly RowId[],
    at: Timestamp,
    deadline: Deadline,
  ): Promise<ReadonlyMap<string, JoinedRow | LargeRow>> {
    const askable = ids.filter((id) => queryValue(id) !== undefined);
    return this.#reads.read(resource, askable, at, deadline);
  }

  /** Reads large rows as of `at`, which must be the frontier at the moment of the call. */
  large(resource: Resource, at: Timestamp): LargeReads {
    const reading = this.#beginReading();
    const shown = Object.values(resource.record);
    let reader: MomentReader | undefined;
    return {
      read: async (ids, deadline) => {
        reader ??= new MomentReader(this.#options, resource, shown, at);
        const rows = await reader.whole(ids, deadline);
        return rows.filter((row) => row && !this.#isTorn(resource, row, reading)) as ExportedRow[];
      },
      end: () => void this.#readings.delete(reading),
    };
  }

  #beginReading(): Reading {
    const reading: Reading = new Set();
    this.#readings.add(reading);
    return reading;
  }

  async #read(shared: SharedRead<RowId, Reading>): Promise<Map<string, JoinedRow | LargeRow>> {
    const { db } = this.#options;
    const { resource, at, opened: reading, deadline } = shared;
    const ids = [...shared.ids.values()];
    try {
      const read = new SnapshotRead(db, { at, deadline });
      const found = new Map<string, JoinedRow | LargeRow>();
      for await (const some of inSlices(ids)) {
        const rows = await this.#rowsOf(resource, some.map(queryValue), read, reading);
        for (const [position, row] of rows.entries()) {
          if (!row || (!isLarge(row) && this.#isTorn(resource, row, reading))) continue;
          const id = some[position]!;
          found.set(scalarKey(id), row);
          this.#add(resource, cacheKey(resource.collection, id), row, reading);
        }
      }
      return found;
    } finally {
      this.#readings.delete(reading);
    }
  }

  /** One row for each id; the server joins rows that cannot be joined here. */
  async #rowsOf(
    resource: Resource,
    ids: readonly unknown[],
    read: SnapshotRead,
    reading: Reading,
  ): Promise<(JoinedRow | LargeRow | undefined)[]> {
    const { collection } = resource;
    const documents = await read.find(collection, { filter: { _id: { $in: ids }, ...IS_SMALL } });
    const rows = await this.#related.join(resource, documents, read, reading);
    const left = documents.filter((_, i) => !rows[i]).map(({ _id }): unknown => _id);
    const joinedByServer = await readRows(read, resource, this.#options.resources, left);
    const all = [...rows, ...joinedByServer].filter((row): row is JoinedRow => row !== undefined);
    return await withSizes(inOrder(all, ids), ids, read, collection);
  }

  /** Whether related documents are missing that were there, or of which that is unknown. */
  #isTorn(resource: Resource, row: JoinedRow, reading: Reading): boolean {
    const { isThere } = this.#options;
    return resource.joins.some((join) => {
      if (row.joined[join.as]?.length !== 0) return false;
      const keys = keysOf(join, row.document) ?? [];
      return keys.some((key) => reading.has(joinKeyOf(join.to, key)) || isThere(join, key));
    });
  }

  /** Caches a row from memory, in the step in which it is taken from there. */
  add(resource: Resource, id: RowId, row: JoinedRow): void {
    this.#add(resource, cacheKey(resource.collection, id), row, NOTHING_CHANGED);
  }

  #add(resource: Resource, key: string, row: JoinedRow | LargeRow, reading: Reading): void {
    const joinKeys = isLarge(row) ? [] : joinKeysOf(resource, row);
    if (!joinKeys) return;
    const everything = everythingOf(resource.collection);
    if ([key, everything, ...joinKeys].some((one) => reading.has(one))) return;
    this.#cached.set(key, { row, joinKeys });
    if (!this.#cached.has(key)) return; // larger than an entry may be
    for (const joinKey of joinKeys) {
      const keys = this.#joinedBy.get(joinKey);
      if (keys) keys.add(key);
      else this.#joinedBy.set(joinKey, new Set([key]));
    }
  }

  /** Called in the step in which the frontier moves past a change of these rows. */
  evict(collection: string, ids: Iterable<RowId>): void {
    for (const id of ids) this.#evict(cacheKey(collection, id));
  }

  /** Rows of any collection that are joined to documents of `to` by one of these keys. */
  evictJoined(to: string, keys: Iterable<RelationKey>): void {
    for (const relationKey of keys) {
      const joinKey = joinKeyOf(to, relationKey);
      for (const reading of this.#readings) reading.add(joinKey);
      this.#related.evict(joinKey);
      for (const key of [...(this.#joinedBy.get(joinKey) ?? [])]) this.#evict(key);
    }
  }

  /** Forgets all rows of a collection, before it is loaded again. */
  clear(collection: string): void {
    const everything = everythingOf(collection);
    for (const reading of this.#readings) reading.add(everything);
    for (const key of [...this.#cached.keys()]) {
      if (key.startsWith(everything)) this.#cached.delete(key);
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

/** The part of the bytes for documents that rows are joined to: one in so many. */
const RELATED_SHARE = 8;

/** The bytes of an entry beside its documents: keys, links, the objects themselves. */
const ENTRY_BYTES = 400;

/** Its values, and the JSON that is kept beside it, take about as much again each. */
const TIMES_BSON = 3;

function sizeOf(row: JoinedRow | LargeRow): number {
  if (row instanceof WatchedRow) return row.bytes;
  if (isLarge(row)) return ENTRY_BYTES;
  const { document, joined, memory } = row;
  let bytes = BSON.calculateObjectSize(document) + BSON.calculateObjectSize(joined);
  if (memory) {
    memory.rest.read(rest);
    bytes += rest.length;
    for (const value of memory.values) bytes += typeof value === 'string' ? value.length : 8;
  }
  return ENTRY_BYTES + TIMES_BSON * bytes;
}

/** The buffer that rests are read into. */
const rest = new RestText();

const NOTHING_CHANGED: Reading = new Set();

const cacheKey = (collection: string, id: RowId) => `${everythingOf(collection)}${scalarKey(id)}`;

/** The keys by which the row is joined; undefined if one of them is of a rare type. */
function joinKeysOf({ joins }: Resource, row: JoinedRow): string[] | undefined {
  const all: string[] = [];
  for (const join of joins) {
    const keys = keysOf(join, row.document);
    if (!keys) return undefined;
    all.push(...keys.map((key) => joinKeyOf(join.to, key)));
  }
  return all;
}
