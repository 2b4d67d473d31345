/**
 * The number of a log's lines, counted once for all requests that wait for the same count.
 *
 * ```
 * A asks: its turn, counting ─────────▶ A
 *     B asks: waits for a turn ─ ─ ┬ ─ ─ counting ─────────▶ B, C, D
 *     C, D ask ────────────────────┘
 * ```
 *
 * Counting walks through the log's part of a database index, 0.1 s for 200,000 lines. A count that
 * has begun may lack later lines, so it serves only requests that came before it began. Requests
 * share counts: no more counts run than there are turns, and each answer is exact at a moment after
 * its question. A kept figure, moved on by new lines, lost: it would be wrong once lines in the
 * middle come late or are taken away.
 */
import type { Db, Timestamp } from 'mongodb';
import { laterOf } from '../../../store/clusterTime.ts';
import { MAJORITY, readCommand } from '../../../store/commands.ts';
import { withDeadline } from '../../../store/deadline.ts';
import { COLLECTIONS } from '../documents.ts';
import type { Turn } from '../manage/taskLookup.ts';

/** Longest time that counting a log may take, milliseconds: 0.5 s for a million lines. */
const COUNT_MS = 10_000;

interface Count {
  readonly lines: Promise<number>;
  begun: boolean;
  /** The latest moment that one of the requests wants to see. */
  notBefore: Timestamp | undefined;
}

export class LogCounts {
  readonly #db: Db;
  /** For each task, the count that has not begun. */
  readonly #waiting = new Map<string, Count>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** The lines that this task's log has now; counted in the turn of the first request. */
  async of(taskId: string, turn: Turn, notBefore: Timestamp | undefined): Promise<number> {
    for (;;) {
      const waiting = this.#waiting.get(taskId);
      if (waiting === undefined) return await this.#start(taskId, turn, notBefore).lines;
      if (notBefore) waiting.notBefore = laterOf(waiting.notBefore, notBefore);
      try {
        return await waiting.lines;
      } catch (error) {
        // The first request was refused or is gone: the others go on.
        if (waiting.begun) throw error;
      }
    }
  }

  #start(taskId: string, turn: Turn, notBefore: Timestamp | undefined): Count {
    const begin = () => {
      count.begun = true;
      this.#forget(taskId, count);
      return this.#count(taskId, count.notBefore);
    };
    const lines = Promise.resolve().then(() => turn(begin));
    const count: Count = { lines, begun: false, notBefore };
    this.#waiting.set(taskId, count);
    lines.catch(() => this.#forget(taskId, count));
    return count;
  }

  #forget(taskId: string, count: Count): void {
    if (this.#waiting.get(taskId) === count) this.#waiting.delete(taskId);
  }

  /** The count has its own time limit: each of the waiting requests may leave. */
  async #count(task_id: string, notBefore: Timestamp | undefined): Promise<number> {
    const pipeline = [{ $match: { task_id } }, { $count: 'n' }];
    const asked = { aggregate: COLLECTIONS.taskLogs, pipeline, cursor: {}, readConcern: MAJORITY };
    const { cursor } = await withDeadline(COUNT_MS, (deadline) => {
      deadline.notBefore = notBefore;
      return readCommand(this.#db, deadline, asked);
    });
    return cursor.firstBatch[0]?.n ?? 0;
  }
}
