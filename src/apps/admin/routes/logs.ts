/**
 * A task's log on its three paths: pages of JSON, text, or events for as long as the task runs, as
 * `Accept` asks.
 *
 * The text is a stream, and so is a page of one line that is larger than a page.
 */

import { AppError } from '../../../errors.ts';
import { streamed } from '../../../serve/answer/streamed.ts';
import type { Engine } from '../../../serve/application.ts';
import type { Right } from '../../../serve/auth/policy.ts';
import { nothingHere } from '../../../serve/auth/refusals.ts';
import { type Description, EVENTS } from '../../../serve/description.ts';
import { answerEvents } from '../../../serve/live/eventStream.ts';
import { acceptedType } from '../../../serve/request/acceptedType.ts';
import { integer, type Parameter, readQuery } from '../../../serve/request/queryParameters.ts';
import type { Permission, Route, RouteContext } from '../../../serve/route.ts';
import { closedObject, fullObject } from '../../../tables/definition/jsonSchema.ts';
import { LINE_EVENT } from '../logs/logEvents.ts';
import { followLog } from '../logs/logFollower.ts';
import { LOG_LINE } from '../logs/logLine.ts';
import { type Position, parsePosition } from '../logs/logPosition.ts';
import type { LogReader } from '../logs/logReplies.ts';
import { LogTails } from '../logs/logTails.ts';
import { type LogOwner, TaskLogs } from '../logs/taskLogs.ts';
import { addressOf } from './tasks.ts';

const PATHS: readonly (readonly [path: string, permission: Permission, id: string])[] = [
  ['/api/v2/tasks/:task_id/logs', 'path', 'readLog'],
  ['/api/v2/projects/:project_id/tasks/:task_id/logs', 'path', 'readLogOfProject'],
  ['/api/v2/admin/tasks/:task_id/logs', 'admin', 'readAnyLog'],
];

const TEXT = 'text/plain; charset=utf-8';
const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 5_000;
const AFTER: Parameter<Position> = {
  meaning: 'Lines after this position, the last `next_after`.',
  schema: { type: 'number' },
  takes: 'a position, as `next_after` shows it',
  parse: parsePosition,
};
const QUERY = {
  after: AFTER,
  last: integer(1, MAX_LIMIT, 'The last lines, this many.'),
  limit: integer(
    1,
    MAX_LIMIT,
    `Most lines of a page (${DEFAULT_LIMIT} by default) or of a text; ignored for a followed log.`,
  ),
};

const LAST_EVENT_ID = 'Last-Event-ID';
const HEADERS: Description['requestHeaders'] = {
  [LAST_EVENT_ID]: {
    meaning: 'The `id` of the last event a client received; overrides `after`.',
    schema: { type: 'string' },
  },
};

export function logRoutes({ db, rights }: Pick<Engine, 'db' | 'rights'>): Route[] {
  const logs = new TaskLogs(db);
  const tails = new LogTails(db);
  const handle = async (ctx: RouteContext, permission: Permission) => {
    const { limit, ...asked } = readQuery(ctx, QUERY);
    const address = addressOf(ctx);
    const { taskId } = address;
    const { holdings, deadline } = ctx.state;
    const owner = await logs.owner(address, deadline, (read) => holdings.run('reads', read));
    if (owner === undefined) throw nothingHere();
    const right = rightOf(ctx, permission, owner);
    ctx.vary('Accept');
    const reader = readerFor(ctx.state);
    const type = acceptedType(ctx, 'json', TEXT, EVENTS);
    const came = type === EVENTS ? lastEventId(ctx) : undefined;
    const after =
      asked.last === undefined || came !== undefined
        ? (came ?? asked.after)
        : await reader.turn(() => logs.beforeLast(taskId, asked.last!, asked.after, deadline));
    if (type === EVENTS) {
      const { project_id: projectId } = right.params;
      const follower = { res: ctx.res, right, holdings, reader, after };
      await answerEvents(ctx, () => followLog({ taskId, projectId }, follower, { rights, tails }));
    } else if (type === TEXT) {
      await holdings.take('downloads');
      const pieces = logs.text({ taskId, after, limit }, reader);
      ctx.set('Content-Type', TEXT);
      ctx.body = await streamed(ctx, right, { pieces }, rights);
    } else {
      const page = { after, limit: limit ?? DEFAULT_LIMIT, grows: owner.grows };
      const inTurn: LogReader = { ...reader, turn: (read) => read() };
      // One turn for the whole page: no account holds the lines of pages that are half made.
      const made = reader.turn(() => logs.page(taskId, page, inTurn, deadline.left));
      const { lines, large, nextAfter } = await deadline.wait(made);
      const end = `],"next_after":${JSON.stringify(nextAfter)}}`;
      ctx.set('Content-Type', 'application/json; charset=utf-8');
      if (large === undefined) ctx.body = Buffer.from(`{"data":[${lines.join(',')}${end}`);
      else {
        holdings.hold('answers', large.bytes);
        const pieces = enclosed('{"data":[', holdings.steps(large.pieces), end);
        ctx.body = await streamed(ctx, right, { pieces }, rights);
      }
    }
  };
  return PATHS.map(([path, permission, id]) => ({
    method: 'GET',
    path,
    permission,
    cost: 'reads',
    query: QUERY,
    description: describe(id),
    handle: (ctx) => handle(ctx, permission),
  }));
}

