/**
 * The listening socket around the application: limits of each connection, answers to bytes that are
 * no HTTP, and an end that lets requests under way finish.
 *
 * ```
 * connection ─▶ bounded number ─▶ head in time ─▶ whole request in time ─▶ in turn ─▶ app ─▶ idle: closed
 *                                        │             one after the other               └─ not read: cut
 *                                        └─ not HTTP: 400, 408, 431 as problem+json, closed
 * ```
 */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Config } from '../../config.ts';
import { AppError, type ProblemCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { loop } from '../../loop.ts';
import { PROBLEM_JSON, problemText } from '../problem.ts';
import { boundPieces } from './bodyPieces.ts';
import { Pipelining } from './pipelining.ts';
import { StalledReaders } from './stalledReaders.ts';

export type ServerSettings = Pick<
  Config,
  | 'host'
  | 'port'
  | 'maxConnections'
  | 'headersTimeoutMs'
  | 'requestTimeoutMs'
  | 'keepAliveTimeoutMs'
  | 'queryTimeoutMs'
  | 'stalledTimeoutMs'
>;

export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes no more connections, and waits for the requests under way; those that are not done after
   * `timeoutMs` are cut. Returns how many were cut.
   */
  close(timeoutMs: number): Promise<number>;
}

/** Most bytes and lines of a request's head. Node's own default of 16 kB is more than is used here. */
const MAX_HEAD_BYTES = 16_384;
const MAX_HEADER_LINES = 100;

/** The paths of health probes. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** Beyond the longest search and wait for a slow reader, an inactive connection is closed after this time. */
const INACTIVE_MS = 30_000;

/** @throws the error of `listen`, such as `EADDRINUSE`. */
export async function serve(
  handle: RequestListener,
  config: ServerSettings,
  log: Log,
): Promise<RunningServer> {
  const server = createServer({
    headersTimeout: Math.min(config.headersTimeoutMs, config.requestTimeoutMs),
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, config.headersTimeoutMs),
    maxHeaderSize: MAX_HEAD_BYTES,
    insecureHTTPParser: false,
    requireHostHeader: false,
  });
  // Node would leave out headers past a limit, such as one that names the caller. All are read, and
  // a request with too many is refused.
  server.maxHeadersCount = 0;
  server.setTimeout(Math.max(config.queryTimeoutMs, config.stalledTimeoutMs) + INACTIVE_MS);

  let closing = false;
  const connections = new Connections(config.maxConnections);
  server.on('connection', (socket) => connections.opened(socket));
  const answering = new Map<Socket, ServerResponse>();
  const stalled = new StalledReaders(config.stalledTimeoutMs, () => answering.values());
  server.once('close', () => stalled.stop());
  const onRequest: RequestListener = (req, res) => {
    const { socket } = req;
    answering.set(socket, res);
    connections.busy(socket);
    if (req.httpVersion === '1.0' && !Object.hasOwn(socket, 'destroy')) {
      resetWhereCut(socket, answering);
    }
    res.once('close', () => {
      if (answering.get(socket) === res) {
        answering.delete(socket);
        connections.freed(socket);
      }
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
    if (closing) res.setHeader('Connection', 'close');
    if (req.rawHeaders.length > 2 * MAX_HEADER_LINES) {
      answerProtocolProblem(res, 'HeadersTooLarge');
    } else if (hasOneHost(req)) {
      const lane = PROBES.has(req.url!) ? 'probe' : 'request';
      // The token is not checked yet: that is a part of the work.
      loop.begin(lane, req.headers.authorization, () => {
        if (!res.closed) handle(req, res);
      });
    } else answerProtocolProblem(res, 'MalformedRequest');
  };
  const pipelining = new Pipelining(onRequest);
  server.on('connection', (socket) => pipelining.opened(socket));
  boundPieces(server, (socket) => {
    pipelining.end(socket);
    onFault(TOO_MANY_PIECES, socket);
  });
  const inTurn: RequestListener = (req, res) => pipelining.request(req, res);
  server.on('request', inTurn);
  // Asking first whether a body is welcome: the router says so once the caller is known.
  server.on('checkContinue', inTurn);
  server.on('checkExpectation', inTurn);
  const onFault = (error: NodeJS.ErrnoException, socket: Socket) => {
    const begun = answering.get(socket);
    if (begun?.headersSent === true && !begun.writableEnded) socket.destroy();
    else {
      // The refusal is the answer, and whole.
      answering.delete(socket);
      refuse(error, socket, log);
    }
  };
  server.on('clientError', (error, socket) => {
    if (!pipelining.isEnding(socket as Socket)) onFault(error, socket as Socket);
  });
  await listening(server, config);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    port,
    close(timeoutMs) {
      closing = true;
      for (const res of answering.values()) {
        if (!res.headersSent) res.setHeader('Connection', 'close');
      }
      // Opened ahead of need by a browser or a load balancer. Node takes them for busy, and its clock
      // on them stops with the server.
      for (const socket of connections.idle) if (socket.bytesRead === 0) socket.destroy();
      return closed(server, timeoutMs, answering);
    },
  };
}

