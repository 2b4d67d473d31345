/**
 * Which document a task's path means. Two documents with one `task_id` are dirty data; the one with
 * the lowest `_id` counts then, as it does for the permission.
 */
import type { ClientSession, Collection, Document } from 'mongodb';
import type { TaskDocument } from '../mongo/documents.ts';

/** Which task is meant. */
export interface TaskAddress {
  readonly taskId: string;
  /** Only a task of scope `project` that belongs to this project. */
  readonly projectId?: string | undefined;
}

export interface LookupOptions {
  readonly session?: ClientSession;
  readonly projection?: Document;
}

/** The task, whole or as projected; undefined when it is not there, or another project's. */
export async function findTask(
  collection: Collection<TaskDocument>,
  { taskId, projectId }: TaskAddress,
  { session, projection }: LookupOptions = {},
): Promise<TaskDocument | undefined> {
  const found = await collection.findOne(
    { task_id: taskId },
    {
      sort: { _id: 1 },
      readPreference: 'primary',
      ...(session && { session }),
      ...(projection && { projection: { scope: 1, project_id: 1, ...projection } }),
    },
  );
  if (found === null) return undefined;
  if (projectId === undefined) return found;
  return found.scope === 'project' && found.project_id === projectId ? found : undefined;
}
