/**
 * The port, taken before there is anything behind it: a start that cannot listen ends before a store
 * is started or data loaded, and requests that come meanwhile are answered.
 *
 * ```
 * openDoor ─▶ 503 StoreUnavailable, /livez 200 ─▶ lead(to the application) ─▶ its answers
 * ```
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { corsHeaders } from '../cors.ts';
import { PROBLEM_JSON, problemText } from '../problem.ts';
import { type RunningServer, type ServerSettings, serve } from './server.ts';

type DoorSettings = ServerSettings & Pick<Config, 'corsOrigins'>;

export interface Door extends RunningServer {
  /** From now on this one answers. */
  lead(to: RequestListener): void;
}

/** @throws the error of `listen`, such as `EADDRINUSE`. */
export async function openDoor(config: DoorSettings, log: Log): Promise<Door> {
  let answer: RequestListener = (req, res) => {
    for (const [name, value] of Object.entries(corsHeaders(req, config.corsOrigins))) {
      res.setHeader(name, value);
    }
    whileStarting(req, res);
  };
  const server = await serve((req, res) => answer(req, res), config, log);
  return {
    ...server,
    lead(to) {
      answer = to;
    },
  };
}

const whileStarting: RequestListener = (req, res) => {
  if (req.url === '/livez') return send(res, 200, 'application/json', '{"status":"alive"}');
  const error = new AppError('StoreUnavailable', 'The service is starting.');
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  send(res, error.status, PROBLEM_JSON, problemText(error, idOf(res)));
};

function send(res: ServerResponse, status: number, type: string, text: string): void {
  res.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Request-Id': idOf(res),
    // The body of a request is left unread.
    Connection: 'close',
  });
  res.end(text);
}

function idOf(res: ServerResponse): string {
  if (!res.hasHeader('X-Request-Id')) res.setHeader('X-Request-Id', randomUUID());
  return String(res.getHeader('X-Request-Id'));
}