function listening(server: Server, { host, port }: ServerSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1_024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * An answer of unknown length ends with its connection in HTTP/1.0. So the end of a connection that is cut
 * is a reset: its client would take the part that it has for the whole.
 */
function resetWhereCut(socket: Socket, answering: ReadonlyMap<Socket, ServerResponse>): void {
  const { destroy } = socket;
  socket.destroy = (error) => {
    socket.destroy = destroy;
    const res = answering.get(socket);
    const isCut = res?.req.httpVersion === '1.0' && !res.writableFinished;
    return isCut ? socket.resetAndDestroy() : socket.destroy(error);
  };
}

/** HTTP/1.1 asks for exactly one `Host`; two can mean different things to a proxy and to us. */
function hasOneHost(req: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    if (req.rawHeaders[i]!.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && req.httpVersion === '1.0');
}

function answerProtocolProblem(res: ServerResponse, code: ProblemCode): void {
  const { status, headers, text } = protocolAnswer(code);
  res.writeHead(status, headers);
  res.end(text);
}

/** The answer to a request that reaches no route. */
function protocolAnswer(code: ProblemCode, reason = '') {
  const requestId = randomUUID();
  const error = new AppError(code, `${reason}The connection is closed.`);
  const text = problemText(error, requestId);
  const headers = {
    'Content-Type': PROBLEM_JSON,
    'Content-Length': String(Buffer.byteLength(text)),
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  return { requestId, status: error.status, headers, text };
}

const TOO_MANY_PIECES = Object.assign(
  new Error('The body comes in too many small chunks: send it in larger ones. '),
  { code: 'HPE_TOO_MANY_PIECES' },
);

/** Answers bytes that Node's parser or its clock refused. There is no response object: the answer is written out. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, log: Log): void {
  const code = problemOf(error.code);
  // Nothing was asked on a connection without a byte: browsers open them ahead of need. Thousands may
  // run out of time together, and an answer to each would block the event loop.
  if (!socket.writable || code === undefined || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const why = error === TOO_MANY_PIECES ? error.message : undefined;
  const { requestId, status, headers, text } = protocolAnswer(code, why);
  log.info({ request_id: requestId, status, code, reason: error.code }, 'request refused');
  const lines = Object.entries(headers).map(([k, v]) => `${k}: ${v}\r\n`);
  const reason = code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${text}`);
  setTimeout(() => socket.destroy(), 500).unref();
}

/** Undefined for errors that are no fault of the request: the caller hung up, at any point. */
function problemOf(code: string | undefined): ProblemCode | undefined {
  if (code === 'HPE_INVALID_EOF_STATE') return undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return 'HeadersTooLarge';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'RequestTimeout';
  return code?.startsWith('HPE_') ? 'MalformedRequest' : undefined;
}

/** Closes; counts the requests that had to be cut. A head that never came whole is none. */
function closed(
  server: Server,
  timeoutMs: number,
  answering: ReadonlyMap<Socket, ServerResponse>,
): Promise<number> {
  return new Promise((resolve) => {
    let cut = 0;
    const timer = setTimeout(() => {
      cut = answering.size;
      server.closeAllConnections();
    }, timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      // Requests that were cut end behind their sockets, and have a line in the log then.
      setImmediate(() => void loop.run('answer', undefined, async () => resolve(cut)));
    });
    server.closeIdleConnections();
  });
}

/**
 * How many connections may be open, and which one goes when there are more.
 *
 * ```
 * new connection ─▶ room? ─▶ kept
 *                    └─ full ─▶ the oldest without a request makes room; where all have one, the new one goes
 * ```
 *
 * A limit that only refuses lets thousands of idle sockets keep all clients out, probes included. An
 * idle connection may be closed at any time by the rules of HTTP, so those are the ones that go.
 */
class Connections {
  readonly #limit: number;
  readonly #open = new Set<Socket>();
  /** Connections without a request under way; the first has been idle longest. */
  readonly idle = new Set<Socket>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  opened(socket: Socket): void {
    if (this.#open.size >= this.#limit) {
      const [oldest = socket] = this.idle;
      this.#forget(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    this.#open.add(socket);
    this.idle.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  busy(socket: Socket): void {
    this.idle.delete(socket);
  }

  freed(socket: Socket): void {
    if (this.#open.has(socket)) this.idle.add(socket);
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.idle.delete(socket);
  }
}
