/**
 * The port, taken before there is anything behind it: a start that cannot listen ends before a store
 * is started or data loaded, and requests that come meanwhile are answered.
 *
 * ```
 * openDoor ─▶ 503 StoreUnavailable, /livez 200 ─▶ lead(to the application) ─▶ its answers
 * ```
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { corsHeaders, preflightHeaders } from '../cors.ts';
import { PROBLEM_JSON, problemText } from '../problem.ts';
import { type RunningServer, type ServerSettings, serve } from './server.ts';

type DoorSettings = ServerSettings & Pick<Config, 'corsOrigins'>;

export interface Door extends RunningServer {
  /** From now on this one answers. */
  lead(to: RequestListener): void;
}

/** @throws the error of `listen`, such as `EADDRINUSE`. */
export async function openDoor(config: DoorSettings, log: Log): Promise<Door> {
  let answer: RequestListener = (req, res) => whileStarting(req, res, config);
  const server = await serve((req, res) => answer(req, res), config, log);
  return {
    ...server,
    lead(to) {
      answer = to;
    },
  };
}

function whileStarting(
  req: IncomingMessage,
  res: ServerResponse,
  { corsOrigins }: DoorSettings,
): void {
  const id = randomUUID();
  const headers = {
    'Cache-Control': 'no-store',
    'X-Request-Id': id,
    // The body of a request is left unread.
    Connection: 'close',
    ...corsHeaders(req, corsOrigins),
  };
  // Without it a page could not read that the service is starting.
  const allowed = preflightHeaders(req, corsOrigins);
  if (allowed) {
    res.writeHead(204, { ...headers, ...allowed });
    res.end();
    return;
  }
  if (req.url?.split('?', 1)[0] === '/livez') {
    res.writeHead(200, { 'Content-Type': 'application/json', ...headers });
    res.end('{"status":"alive"}');
    return;
  }
  const error = new AppError('StoreUnavailable', 'The service is starting.');
  res.writeHead(error.status, { 'Content-Type': PROBLEM_JSON, ...error.headers, ...headers });
  res.end(problemText(error, id));
}
