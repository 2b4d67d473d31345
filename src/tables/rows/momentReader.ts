/**
 * Reads rows of one moment by their ids, as bytes; the documents they are joined to are cached,
 * since at one moment they stay the same.
 *
 *     reply ──► each document's bytes, what it is joined to ──► a row: these two, and nothing else
 *
 * Rows wait until earlier rows are written. V8's collector copies waiting objects twice and then
 * keeps them until a full collection. So nothing is decoded from a document before it is written,
 * unless its joined documents are not known yet.
 */
import { LRUCache } from 'lru-cache';
import { BSON, type Db, type Document, type Timestamp } from 'mongodb';
import { Members } from '../../store/bson/members.ts';
import { BsonType } from '../../store/bson/raw.ts';
import type { Deadline } from '../../store/deadline.ts';
import { idKey } from '../../store/idKey.ts';
import { SnapshotRead } from '../../store/snapshotRead.ts';
import type { Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow, Presenter, StoredDocument } from '../definition/record.ts';
import { IS_SMALL, type LargeRow, withSizes } from './largeRows.ts';
import { readRows } from './readRows.ts';
import { RelatedDocuments } from './relatedDocuments.ts';

/**
 * A row to be written: its document as bytes, decoded only for its id and the values by which it is
 * joined.
 */
export interface ExportedRow extends JoinedRow {
  /** Left out if the store itself had to join the row; then all values are there. */
  readonly bytes?: Uint8Array;
}

/** Makes values of a document. */
type DecodeValues = (bytes: Uint8Array) => StoredDocument;

class StoredRow implements ExportedRow {
  readonly bytes: Uint8Array;
  readonly joined: JoinedRow['joined'];
  readonly #decode: DecodeValues;

  constructor(bytes: Uint8Array, joined: JoinedRow['joined'], decode: DecodeValues) {
    this.bytes = bytes;
    this.joined = joined;
    this.#decode = decode;
  }

  /** Decoded at each access. */
  get document(): StoredDocument {
    return this.#decode(this.bytes);
  }
}

/** Does work that blocks the event loop for some milliseconds, when it is its turn. */
export type Step = <T>(work: () => T) => Promise<T>;

/** Memory for documents that rows are joined to, bytes. */
export const JOINED_BYTES = 4 * 2 ** 20;

/** The most cached values with their joined documents, and the most bytes of these. */
const MAX_CACHED = 8_192;
const CACHED_BYTES = JOINED_BYTES / 4;

