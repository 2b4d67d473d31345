/**
 * A long result of one moment, reply by reply: as the reader takes it, and no further.
 *
 *     aggregate at T ──► reply ──► getMore ──► reply ──► …    the reader stops: killCursors
 *
 * Each reply has its own time limit, since the reader may be slow; the server would add them all up
 * (`maxTimeMS`). A cursor ends with its primary, so no command is repeated.
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { decodeAll } from './bson/decode.ts';
import { aggregateFrom, type Beginning, UNREAD, whileAsked } from './commands.ts';
import type { Deadline } from './deadline.ts';

export interface SnapshotCursorOptions {
  readonly collection: string;
  readonly pipeline: readonly Document[];
  readonly beginning: Beginning;
  readonly at: Timestamp;
  /** Documents of a reply. */
  readonly batchSize: number;
  /** Milliseconds that each reply may take. */
  readonly timeoutMs: number;
  /** The deadline of the whole read. */
  readonly deadline: Deadline;
}

interface Reply {
  readonly cursor: {
    readonly id: unknown;
    readonly firstBatch?: Uint8Array[];
    readonly nextBatch?: Uint8Array[];
  };
}

export async function* snapshotReplies(
  db: Db,
  { collection, pipeline, beginning, at, batchSize, timeoutMs, deadline }: SnapshotCursorOptions,
): AsyncGenerator<readonly Document[], void, void> {
  // A cursor belongs to a session. A causally consistent session would add its own moment.
  const session = db.client.startSession({ causalConsistency: false });
  const ask = async (command: Document) => {
    const asked = (signal: AbortSignal) => db.command(command, { session, signal, ...UNREAD });
    const reply = await deadline.during(timeoutMs, (time) => whileAsked(db, time, asked));
    return (reply as unknown as Reply).cursor;
  };
  let id: unknown = 0;
  const isOpen = () => String(id) !== '0';
  try {
    const command = {
      ...{ aggregate: collection, cursor: { batchSize }, allowDiskUse: true },
      readConcern: { level: 'snapshot', atClusterTime: at },
    };
    let reply = await aggregateFrom(beginning, pipeline, (asked) => ask({ ...command, ...asked }));
    id = reply.id;
    yield decodeAll(reply.firstBatch!);
    while (isOpen()) {
      reply = await ask({ getMore: id, collection, batchSize });
      id = reply.id;
      yield decodeAll(reply.nextBatch!);
    }
  } finally {
    // It does not matter whether the server hears of it: an unused cursor ends by itself.
    if (isOpen()) {
      const command = { killCursors: collection, cursors: [id] };
      const signal = AbortSignal.timeout(timeoutMs);
      await db.command(command, { session, signal }).catch(() => {});
    }
    await session.endSession();
  }
}
