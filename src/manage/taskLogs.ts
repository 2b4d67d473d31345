/**
 * The log of a task, in the order of `seq`: page by page, or all of it as a stream.
 *
 * Positions may have gaps, and a log may grow while it is read. A page therefore goes on from the
 * last position that was given, never from a count; the stream ends where the log ended when its
 * reader got there.
 *
 * A page ends early at 1 MB. A line that is larger comes alone.
 */
import type { Db } from 'mongodb';
import { MAJORITY, readCommand } from '../mongo/commands.ts';
import type { Deadline } from '../mongo/deadline.ts';
import { COLLECTIONS, type TaskLogDocument } from '../mongo/documents.ts';
import { asNumber, type Json } from '../resources/record.ts';
import { logJson, logLine } from './logLine.ts';
import type { Position } from './logPosition.ts';
import { type LogQuery, type LogReader, logReplies, numbered } from './logReplies.ts';
import { findsOneIn, findTask, type TaskAddress } from './taskLookup.ts';
import { hasEnded } from './taskStatus.ts';

export interface LogOwner {
  /** Whether the task may still write lines. */
  readonly grows: boolean;
  /** Null for a task of no project. */
  readonly projectId: string | null;
}

export interface LogPageRequest {
  /** Lines after this position; all of them when it is left out. */
  readonly after?: Position | undefined;
  readonly limit: number;
  /** Whether the task may still write lines. */
  readonly grows: boolean;
}

export interface LogPage {
  /** The lines as JSON texts. */
  readonly lines: readonly string[];
  /** Instead of `lines`: one line, larger than a page, as pieces of a JSON text. */
  readonly large?: { readonly bytes: number; readonly pieces: Iterable<string> };
  /**
   * Where to go on: the last position given, or the one asked for, while there may be more, else null.
   */
  readonly nextAfter: Json;
}

/** Most of a page, bytes of JSON. */
const PAGE_BYTES = 2 ** 20;

/** Text is joined to pieces of this many characters at least. */
const JOINED = 65_536;

/** Before the first line of any log. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

export class TaskLogs {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Whose log it is, and whether the task may still write lines; undefined when there is no such task. */
  async owner(address: TaskAddress, deadline: Deadline): Promise<LogOwner | undefined> {
    const projection = { status: 1, scope: 1, project_id: 1 };
    const task = await findTask(findsOneIn(this.#db, deadline), address, projection);
    if (task === undefined) return undefined;
    const { status, scope, project_id } = task;
    const projectId = scope === 'project' && typeof project_id === 'string' ? project_id : null;
    return { grows: !hasEnded(status), projectId };
  }

  /** The position before the last so many lines; `after` where there are no more past it. */
  async beforeLast(
    taskId: string,
    lines: number,
    after: Position | undefined,
    deadline: Deadline,
  ): Promise<Position | undefined> {
    const { cursor } = await readCommand(this.#db, deadline, {
      find: COLLECTIONS.taskLogs,
      filter: { task_id: taskId, seq: numbered(after) },
      projection: { _id: 0, seq: 1 },
      ...{ sort: { seq: -1 }, skip: lines, limit: 1, singleBatch: true, readConcern: MAJORITY },
    });
    return cursor.firstBatch[0]?.seq ?? after;
  }

  /** At most `limit` lines; one more is read, to know whether there is one. */
  async page(
    taskId: string,
    request: LogPageRequest,
    reader: LogReader,
    maxTimeMS: number,
  ): Promise<LogPage> {
    const { after, limit, grows } = request;
    const query = { taskId, after, limit: limit + 1, maxTimeMS };
    const lines: string[] = [];
    let bytes = 0;
    let last: Json = after === undefined ? BEFORE_ALL : asNumber(after);
    for await (const reply of logReplies(this.#db, query, reader)) {
      for (const line of reply) {
        const full = lines.length === limit;
        const large = !full && isLarge(line);
        if (large && lines.length === 0) {
          const { length: bytes } = line.message;
          return { lines, large: { bytes, pieces: logJson(line) }, nextAfter: asNumber(line.seq) };
        }
        const text = full || large ? '' : [...logJson(line)].join('');
        bytes += Buffer.byteLength(text) + 1;
        if (full || large || (bytes > PAGE_BYTES && lines.length > 0)) {
          return { lines, nextAfter: last };
        }
        lines.push(text);
        last = asNumber(line.seq);
      }
    }
    return { lines, nextAfter: grows ? last : null };
  }

  /** The lines as text, joined to pieces. The cursor is closed when the reader stops early. */
  async *text(query: LogQuery, reader: LogReader): AsyncGenerator<string, void, void> {
    let piece = '';
    for await (const reply of logReplies(this.#db, query, reader)) {
      for (const line of reply) {
        for (const part of logLine(line)) {
          piece += part;
          if (piece.length < JOINED) continue;
          yield piece;
          piece = '';
        }
      }
    }
    if (piece !== '') yield piece;
  }
}

function isLarge({ message }: Partial<Record<keyof TaskLogDocument, unknown>>): boolean {
  return typeof message === 'string' && message.length > PAGE_BYTES;
}
