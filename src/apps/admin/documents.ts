/**
 * The documents as they lie in MongoDB, and the names of their collections.
 *
 *     users ◄── members.user_id ── projects ◄── project_id ── schedules
 *                                      ▲
 *                                      └─────── project_id ── tasks ◄── task_id ── task_logs
 *                                                               └── snapshot_file_id ──► snapshots
 *
 * These types describe a well-kept document. The service is not the only writer and real data is
 * dirty: any member but `_id` may be missing, null, dangling or of another type. Code that reads
 * documents must live with that; code that writes them keeps to these types.
 */
import type { ObjectId } from 'mongodb';
import { AUDIT } from '../changes/auditDocument.ts';
import type { Scope } from './resources/scope.ts';

/** The collections, under the names the store knows them by. */
export const COLLECTIONS = {
  users: 'users',
  projects: 'projects',
  schedules: 'schedules',
  tasks: 'tasks',
  taskLogs: 'task_logs',
  audit: AUDIT,
} as const;

/** The GridFS bucket of project snapshots: `snapshots.files` and `snapshots.chunks`. */
export const SNAPSHOT_BUCKET = 'snapshots';

export interface UserDocument {
  /** The user's `id`; a token's `sub` is this number as decimal text. */
  readonly _id: number;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  /** A language tag, such as `el` or `pt-BR`. */
  readonly language: string;
  readonly active: boolean;
  readonly tc_creation: Date;
  readonly tc_update: Date;
  readonly auth_groups: readonly string[];
  readonly preferences: Readonly<Record<string, unknown>>;
}

export interface ProjectMember {
  readonly user_id: number;
  readonly role: 'owner' | 'member';
}

export interface ProjectDocument {
  /** The sort key `id`. */
  readonly _id: number;
  /** A lower-case UUID, which every other collection calls `project_id`. */
  readonly identifier: string;
  readonly name: string;
  readonly type: 'custom' | 'demo' | 'template';
  readonly config: Readonly<Record<string, unknown>>;
  readonly members: readonly ProjectMember[];
  readonly tc_creation: Date;
  readonly tc_update: Date;
}

export interface ScheduleArguments {
  readonly user_email?: string | null;
  /** Backup and housekeeping configuration: all that a search may show, and not for projects. */
  readonly other?: Readonly<Record<string, unknown>>;
  /** The rest holds project-level secrets and never leaves the service. */
  readonly [name: string]: unknown;
}

export interface ScheduleDocument {
  /** The `schedule_id`, a lower-case UUID. */
  readonly _id: string;
  readonly scope: Scope;
  /** Null outside the scope `project`. */
  readonly project_id: string | null;
  readonly folder: string | null;
  readonly enabled: boolean;
  readonly crontab: string;
  readonly date_last_run_at: Date | null;
  readonly total_run_count: number;
  readonly task_type: string;
  readonly task_name: string;
  readonly task_args: ScheduleArguments;
}

/** A task's states in the order they are passed through; the last three are terminal. */
export type TaskStatus =
  | 'PENDING'
  | 'RECEIVED'
  | 'STARTED'
  | 'RETRY'
  | 'SUCCESS'
  | 'FAILURE'
  | 'REVOKED';

export interface TaskArtifact {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly content_type: string;
  readonly created_at: Date;
}

export interface TaskDocument {
  /** The internal row id, the contract's `id`. */
  readonly _id: number;
  /** The external identifier, a lower-case UUID. */
  readonly task_id: string;
  readonly scope: Scope;
  /** Null outside the scope `project`. */
  readonly project_id: string | null;
  readonly folder: string | null;
  readonly user_email: string | null;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: TaskStatus;
  /** The status that the tool itself reports: free text, null until the task has started. */
  readonly datamimic_status: string | null;
  readonly date_queued: Date | null;
  readonly date_started: Date | null;
  readonly date_done: Date | null;
  readonly eta: Date | null;
  readonly exception_type: string | null;
  readonly traceback: string | null;
  readonly worker: string | null;
  readonly retries: number;
  /** Kept by clean-ups. */
  readonly preserve: boolean;
  /** The full task name, such as `service.tasks.system_backup`. */
  readonly name: string;
  /** Raw, such as `service.system_backup`; answers show the label of `task_type` instead. */
  readonly routing_key: string;
  readonly task_type: string;
  readonly artifacts: readonly TaskArtifact[];
  /** The `_id` of a file in the bucket `snapshots`. */
  readonly snapshot_file_id: ObjectId | null;
}

export type LogLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR' | 'CRITICAL';

export interface TaskLogDocument {
  readonly _id: ObjectId;
  /** The task's external identifier. */
  readonly task_id: string;
  /** Position in the task's log, unique within it; gaps are normal. */
  readonly seq: number;
  readonly ts: Date;
  readonly level: LogLevel;
  readonly message: string;
}
