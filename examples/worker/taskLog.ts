/**
 * The log of one task, as its worker writes it: `seq` counts up by one, and each line is in the store
 * before the next is sent. A reader who asks for what comes after the last line he has then misses
 * none: no line appears behind his back.
 */
import type { Collection, Db, Document } from 'mongodb';

export type Level = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR' | 'CRITICAL';

export class TaskLog {
  readonly #lines: Collection<Document>;
  readonly #taskId: string;
  #next: number;

  private constructor(lines: Collection<Document>, taskId: string, next: number) {
    this.#lines = lines;
    this.#taskId = taskId;
    this.#next = next;
  }

  /** Goes on where an earlier attempt at the task ended. */
  static async continue(db: Db, taskId: string): Promise<TaskLog> {
    const lines = db.collection<Document>('task_logs');
    const last = await lines.findOne({ task_id: taskId }, { sort: { seq: -1 } });
    return new TaskLog(lines, taskId, (last?.seq ?? 0) + 1);
  }

  /** Resolves when a majority has the line. */
  async write(level: Level, message: string): Promise<void> {
    const line = { task_id: this.#taskId, seq: this.#next, ts: new Date(), level, message };
    await this.#lines.insertOne(line, { writeConcern: { w: 'majority' } });
    this.#next += 1;
  }
}
