/** A task's log: page by page, line by line, followed while the task runs. */
import { type Call, type CallOptions, type Connection, filled } from './connection.ts';
import { OPERATIONS, type Operations } from './contract.ts';
import { pause } from './pause.ts';

export type LogPage = Operations['readLog']['answer'];
export type LogLine = LogPage['data'][number];

/** By which path a task is looked for: on its own, within a project, or as an admin. */
export interface LogAddress {
  readonly task_id: string;
  readonly project_id?: string | undefined;
  readonly admin?: boolean | undefined;
}

export interface LogOptions extends CallOptions {
  /** Only lines after this position. */
  readonly after?: number | undefined;
  /** Most lines of a page. */
  readonly limit?: number | undefined;
}

export interface FollowOptions extends LogOptions {
  /** How often a log that has no new lines is looked at again, milliseconds; 1,000 by default. */
  readonly everyMs?: number | undefined;
}

const EVERY_MS = 1_000;

export async function readPage(
  connection: Connection,
  address: LogAddress,
  { after, limit, ...options }: LogOptions,
): Promise<LogPage> {
  const call = { ...callOf(address, options), query: { after, limit } };
  return (await connection.json<LogPage>(call)).body;
}

/** The whole log as text, a line each. */
export async function readText(
  connection: Connection,
  address: LogAddress,
  options: CallOptions,
): Promise<ReadableStream<Uint8Array>> {
  const response = await connection.send({ ...callOf(address, options), accept: 'text/plain' });
  return response.body ?? new Blob([]).stream();
}

/** Line by line to where the log ends now. */
export async function* readLines(
  connection: Connection,
  address: LogAddress,
  options: LogOptions,
): AsyncGenerator<LogLine, void, void> {
  let { after } = options;
  for (;;) {
    const page = await readPage(connection, address, { ...options, after });
    yield* page.data;
    if (page.next_after === null || page.data.length === 0) return;
    after = Number(page.next_after);
  }
}

/** Line by line, and on while the task may write more; it ends with the task. */
export async function* follow(
  connection: Connection,
  address: LogAddress,
  { everyMs = EVERY_MS, ...options }: FollowOptions,
): AsyncGenerator<LogLine, void, void> {
  let { after } = options;
  for (;;) {
    const page = await readPage(connection, address, { ...options, after });
    yield* page.data;
    if (page.next_after === null) return;
    after = Number(page.next_after);
    if (page.data.length === 0) await pause(everyMs, connection.signalOf(options));
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
