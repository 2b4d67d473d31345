/**
 * Reads of one moment: every reply of a `SnapshotRead` shows the store at the same cluster time.
 *
 *     first command   readConcern snapshot                ──► reply carries atClusterTime T
 *     every other     readConcern snapshot, atClusterTime T
 *     each of them    in what is left of the time (timeLimit.ts)
 */
import {
  type Abortable,
  type Db,
  type Document,
  MongoServerError,
  type RunCursorCommandOptions,
  type Timestamp,
} from 'mongodb';
import { AppError, invariant } from '../errors.ts';
import type { TimeLimit } from './timeLimit.ts';

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

/** MaxTimeMSExpired, ExceededTimeLimit */
const TIME_IS_OVER = new Set<unknown>([50, 262]);

/** Whether a read failed because its time was over, as the server or its silence says. */
export const isOutOfTime = (error: unknown): boolean =>
  (error instanceof AppError && error.code === 'SearchTimeout') ||
  (error instanceof MongoServerError && TIME_IS_OVER.has(error.code));

export class SnapshotRead {
  readonly #db: Db;
  readonly #limit: TimeLimit;
  readonly #notBefore: Timestamp | undefined;
  #at: Timestamp | undefined;

  /**
   * @param options.at        the moment to read at; left out, the first read's reply decides it
   * @param options.notBefore a time the snapshot must include
   * @param options.limit     of all reads together; beyond it they fail with the server's
   *                          MaxTimeMSExpired, or with `SearchTimeout`
   */
  constructor(
    db: Db,
    options: {
      readonly at?: Timestamp;
      readonly notBefore?: Timestamp;
      readonly limit: TimeLimit;
    },
  ) {
    this.#db = db;
    this.#at = options.at;
    this.#notBefore = options.notBefore;
    this.#limit = options.limit;
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

  #read(command: Document): Promise<Document[]> {
    return this.#limit.keep((signal) => this.#readWithin(command, signal));
  }

  async #readWithin(command: Document, signal: AbortSignal): Promise<Document[]> {
    // A command, since the driver's cursors neither show the time of their reply nor give up a
    // connection when they are aborted.
    const reply = await this.#db.command(this.#timed(command), { signal });
    const { cursor } = reply as unknown as CursorReply;
    this.#at ??= cursor.atClusterTime;
    if (String(cursor.id) === '0') return [...cursor.firstBatch];
    return await this.#readByCursor(command, cursor.id, signal);
  }

  /** Reads anew what is larger than a reply. */
  async #readByCursor(command: Document, id: unknown, signal: AbortSignal): Promise<Document[]> {
    const killCursors = command.find ?? command.aggregate;
    await this.#db.command({ killCursors, cursors: [id] }, { signal });
    const options: RunCursorCommandOptions & Abortable = { signal };
    const cursor = this.#db.runCursorCommand(this.#timed(command), options);
    return await Promise.race([cursor.setBatchSize(batchSize).toArray(), aborted(signal)]);
  }

  #timed(command: Document): Document {
    return { ...command, readConcern: this.#readConcern(), maxTimeMS: this.#limit.left };
  }

  #readConcern(): Document {
    if (this.#at) return { level: 'snapshot', atClusterTime: this.#at };
    return this.#notBefore
      ? { level: 'snapshot', afterClusterTime: this.#notBefore }
      : { level: 'snapshot' };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