export class MomentReader {
  readonly resource: Resource;
  readonly #db: Db;
  readonly #resources: Resources;
  readonly #at: Timestamp;
  readonly #related: RelatedDocuments;
  /** Finds in each document its id, then the members that lead to joined documents. */
  readonly #members: Members;
  readonly #all: readonly number[];
  readonly #projection: Document;
  /** The joined documents by the one value that leads to them: the same object for all rows. */
  readonly #joinedBy = new LRUCache<string | typeof NOWHERE, JoinedRow['joined']>({
    max: MAX_CACHED,
    maxSize: CACHED_BYTES,
    sizeCalculation: (joined) => 1 + BSON.calculateObjectSize(joined),
  });
  readonly #decode: DecodeValues;

  /** @param shown the presenters of the members to show */
  constructor(
    { db, resources }: { readonly db: Db; readonly resources: Resources },
    resource: Resource,
    shown: readonly Presenter[],
    at: Timestamp,
  ) {
    this.resource = resource;
    this.#db = db;
    this.#resources = resources;
    this.#at = at;
    // A missing document counts as absent: the executor checks whether a collection was dropped.
    const options = { resources, maxBytes: JOINED_BYTES - CACHED_BYTES };
    this.#related = new RelatedDocuments(options);
    const joined = resource.joins.map(({ through }) => through.split('.', 1)[0]!);
    this.#members = new Members([...new Set(['_id', ...joined])]);
    this.#all = this.#members.names.map((_, place) => place);
    const read = [...this.#members.names, ...shown.flatMap(({ reads }) => reads)];
    this.#projection = Object.fromEntries(read.map((name) => [name, 1]));
    this.#decode = (bytes) => {
      this.#members.read(bytes);
      return this.#members.decode(bytes, this.#all);
    };
  }

  /**
   * One entry for each id: a small row, the size of a large one, undefined for a missing one.
   *
   * @param step does work that blocks the event loop
   */
  async rows(
    ids: readonly unknown[],
    deadline: Deadline,
    step: Step,
  ): Promise<readonly (ExportedRow | LargeRow | undefined)[]> {
    const read = new SnapshotRead(this.#db, { at: this.#at, deadline });
    const small = await this.#read(read, ids, IS_SMALL, step);
    return await withSizes(small, ids, read, this.resource.collection);
  }

  /**
   * One entry for each id, however large; all together must fit one reply, unless it is a single
   * one.
   */
  async whole(
    ids: readonly unknown[],
    deadline: Deadline,
  ): Promise<readonly (ExportedRow | undefined)[]> {
    const read = new SnapshotRead(this.#db, { at: this.#at, deadline });
    return await this.#read(read, ids, {}, async (work) => work());
  }

  async #read(
    read: SnapshotRead,
    ids: readonly unknown[],
    condition: Document,
    step: Step,
  ): Promise<(ExportedRow | undefined)[]> {
    const found = await read.findSomeRaw(this.resource.collection, {
      filter: { _id: { $in: ids }, ...condition },
      projection: this.#projection,
    });
    const byId = new Map<unknown, ExportedRow>();
    const apart = await step(() => found.filter((bytes) => !this.#take(bytes, byId)));
    if (apart.length > 0) {
      const documents = await step(() => apart.map(this.#decode));
      const joined = await this.#related.join(this.resource, documents, read);
      const left: unknown[] = [];
      for (const [i, row] of joined.entries()) {
        if (row) this.#cache(apart[i]!, row.joined, byId);
        else left.push(documents[i]!._id);
      }
      const rows = await readRows(read, this.resource, this.#resources, left);
      for (const row of rows) if (row) byId.set(keyOf(row.document._id), row);
    }
    return ids.map((id) => byId.get(keyOf(id)));
  }

  /** Makes a row of a document if its joined documents are cached; false if not. */
  #take(bytes: Uint8Array, byId: Map<unknown, ExportedRow>): boolean {
    this.#members.read(bytes);
    const by = this.#leadsTo(bytes);
    const joined = by === undefined ? undefined : this.#joinedBy.get(by);
    if (joined) this.#put(bytes, joined, byId);
    return joined !== undefined;
  }

  #cache(bytes: Uint8Array, joined: JoinedRow['joined'], byId: Map<unknown, ExportedRow>): void {
    this.#members.read(bytes);
    const by = this.#leadsTo(bytes);
    if (by !== undefined) this.#joinedBy.set(by, joined);
    this.#put(bytes, joined, byId);
  }

  #put(bytes: Uint8Array, joined: JoinedRow['joined'], byId: Map<unknown, ExportedRow>): void {
    const id = keyOf(this.#members.value(bytes, ID));
    byId.set(id, new StoredRow(bytes, joined, this.#decode));
  }

  /**
   * The key by which the document read last is joined, if that is one text or nothing. Undefined
   * for anything else.
   */
  #leadsTo(bytes: Uint8Array): string | typeof NOWHERE | undefined {
    const { types, names } = this.#members;
    if (this.resource.joins.length === 0) return NOWHERE;
    if (names.length !== 2) return undefined;
    switch (types[JOINED_BY]) {
      case 0:
      case BsonType.null:
        return NOWHERE;
      case BsonType.string:
        return this.#members.value(bytes, JOINED_BY) as string;
      default:
        return undefined;
    }
  }
}

/** The key of rows that are joined by nothing. */
const NOWHERE = Symbol('nowhere');

/** Places of members. */
const ID = 0;
const JOINED_BY = 1;

/** An id as a key: numbers are their own. */
const keyOf = idKey;