const describe = (id: string): Description => ({
  id,
  group: 'Logs',
  summary: "Read a task's log: pages of JSON, plain text, or live events",
  text:
    '`Accept: text/plain` streams lines as `<ts> <LEVEL> <message>`, all of them unless the query limits ' +
    'them. `Accept: text/event-stream` follows the log while the task runs. A page ends early at 1 MB.',
  requestHeaders: HEADERS,
  answers: {
    200: {
      text:
        'Lines in the order of `seq`. `next_after` is the position to continue from, null after the last ' +
        'line of an ended task.',
      content: {
        'application/json': fullObject({
          data: { type: 'array', items: LOG_LINE },
          next_after: LOG_LINE.properties.seq!,
        }),
        'text/plain': { type: 'string' },
        [EVENTS]: {
          type: 'string',
          description:
            'Events: `line` (a line as in a page, its `id` the position; a message is cut at 16,384 characters, ' +
            'and `message_length` tells how long it is), `end` with the `reason`, and the `status` of a task that ' +
            'has ended.',
        },
      },
      events: {
        line: LINE_EVENT,
        end: closedObject({ reason: { type: 'string' }, status: { type: 'string' } }, ['reason']),
      },
    },
  },
});

/** @throws AppError `ValidationFailed` */
function lastEventId({ req }: RouteContext): Position | undefined {
  const sent = req.headers['last-event-id'];
  if (sent === undefined) return undefined;
  const came = parsePosition(String(sent));
  if (came !== undefined) return came;
  const detail = `The header ${LAST_EVENT_ID} must be the id of an event that was sent: a position.`;
  throw new AppError('ValidationFailed', detail);
}

/**
 * The right to read a log on: that to the project, where the task's path alone is given.
 *
 * @throws AppError `NotFound` where the task belongs to no project any more, and its caller is no admin
 */
function rightOf({ params, state }: RouteContext, permission: Permission, owner: LogOwner): Right {
  const { principal } = state;
  if (params.project_id !== undefined) return { permission, principal, params };
  if (principal.admin) return { permission: 'admin', principal, params: {} };
  if (owner.projectId === null) throw nothingHere();
  return { permission, principal, params: { project_id: owner.projectId } };
}

/** Reads of logs take turns; the bytes of a reply in memory count as an answer not taken yet. */
function readerFor({ holdings, deadline }: RouteContext['state']): LogReader {
  return {
    notBefore: deadline.notBefore,
    turn: (read) => holdings.run('logReads', read),
    hold: (bytes) => holdings.hold('answers', bytes),
    step: (work) => holdings.step(work),
  };
}

async function* enclosed(
  start: string,
  pieces: AsyncIterable<string>,
  end: string,
): AsyncGenerator<string, void, void> {
  yield start;
  yield* pieces;
  yield end;
}
