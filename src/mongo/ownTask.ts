/**
 * A task by its external id, for those who may see tasks of some projects only.
 *
 *     task_id ──► the lowest `_id` with it (in the index alone) ──► that `_id` in one of the projects
 *                 none: an `_id` that nothing has                    (in the index, then the document)
 *
 * So a foreign task is never fetched, and takes the steps that one takes which is not there. Two
 * documents with one `task_id` are dirty data; the one with the lowest `_id` counts.
 */
import { type Document, MinKey } from 'mongodb';
import type { FindOne } from './commands.ts';
import { COLLECTIONS } from './documents.ts';

/** Reads one document, within a deadline: of a database, or in a transaction. */
export type FindsOne = <T extends Document>(
  collection: string,
  asked: FindOne,
) => Promise<T | undefined>;

const NOWHERE = new MinKey();
/** Without it the store might fetch the document by its `_id`, to see whose it is. */
const HINT = 'project_id_1__id_1';

/** The task, whole or as projected, when it is of scope `project` and belongs to one of these. */
export async function findTaskOf<T extends Document>(
  find: FindsOne,
  taskId: string,
  projectIds: readonly string[],
  projection?: Document,
): Promise<T | undefined> {
  const first = await find<Document>(COLLECTIONS.tasks, {
    filter: { task_id: taskId },
    projection: { _id: 1 },
    sort: { _id: 1 },
  });
  const found = await find<T>(COLLECTIONS.tasks, {
    filter: { _id: first === undefined ? NOWHERE : first._id, project_id: { $in: projectIds } },
    projection: projection && { scope: 1, project_id: 1, ...projection },
    hint: HINT,
  });
  if (found?.scope !== 'project') return undefined;
  return projectIds.includes(found.project_id) ? found : undefined;
}
