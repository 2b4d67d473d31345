/**
 * Changes to single tasks, and a task's record.
 *
 * A cancellation and a worker's own end of a task race for the same document. Both are updates on
 * the condition that it has not ended, so one of them finds it ended and yields.
 */
import type { Db } from 'mongodb';
import type { Deadline } from '../../../store/deadline.ts';
import type { JoinedRow } from '../../../tables/definition/record.ts';
import type { Author, Changes } from '../../changes/changes.ts';
import { COLLECTIONS, type TaskDocument } from '../documents.ts';
import type { LogCounts } from '../logs/logCounts.ts';
import { tasks } from '../resources/tasks.ts';
import { findSnapshot, type SnapshotFile } from './snapshots.ts';
import { findsOneIn, findTask, type TaskAddress, type Turn } from './taskLookup.ts';
import { hasEnded, NOT_ENDED, stateOf } from './taskStatus.ts';

export type Cancellation =
  | { readonly outcome: 'cancelled'; readonly row: JoinedRow }
  | { readonly outcome: 'ended'; readonly status: string }
  | { readonly outcome: 'missing' };

export interface TaskMetadata {
  readonly document: TaskDocument;
  readonly snapshot: SnapshotFile | undefined;
  readonly logLines: number;
}

/** Revokes the task unless it has ended: of several callers, and the worker, one wins. */
export function cancel(
  changes: Changes,
  caller: Author,
  address: TaskAddress,
): Promise<Cancellation> {
  return changes.run(caller, async (change): Promise<Cancellation> => {
    const projection = { status: 1, date_done: 1 };
    const found = await findTask(change.findOne, address, projection);
    if (found === undefined) return { outcome: 'missing' };
    if (hasEnded(found.status)) return { outcome: 'ended', status: found.status };

    const after = { status: 'REVOKED', date_done: new Date() } as const;
    const before = await change.update<TaskDocument>(
      COLLECTIONS.tasks,
      { filter: { _id: found._id, ...NOT_ENDED } },
      after,
      Object.keys(projection),
    );
    const row = before && (await change.row(tasks, found._id));
    if (!(before && row)) return { outcome: 'missing' };
    await change.audit({
      action: 'task.cancel',
      target_type: 'task',
      target_id: address.taskId,
      before: stateOf(before),
      after,
    });
    return { outcome: 'cancelled', row };
  });
}

/** The task with the flag set; undefined when there is no such task. */
export function setPreserve(
  changes: Changes,
  caller: Author,
  address: TaskAddress,
  preserve: boolean,
): Promise<JoinedRow | undefined> {
  return changes.run(caller, async (change) => {
    const found = await findTask(change.findOne, address, { _id: 1 });
    if (found === undefined) return undefined;
    const action = preserve ? 'task.preserve' : 'task.unpreserve';
    const which = { filter: { _id: found._id } };
    const record = { action, target_type: 'task', target_id: address.taskId } as const;
    return await change.setFlag(tasks, which, { preserve }, record);
  });
}

/** Undefined when the task is not there. */
export async function taskMetadata(
  db: Db,
  logCounts: LogCounts,
  address: TaskAddress,
  deadline: Deadline,
  turns: { readonly read: Turn; readonly count: Turn },
): Promise<TaskMetadata | undefined> {
  const find = findsOneIn(db, deadline, turns.read);
  const document = await findTask(find, address);
  if (document === undefined) return undefined;
  const [snapshot, logLines] = await Promise.all([
    findSnapshot(find, document.snapshot_file_id),
    deadline.wait(logCounts.of(address.taskId, turns.count, deadline.notBefore)),
  ]);
  return { document, snapshot, logLines };
}
