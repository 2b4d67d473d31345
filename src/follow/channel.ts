/**
 * Commands to one database, sent as they are, with the documents of the reply left as raw BSON.
 *
 *     reply   { cursor: { firstBatch | nextBatch: [ … ], id, postBatchResumeToken }, operationTime }
 *                                                 └── each document stays bytes
 *
 * The driver's cursors and change streams hide facts that exactness needs: the time of each reply,
 * its size, and whether it came from the server cursor of the reply before. A channel has one
 * session, since a server cursor belongs to the session that opened it, and one command under way
 * at a time.
 */
import type { ClientSession, Db, Document, Long, Timestamp } from 'mongodb';
import { invariant } from '../errors.ts';
import { type ClusterTime, toClusterTime } from '../store/clusterTime.ts';
import { UNREAD, whileAsked } from '../store/commands.ts';
import { Deadline } from '../store/deadline.ts';

export interface Reply {
  /** Decoded, except for the documents of a batch. */
  readonly document: Document;
  /** The server's time when it answered. */
  readonly operationTime: ClusterTime;
}

/** One batch of a server cursor. */
export interface Batch {
  /** 0n when there is nothing more to get. */
  readonly cursor: bigint;
  /** The documents, each a view on the reply. */
  readonly documents: readonly Uint8Array[];
  /** `_data` of the post-batch resume token; null unless the cursor is a change stream. */
  readonly token: string | null;
  /** Size of the documents as they came over the wire. */
  readonly bytes: number;
  readonly operationTime: ClusterTime;
}

/** A reply that is not there after this many milliseconds will not come: the connection is cut. */
const REPLY_TIMEOUT_MS = 30_000;
/** The same for an answer that hardly matters. */
const KILL_MS = 1_000;

/** How long to wait before a further attempt, milliseconds. */
export const backoff = (attempt: number): number => Math.min(25 * 2 ** attempt, 2_000);

export class Channel {
  readonly #db: Db;
  readonly #signal: AbortSignal;
  readonly #session: ClientSession;

  /** @param signal ends the command under way */
  constructor(db: Db, signal: AbortSignal) {
    this.#db = db;
    this.#signal = signal;
    this.#session = db.client.startSession({ causalConsistency: false });
  }

  /**
   * Sends a command to the primary. `timeoutMs` counts from now, connecting included.
   *
   * @throws Ended where no reply came in time, and as soon as the primary that was asked is known to be lost or
   *   replaced. The new primary lacks the old one's cursors. A read at one time shows the same there.
   */
  async send(command: Document, timeoutMs = REPLY_TIMEOUT_MS): Promise<Reply> {
    this.#signal.throwIfAborted();
    const deadline = new Deadline(timeoutMs);
    const stop = () => deadline.stop('stopping');
    this.#signal.addEventListener('abort', stop, { once: true });
    try {
      const ask = (signal: AbortSignal) => this.#command(command, signal);
      const document = await whileAsked(this.#db, deadline, ask);
      const time = document.operationTime as Timestamp | undefined;
      invariant(time, 'a member of a replica set says its time');
      return { document, operationTime: toClusterTime(time) };
    } finally {
      deadline.close();
      this.#signal.removeEventListener('abort', stop);
    }
  }

  #command(command: Document, signal: AbortSignal): Promise<Document> {
    return this.#db.command(command, {
      session: this.#session,
      readPreference: 'primary',
      ...UNREAD,
      signal,
    });
  }

  async batch(command: Document, timeoutMs?: number): Promise<Batch> {
    return batchOf(await this.send(command, timeoutMs));
  }

  /** Frees a server cursor if that is still possible, also when the channel's work was ended. */
  async kill(collection: string, cursor: bigint): Promise<void> {
    if (cursor === 0n) return;
    const command = { killCursors: collection, cursors: [cursor] };
    await this.#command(command, AbortSignal.timeout(KILL_MS)).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#session.endSession().catch(() => {});
  }
}

function batchOf({ document, operationTime }: Reply): Batch {
  const { id, firstBatch, nextBatch, postBatchResumeToken } = document.cursor as RawCursor;
  const documents = firstBatch ?? nextBatch ?? [];
  return {
    cursor: id.toBigInt(),
    documents,
    token: postBatchResumeToken?._data ?? null,
    bytes: documents.reduce((sum, { length }) => sum + length, 0),
    operationTime,
  };
}

interface RawCursor {
  readonly id: Long;
  readonly firstBatch?: readonly Uint8Array[];
  readonly nextBatch?: readonly Uint8Array[];
  readonly postBatchResumeToken?: { readonly _data: string };
}
