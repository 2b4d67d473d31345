/**
 * Logs with followers. One query of the store for all followers tells which logs have grown and
 * which tasks have ended.
 *
 * ```
 * twice a second ─▶ one read of all tasks that are followed ─▶ ended? gone?  ─┐
 *                ─▶ one of all logs: what is past the newest line known?     ─┴─▶ wake who follows
 * who is awake   ─▶ reads on from its own position; the same read for all at one position
 * ```
 *
 * The cost depends neither on the number of followers of a log nor on writes to other logs. A change
 * stream of the collection lost: it brings each line of every task to each instance, or is opened
 * again for each newly followed task. Its cost to the store grows with all writes.
 */
import type { Db, Document } from 'mongodb';
import { lookEvery } from '../../../serve/looking.ts';
import { MAJORITY, readCommand } from '../../../store/commands.ts';
import { withDeadline } from '../../../store/deadline.ts';
import { COLLECTIONS } from '../documents.ts';
import type { TaskAddress } from '../manage/taskLookup.ts';
import { hasEnded } from '../manage/taskStatus.ts';
import { type LineEvents, readLineEvents } from './logEvents.ts';
import type { Position } from './logPosition.ts';
import { type LogReader, numbered } from './logReplies.ts';

/** Tells a follower that there may be something new. */
type Wake = () => void;

/** Why a log does not grow any more. */
export type LogEnd = { readonly status: string } | 'gone';

/** The interval of looks, milliseconds. */
const LOOK_EVERY_MS = 500;

/** Logs in one query. */
const AT_ONCE = 200;

/** Longest time of a look, milliseconds. */
const LOOK_MS = 5_000;

export class LogTails {
  readonly #db: Db;
  readonly #tails = new Map<string, LogTail>();
  #looking = false;

  constructor(db: Db) {
    this.#db = db;
    lookEvery(LOOK_EVERY_MS, this, (own) => void own.#look());
  }

  /** The log of a task that is there, followed until `leave`. */
  follow(address: TaskAddress, wake: Wake): LogTail {
    const key = keyOf(address);
    const tail = this.#tails.get(key) ?? new LogTail(this.#db, address);
    this.#tails.set(key, tail);
    tail.followers.add(wake);
    return tail;
  }

  leave(tail: LogTail, wake: Wake): void {
    tail.followers.delete(wake);
    const key = keyOf(tail.address);
    if (tail.followers.size > 0 || this.#tails.get(key) !== tail) return;
    this.#tails.delete(key);
  }

  /** A failed look is repeated at the next turn. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const all = [...this.#tails.values()].filter(({ end }) => end === undefined);
    try {
      for (const some of chunks(all)) {
        // The task first: lines that were there when it ended are found by then.
        await this.#lookAtTasks(some);
        await this.#lookAtLogs(some);
      }
    } catch {
      // The store is looked after elsewhere.
    } finally {
      this.#looking = false;
    }
  }

  async #lookAtTasks(tails: readonly LogTail[]): Promise<void> {
    const found = await this.#aggregate(COLLECTIONS.tasks, [
      { $match: { task_id: { $in: [...new Set(tails.map(({ address }) => address.taskId))] } } },
      // If several documents have one `task_id`, the one with the lowest `_id` counts.
      { $sort: { task_id: 1, _id: 1 } },
      {
        $group: {
          _id: '$task_id',
          status: { $first: '$status' },
          scope: { $first: '$scope' },
          project_id: { $first: '$project_id' },
        },
      },
    ]);
    const tasks = new Map(found.map((task) => [task._id, task]));
    for (const tail of tails) tail.sees(tasks.get(tail.address.taskId));
  }

  async #lookAtLogs(tails: readonly LogTail[]): Promise<void> {
    const read = tails.filter(({ head }) => head !== undefined);
    if (read.length === 0) return;
    const found = await this.#aggregate(COLLECTIONS.taskLogs, [
      {
        $match: {
          $or: read.map(({ address, head }) => ({ task_id: address.taskId, seq: numbered(head) })),
        },
      },
      { $group: { _id: '$task_id', head: { $max: '$seq' } } },
    ]);
    const heads = new Map(found.map(({ _id, head }) => [_id, head]));
    for (const tail of read) {
      const head = heads.get(tail.address.taskId);
      if (head !== undefined) tail.grows(head);
    }
  }

  async #aggregate(collection: string, pipeline: Document[]): Promise<readonly Document[]> {
    const { cursor } = await withDeadline(LOOK_MS, (deadline) =>
      readCommand(this.#db, deadline, {
        ...{ aggregate: collection, pipeline, cursor: { batchSize: AT_ONCE } },
        readConcern: MAJORITY,
      }),
    );
    return cursor.firstBatch;
  }
}

/** A log that is followed. */
export class LogTail {
  readonly address: TaskAddress;
  readonly followers = new Set<Wake>();
  readonly #db: Db;
  /** The newest line known; undefined until it has been read. */
  head: Position | undefined;
  end: LogEnd | undefined;
  /** Goes up whenever there is something new. A follower notes it before it reads. */
  news = 0;
  /** The reads under way, by their start. */
  readonly #reading = new Map<string, Promise<LineEvents>>();

  constructor(db: Db, address: TaskAddress) {
    this.#db = db;
    this.address = address;
  }

  /**
   * The next lines after a position. Followers that ask for the same before something new is known
   * share the read, on account of the first.
   *
   * @throws errors of the store and of the reader's account
   */
  async read(after: Position | undefined, reader: LogReader): Promise<LineEvents> {
    const key = `${after} ${this.news} ${reader.notBefore}`;
    const underWay = this.#reading.get(key);
    if (underWay) return await underWay;
    const reading = readLineEvents(this.#db, this.address.taskId, after, reader);
    this.#reading.set(key, reading);
    try {
      const read = await reading;
      if (!read.more) this.#reached(read);
      return read;
    } finally {
      this.#reading.delete(key);
    }
  }

  /** The reader has read all lines. A position past the end does not tell where the end is. */
  #reached({ last = BEFORE_ALL, bytes }: LineEvents): void {
    const known = this.head === undefined ? Number.POSITIVE_INFINITY : Number(this.head);
    if (Number(last) < known) this.head = last;
    // No further look will tell of these lines, and other followers may wait for them.
    else if (Number(last) > known && bytes.length > 0) this.grows(last);
  }

  /** The log has a line at this position. */
  grows(head: Position): void {
    this.head = head;
    this.#wake();
  }

  /** The task at present. */
  sees(task: Document | undefined): void {
    const { projectId } = this.address;
    const isThere =
      task !== undefined &&
      (projectId === undefined || (task.scope === 'project' && task.project_id === projectId));
    if (isThere && !hasEnded(task.status)) return;
    this.end = isThere ? { status: task.status } : 'gone';
    this.#wake();
  }

  #wake(): void {
    this.news += 1;
    for (const wake of this.followers) wake();
  }
}

/** Before the first line of any log. */
const BEFORE_ALL = Number.NEGATIVE_INFINITY;

const keyOf = ({ taskId, projectId = '' }: TaskAddress) => `${taskId} ${projectId}`;

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
