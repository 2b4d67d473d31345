/**
 * The worker's side of the store: takes tasks, works on them, writes their logs, and lets go of one
 * that was cancelled. README.md beside it is the contract in words.
 *
 * ```
 *            take                      finish
 *  PENDING ────────▶ STARTED ──────────────────▶ SUCCESS, FAILURE
 *     ▲  RETRY ▲        │  │  hand back              ╳ matches nothing after a cancellation
 *     │        └────────│──┘
 *     │                 ▼ cancelled by the service
 *   queued           REVOKED
 * ```
 *
 * Every change of a task is one update on a condition. The one that takes it asks that no other has; all
 * others ask that it is still this worker's and has not ended. So it does not matter who comes first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Collection, type Db, type Document, GridFSBucket, type ObjectId } from 'mongodb';
import { TaskLog } from './taskLog.ts';

export interface TaskToDo extends Document {
  readonly _id: number;
  readonly task_id: string;
  readonly task_type: string;
  readonly args: Readonly<Record<string, unknown>> | null;
}

export interface WorkerOptions {
  readonly db: Db;
  /** Shown in the task, and part of every condition. Two workers must not share one. */
  readonly name: string;
  /** Milliseconds that one of the ten steps of a task takes. */
  readonly stepMs: number;
  /** Only tasks in this folder; any, where it is left out. */
  readonly folder?: string | undefined;
  /** Ends the work: a task in hand is handed back. */
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

export type Outcome = 'SUCCESS' | 'FAILURE' | 'cancelled' | 'handed back';

const TERMINAL = ['SUCCESS', 'FAILURE', 'REVOKED'];
const STEPS = 10;
const MAJORITY = { writeConcern: { w: 'majority' } } as const;

/** The task was cancelled, or is not this worker's any more. It must not be touched from here. */
class Cancelled extends Error {}
/** The worker is to stop. */
class Stopping extends Error {}

