/** The audit trail: its collection, and a record as it lies in MongoDB. */

export const AUDIT = 'audit';

/** A change made through the service: written with the change, in one transaction; never changed. */
export interface AuditDocument {
  /** A UUID of version 7, so that the order of ids is the order of time. */
  readonly _id: string;
  /** The moment in the id. */
  readonly at: Date;
  /** The user's id as decimal text, as a token's `sub` has it. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly target_type: 'schedule' | 'task' | 'view';
  readonly target_id: string;
  /** The changed members before the change; a deleted schedule's without its arguments. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The same members, with their present values; null for a missing document. */
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly request_id: string;
}

export type AuditAction =
  | 'schedule.delete'
  | 'schedule.enable'
  | 'schedule.disable'
  | 'task.cancel'
  | 'task.cleanup'
  | 'task.preserve'
  | 'task.unpreserve'
  | 'view.create'
  | 'view.update'
  | 'view.delete';
