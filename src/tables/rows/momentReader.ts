/**
 * Reads rows of one moment by their ids: documents, and the rows joined to these.
 *
 *     reply ──► documents ──► joined by their keys ──► rows: bytes, what they are joined to
 *
 * Rows wait until earlier rows are written. V8's collector copies waiting objects twice and then
 * keeps them until a full collection. So a row that waits is its bytes: only its keys are decoded
 * before it is written.
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { projectionOf } from '../../follow/extract.ts';
import { amongIds } from '../../store/bson/asData.ts';
import { decode } from '../../store/bson/decode.ts';
import { Members } from '../../store/bson/members.ts';
import { idKey } from '../../store/bson/storeValue.ts';
import type { Deadline } from '../../store/deadline.ts';
import { SnapshotRead } from '../../store/snapshotRead.ts';
import type { Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow, Presenter, StoredDocument } from '../definition/record.ts';
import { IS_LARGE, IS_SMALL, type LargeRow, SIZE, SMALL_ROW } from './largeRows.ts';
import { joinedTo } from './relatedDocuments.ts';
import { inSlices } from './slices.ts';

/** A row of the store. */
export class StoredRow implements JoinedRow {
  readonly bytes: Uint8Array;
  readonly joined: JoinedRow['joined'];

  constructor(bytes: Uint8Array, joined: JoinedRow['joined']) {
    this.bytes = bytes;
    this.joined = joined;
  }

  /** Decoded at each access. */
  get document(): StoredDocument {
    return decode(this.bytes);
  }
}

/** Does work that blocks the event loop for some milliseconds, when it is its turn. */
export type Step = <T>(work: () => T) => Promise<T>;

const atOnce: Step = async (work) => work();

/** Memory for documents that rows are joined to, bytes. */
export const JOINED_BYTES = 4 * 2 ** 20;

interface Reading {
  readonly resource: Resource;
  /** The presenters of the members to show. */
  readonly shown: readonly Presenter[];
  readonly at: Timestamp;
  /** A condition on all documents, of which some may not be the caller's. */
  readonly visible?: Document;
}

export class MomentReader {
  readonly resource: Resource;
  readonly #db: Db;
  readonly #resources: Resources;
  readonly #at: Timestamp;
  /** The joins of the members to show. */
  readonly #joins: Resource['joins'];
  /** The id of a document, and the members with the keys of its joined documents. */
  readonly #keys: Members;
  readonly #all: readonly number[];
  readonly #visible: Document;
  /** The parts of documents that rows show, and those by which they are joined. */
  readonly #projection: Readonly<Record<string, 1>>;

  constructor(
    { db, resources }: { readonly db: Db; readonly resources: Resources },
    { resource, shown, at, visible = {} }: Reading,
  ) {
    this.resource = resource;
    this.#visible = visible;
    this.#db = db;
    this.#resources = resources;
    this.#at = at;
    const joined = new Set(shown.map(({ joins }) => joins?.by));
    this.#joins = resource.joins.filter(({ by }) => joined.has(by));
    const keys = this.#joins.map(({ through }) => through.split('.', 1)[0]!);
    this.#keys = new Members([...new Set(['_id', ...keys])]);
    this.#all = this.#keys.names.map((_, place) => place);
    const paths = [
      ...this.#joins.map(({ through }) => through),
      ...shown.flatMap((one) => one.paths),
    ];
    this.#projection = projectionOf(paths.map((path) => ({ path })));
  }

  /**
   * One entry for each id: a small row, the size of a large one, undefined for a missing one.
   *
   * @param step does work that blocks the event loop; left out, at once
   */
  async rows(
    ids: readonly unknown[],
    deadline: Deadline,
    step = atOnce,
  ): Promise<readonly (StoredRow | LargeRow | undefined)[]> {
    const read = new SnapshotRead(this.#db, { at: this.#at, deadline });
    const rows: (StoredRow | LargeRow | undefined)[] = [];
    for await (const some of inSlices(ids)) rows.push(...(await this.#sized(read, some, step)));
    return rows;
  }

  async #sized(
    read: SnapshotRead,
    ids: readonly unknown[],
    step: Step,
  ): Promise<(StoredRow | LargeRow | undefined)[]> {
    const small = await this.#read(read, ids, IS_SMALL, step);
    const left = ids.filter((_, i) => !small[i]);
    if (left.length === 0) return small;
    const large = await read.aggregate(this.resource.collection, [
      { $match: { _id: amongIds(left), ...IS_LARGE, ...this.#visible } },
      { $project: this.#projection },
      { $project: { size: SIZE } },
    ]);
    const others = new Map<string, StoredRow | LargeRow | undefined>();
    for (const { _id: id, size } of large) others.set(idKey(id), { id, size });
    // Their documents are large by parts that no caller of this view may learn of.
    const few = large.filter(({ size }) => size <= SMALL_ROW).map(({ _id: id }): unknown => id);
    const come = few.length > 0 ? await this.#read(read, few, {}, step) : [];
    for (const [i, row] of come.entries()) others.set(idKey(few[i]), row);
    return small.map((row, i) => row ?? others.get(idKey(ids[i])));
  }

  /**
   * One entry for each id, however large; all together must fit one reply, unless it is a single
   * one.
   */
  async whole(
    ids: readonly unknown[],
    deadline: Deadline,
  ): Promise<readonly (StoredRow | undefined)[]> {
    const read = new SnapshotRead(this.#db, { at: this.#at, deadline });
    return await this.#read(read, ids, {}, atOnce);
  }

  async #read(
    read: SnapshotRead,
    ids: readonly unknown[],
    condition: Document,
    step: Step,
  ): Promise<(StoredRow | undefined)[]> {
    const found = await read.findSomeRaw(this.resource.collection, {
      filter: { _id: amongIds(ids), ...condition, ...this.#visible },
      projection: this.#projection,
    });
    const documents = await step(() => found.map((bytes) => this.#keysOf(bytes)));
    // A missing document counts as absent: the executor checks whether a collection was dropped.
    const joined = await joinedTo(this.#joins, this.#resources, documents, read);
    const rows = found.map((bytes, i) => new StoredRow(bytes, joined[i]!));
    const byId = new Map(rows.map((row, i) => [idKey(documents[i]!._id), row]));
    return ids.map((id) => byId.get(idKey(id)));
  }

  /** The members of a document that joins read. */
  #keysOf(bytes: Uint8Array): StoredDocument {
    this.#keys.read(bytes);
    return this.#keys.decode(bytes, this.#all);
  }
}
