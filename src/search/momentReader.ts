/**
 * Rows of one moment by their ids, as bytes; what they are joined to is remembered, since it stays the
 * same.
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { Members } from '../mongo/bson/members.ts';
import type { Deadline } from '../mongo/deadline.ts';
import { SnapshotRead } from '../mongo/snapshotRead.ts';
import type { Resources } from '../query/pipeline.ts';
import type { Resource } from '../resources/definition.ts';
import type { JoinedRow, Presenter, StoredDocument } from '../resources/record.ts';
import { IS_SMALL, type LargeRow, withSizes } from './largeRows.ts';
import { inOrder, readRows } from './readRows.ts';
import { RelatedDocuments } from './relatedDocuments.ts';

/** A row to be written: its document as bytes, and of its values those that were asked for. */
export interface ExportedRow extends JoinedRow {
  /** Left out where the store itself had to join the row; then all values are there. */
  readonly bytes?: Uint8Array;
}

/** Does work that blocks the event loop for some milliseconds, when it is its turn. */
export type Step = <T>(work: () => T) => Promise<T>;

/** For documents that rows are joined to, bytes. */
export const JOINED_BYTES = 4 * 2 ** 20;

export class MomentReader {
  readonly resource: Resource;
  readonly #db: Db;
  readonly #resources: Resources;
  readonly #at: Timestamp;
  readonly #related: RelatedDocuments;
  /** What is made a value of each document: its id, what it is joined by, and what presenters look at. */
  readonly #members: Members;
  readonly #all: readonly number[];
  readonly #projection: Document;

  /** @param shown what is to be shown of the rows */
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
    // What is missing is missing: whether a collection went away is looked at by others.
    const options = { resources, maxBytes: JOINED_BYTES, isThere: () => false };
    this.#related = new RelatedDocuments(options);
    const joined = resource.joins.map(({ through }) => through.split('.', 1)[0]!);
    const valued = shown.flatMap(({ plain, reads }) => (plain ? [] : reads));
    this.#members = new Members([...new Set(['_id', ...joined, ...valued])]);
    this.#all = this.#members.names.map((_, place) => place);
    const read = [...this.#members.names, ...shown.flatMap(({ reads }) => reads)];
    this.#projection = Object.fromEntries(read.map((name) => [name, 1]));
  }

  /**
   * One for each id: a small row, how large it is where it is not, undefined where it is not there.
   *
   * @param step does what blocks the event loop
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

  /** One for each id, however large; they must not be more than a reply holds, unless it is one. */
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
    const documents = await step(() => found.map((bytes) => this.#valuesOf(bytes)));
    const joined = await this.#related.join(this.resource, documents, read, NOTHING);
    const rows: ExportedRow[] = joined.flatMap((row, i) => {
      return row ? [{ ...row, bytes: found[i]! }] : [];
    });
    if (rows.length < found.length) {
      const left = documents.filter((_, i) => !joined[i]).map(({ _id }): unknown => _id);
      const lefts = await readRows(read, this.resource, this.#resources, left);
      rows.push(...lefts.filter((row) => row !== undefined));
    }
    return inOrder(rows, ids);
  }

  #valuesOf(bytes: Uint8Array): StoredDocument {
    this.#members.read(bytes);
    return this.#members.decode(bytes, this.#all);
  }
}

/** Nothing changes at one moment. */
const NOTHING = { has: () => false };
