/**
 * Finds the document that a task's path means. Two documents with one `task_id` are dirty data; the
 * one with the lowest `_id` counts then, as it does for the permission.
 */
import type { Db, Document } from 'mongodb';
import { findOne } from '../../../store/commands.ts';
import type { Deadline } from '../../../store/deadline.ts';
import { COLLECTIONS, type TaskDocument } from '../documents.ts';
import { type FindsOne, findTaskOf } from '../ownTask.ts';

/** Addresses a task. */
export interface TaskAddress {
  readonly taskId: string;
  /** Only a task of scope `project` that belongs to this project. */
  readonly projectId?: string | undefined;
}

/** Does a read of the store when it is the reader's turn. */
export type Turn = <T>(read: () => Promise<T>) => Promise<T>;

/** Reads of a database within the deadline, each in turn if there is a turn to wait for. */
export const findsOneIn =
  (db: Db, deadline: Deadline, turn: Turn = (read) => read()): FindsOne =>
  (collection, asked) =>
    turn(() => findOne(db, deadline, collection, asked));

/** The task, whole or as projected; undefined when it is not there, or another project's. */
export async function findTask(
  find: FindsOne,
  { taskId, projectId }: TaskAddress,
  projection?: Document,
): Promise<TaskDocument | undefined> {
  if (projectId !== undefined) return findTaskOf(find, taskId, [projectId], projection);
  return await find<TaskDocument>(COLLECTIONS.tasks, {
    filter: { task_id: taskId },
    projection,
    sort: { _id: 1 },
  });
}
