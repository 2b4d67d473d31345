/**
 * Raw bytes against a real server: bytes that are no HTTP or come too late, and too many
 * connections.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import type { Route } from '../../src/serve/route.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { bearer, type Edge, echo, startEdge, storePeople } from './edge.ts';
import { exchangeBytes, openSocket, parseAnswer } from './rawSocket.ts';

/** Far more than the times of an impatient edge, on a busy machine too; far less than the usual ones. */
const LONG_MS = 20_000;

/** A route whose answer comes piece by piece, and may break. */
const streamed = (path: string, breaks: boolean): Route => ({
  ...echo('GET', path, 'public'),
  handle(ctx) {
    ctx.body = Readable.from(
      (async function* pieces() {
        yield 'a';
        await setTimeout(50);
        if (breaks) throw new Error('broken');
        yield 'b';
      })(),
    );
  },
});

describe('raw bytes', () => {
  const database = useDatabase();
  let edge: Edge;
  /** It waits for a fraction of a second: a request that it has to understand may come too late. */
  let impatient: Edge;
  let auth: string;
  let handled: string[] = [];

  before(async () => {
    await storePeople(database.db);
    auth = `Authorization: ${(await bearer('member')).authorization}\r\n`;
    const smuggled = echo('GET', '/smuggled', 'public');
    edge = await startEdge({
      db: database.db,
      routes: [
        echo('POST', '/echo', 'user', 'json'),
        {
          ...smuggled,
          handle(ctx) {
            handled.push(ctx.path);
            ctx.body = {};
          },
        },
        streamed('/whole', false),
        streamed('/cut', true),
      ],
      env: { KEEP_ALIVE_TIMEOUT_MS: '300', maxConnections: 20 },
    });
    impatient = await startEdge({
      db: database.db,
      routes: [echo('POST', '/echo', 'user', 'json')],
      env: { headersTimeoutMs: 400, requestTimeoutMs: 800, KEEP_ALIVE_TIMEOUT_MS: '300' },
    });
  });
  beforeEach(() => {
    handled = [];
  });
  after(async () => {
    await edge.close();
    await impatient.close();
  });

  describe('that two servers could read in two ways are refused', () => {
    const inner = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    const post = (lines: string, body: string) =>
      `POST /echo HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/json\r\n${lines}\r\n${body}`;
    const BYTES: Record<string, () => string> = {
      'Content-Length and Transfer-Encoding': () =>
        post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${inner}`),
      'Transfer-Encoding and Content-Length': () =>
        post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${inner}`),
      'two lengths that differ': () =>
        post('Content-Length: 2\r\nContent-Length: 40\r\n', `{}${inner}`),
      'two lengths that agree': () =>
        post('Content-Length: 2\r\nContent-Length: 2\r\n', `{}${inner}`),
      'two lengths in one line': () => post('Content-Length: 2, 40\r\n', `{}${inner}`),
      'a negative length': () => post('Content-Length: -1\r\n', `{}${inner}`),
      'a length with a sign': () => post('Content-Length: +2\r\n', `{}${inner}`),
      'a length in hexadecimal': () => post('Content-Length: 0x2\r\n', `{}${inner}`),
      'chunked, but not last': () =>
        post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${inner}`),
      'chunked, misspelt': () => post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${inner}`),
      'a blank before the colon': () => post('Content-Length : 2\r\n', `{}${inner}`),
      'a folded line': () => post('X: a\r\n b\r\nContent-Length: 2\r\n', `{}${inner}`),
      'a bare LF in the head': () => 'GET /smuggled HTTP/1.1\r\nHost: x\nX: y\r\n\r\n',
      'bare LFs only': () => 'GET /smuggled HTTP/1.1\nHost: x\n\n',
      'a bare CR in a value': () => 'GET /smuggled HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n',
      'a NUL in a value': () => 'GET /smuggled HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n',
      'a bad chunk size': () => post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n`),
      'a chunk that goes on past its size': () =>
        post('Transfer-Encoding: chunked\r\n', `1\r\n{}\r\n0\r\n\r\n`),
      'no host': () => 'GET /smuggled HTTP/1.1\r\n\r\n',
      'two hosts': () => 'GET /smuggled HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
      'HTTP/0.9': () => 'GET /smuggled\r\n\r\n',
      'HTTP/9.9': () => 'GET /smuggled HTTP/9.9\r\nHost: x\r\n\r\n',
      'a path with a blank': () => 'GET /smug gled HTTP/1.1\r\nHost: x\r\n\r\n',
      TLS: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    };
    for (const [what, bytes] of Object.entries(BYTES)) {
      it(what, async () => {
        const answer = parseAnswer(await exchangeBytes(edge.port, bytes()));
        expect(answer.status).equal(400);
        expect(handled).eql([]);
        expect(answer.headers.get('connection')).equal('close');
        expect(answer.headers.get('content-type')).match(/^application\/problem\+json/);
        const problem = JSON.parse(answer.body);
        expect(problem.status).equal(400);
        expect(problem.code).oneOf(['MalformedRequest', 'MalformedBody']);
        expect(problem.request_id).equal(answer.headers.get('x-request-id'));
      });
    }
  });

  it('with more headers than are looked at are 431: none is left out unseen', async () => {
    const padding = Array.from({ length: 120 }, (_, i) => `X-${i}: y\r\n`).join('');
    for (const path of ['/metrics', '/livez']) {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${padding}X-Forwarded-For: 1.2.3.4\r\n\r\n`;
      expect(parseAnswer(await exchangeBytes(edge.port, bytes)).status).equal(431);
    }
  });

  it('with too large a head are 431', async () => {
    const bytes = `GET /smuggled HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`;
    const answer = parseAnswer(await exchangeBytes(edge.port, bytes));
    expect(answer.status).equal(431);
    expect(JSON.parse(answer.body).code).equal('HeadersTooLarge');
  });

  const REFUSED: Record<string, [bytes: string, status: number]> = {
    'speaks no HTTP': ['\x16\x03\x01 nonsense\r\n\r\n', 400],
    'names no host': ['GET /livez HTTP/1.1\r\n\r\n', 400],
    'names two hosts': ['GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    'sends too large a head': [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    'is too slow': ['GET /livez HTTP/1.1\r\nHost:', 408],
    'knows no path': ['GET /nope HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    'knows no method': ['PUT /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    'has no token': ['POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 401],
  };
  for (const [what, [bytes, status]] of Object.entries(REFUSED)) {
    it(`of a sender who ${what} are answered under an id, not to be stored`, async () => {
      const { port } = status === 408 ? impatient : edge;
      const answer = parseAnswer(await exchangeBytes(port, bytes));
      expect(answer.status).equal(status);
      expect(answer.headers.get('x-request-id')).match(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get('cache-control')).equal('no-store');
      expect(answer.headers.get('content-type')).match(/^application\/problem\+json/);
      const problem = JSON.parse(answer.body);
      expect(problem).include({ status, request_id: answer.headers.get('x-request-id') });
    });
  }

  it('of HTTP/1.0 are understood', async () => {
    const answer = parseAnswer(await exchangeBytes(edge.port, 'GET /livez HTTP/1.0\r\n\r\n'));
    expect(answer.status).equal(200);
  });

  it('of HTTP/1.0 get a reset where their answer is cut: a mere end is the end of the answer', async () => {
    const ended = async (path: string) => {
      const socket = await openSocket(edge.port);
      socket.resume().write(`GET ${path} HTTP/1.0\r\n\r\n`);
      const [hadError] = await once(socket, 'close').catch((error) => [error.code]);
      return hadError;
    };
    expect(await ended('/whole')).equal(false);
    expect(await ended('/cut')).equal('ECONNRESET');
  });

  it('of HTTP/1.0 that expect to be asked for their body are not: there is no such answer', async () => {
    const head = `POST /echo HTTP/1.0\r\n${auth}Content-Type: application/json\r\n`;
    const bytes = `${head}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`;
    expect(parseAnswer(await exchangeBytes(edge.port, bytes)).status).equal(200);
  });

  it('with an unknown expectation are answered all the same', async () => {
    const bytes = 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: cake\r\nConnection: close\r\n\r\n';
    expect(parseAnswer(await exchangeBytes(edge.port, bytes)).status).equal(200);
  });

  it('that ask for an upgrade get plain HTTP', async () => {
    const bytes =
      'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n';
    expect(parseAnswer(await exchangeBytes(edge.port, bytes)).status).equal(200);
    const connect = await exchangeBytes(edge.port, 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n');
    expect(connect).equal('');
  });

  describe('that come too slowly', () => {
    /** Sends a byte every 50 ms until the other side closes; returns its bytes, and the time. */
    async function drip(first: string, byte: string): Promise<{ text: string; ms: number }> {
      const socket = await openSocket(impatient.port);
      const started = performance.now();
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => undefined);
      socket.write(first);
      const timer = setInterval(() => socket.writable && socket.write(byte), 50);
      await once(socket, 'close');
      clearInterval(timer);
      return { text, ms: performance.now() - started };
    }

    it('are 408 while the head drips', async () => {
      const { text, ms } = await drip('GET /livez HTTP/1.1\r\nHost: x\r\nX: ', 'a');
      expect(parseAnswer(text).status).equal(408);
      expect(JSON.parse(parseAnswer(text).body).code).equal('RequestTimeout');
      expect(ms).lessThan(LONG_MS);
    });

    it('are 408 while the body drips', async () => {
      const type = 'Content-Type: application/json\r\n';
      const first = `POST /echo HTTP/1.1\r\nHost: x\r\n${auth}${type}Content-Length: 1000\r\n\r\n`;
      const { text, ms } = await drip(first, ' ');
      expect(parseAnswer(text).status).equal(408);
      expect(ms).lessThan(LONG_MS);
    });

    it('are cut off when nothing comes at all', async () => {
      const socket = await openSocket(impatient.port);
      const started = performance.now();
      socket.resume().on('error', () => undefined);
      await once(socket, 'close');
      expect(performance.now() - started).lessThan(LONG_MS);
    });

    it('and idle connections are closed', async () => {
      const socket = await openSocket(edge.port);
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      const started = performance.now();
      await once(socket.resume(), 'close');
      expect(performance.now() - started).lessThan(LONG_MS);
    });
  });
});

describe('clients that leave in the middle of a head, all at once', () => {
  const database = useDatabase();

  it('are all forgotten: others get in', async () => {
    await storePeople(database.db);
    const limit = 150;
    const env = { maxConnections: limit };
    const edge = await startEdge({ db: database.db, routes: [], env });
    try {
      // Twice as many as there may be, none of which has asked for anything yet.
      for (const _ of [1, 2]) {
        const sockets = await Promise.all(
          Array.from({ length: limit }, () => openSocket(edge.port)),
        );
        const closed = sockets.map((socket) => once(socket.resume(), 'close'));
        for (const socket of sockets) {
          socket.on('error', () => {});
          socket.end('GET / HTTP/1.1\r\nX: y');
        }
        await Promise.all(closed);
      }
      const answer = parseAnswer(
        await exchangeBytes(
          edge.port,
          'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
        ),
      );
      expect(answer.status).equal(200);
    } finally {
      await edge.close();
    }
  });
});

describe('more connections than there may be', () => {
  const database = useDatabase();
  const HEADERS_TIMEOUT_MS = 5_000;
  let edge: Edge;
  before(async () => {
    const times = { headersTimeoutMs: HEADERS_TIMEOUT_MS };
    edge = await startEdge({ db: database.db, env: { maxConnections: 20, ...times } });
  });
  after(() => edge.close());

  it('leave the others served', async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, () => openSocket(edge.port)));
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    const open = () => sockets.filter((socket) => !socket.readableEnded && !socket.destroyed);
    await until(() => open().length <= 20);
    expect(open().length).equal(20);
    const [one] = open();
    one!.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = (await once(one!, 'data')) as [Buffer];
    expect(answer.toString()).match(/^HTTP\/1.1 200/);
    // An idle one makes room at once: no client is kept out by sockets that ask for nothing.
    for (let i = 0; i < 5; i++) {
      const headers = { connection: 'close' };
      expect((await fetch(`${edge.url}/livez`, { headers })).status).equal(200);
    }
    for (const socket of sockets) socket.destroy();
  });
});
