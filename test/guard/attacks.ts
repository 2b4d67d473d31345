/** What is sent to the service by those who mean harm, or ask for much. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { PROJECT_A } from '../http/edge.ts';
import type { Attack } from './attack.ts';
import type { Call } from './calls.ts';
import { DOTS, LARGE, LONG, MANY, SNAPSHOT } from './store.ts';

const MB = 2 ** 20;
const SEARCH = '/api/v2/users/search';
const TASKS = `/api/v2/projects/${PROJECT_A}/tasks`;

const post = (path: string, body: Buffer | string, headers = {}): Call => ({
  method: 'POST',
  path,
  body,
  headers,
});
const get = (path: string, headers = {}): Call => ({ path, headers });

/** Made once, when the attack begins. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const zeros = once(() => Buffer.alloc(64 * MB));
const brotli = (window: number) => () =>
  brotliCompressSync(zeros(), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: window },
  });

function bomb(name: string, encoding: string, make: () => Buffer, short?: true): Attack {
  const body = once(make);
  const request = () => post(SEARCH, body(), { 'content-encoding': encoding });
  const expects = [413, 400];
  return { name, kind: 'flood', times: 400, width: 200, request, expects, ...(short && { short }) };
}

const bodies: readonly Attack[] = [
  bomb('brotli bombs', 'br', brotli(22), true),
  bomb('brotli bombs, large window', 'br', brotli(24)),
  bomb('gzip bombs', 'gzip', () => gzipSync(zeros())),
  bomb('deflate bombs', 'deflate', () => deflateSync(zeros())),
  {
    name: 'bodies that never come whole',
    kind: 'unfinished',
    sockets: 150,
    head: `POST ${SEARCH} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n`,
    headEnds: true,
    part: () => Buffer.alloc(900_000, 0x20),
    short: true,
  },
  {
    name: 'packed bodies that never come whole',
    kind: 'unfinished',
    sockets: 200,
    head:
      `POST ${SEARCH} HTTP/1.1\r\nContent-Type: application/json\r\n` +
      'Content-Encoding: br\r\nContent-Length: 1000000\r\n',
    headEnds: true,
    part: () => brotli(22)().subarray(0, 40),
  },
  {
    name: 'JSON 400,000 levels deep',
    expects: [422],
    kind: 'flood',
    times: 60,
    width: 20,
    request: () => post(SEARCH, `${'['.repeat(400_000)}${']'.repeat(400_000)}`),
    short: true,
  },
  {
    name: 'JSON of 300,000 items where 100 fit',
    expects: [422],
    kind: 'flood',
    times: 60,
    width: 20,
    request: once(() => {
      const items = Array.from({ length: 300_000 }, () => 1);
      return post(`${TASKS}/search`, JSON.stringify({ filters: { routing_keys: items } }));
    }),
  },
  {
    name: 'JSON of 70,000 unknown members',
    expects: [422],
    kind: 'flood',
    times: 60,
    width: 20,
    request: once(() => {
      const members = Array.from({ length: 70_000 }, (_, n) => `"m${n}":${n}`);
      return post(SEARCH, `{"filters":{${members}}}`);
    }),
  },
];

const answers: readonly Attack[] = [
  {
    name: 'log pages of lines of 1 MB',
    expects: [200],
    kind: 'flood',
    times: 60,
    width: 60,
    request: () => get(`/api/v2/tasks/${LARGE}/logs?limit=250`),
    short: true,
  },
  {
    name: 'log pages that are not read',
    kind: 'unread',
    sockets: 300,
    each: 1,
    head: `GET /api/v2/tasks/${LONG}/logs?limit=5000 HTTP/1.1\r\n`,
  },
  {
    name: 'log pages that are not read, 150 on each socket',
    kind: 'unread',
    sockets: 20,
    each: 150,
    head: `GET /api/v2/tasks/${LONG}/logs?limit=5000 HTTP/1.1\r\n`,
  },
  {
    name: 'large lines that are not read',
    kind: 'unread',
    sockets: 100,
    each: 10,
    head: `GET /api/v2/tasks/${LARGE}/logs?limit=1 HTTP/1.1\r\n`,
  },
  {
    name: 'logs as text that are not read',
    kind: 'unread',
    sockets: 100,
    each: 1,
    head: `GET /api/v2/tasks/${LARGE}/logs HTTP/1.1\r\nAccept: text/plain\r\n`,
    short: true,
  },
  {
    name: 'snapshots that are not read',
    kind: 'unread',
    sockets: 300,
    each: 1,
    head: `GET /api/v2/tasks/${SNAPSHOT}/snapshot/download HTTP/1.1\r\n`,
  },
  {
    name: 'snapshots that are not read, 150 on each socket',
    kind: 'unread',
    sockets: 20,
    each: 150,
    head: `GET /api/v2/tasks/${SNAPSHOT}/snapshot/download HTTP/1.1\r\n`,
    short: true,
  },
];

let guesses = 0;
/** An id that nothing has, another one each time. */
const guess = () => `99999999-0000-4000-8000-${String(guesses++).padStart(12, '0')}`;

