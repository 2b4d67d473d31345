/** Calls on tasks; a task's log page by page, line by line, or followed while the task runs. */
import { bytesOf } from './bytes.ts';
import {
  type AnswerInfo,
  type Call,
  type CallOptions,
  type Connection,
  filled,
  infoOf,
} from './connection.ts';
import { OPERATIONS, type Operations, type Task } from './contract.ts';
import { type Ended, type FollowOptions, following, type Lost } from './following.ts';
import { call } from './manage.ts';

export type TaskMetadata = Operations['readTaskMetadata']['answer'];
export type RoutingKey = Operations['listRoutingKeys']['answer']['data'][number];

export type LogPage = Operations['readLog']['answer'];
export type LogLine = LogPage['data'][number];

/** A line as it is followed: a long message is cut, and its whole length told. */
export type FollowedLine = LogLine & { readonly message_length?: number };

/** A position in a log, as `seq` and `next_after` show it: beyond 2^53 it is text. */
export type LogPosition = number | string;

/** The path to a task: on its own, within a project, or as an admin. */
export interface LogAddress {
  readonly task_id: string;
  readonly project_id?: string | undefined;
  readonly admin?: boolean | undefined;
}

export interface LogOptions extends CallOptions {
  /** Only lines after this position. */
  readonly after?: LogPosition | undefined;
  /** Only the last so many lines. */
  readonly last?: number | undefined;
}

export interface LogPageOptions extends LogOptions {
  /** Most lines of a page. */
  readonly limit?: number | undefined;
}

/** A log tells no moments. */
export type LogFollowOptions = LogOptions & Omit<FollowOptions, 'onReached'>;

export type LogEvent = { readonly type: 'line'; readonly line: FollowedLine } | Lost | Ended;

/** A file that a task has made. */
export interface Snapshot {
  readonly stream: ReadableStream<Uint8Array>;
  /** Bytes that come. */
  readonly size: number;
  readonly contentType: string;
  /** As the service names it, quotes and all: `attachment; filename="…"`. */
  readonly disposition: string;
  readonly etag: string | undefined;
  /** Whether it is the part that was asked for; all of it otherwise. */
  readonly isPart: boolean;
  readonly info: AnswerInfo;
}

export interface SnapshotOptions extends CallOptions {
  /** Only the bytes from here on, while the file is the one of `etag`. */
  readonly from?: { readonly byte: number; readonly etag: string } | undefined;
}

interface OfProject {
  readonly project_id: string;
  readonly task_id: string;
}

export class Tasks {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @throws ApiError `TaskNotCancellable` when it has ended already */
  cancel(task_id: string, options: CallOptions = {}): Promise<Task> {
    return call(this.#connection, 'cancelTask', { path: { task_id }, ...options });
  }

  /** Whether the task is kept from being cleaned up. */
  preserve(of: OfProject, preserve = true, options: CallOptions = {}): Promise<Task> {
    return call(this.#connection, 'preserveTask', { path: of, body: { preserve }, ...options });
  }

  /** Status, dates, artifacts, snapshot, length of the log. */
  metadata(of: OfProject, options: CallOptions = {}): Promise<TaskMetadata> {
    return call(this.#connection, 'readTaskMetadata', { path: of, ...options });
  }

  /** For admins: revokes all tasks of the system and the backups that run and are not preserved. */
  cleanUp(options: CallOptions = {}): Promise<Operations['cleanUpTasks']['answer']> {
    return call(this.#connection, 'cleanUpTasks', options);
  }

  async routingKeys(options: CallOptions = {}): Promise<readonly RoutingKey[]> {
    return (await call(this.#connection, 'listRoutingKeys', options)).data;
  }

  /** A page of the log. */
  async log(
    address: LogAddress,
    { after, last, limit, ...options }: LogPageOptions = {},
  ): Promise<LogPage> {
    const asked = { ...callOf(address, options), query: { after, last, limit } };
    return (await this.#connection.json<LogPage>(asked)).body;
  }

  /** The log as text, a line each. */
  async logText(
    address: LogAddress,
    { after, last, ...options }: LogOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const asked = { ...callOf(address, options), query: { after, last } };
    const response = await this.#connection.send({ ...asked, accept: 'text/plain' });
    return bytesOf(response, this.#connection.signalOf(options));
  }

  /** The log line by line, to where it ends now. */
  async *logLines(
    address: LogAddress,
    { last, ...options }: LogPageOptions = {},
  ): AsyncGenerator<LogLine, void, void> {
    let asked: LogPageOptions = { ...options, last };
    for (;;) {
      const page = await this.log(address, asked);
      yield* page.data;
      if (page.next_after === null || page.data.length === 0) return;
      asked = { ...options, after: page.next_after };
    }
  }

  /** The log line by line as it is written: the last event is the end of the task. See following.ts. */
  async *followLog(
    address: LogAddress,
    { after, last, reconnect, silenceMs, onOpen, ...options }: LogFollowOptions = {},
  ): AsyncGenerator<LogEvent, void, void> {
    const request = { ...callOf(address, options), query: { after, last } };
    const how = { reconnect, silenceMs, onOpen };
    const all = following<FollowedLine>(this.#connection, request, how);
    for await (const told of all) {
      if (told.type !== 'event') yield told;
      else if (told.event === 'line') yield { type: 'line', line: told.data };
    }
  }

  /** The file that the task has made, as bytes. */
  async snapshot(task_id: string, { from, signal }: SnapshotOptions = {}): Promise<Snapshot> {
    const response = await this.#connection.send({
      method: 'GET',
      path: filled(OPERATIONS.downloadSnapshot.path, { task_id }),
      accept: '*/*',
      headers: from && { range: `bytes=${from.byte}-`, 'if-range': from.etag },
      signal,
      isRead: true,
    });
    const { headers } = response;
    return {
      stream: bytesOf(response, this.#connection.signalOf({ signal })),
      size: Number(headers.get('content-length')),
      contentType: headers.get('content-type') ?? 'application/octet-stream',
      disposition: headers.get('content-disposition') ?? '',
      etag: headers.get('etag') ?? undefined,
      isPart: response.status === 206,
      info: infoOf(response),
    };
  }
}

function callOf({ task_id, project_id, admin }: LogAddress, options: CallOptions): Call {
  const { readLog, readLogOfProject, readAnyLog } = OPERATIONS;
  const { path } = admin ? readAnyLog : project_id === undefined ? readLog : readLogOfProject;
  const parts = { task_id, project_id: project_id ?? '' };
  return { method: 'GET', path: filled(path, parts), isRead: true, ...options };
}
