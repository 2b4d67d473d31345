/**
 * Commands to one database, sent as they are, with the batch of the reply left as raw BSON.
 *
 *     reply   { cursor: { firstBatch | nextBatch: [ … ], id, postBatchResumeToken }, operationTime }
 *                         └── stays bytes ──┘
 *
 * The driver's cursors and change streams hide what exactness needs: the time of each reply, its
 * size, and whether it came from the server cursor of the reply before. A channel has one session,
 * since a server cursor belongs to the session that opened it, and one command under way at a time.
 */
import type { ClientSession, Document, MongoClient, Timestamp } from 'mongodb';
import { invariant } from '../errors.ts';
import { BsonType, eachElement, endOfValue, int64At, textAt } from './bson/raw.ts';
import { type ClusterTime, toClusterTime } from './clusterTime.ts';

export interface Reply {
  /** The reply's own members; what is nested in them is raw BSON. */
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
  /** `_data` of the post-batch resume token; null but for change streams. */
  readonly token: string | null;
  /** Size of the batch as it came over the wire. */
  readonly bytes: number;
  readonly operationTime: ClusterTime;
}

export interface ChannelOptions {
  readonly client: MongoClient;
  readonly dbName: string;
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
}

/** A reply that is not there after this many milliseconds will not come: the connection is cut. */
const PATIENCE_MS = 30_000;
/** For an answer that hardly matters. */
const KILL_MS = 1_000;

export class Channel {
  readonly #client: MongoClient;
  readonly #dbName: string;
  readonly #signal: AbortSignal;
  readonly #session: ClientSession;

  constructor({ client, dbName, signal }: ChannelOptions) {
    this.#client = client;
    this.#dbName = dbName;
    this.#signal = signal;
    this.#session = client.startSession({ causalConsistency: false });
  }

  /** Sends a command to the primary. `timeoutMs` counts from now, connecting included. */
  async send(command: Document, timeoutMs = PATIENCE_MS): Promise<Reply> {
    this.#signal.throwIfAborted();
    const abort = new AbortController();
    const stop = () => abort.abort(this.#signal.reason);
    this.#signal.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(() => abort.abort(new Error('the server did not answer')), timeoutMs);
    try {
      const document = await this.#command(command, abort.signal);
      const time = document.operationTime as Timestamp | undefined;
      invariant(time, 'a member of a replica set says its time');
      return { document, operationTime: toClusterTime(time) };
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', stop);
    }
  }

  #command(command: Document, signal: AbortSignal): Promise<Document> {
    return this.#client.db(this.#dbName).command(command, {
      session: this.#session,
      readPreference: 'primary',
      raw: true,
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

const decoder = new TextDecoder('latin1');

function batchOf({ document, operationTime }: Reply): Batch {
  const bytes = document.cursor as Uint8Array;
  let cursor = 0n;
  let token: string | null = null;
  let documents: Uint8Array[] = [];
  eachElement(bytes, 0, (type, nameAt, nameEnd, valueAt) => {
    const name = decoder.decode(bytes.subarray(nameAt, nameEnd));
    if (name === 'id') cursor = int64At(bytes, valueAt);
    else if (name === 'firstBatch' || name === 'nextBatch') documents = viewsOf(bytes, valueAt);
    else if (name === 'postBatchResumeToken') token = dataOf(bytes, type, valueAt);
  });
  return { cursor, documents, token, bytes: bytes.length, operationTime };
}

function viewsOf(bytes: Uint8Array, at: number): Uint8Array[] {
  const views: Uint8Array[] = [];
  eachElement(bytes, at, (type, _nameAt, _nameEnd, valueAt) => {
    views.push(bytes.subarray(valueAt, endOfValue(bytes, type, valueAt)));
  });
  return views;
}

/** The first string of a token document: its only member, `_data`. */
function dataOf(bytes: Uint8Array, type: number, at: number): string {
  let data = '';
  invariant(type === BsonType.object, 'a resume token is a document');
  eachElement(bytes, at, (memberType, _nameAt, _nameEnd, valueAt) => {
    if (memberType === BsonType.string) data = textAt(bytes, valueAt);
  });
  return data;
}