const work: readonly Attack[] = [
  {
    name: 'projects that are guessed',
    expects: [404],
    kind: 'flood',
    times: 3_000,
    width: 100,
    request: () => post(`/api/v2/projects/${guess()}/tasks/search`, '{}'),
    short: true,
  },
  {
    name: 'tasks that are guessed',
    expects: [404],
    kind: 'flood',
    times: 3_000,
    width: 100,
    request: () => get(`/api/v2/tasks/${guess()}/logs`),
  },
  {
    name: 'explores by pipeline',
    expects: [200],
    kind: 'flood',
    times: 600,
    width: 100,
    request: () =>
      post(
        `${TASKS}/search/explore`,
        '{"facets":[{"field":"status"},{"field":"worker","limit":100}]}',
      ),
  },
  {
    name: 'single bytes of a snapshot',
    expects: [206],
    kind: 'flood',
    times: 1_000,
    width: 100,
    request: () => get(`/api/v2/tasks/${SNAPSHOT}/snapshot/download`, { range: 'bytes=7-7' }),
  },
  {
    name: '300 times metadata of a long log',
    expects: [200],
    kind: 'flood',
    times: 600,
    width: 300,
    request: () => get(`${TASKS}/${MANY}/metadata`),
    short: true,
  },
  {
    name: '60 logs as text',
    expects: [200, 0],
    kind: 'flood',
    times: 60,
    width: 60,
    request: () => get(`/api/v2/tasks/${LONG}/logs`, { accept: 'text/plain' }),
  },
  {
    name: '60 snapshots',
    expects: [200, 0],
    kind: 'flood',
    times: 60,
    width: 60,
    request: () => get(`/api/v2/tasks/${SNAPSHOT}/snapshot/download`),
  },
  {
    name: 'searches by pipeline',
    expects: [200],
    kind: 'flood',
    times: 1_500,
    width: 100,
    request: () => post(`${TASKS}/search`, '{"filters":{"q":"nothing has this"}}'),
  },
  {
    name: 'texts that are dear to look for',
    expects: [200],
    kind: 'flood',
    times: 300,
    width: 50,
    request: () => post(SEARCH, JSON.stringify({ filters: { q: 'ıſKß'.repeat(64) } })),
  },
  {
    name: 'a file name of 50,000 dots',
    expects: [200],
    kind: 'flood',
    times: 200,
    width: 40,
    request: () => get(`/api/v2/tasks/${DOTS}/snapshot/download`),
  },
  {
    name: 'paths of 8 kB',
    expects: [404],
    kind: 'flood',
    times: 2_000,
    width: 100,
    request: () => get(`/api/v2/${'a/'.repeat(4_000)}`),
  },
];

const MANY_HEADERS = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`x-${n}`, 'y']));

const strangers: readonly Attack[] = [
  {
    name: 'metrics with 120 headers',
    expects: [431],
    kind: 'flood',
    times: 1_000,
    width: 100,
    request: () => get('/metrics', { ...MANY_HEADERS, 'x-forwarded-for': '10.0.0.1' }),
  },
  {
    name: 'tokens that are none',
    expects: [401],
    strangers: true,
    kind: 'flood',
    times: 3_000,
    width: 200,
    request: () => get('/api/v2/tasks/routing-keys', { authorization: 'Bearer eyJhbGci.e30.AAAA' }),
  },
  {
    name: 'strangers with large bodies',
    expects: [401],
    strangers: true,
    kind: 'unfinished',
    sockets: 300,
    head: `POST ${SEARCH} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n`,
    headEnds: true,
    part: () => Buffer.alloc(900_000, 0x20),
    short: true,
  },
  {
    name: 'strangers with heads of 15 kB that never end',
    strangers: true,
    kind: 'unfinished',
    sockets: 2_000,
    head: 'GET /livez HTTP/1.1\r\n',
    headEnds: false,
    part: () => Buffer.from(`X: ${'y'.repeat(15_000)}`),
  },
];

/** Needs 11,000 open files on each side. */
export const CROWD: Attack = {
  name: '10,000 idle, bursts of 1,000',
  expects: [200],
  kind: 'crowd',
  idle: 10_000,
  busy: 1_000,
  bursts: 5,
  request: post(`${TASKS}/search`, '{"filters":{"q":"1111"}}'),
};

export const ATTACKS: readonly Attack[] = [...bodies, ...answers, ...work, ...strangers];
