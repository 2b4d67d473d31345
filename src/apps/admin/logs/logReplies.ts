/**
 * The lines of a log as the store's replies bring them, none larger than it has to be.
 *
 * ```
 * lines asked for   2 ─▶ 32 ─▶ 512 ─▶ …      at most sixteen times as many as before,
 *                                            and no more than 512 kB at the average size until now
 * ```
 *
 * A reply always holds up to 16 MB, and a line may be nearly as long. The store
 * knows no limit in bytes but that one; so the number of lines follows their size. Large lines
 * after small ones can still make a single reply that large: the reader learns each reply's size,
 * and may refuse. It decodes lines one by one: a page may end before the reply does.
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { decode } from '../../../store/bson/decode.ts';
import { majorityAfter } from '../../../store/commands.ts';
import { COLLECTIONS, type TaskLogDocument } from '../documents.ts';
import type { Turn } from '../manage/taskLookup.ts';
import type { Position } from './logPosition.ts';

/** On whose account a log is read. */
export interface LogReader {
  readonly turn: Turn;
  /** Every read shows this moment of the store or a later one. */
  readonly notBefore?: Timestamp | undefined;
  /** Told how many bytes a reply holds until it is released; throws when that is too much. */
  hold(bytes: number): { release(): void };
  /** Does a step of work, of some milliseconds at most, when the event loop has time for it. */
  step<T>(work: () => T): Promise<T>;
}

const FIRST_LINES = 2;
const GROWTH = 16;
const MAX_LINES = 5_001;
const REPLY_BYTES = 524_288;

/** Positions are numbers; a line that has none is dirty data and cannot be paged to. */
export const numbered = (after: Position | undefined): Document => ({
  $gt: after ?? Number.NEGATIVE_INFINITY,
  $lt: Number.POSITIVE_INFINITY,
});

export interface LogQuery {
  readonly taskId: string;
  /** Lines after this position; all of them when it is left out. */
  readonly after?: Position | undefined;
  /** The most lines. */
  readonly limit?: number | undefined;
  /** Longest time of all replies together, milliseconds. */
  readonly maxTimeMS?: number;
}

/** The lines of a reply, each decoded when it is taken. */
type Lines = Generator<TaskLogDocument, void, void>;

/** Reply by reply, in the order of `seq`. The cursor is closed when the reader stops early. */
export async function* logReplies(
  db: Db,
  { taskId, after, ...bounds }: LogQuery,
  reader: LogReader,
): AsyncGenerator<Lines, void, void> {
  const command = {
    find: COLLECTIONS.taskLogs,
    filter: { task_id: taskId, seq: numbered(after) },
    projection: { _id: 0, seq: 1, ts: 1, level: 1, message: 1 },
    sort: { seq: 1 },
    ...bounds,
    // A follower goes on after the last line's position: a line that is rolled back would hide its
    // successor.
    readConcern: majorityAfter(reader.notBefore),
    batchSize: FIRST_LINES,
  };
  const cursor = db.runCursorCommand(command, { raw: true });
  let asked = FIRST_LINES;
  let lines = 0;
  let bytes = 0;
  try {
    for (;;) {
      const first = await reader.turn(() => cursor.next());
      if (first === null) return;
      const reply = [first, ...cursor.readBufferedDocuments()] as unknown as Uint8Array[];
      const size = reply.reduce((sum, line) => sum + line.length, 0);
      const hold = reader.hold(size);
      try {
        yield decoded(reply);
      } finally {
        hold.release();
      }
      lines += reply.length;
      bytes += size;
      const fitting = Math.floor((REPLY_BYTES * lines) / bytes);
      asked = Math.max(1, Math.min(asked * GROWTH, fitting, MAX_LINES));
      cursor.setBatchSize(asked);
    }
  } finally {
    await cursor.close();
  }
}

function* decoded(lines: readonly Uint8Array[]): Lines {
  for (const line of lines) yield decode(line) as unknown as TaskLogDocument;
}
