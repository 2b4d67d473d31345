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
import { MAJORITY, readCommand } from '../../../store/commands.ts';
import type { Deadline } from '../../../store/deadline.ts';
import { asNumber, type Json } from '../../../tables/definition/record.ts';
import { COLLECTIONS, type TaskLogDocument } from '../documents.ts';
import { findsOneIn, findTask, type TaskAddress, type Turn } from '../manage/taskLookup.ts';
import { hasEnded } from '../manage/taskStatus.ts';
import { logJson, logLine } from './logLine.ts';
import type { Position } from './logPosition.ts';
import { type LogQuery, type LogReader, logReplies, numbered } from './logReplies.ts';

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
  readonly large?: { readonly bytes: number; readonly pieces: Iterator<string> };
  /**
   * The position to go on from: the last one returned, or the requested one, while more lines may
   * come; else null.
   */
  readonly nextAfter: Json;
}

/** Most of a page, bytes of JSON. */
const PAGE_BYTES = 2 ** 20;

/** Bytes of JSON that one step makes of a page: about a millisecond. */
const STEP_BYTES = 131_072;

/** Text is joined to pieces of this many characters at least. */
const JOINED = 65_536;

/** Before the first line of any log. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

export class TaskLogs {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * The log's owner, and whether the task may still write lines; undefined when there is no such
   * task.
   */
  async owner(address: TaskAddress, deadline: Deadline, turn: Turn): Promise<LogOwner | undefined> {
    const projection = { status: 1, scope: 1, project_id: 1 };
    const task = await findTask(findsOneIn(this.#db, deadline, turn), address, projection);
    if (task === undefined) return undefined;
    const { status, scope, project_id } = task;
    const projectId = scope === 'project' && typeof project_id === 'string' ? project_id : null;
    return { grows: !hasEnded(status), projectId };
  }

  /** The position this many lines before the end; `after` if fewer lines follow it. */
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

  /** At most `limit` lines; it reads one more to know whether there is one. */
  async page(
    taskId: string,
    { after, limit, grows }: LogPageRequest,
    reader: LogReader,
    maxTimeMS: number,
  ): Promise<LogPage> {
    const lines: string[] = [];
    let bytes = 0;
    let last = after === undefined ? BEFORE_ALL : asNumber(after);
    /** The page, when this line ends it. */
    const add = (line: TaskLogDocument): LogPage | undefined => {
      const isFull = lines.length === limit;
      const large = !isFull && isLarge(line);
      if (large && lines.length === 0) {
        const pieces = { bytes: line.message.length, pieces: logJson(line) };
        return { lines, large: pieces, nextAfter: asNumber(line.seq) };
      }
      const text = isFull || large ? '' : [...logJson(line)].join('');
      const all = bytes + Buffer.byteLength(text) + 1;
      if (isFull || large || (all > PAGE_BYTES && lines.length > 0)) {
        return { lines, nextAfter: last };
      }
      bytes = all;
      lines.push(text);
      last = asNumber(line.seq);
      return undefined;
    };
    /** Takes lines until they fill a step of work; whether there may be more to take. */
    const takeSome = (from: Iterator<TaskLogDocument>): LogPage | boolean => {
      for (const most = bytes + STEP_BYTES; bytes < most; ) {
        const next = from.next();
        if (next.done) return false;
        const page = add(next.value);
        if (page) return page;
      }
      return true;
    };
    const query = { taskId, after, limit: limit + 1, maxTimeMS };
    for await (const reply of logReplies(this.#db, query, reader)) {
      let taken: LogPage | boolean = true;
      while (taken === true) taken = await reader.step(() => takeSome(reply));
      if (taken) return taken;
    }
    return { lines, nextAfter: grows ? last : null };
  }

  /** The lines as text, joined to pieces. The cursor is closed when the reader stops early. */
  async *text(query: LogQuery, reader: LogReader): AsyncGenerator<string, void, void> {
    let pending = '';
    for await (const reply of logReplies(this.#db, query, reader)) {
      const parts = partsOf(reply);
      for (;;) {
        const [piece, isWhole] = await reader.step(() => joined(pending, parts));
        pending = isWhole ? '' : piece;
        if (!isWhole) break;
        yield piece;
      }
    }
    if (pending !== '') yield pending;
  }
}

function* partsOf(lines: Iterable<TaskLogDocument>): Generator<string, void, void> {
  for (const line of lines) yield* logLine(line);
}

/** A piece of text that begins with the pending part, and whether it has reached its length. */
function joined(
  pending: string,
  parts: Iterator<string>,
): readonly [piece: string, whole: boolean] {
  let piece = pending;
  while (piece.length < JOINED) {
    const next = parts.next();
    if (next.done) return [piece, false];
    piece += next.value;
  }
  return [piece, true];
}

function isLarge({ message }: Partial<Record<keyof TaskLogDocument, unknown>>): boolean {
  return typeof message === 'string' && message.length > PAGE_BYTES;
}
