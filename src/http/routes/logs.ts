/**
 * A task's log on its three paths: pages of JSON, or the whole of it as text, as `Accept` asks.
 *
 * The text is a stream: it is read as fast as the client takes it, and no further once the client is
 * gone. So is a page of one line that is larger than a page.
 */

import { Readable } from 'node:stream';
import { nothingHere } from '../../auth/authenticator.ts';
import type { Holdings } from '../../guard/guard.ts';
import { LOG_LINE } from '../../manage/logLine.ts';
import type { LogReader } from '../../manage/logReplies.ts';
import type { LogPage, TaskLogs } from '../../manage/taskLogs.ts';
import { fullObject } from '../../resources/jsonSchema.ts';
import { begun } from '../begun.ts';
import type { Description } from '../description.ts';
import { integer, readQuery } from '../queryParameters.ts';
import type { Permission, Route, RouteContext } from '../route.ts';
import { addressOf } from './tasks.ts';

const PATHS: readonly (readonly [path: string, permission: Permission, id: string])[] = [
  ['/api/v2/tasks/:task_id/logs', 'task', 'readLog'],
  ['/api/v2/projects/:project_id/tasks/:task_id/logs', 'project', 'readLogOfProject'],
  ['/api/v2/admin/tasks/:task_id/logs', 'admin', 'readAnyLog'],
];

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 5_000;
const QUERY = {
  after: integer(undefined, undefined, 'Only lines after this position: the last `next_after`.'),
  limit: integer(1, MAX_LIMIT, `Most lines of a page; ${DEFAULT_LIMIT} by default.`),
};

/** Characters that wait for a slow client, at most about twice this. */
const BUFFERED = 65_536;

export function logRoutes({ logs }: { readonly logs: TaskLogs }): Route[] {
  const handle = async (ctx: RouteContext) => {
    const { after, limit = DEFAULT_LIMIT } = readQuery(ctx, QUERY);
    const address = addressOf(ctx);
    const { holdings, deadline } = ctx.state;
    const grows = await logs.grows(address, deadline);
    if (grows === undefined) throw nothingHere();
    ctx.vary('Accept');
    const reader = readerFor(holdings);
    if (ctx.accepts('json', 'text') === 'text') {
      await holdings.take('downloads');
      await sendText(ctx, logs.text(address.taskId, reader));
    } else {
      const asked = { after, limit, grows };
      sendPage(ctx, await deadline.wait(logs.page(address.taskId, asked, reader, deadline.left)));
    }
  };
  return PATHS.map(([path, permission, id]) => ({
    method: 'GET',
    path,
    permission,
    cost: 'reads',
    body: 'none',
    query: QUERY,
    description: describe(id),
    handle,
  }));
}

const describe = (id: string): Description => ({
  id,
  group: 'Logs',
  summary: "A task's log: a page of JSON, or all of it as text",
  text:
    'With `Accept: text/plain` the whole log is streamed, a line each: `<ts> <LEVEL> <message>`. A page ' +
    'ends early at 1 MB.',
  answers: {
    200: {
      text: 'Lines in the order of `seq`. `next_after` is null once there are no more.',
      content: {
        'application/json': fullObject({
          data: { type: 'array', items: LOG_LINE },
          next_after: LOG_LINE.properties.seq!,
        }),
        'text/plain': { type: 'string' },
      },
    },
  },
});

/** Reads of logs take turns; what a reply has in memory counts as an answer not taken yet. */
function readerFor(holdings: Holdings): LogReader {
  return {
    turn: (read) => holdings.run('logReads', read),
    hold: (bytes) => holdings.hold('answers', bytes),
  };
}

function sendPage(ctx: RouteContext, { lines, large, nextAfter }: LogPage): void {
  const end = `],"next_after":${JSON.stringify(nextAfter)}}`;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  if (large === undefined) {
    ctx.body = Buffer.from(`{"data":[${lines.join(',')}${end}`);
    return;
  }
  ctx.state.holdings.hold('answers', large.bytes);
  ctx.body = Readable.from(enclosed('{"data":[', large.pieces, end), { objectMode: false });
}

function* enclosed(start: string, pieces: Iterable<string>, end: string): Generator<string> {
  yield start;
  yield* pieces;
  yield end;
}

/** Koa destroys the stream when the response closes, and that ends the generator. */
async function sendText(ctx: RouteContext, pieces: AsyncGenerator<string>): Promise<void> {
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.body = await begun(pieces, ctx.state.deadline, BUFFERED);
}
