/** Tasks: cancel one, clean up all that run for the system, keep one, look at one. */
import { nothingHere } from '../../auth/authenticator.ts';
import { AppError } from '../../errors.ts';
import type { Cleanup } from '../../manage/cleanup.ts';
import type { LogReader } from '../../manage/logReplies.ts';
import type { TaskAddress } from '../../manage/taskLookup.ts';
import type { TaskMetadata, Tasks } from '../../manage/tasks.ts';
import { compileSchema } from '../../query/schema.ts';
import { asDate, asJson, asText, present, type RecordContext } from '../../resources/record.ts';
import { tasks as resource, routingKey } from '../../resources/tasks.ts';
import { callerOf } from '../caller.ts';
import type { Route, RouteContext } from '../route.ts';

export interface TaskServices {
  readonly tasks: Tasks;
  readonly cleanup: Cleanup;
  readonly recordContext: RecordContext;
}

const validatePreserve = compileSchema<{ readonly preserve: boolean }>({
  type: 'object',
  additionalProperties: false,
  required: ['preserve'],
  properties: { preserve: { type: 'boolean' } },
});

export function taskRoutes({ tasks, cleanup, recordContext }: TaskServices): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/v2/tasks/:task_id/cancel',
      permission: 'task',
      cost: 'change',
      body: 'none',
      query: {},
      work: 'change',
      async handle(ctx) {
        const end = await tasks.cancel(callerOf(ctx), addressOf(ctx));
        if (end.outcome === 'missing') throw nothingHere();
        if (end.outcome === 'ended') throw notCancellable(end.status);
        ctx.body = present(resource.record, end.row, recordContext);
      },
    },
    {
      method: 'POST',
      path: '/api/v2/admin/tasks/cleanup',
      permission: 'admin',
      cost: 'sweep',
      body: 'none',
      query: {},
      work: 'batches',
      async handle(ctx) {
        // A hundred thousand tasks take longer than a connection may be silent elsewhere.
        ctx.req.socket.setTimeout(0);
        const { revoked, taskIds } = await cleanup.run(callerOf(ctx));
        ctx.body = { revoked, task_ids: taskIds };
      },
    },
    {
      method: 'PUT',
      path: '/api/v2/projects/:project_id/tasks/:task_id/preserve',
      permission: 'project',
      cost: 'change',
      body: 'json',
      query: {},
      work: 'change',
      async handle(ctx) {
        const { preserve } = validatePreserve(ctx.request.body);
        const row = await tasks.setPreserve(callerOf(ctx), addressOf(ctx), preserve);
        if (row === undefined) throw nothingHere();
        ctx.body = present(resource.record, row, recordContext);
      },
    },
    {
      method: 'GET',
      path: '/api/v2/projects/:project_id/tasks/:task_id/metadata',
      permission: 'project',
      cost: 'reads',
      body: 'none',
      query: {},
      async handle(ctx) {
        const { holdings, deadline } = ctx.state;
        const turn: LogReader['turn'] = (count) => holdings.run('logReads', count);
        const metadata = await tasks.metadata(addressOf(ctx), deadline, turn);
        if (metadata === undefined) throw nothingHere();
        ctx.body = presentMetadata(metadata, recordContext);
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

function presentMetadata({ document, snapshot, logLines }: TaskMetadata, context: RecordContext) {
  const row = { document: document as unknown as Record<string, unknown>, joined: {} };
  return {
    task_id: asText(document.task_id),
    status: asText(document.status),
    name: asText(document.name),
    routing_key: routingKey(row, context),
    dates: {
      date_queued: asDate(document.date_queued),
      date_started: asDate(document.date_started),
      date_done: asDate(document.date_done),
      eta: asDate(document.eta),
    },
    artifacts: Array.isArray(document.artifacts) ? asJson(document.artifacts) : [],
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
