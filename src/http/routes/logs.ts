/**
 * A task's log on its three paths: pages of JSON, or the whole of it as text, as `Accept` asks.
 *
 * The text is a stream: it is read as fast as the client takes it, and no further once the client is
 * gone.
 */
import { nothingHere } from '../../auth/authenticator.ts';
import type { TaskLogs } from '../../manage/taskLogs.ts';
import { begun } from '../begun.ts';
import { integer, readQuery } from '../queryParameters.ts';
import type { Permission, Route, RouteContext } from '../route.ts';
import { addressOf } from './tasks.ts';

const PATHS: readonly (readonly [path: string, permission: Permission])[] = [
  ['/api/v2/tasks/:task_id/logs', 'task'],
  ['/api/v2/projects/:project_id/tasks/:task_id/logs', 'project'],
  ['/api/v2/admin/tasks/:task_id/logs', 'admin'],
];

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 5_000;

/** Characters that wait for a slow client, at most about twice this. */
const BUFFERED = 65_536;

export function logRoutes({ logs }: { readonly logs: TaskLogs }): Route[] {
  const handle = async (ctx: RouteContext) => {
    const { after, limit = DEFAULT_LIMIT } = readQuery(ctx, {
      after: integer(),
      limit: integer(1, MAX_LIMIT),
    });
    const address = addressOf(ctx);
    if (!(await logs.hasTask(address, ctx.state.deadline))) throw nothingHere();
    ctx.vary('Accept');
    if (ctx.accepts('json', 'text') === 'text') await sendText(ctx, logs.text(address.taskId));
    else ctx.body = await logs.page(address.taskId, { after, limit }, ctx.state.deadline);
  };
  return PATHS.map(([path, permission]) => ({
    method: 'GET',
    path,
    permission,
    cost: 'reads',
    body: 'none',
    handle,
  }));
}

/** Koa destroys the stream when the response closes, and that ends the generator. */
async function sendText(ctx: RouteContext, pieces: AsyncGenerator<string>): Promise<void> {
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.body = await begun(pieces, ctx.state.deadline, BUFFERED);
}
