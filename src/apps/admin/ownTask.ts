/**
 * Finds a task by its external id, for callers who may see the tasks of some projects only.
 *
 * ```
 * task_id ──► the index's first entry from it on ──► its `_id` in one of the projects
 *             of another task: there is none         (in the index, then the document)
 *             then an `_id` that nothing has
 * ```
 *
 * So a foreign task is not fetched and takes the same steps as a missing one. Either way the first
 * read returns an entry, unless it is past the last one. Where arrays were in the index, dirty
 * data, it fetches the entry's document. Two documents with one `task_id` are dirty data; the one
 * with the lowest `_id` counts.
 */
import { type Document, MinKey } from 'mongodb';
import type { FindOne } from '../../store/commands.ts';
import { indexOn } from '../../store/indexes.ts';
import { COLLECTIONS } from './documents.ts';
import { tasks } from './resources/tasks.ts';

/** Reads one document, within a deadline: of a database, or in a transaction. */
export type FindsOne = <T extends Document>(
  collection: string,
  asked: FindOne,
) => Promise<T | undefined>;

/** No `_id` is less, and hardly any equal. */
const LEAST = new MinKey();
const BY_TASK_ID = indexOn(tasks.indexes, 'task_id');
/** Without it the store might fetch the document by its `_id`, to see whose it is. */
const BY_PROJECT = indexOn(tasks.indexes, 'project_id');

/** The task, whole or as projected, when it is of scope `project` and belongs to one of these. */
export async function findTaskOf<T extends Document>(
  find: FindsOne,
  taskId: string,
  projectIds: readonly string[],
  projection?: Document,
): Promise<T | undefined> {
  const first = await find<Document>(COLLECTIONS.tasks, {
    filter: { task_id: taskId },
    projection: { task_id: 1 },
    sort: { _id: 1 },
    hint: BY_TASK_ID,
    min: { task_id: taskId, _id: LEAST },
  });
  // A filter matches an array by its elements.
  const isThere = [first?.task_id].flat().includes(taskId);
  const found = await find<T>(COLLECTIONS.tasks, {
    filter: { _id: isThere ? first!._id : LEAST, project_id: { $in: projectIds } },
    projection: projection && { scope: 1, project_id: 1, ...projection },
    hint: BY_PROJECT,
  });
  // Dirty data may have the least id.
  if (!isThere || found?.scope !== 'project') return undefined;
  return projectIds.includes(found.project_id) ? found : undefined;
}
