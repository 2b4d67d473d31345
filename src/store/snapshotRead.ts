/**
 * Reads of one moment: every reply of a `SnapshotRead` shows the store at the same cluster time.
 *
 *     first command   readConcern snapshot                ──► reply carries atClusterTime T
 *     every other     readConcern snapshot, atClusterTime T
 *     each of them    in what is left of the time (deadline.ts)
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { invariant } from '../errors.ts';
import { decodeAll } from './bson/decode.ts';
import { aggregateFrom, type Beginning, byBytes, read } from './commands.ts';
import type { Deadline } from './deadline.ts';
import { repliesOf } from './snapshotCursor.ts';

/** The size of a first reply: as many documents as its 16 MB hold. */
const batchSize = 1_000_000;

interface SnapshotReadOptions {
  /** The moment to read at; left out, the first read's reply decides it. */
  readonly at?: Timestamp | undefined;
  /** A time the snapshot must include. */
  readonly notBefore?: Timestamp | undefined;
  /** The end of all reads together; beyond it they fail with the server's MaxTimeMSExpired, or with `Ended`. */
  readonly deadline: Deadline;
}

export class SnapshotRead {
  readonly #db: Db;
  readonly #options: SnapshotReadOptions;
  #at: Timestamp | undefined;

  constructor(db: Db, options: SnapshotReadOptions) {
    this.#db = db;
    this.#options = options;
    this.#at = options.at;
  }

  /** The moment that is read; known after the first read. */
  get at(): Timestamp {
    invariant(this.#at, 'the snapshot time is known after the first read');
    return this.#at;
  }

  /**
   * Fixes the moment by a read of nothing, unless it is known. A `find` in a collection that is missing
   * would not tell it.
   */
  async begin(collection: string): Promise<Timestamp> {
    if (!this.#at) await this.aggregate(collection, [{ $match: { _id: { $in: [] } } }]);
    return this.at;
  }

  async find(collection: string, options: Document): Promise<Document[]> {
    const command = { find: collection, ...options, batchSize };
    return decodeAll(await byBytes((compared) => this.#read({ ...command, ...compared })));
  }

  /**
   * As many of the documents as one reply of 16 MB holds, as raw bytes. The collection's own collation
   * compares: the database index by `_id` has no other, and callers tell ids apart themselves.
   */
  async findSomeRaw(collection: string, options: Document): Promise<Uint8Array[]> {
    // Not by `singleBatch`: a view refuses it.
    const command = { find: collection, ...options, batchSize };
    return await this.#read(command, true);
  }

  async aggregate(
    collection: string,
    pipeline: readonly Document[],
    beginning: Beginning = {},
  ): Promise<Document[]> {
    const command = { aggregate: collection, cursor: { batchSize }, allowDiskUse: true };
    const ask = (asked: Document) => this.#read({ ...command, ...asked });
    return decodeAll(await aggregateFrom(beginning, pipeline, ask));
  }

  #read(command: Document, onlySome = false): Promise<Uint8Array[]> {
    return read(this.#db, this.#options.deadline, (signal) =>
      this.#readWithin(command, signal, onlySome),
    );
  }

  async #readWithin(
    command: Document,
    signal: AbortSignal,
    onlySome: boolean,
  ): Promise<Uint8Array[]> {
    const replies = repliesOf(
      this.#db,
      { collection: command.find ?? command.aggregate, batchSize },
      (asked, options) => this.#db.command(asked, { ...options, signal }),
      async (ask) => {
        const reply = await ask(this.#timed(command));
        this.#at ??= reply.cursor.atClusterTime;
        return reply;
      },
    );
    const all: Uint8Array[] = [];
    for await (const documents of replies) {
      for (const document of documents) all.push(document);
      if (onlySome) break;
    }
    return all;
  }

  #timed(command: Document): Document {
    return { ...command, readConcern: this.#readConcern(), maxTimeMS: this.#options.deadline.left };
  }

  #readConcern(): Document {
    if (this.#at) return { level: 'snapshot', atClusterTime: this.#at };
    const { notBefore } = this.#options;
    return { level: 'snapshot', ...(notBefore && { afterClusterTime: notBefore }) };
  }
}