export class Worker {
  readonly #options: WorkerOptions;
  readonly #tasks: Collection<TaskToDo>;
  readonly #bucket: GridFSBucket;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#tasks = options.db.collection<TaskToDo>('tasks');
    this.#bucket = new GridFSBucket(options.db, { bucketName: 'snapshots' });
  }

  /**
   * Takes the oldest task that waits, if there is one. Of two workers that want the same task the
   * store lets one have it; the other gets the next.
   */
  async take(): Promise<TaskToDo | null> {
    const now = new Date();
    const { folder, name } = this.#options;
    return await this.#tasks.findOneAndUpdate(
      // The index on status and _id has them in this order.
      {
        status: { $in: ['PENDING', 'RETRY'] },
        $or: [{ eta: null }, { eta: { $lte: now } }],
        ...(folder !== undefined && { folder }),
      },
      {
        $set: {
          status: 'STARTED',
          worker: name,
          date_started: now,
          datamimic_status: 'started',
        },
      },
      { sort: { _id: 1 }, returnDocument: 'after', ...MAJORITY },
    );
  }

  /** Works on a task it has taken, to whichever end it comes. */
  async work(task: TaskToDo): Promise<Outcome> {
    const log = await TaskLog.continue(this.#options.db, task.task_id);
    try {
      await log.write('INFO', `${this.#options.name} begins ${task.task_type}`);
      const rows = await this.#steps(task, log);
      return await this.#succeed(task, rows, log);
    } catch (error) {
      if (error instanceof Cancelled) {
        await log.write('WARNING', 'Cancelled: the work stops here');
        return 'cancelled';
      }
      if (error instanceof Stopping) return await this.#handBack(task, log);
      return await this.#fail(task, error as Error, log);
    }
  }

  /** The work itself: ten steps, after each of which it looks whether it is still wanted. */
  async #steps(task: TaskToDo, log: TaskLog): Promise<string[]> {
    const rows: string[] = [];
    for (let step = 1; step <= STEPS; step++) {
      await sleep(this.#options.stepMs, undefined, { signal: this.#options.signal }).catch(() => {
        throw new Stopping();
      });
      if (task.args?.fail_at === step) throw new RangeError(`step ${step} cannot be done`);
      rows.push(JSON.stringify({ step, value: Math.round(Math.sin(step) * 1_000) }));
      await this.#report(task, `${(step * 100) / STEPS} %`);
      await log.write('INFO', `Step ${step} of ${STEPS} done`);
    }
    return rows;
  }

  /** Progress, and at the same time the question whether the task was cancelled. */
  async #report(task: TaskToDo, progress: string): Promise<void> {
    if (!(await this.#update(task, { datamimic_status: progress }))) throw new Cancelled();
  }

  /** The snapshot first, then the task's end that points to it: no reader sees one without the other. */
  async #succeed(task: TaskToDo, rows: string[], log: TaskLog): Promise<Outcome> {
    const text = rows.join('\n');
    const fileName = `${task.task_type}-${task._id}.jsonl`;
    const content_type = 'application/x-ndjson';
    const snapshot = await this.#upload(fileName, text, content_type);
    await log.write('INFO', `Snapshot ${fileName}: ${text.length} bytes`);
    const now = new Date();
    const done = await this.#update(task, {
      status: 'SUCCESS',
      datamimic_status: 'finished',
      date_done: now,
      artifacts: [{ name: fileName, size: text.length, content_type, created_at: now }],
      snapshot_file_id: snapshot,
    });
    if (done) return 'SUCCESS';
    // A cancellation was faster. Nothing points to the snapshot, so nothing else would remove it.
    await this.#bucket.delete(snapshot);
    throw new Cancelled();
  }

  async #upload(name: string, text: string, content_type: string): Promise<ObjectId> {
    const upload = this.#bucket.openUploadStream(name, {
      metadata: { content_type },
      ...MAJORITY,
    });
    await new Promise<void>((resolve, reject) => {
      upload.once('finish', () => resolve()).once('error', reject);
      upload.end(text);
    });
    return upload.id;
  }

  async #fail(task: TaskToDo, error: Error, log: TaskLog): Promise<Outcome> {
    await log.write('ERROR', `${error.name}: ${error.message}`);
    const done = await this.#update(task, {
      status: 'FAILURE',
      datamimic_status: 'failed',
      date_done: new Date(),
      exception_type: error.name,
      traceback: error.stack ?? error.message,
    });
    return done ? 'FAILURE' : 'cancelled';
  }

  /** So that another worker can take it, when this one is told to end. */
  async #handBack(task: TaskToDo, log: TaskLog): Promise<Outcome> {
    await log.write('WARNING', `${this.#options.name} ends; the task goes back`);
    const back = { status: 'RETRY', worker: null, datamimic_status: 'waits for a worker' };
    const done = await this.#update(task, back, { $inc: { retries: 1 } });
    return done ? 'handed back' : 'cancelled';
  }

  /**
   * The only way a worker changes a task that it has: if it is still its own and has not ended.
   * False means that it was cancelled, and that nothing was written.
   */
  async #update(task: TaskToDo, set: Document, more: Document = {}): Promise<boolean> {
    const { matchedCount } = await this.#tasks.updateOne(
      { _id: task._id, worker: this.#options.name, status: { $nin: TERMINAL } },
      { $set: set, ...more },
      MAJORITY,
    );
    return matchedCount === 1;
  }

  /** Takes and works until told to stop, or until it has done `most` tasks. */
  async run(most = Number.POSITIVE_INFINITY): Promise<number> {
    const { signal, say, name } = this.#options;
    let done = 0;
    while (done < most && !signal.aborted) {
      const task = await this.take();
      if (task === null) {
        await sleep(500, undefined, { signal }).catch(() => undefined);
        continue;
      }
      say(`${name} takes ${task.task_id} (${task.task_type})`);
      say(`${name} ends  ${task.task_id}: ${await this.work(task)}`);
      done += 1;
    }
    return done;
  }
}
