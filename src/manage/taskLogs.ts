/**
 * The log of a task, in the order of `seq`: page by page, or all of it as a stream.
 *
 * Positions may have gaps, and a log may grow while it is read. A page therefore goes on from the
 * last position that was given, never from a count; the stream ends where the log ended when its
 * reader got there.
 */
import type { Collection, Db } from 'mongodb';
import type { Deadline } from '../mongo/deadline.ts';
import { COLLECTIONS, type TaskLogDocument } from '../mongo/documents.ts';
import { asDate, asNumber, asText, type Json } from '../resources/record.ts';
import { logLine } from './logLine.ts';
import { findsOneIn, findTask, type TaskAddress } from './taskLookup.ts';

export interface LogPageRequest {
  /** Lines after this position; all of them when it is left out. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface LogPage {
  readonly data: readonly Json[];
  /** The last position given while there was more at the moment of reading, else null. */
  readonly next_after: Json;
}

/** Lines of a reply while streaming, and the text they are joined to, in characters. */
const LINES_AHEAD = 1_000;
const JOINED = 65_536;

export class TaskLogs {
  readonly #db: Db;
  readonly #lines: Collection<TaskLogDocument>;

  constructor(db: Db) {
    this.#db = db;
    this.#lines = db.collection<TaskLogDocument>(COLLECTIONS.taskLogs);
  }

  /** Whether there is such a task; its log may be empty. */
  async hasTask(address: TaskAddress, deadline: Deadline): Promise<boolean> {
    const found = await findTask(findsOneIn(this.#db, deadline), address, { _id: 1 });
    return found !== undefined;
  }

  /** At most `limit` lines; one more is read, to know whether there is one. */
  async page(
    taskId: string,
    { after, limit }: LogPageRequest,
    deadline: Deadline,
  ): Promise<LogPage> {
    const lines = this.#find(taskId, after)
      .limit(limit + 1)
      .batchSize(limit + 1)
      .maxTimeMS(deadline.left);
    const found = await deadline.wait(lines.toArray());
    const data = found.slice(0, limit).map(({ seq, ts, level, message }) => ({
      seq: asNumber(seq),
      ts: asDate(ts),
      level: asText(level),
      message: asText(message),
    }));
    return { data, next_after: found.length > limit ? data.at(-1)!.seq : null };
  }

  /** The whole log, lines joined to pieces. The cursor is closed when the reader stops early. */
  async *text(taskId: string): AsyncGenerator<string, void, void> {
    const cursor = this.#find(taskId, undefined).batchSize(LINES_AHEAD);
    try {
      let piece = '';
      for await (const line of cursor) {
        piece += logLine(line);
        if (piece.length < JOINED) continue;
        yield piece;
        piece = '';
      }
      if (piece !== '') yield piece;
    } finally {
      await cursor.close();
    }
  }

  /** Positions are numbers; a line that has none is dirty data and cannot be paged to. */
  #find(taskId: string, after: number | undefined) {
    return this.#lines
      .find({ task_id: taskId, seq: { $gt: after ?? Number.NEGATIVE_INFINITY } })
      .project<TaskLogDocument>({ _id: 0, seq: 1, ts: 1, level: 1, message: 1 })
      .sort({ seq: 1 });
  }
}
