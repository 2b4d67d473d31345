/**
 * A long result of one moment, reply by reply: as the reader takes it, and no further.
 *
 *     command at T ──► reply ──► getMore ──► reply ──► …    the reader stops: killCursors
 *
 * A cursor ends with its primary, so no command is repeated.
 */
import type { ClientSession, Db, Document, Timestamp } from 'mongodb';
import { decodeAll } from './bson/decode.ts';
import { aggregateFrom, type Beginning, UNREAD, whileAsked } from './commands.ts';
import type { Deadline } from './deadline.ts';

/** Sends a command with these options, within a time of the caller's. */
type Send = (
  command: Document,
  options: typeof UNREAD & { readonly session: ClientSession },
) => Promise<Document>;

/** The time in which a server may hear that a cursor is not needed any more, milliseconds. */
const KILL_MS = 1_000;

/** @param begin asks for the first reply */
export async function* repliesOf(
  db: Db,
  { collection, batchSize }: { readonly collection: string; readonly batchSize: number },
  send: Send,
  begin: (ask: (command: Document) => Promise<Document>) => Promise<Document>,
): AsyncGenerator<readonly Uint8Array[], void, void> {
  // A cursor belongs to a session. A causally consistent session would add its own moment.
  const session = db.client.startSession({ causalConsistency: false });
  const ask = (command: Document) => send(command, { ...UNREAD, session });
  let id: unknown = 0;
  const isOpen = () => String(id) !== '0';
  try {
    let { cursor } = await begin(ask);
    for (;;) {
      id = cursor.id;
      yield cursor.firstBatch ?? cursor.nextBatch;
      if (!isOpen()) return;
      ({ cursor } = await ask({ getMore: id, collection, batchSize }));
    }
  } finally {
    const command = { killCursors: collection, cursors: [id] };
    const signal = AbortSignal.timeout(KILL_MS);
    const killed = isOpen() ? db.command(command, { session, signal }) : Promise.resolve();
    // Nobody waits for it: an unused cursor ends by itself.
    void killed.catch(() => {}).then(() => session.endSession());
  }
}

export interface SnapshotCursorOptions {
  readonly collection: string;
  readonly pipeline: readonly Document[];
  readonly beginning: Beginning;
  readonly at: Timestamp;
  /** Documents of a reply. */
  readonly batchSize: number;
  /**
   * Milliseconds that each reply may take, since the reader may be slow. With `maxTimeMS` the server would add
   * them all up.
   */
  readonly timeoutMs: number;
  /** The deadline of the whole read. */
  readonly deadline: Deadline;
}

export async function* snapshotReplies(
  db: Db,
  { pipeline, beginning, at, timeoutMs, deadline, ...of }: SnapshotCursorOptions,
): AsyncGenerator<readonly Document[], void, void> {
  const aggregate = {
    ...{ aggregate: of.collection, cursor: { batchSize: of.batchSize }, allowDiskUse: true },
    readConcern: { level: 'snapshot', atClusterTime: at },
  };
  const send: Send = (command, options) =>
    deadline.during(timeoutMs, (time) =>
      whileAsked(db, time, (signal) => db.command(command, { ...options, signal })),
    );
  const replies = repliesOf(db, of, send, (ask) =>
    aggregateFrom(beginning, pipeline, (asked) => ask({ ...aggregate, ...asked })),
  );
  for await (const documents of replies) yield decodeAll(documents);
}
