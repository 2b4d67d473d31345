/** A task's log: page by page, line by line, followed while the task runs. */
import { bytesOf } from './bytes.ts';
import { type Call, type CallOptions, type Connection, filled } from './connection.ts';
import { OPERATIONS, type Operations } from './contract.ts';
import { type Ended, type FollowOptions, following, type Lost } from './following.ts';

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

export async function readPage(
  connection: Connection,
  address: LogAddress,
  { after, last, limit, ...options }: LogPageOptions,
): Promise<LogPage> {
  const call = { ...callOf(address, options), query: { after, last, limit } };
  return (await connection.json<LogPage>(call)).body;
}

/** The log as text, a line each. */
export async function readText(
  connection: Connection,
  address: LogAddress,
  { after, last, ...options }: LogOptions,
): Promise<ReadableStream<Uint8Array>> {
  const call = { ...callOf(address, options), query: { after, last } };
  const response = await connection.send({ ...call, accept: 'text/plain' });
  return bytesOf(response, connection.signalOf(options));
}

/** Line by line to where the log ends now. */
export async function* readLines(
  connection: Connection,
  address: LogAddress,
  { last, ...options }: LogPageOptions,
): AsyncGenerator<LogLine, void, void> {
  let asked: LogPageOptions = { ...options, last };
  for (;;) {
    const page = await readPage(connection, address, asked);
    yield* page.data;
    if (page.next_after === null || page.data.length === 0) return;
    asked = { ...options, after: page.next_after };
  }
}

/** Line by line, and on while the task may write more: the last event is its end. */
export async function* follow(
  connection: Connection,
  address: LogAddress,
  { after, last, reconnect, silenceMs, ...options }: LogFollowOptions,
): AsyncGenerator<LogEvent, void, void> {
  const request = { ...callOf(address, options), query: { after, last } };
  for await (const told of following<FollowedLine>(connection, request, { reconnect, silenceMs })) {
    if (told.type !== 'event') yield told;
    else if (told.event === 'line') yield { type: 'line', line: told.data };
  }
}

function callOf({ task_id, project_id, admin }: LogAddress, options: CallOptions): Call {
  const path = filled(pathOf(project_id, admin), { task_id, project_id: project_id ?? '' });
  return { method: 'GET', path, isRead: true, ...options };
}

function pathOf(projectId: string | undefined, admin = false): string {
  if (admin) return OPERATIONS.readAnyLog.path;
  return projectId === undefined ? OPERATIONS.readLog.path : OPERATIONS.readLogOfProject.path;
}
