/**
 * Revokes every task of the system and the backups that has not ended and is not preserved.
 *
 * ```
 * _id ─────────────────────────────────────────────────▶
 *  [ 500 tasks + 500 audit records ][ 500 + 500 ] … [ fewer than asked: done ]
 *    one transaction                  the next
 * ```
 *
 * Memory holds one batch, whatever there is to do. A crash between two batches, or in one, leaves
 * whole batches done with their records; asking again does the rest. A task that changes while its
 * batch runs aborts the batch. The batch is then tried again at half the size, and the next one
 * begins at twice the size that got through. So batches stay small beside workers that keep
 * writing.
 */
import { BSON, type Db, type Filter } from 'mongodb';
import { AppError, invariant } from '../../../errors.ts';
import { MAJORITY, readCommand } from '../../../store/commands.ts';
import type { Deadline } from '../../../store/deadline.ts';
import type { Author, Change, Changes } from '../../changes/changes.ts';
import { COLLECTIONS, type TaskDocument } from '../documents.ts';
import { hasEnded, NOT_ENDED, RUNNING, stateOf } from './taskStatus.ts';

/** Tasks of a transaction: with their records about 0.5 MB of oplog, and 20 ms. */
const BATCH = 500;
/** Ids of tasks in the answer: the first ones. */
const SHOWN = 1_000;

/**
 * Time for one batch with its retries, milliseconds. A process killed in the middle of a batch
 * leaves its tasks locked until the server gives its transaction up, by default after a minute. A
 * request within that minute waits for it here.
 */
const BATCH_MS = 90_000;

type Running = Pick<TaskDocument, '_id' | 'task_id' | 'status' | 'date_done'>;

/** Ends at the last task; tasks queued behind its position may stay. */
export async function cleanUp(changes: Changes, db: Db, caller: Author) {
  // `$in` alone would match a list with an ended status, which is dirty data and stays.
  const named = { $in: await runningStatuses(db, caller.deadline), ...NOT_ENDED.status };
  const taskIds: string[] = [];
  let revoked = 0;
  let after: unknown;
  let size = BATCH;
  for (let isRest = false; ; ) {
    const bound = after === undefined ? {} : { _id: { $gt: after } };
    const status = isRest ? NOT_ENDED : { status: named };
    const where = { ...ELIGIBLE, ...bound, ...status } as Filter<TaskDocument>;
    const work = (change: Change, attempt: number) =>
      revoke(change, where, Math.max(1, size >> Math.min(attempt, 30)));
    const batch = await caller.deadline
      .during(BATCH_MS, (part) => changes.run(caller, work, part))
      .catch((error: unknown) => {
        throw amid(error, revoked);
      });
    size = Math.min(BATCH, batch.limit * 2);
    revoked += batch.tasks.length;
    const ids = batch.tasks.map(({ task_id }) => task_id).filter((id) => typeof id === 'string');
    taskIds.push(...ids.slice(0, SHOWN - taskIds.length));
    if (batch.tasks.length < batch.limit && isRest) return { revoked, taskIds };
    // `$gt` compares ids of one type only, and no query names some statuses: the rest has no bounds.
    isRest ||= batch.tasks.length < batch.limit;
    after = isRest ? undefined : batch.tasks.at(-1)!._id;
  }
}

/**
 * The statuses that running tasks have, null for none: only an index on the status lists that. Naming
 * them lets the index on status and `_id` give the tasks in the order of `_id`, where "none of the
 * terminal ones" would have them sorted. None where the driver throws at one.
 */
async function runningStatuses(db: Db, deadline: Deadline): Promise<unknown[]> {
  const all = { distinct: COLLECTIONS.tasks, key: 'status', query: NOT_ENDED };
  const asked = { ...all, readConcern: MAJORITY };
  const stored: readonly unknown[] = await deadline
    .during(BATCH_MS, (part) => readCommand(db, part, asked))
    .then(({ values }) => values, unlessUnread);
  return [...new Set([null, ...RUNNING, ...stored])].filter((status) => !hasEnded(status));
}

function unlessUnread(error: unknown): readonly unknown[] {
  if (BSON.BSONError.isBSONError(error)) return [];
  throw error;
}

const ELIGIBLE = {
  scope: { $in: ['system', 'backup_infrastructure'] },
  preserve: { $ne: true },
} as const;

/** Adds to the error of one batch how many tasks the batches before it revoked. */
function amid(error: unknown, revoked: number): unknown {
  if (revoked === 0 || !(error instanceof AppError)) return error;
  const { code, headers } = error;
  const detail = `${revoked} tasks were revoked until this: ${error.detail} Ask again for the rest.`;
  return new AppError(code, detail, { cause: error.cause, headers });
}

/** Revokes the first `limit` tasks; when it finds that many, there may be others behind them. */
async function revoke(change: Change, where: Filter<TaskDocument>, limit: number) {
  const tasks = await change.find<Running>(COLLECTIONS.tasks, {
    filter: where,
    projection: { task_id: 1, status: 1, date_done: 1 },
    sort: { _id: 1 },
    limit,
  });
  const after = { status: 'REVOKED', date_done: new Date() } as const;
  if (tasks.length > 0) {
    // No query names some ids, which are dirty data.
    const ids = { _id: { $in: tasks.map(({ _id }) => _id) }, ...ELIGIBLE, ...NOT_ENDED };
    const found = tasks.length < limit ? where : ids;
    const matchedCount = await change.updateMany(COLLECTIONS.tasks, found, after);
    invariant(matchedCount === tasks.length, 'a transaction reads and writes one state');
  }
  const entries = tasks.map((task) => ({
    action: 'task.cleanup' as const,
    target_type: 'task' as const,
    target_id: task.task_id,
    before: stateOf(task),
    after,
  }));
  await change.audit(...entries);
  return { tasks, limit };
}
