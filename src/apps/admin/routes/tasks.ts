/** Tasks: cancel one, clean up all that run for the system, keep one, look at one. */

import type { Db } from 'mongodb';
import { AppError } from '../../../errors.ts';
import { nothingHere } from '../../../serve/auth/refusals.ts';
import { type Description, jsonAnswer } from '../../../serve/description.ts';
import type { Route, RouteContext } from '../../../serve/route.ts';
import { recordType } from '../../../serve/searching.ts';
import {
  COUNT,
  fullObject,
  type JsonSchema,
  TEXT_OR_NULL,
} from '../../../tables/definition/jsonSchema.ts';
import {
  asJson,
  date,
  group,
  present,
  type RecordContext,
  recordSchema,
  shown,
  text,
} from '../../../tables/definition/record.ts';
import { compileSchema } from '../../../tables/query/schema.ts';
import { CHANGED, callerOf } from '../../changes/caller.ts';
import type { Changes } from '../../changes/changes.ts';
import { LogCounts } from '../logs/logCounts.ts';
import { cleanUp } from '../manage/cleanup.ts';
import type { TaskAddress } from '../manage/taskLookup.ts';
import { cancel, setPreserve, type TaskMetadata, taskMetadata } from '../manage/tasks.ts';
import { routingKey, tasks } from '../resources/tasks.ts';

const validatePreserve = compileSchema<{ readonly preserve: boolean }>({
  title: 'PreserveChange',
  ...fullObject({ preserve: { type: 'boolean' } }),
});

const DESCRIPTIONS = {
  cancel: {
    id: 'cancelTask',
    group: 'Tasks',
    summary: 'Cancel a task that has not ended',
    text: 'One of several concurrent callers wins; the others get 409. The service ignores a body.',
    answers: { 200: jsonAnswer('The task, revoked.', recordType(tasks), CHANGED) },
    problems: ['TaskNotCancellable'],
  },
  cleanup: {
    id: 'cleanUpTasks',
    group: 'Tasks',
    summary: 'Revoke every running system and backup task that is not preserved',
    text: 'Safe to repeat. The service ignores a body.',
    answers: {
      200: jsonAnswer(
        'The number of revoked tasks, and the ids of the first thousand.',
        fullObject({ revoked: COUNT, task_ids: { type: 'array', items: { type: 'string' } } }),
        CHANGED,
      ),
    },
  },
  preserve: {
    id: 'preserveTask',
    group: 'Tasks',
    summary: 'Preserve a task from cleanup, or stop preserving it',
    request: { schema: validatePreserve.schema, examples: { 'Keep it': { preserve: true } } },
    answers: { 200: jsonAnswer('The task as it is now.', recordType(tasks), CHANGED) },
  },
} as const satisfies Readonly<Record<string, Description>>;

export function taskRoutes(changes: Changes, db: Db, context: RecordContext): Route[] {
  const logCounts = new LogCounts(db);
  return [
    {
      method: 'POST',
      path: '/api/v2/tasks/:task_id/cancel',
      permission: 'path',
      cost: 'change',
      description: DESCRIPTIONS.cancel,
      async handle(ctx) {
        const end = await cancel(changes, callerOf(ctx), addressOf(ctx));
        if (end.outcome === 'missing') throw nothingHere();
        if (end.outcome === 'ended') throw notCancellable(end.status);
        ctx.body = present(tasks.record, end.row, context);
      },
    },
    {
      method: 'POST',
      path: '/api/v2/admin/tasks/cleanup',
      permission: 'admin',
      cost: 'sweep',
      description: DESCRIPTIONS.cleanup,
      async handle(ctx) {
        // A hundred thousand tasks take longer than a connection may be silent elsewhere.
        ctx.req.socket.setTimeout(0);
        const { revoked, taskIds } = await cleanUp(changes, db, callerOf(ctx));
        ctx.body = { revoked, task_ids: taskIds };
      },
    },
    {
      method: 'PUT',
      path: '/api/v2/projects/:project_id/tasks/:task_id/preserve',
      permission: 'path',
      cost: 'change',
      body: 'json',
      description: DESCRIPTIONS.preserve,
      async handle(ctx) {
        const { preserve } = validatePreserve(ctx.request.body);
        const row = await setPreserve(changes, callerOf(ctx), addressOf(ctx), preserve);
        if (row === undefined) throw nothingHere();
        ctx.body = present(tasks.record, row, context);
      },
    },
    {
      method: 'GET',
      path: '/api/v2/projects/:project_id/tasks/:task_id/metadata',
      permission: 'path',
      cost: 'reads',
      description: DESCRIBED_METADATA,
      async handle(ctx) {
        const { holdings, deadline } = ctx.state;
        const metadata = await taskMetadata(db, logCounts, addressOf(ctx), deadline, {
          read: (read) => holdings.run('reads', read),
          count: (count) => holdings.run('logReads', count),
        });
        if (metadata === undefined) throw nothingHere();
        ctx.body = presentMetadata(metadata, context);
      },
    },
  ];
}

/** The task a path means: within a project where the path names one. */
export function addressOf({ params }: Pick<RouteContext, 'params'>): TaskAddress {
  return { taskId: params.task_id!, projectId: params.project_id };
}

function notCancellable(status: string): AppError {
  return new AppError('TaskNotCancellable', `The task has ended already: ${status}.`);
}

/** The members of the metadata that the task's own document has. */
const METADATA = {
  task_id: text('task_id'),
  status: text('status'),
  name: text('name'),
  routing_key: routingKey,
  dates: group({
    date_queued: date('date_queued'),
    date_started: date('date_started'),
    date_done: date('date_done'),
    eta: date('eta'),
  }),
  artifacts: shown({ type: 'array', items: {} }, ['artifacts'], ({ document }) =>
    Array.isArray(document.artifacts) ? asJson(document.artifacts) : [],
  ),
};

const SNAPSHOT: JsonSchema = {
  ...fullObject({ file_name: TEXT_OR_NULL, size: COUNT, content_type: TEXT_OR_NULL }),
  type: ['object', 'null'],
};

const DESCRIBED_METADATA: Description = {
  id: 'readTaskMetadata',
  group: 'Tasks',
  summary: "Read a task's metadata",
  answers: {
    200: jsonAnswer(
      'The metadata.',
      fullObject({
        ...(recordSchema(METADATA).properties as Readonly<Record<string, JsonSchema>>),
        snapshot: SNAPSHOT,
        log_lines: COUNT,
      }),
    ),
  },
};

function presentMetadata({ document, snapshot, logLines }: TaskMetadata, context: RecordContext) {
  const row = { document: document as unknown as Record<string, unknown>, joined: {} };
  return {
    ...present(METADATA, row, context),
    snapshot: snapshot
      ? {
          file_name: snapshot.fileName,
          size: snapshot.length,
          content_type: snapshot.contentType,
        }
      : null,
    log_lines: logLines,
  };
}
