/** Calls on schedules and tasks, each by its operation of the contract. */
import { bytesOf } from './bytes.ts';
import {
  type AnswerInfo,
  type CallOptions,
  type Connection,
  filled,
  infoOf,
} from './connection.ts';
import { OPERATIONS, type Operations, type Schedule, type Task } from './contract.ts';
import {
  follow,
  type LogAddress,
  type LogEvent,
  type LogFollowOptions,
  type LogLine,
  type LogOptions,
  type LogPage,
  type LogPageOptions,
  readLines,
  readPage,
  readText,
} from './logs.ts';

/** Operations that answer in JSON, or with nothing: `tasks.snapshot` has the bytes of a download. */
export type OperationId = Exclude<keyof Operations, 'downloadSnapshot'>;
export type TaskMetadata = Operations['readTaskMetadata']['answer'];
export type RoutingKey = Operations['listRoutingKeys']['answer']['data'][number];

/** The arguments of an operation: the parts of its path, its query and its body. */
export type Arguments<O extends OperationId> = CallOptions & {
  readonly query?: Operations[O]['query'] | undefined;
} & PathOf<Operations[O]['path']> &
  (Operations[O]['body'] extends undefined ? unknown : { readonly body: Operations[O]['body'] });

/** The parts of a path; it may be left out where it has none. */
type PathOf<P> =
  Readonly<Record<never, never>> extends P ? { readonly path?: P } : { readonly path: P };

/** The same, which may be left out where nothing is needed. */
export type Given<O extends OperationId> =
  Partial<Arguments<O>> extends Arguments<O> ? [given?: Arguments<O>] : [given: Arguments<O>];

/** Calls any operation by its name in the reference. Reads are tried again, changes are not. */
export async function call<O extends OperationId>(
  connection: Connection,
  id: O,
  ...[given]: Given<O>
): Promise<Operations[O]['answer']> {
  const { method, path } = OPERATIONS[id];
  const {
    body,
    query,
    signal,
    path: parts = {},
  } = (given ?? {}) as CallOptions & {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Operations[O]['query'];
    readonly body?: unknown;
  };
  const answer = await connection.json<Operations[O]['answer']>({
    method,
    path: filled(path, parts),
    query,
    body,
    signal,
    isRead: method === 'GET',
  });
  return answer.body;
}

/** A schedule: anywhere for admins, guarded by its scope where that is given; or of a project. */
export type ScheduleAddress =
  | { readonly schedule_id: string; readonly scope?: Scope | undefined }
  | {
      readonly schedule_id: string;
      readonly project_id: string;
      /** Takes the path for admins, which needs no record of the project. */
      readonly admin?: boolean | undefined;
    };

type Scope = Operations['switchAnySchedule']['query']['scope'];

export class Schedules {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  enable(address: ScheduleAddress, options: CallOptions = {}): Promise<Schedule> {
    return this.#switch(address, true, options);
  }

  disable(address: ScheduleAddress, options: CallOptions = {}): Promise<Schedule> {
    return this.#switch(address, false, options);
  }

  async delete(address: ScheduleAddress, options: CallOptions = {}): Promise<void> {
    if (!('project_id' in address)) {
      const { scope, ...path } = address;
      return await call(this.#connection, 'deleteAnySchedule', {
        ...{ path, query: { scope } },
        ...options,
      });
    }
    const { admin, ...path } = address;
    const id = admin ? 'deleteScheduleOfAnyProject' : 'deleteScheduleOfProject';
    await call(this.#connection, id, { path, ...options });
  }

  async #switch(
    address: ScheduleAddress,
    enabled: boolean,
    options: CallOptions,
  ): Promise<Schedule> {
    const body = { enabled };
    if (!('project_id' in address)) {
      const { scope, ...path } = address;
      return await call(this.#connection, 'switchAnySchedule', {
        ...{ path, query: { scope }, body },
        ...options,
      });
    }
    const { admin, ...path } = address;
    const id = admin ? 'switchScheduleOfAnyProject' : 'switchScheduleOfProject';
    return await call(this.#connection, id, { path, body, ...options });
  }
}

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
  preserve(
    of: { readonly project_id: string; readonly task_id: string },
    preserve = true,
    options: CallOptions = {},
  ): Promise<Task> {
    return call(this.#connection, 'preserveTask', { path: of, body: { preserve }, ...options });
  }

  /** Status, dates, artifacts, snapshot, length of the log. */
  metadata(
    of: { readonly project_id: string; readonly task_id: string },
    options: CallOptions = {},
  ): Promise<TaskMetadata> {
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
  log(address: LogAddress, options: LogPageOptions = {}): Promise<LogPage> {
    return readPage(this.#connection, address, options);
  }

  /** The log as text, a line each. */
  logText(address: LogAddress, options: LogOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return readText(this.#connection, address, options);
  }

  /** The log line by line, to where it ends now. */
  logLines(address: LogAddress, options: LogPageOptions = {}): AsyncGenerator<LogLine, void, void> {
    return readLines(this.#connection, address, options);
  }

  /** The log line by line as it is written, until the task has ended. See following.ts. */
  followLog(
    address: LogAddress,
    options: LogFollowOptions = {},
  ): AsyncGenerator<LogEvent, void, void> {
    return follow(this.#connection, address, options);
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
