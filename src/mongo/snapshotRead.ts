/**
 * Reads of one moment: every reply of a `SnapshotRead` shows the store at the same cluster time.
 *
 *     first command   readConcern snapshot                ──► reply carries atClusterTime T
 *     every other     readConcern snapshot, atClusterTime T
 */
import { type Db, type Document, MongoServerError, type Timestamp } from 'mongodb';
import { invariant } from '../errors.ts';

interface CursorReply {
  readonly cursor: {
    readonly id: unknown;
    readonly firstBatch: readonly Document[];
    readonly atClusterTime: Timestamp;
  };
}

/** Documents asked for in a first reply: as many as its 16 MB hold. */
const batchSize = 1_000_000;

/** QueryPlanKilled: an index or collection went away under the read. SnapshotTooOld,
 * SnapshotUnavailable: a collection or an index was made or dropped after the moment that is read. */
const OVERTAKEN = new Set<unknown>([175, 239, 246]);

/** Whether the catalogue overtook a read: at a later moment the same read may do. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof MongoServerError && OVERTAKEN.has(error.code);

export class SnapshotRead {
  readonly #db: Db;
  readonly #deadline: number;
  readonly #notBefore: Timestamp | undefined;
  #at: Timestamp | undefined;

  /**
   * @param options.at        the moment to read at; left out, the first read's reply decides it
   * @param options.notBefore a time the snapshot must include
   * @param options.timeoutMs limit for all reads together, each held to what is left of it
   */
  constructor(
    db: Db,
    options: {
      readonly at?: Timestamp;
      readonly notBefore?: Timestamp;
      readonly timeoutMs: number;
    },
  ) {
    this.#db = db;
    this.#at = options.at;
    this.#notBefore = options.notBefore;
    this.#deadline = performance.now() + options.timeoutMs;
  }

  /** The moment that is read; known after the first read. */
  get at(): Timestamp {
    invariant(this.#at, 'the snapshot time is known after the first read');
    return this.#at;
  }

  find(collection: string, options: Document): Promise<Document[]> {
    return this.#read({ find: collection, ...options, batchSize });
  }

  aggregate(collection: string, pipeline: readonly Document[]): Promise<Document[]> {
    const cursor = { batchSize };
    return this.#read({ aggregate: collection, pipeline, cursor, allowDiskUse: true });
  }

  async #read(command: Document): Promise<Document[]> {
    if (!this.#at) {
      // The driver's cursors do not show the time of their reply, so the first read is a command.
      const { cursor } = (await this.#db.command(this.#timed(command))) as unknown as CursorReply;
      this.#at = cursor.atClusterTime;
      if (String(cursor.id) === '0') return [...cursor.firstBatch];
      const collection = command.find ?? command.aggregate;
      await this.#db.command({ killCursors: collection, cursors: [cursor.id] });
    }
    const cursor = this.#db.runCursorCommand(this.#timed(command), {});
    return cursor.setBatchSize(batchSize).toArray();
  }

  #timed(command: Document): Document {
    return { ...command, readConcern: this.#readConcern(), maxTimeMS: this.#timeLeft() };
  }

  #readConcern(): Document {
    if (this.#at) return { level: 'snapshot', atClusterTime: this.#at };
    return this.#notBefore
      ? { level: 'snapshot', afterClusterTime: this.#notBefore }
      : { level: 'snapshot' };
  }

  /** At least 1: zero would mean no limit. */
  #timeLeft(): number {
    return Math.max(1, Math.round(this.#deadline - performance.now()));
  }
}
