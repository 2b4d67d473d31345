/** The attacks of strangers, who have no token. */
import type { Attack } from '../attack.ts';
import { FORM, flood, get, once, post, ROWS, SEARCH } from './asking.ts';

const MANY_HEADERS = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`x-${n}`, 'y']));

export const strangers: readonly Attack[] = [
  flood('metrics with 120 headers', 431, [1_000, 100], () =>
    get('/metrics', { ...MANY_HEADERS, 'x-forwarded-for': '10.0.0.1' }),
  ),
  flood(
    'tokens that are none',
    401,
    [3_000, 200],
    () => get('/api/v2/tasks/routing-keys', { authorization: 'Bearer eyJhbGci.e30.AAAA' }),
    { strangers: true },
  ),
  {
    name: 'strangers with large bodies',
    expects: [401],
    strangers: true,
    kind: 'unfinished',
    sockets: 300,
    head: `POST ${SEARCH} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n`,
    headEnds: true,
    part: () => Buffer.alloc(900_000, 0x20),
  },
  {
    name: 'strangers with bodies in pieces of one byte',
    expects: [400, 401],
    strangers: true,
    kind: 'unfinished',
    sockets: 100,
    head: `POST ${SEARCH} HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`,
    headEnds: true,
    part: once(() => Buffer.from('1\r\n \r\n'.repeat(900_000))),
  },
  {
    name: 'forms of strangers that never come whole',
    strangers: true,
    kind: 'unfinished',
    sockets: 300,
    head:
      `POST ${ROWS}/export HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
      'Content-Length: 1000000\r\n',
    headEnds: true,
    part: () => Buffer.alloc(900_000, 'a='),
  },
  flood(
    'forms of strangers, 300,000 fields',
    400,
    [200, 50],
    once(() => post(`${ROWS}/export`, 'a=&'.repeat(300_000), FORM)),
    { strangers: true },
  ),
  {
    name: 'the reference that is not read',
    strangers: true,
    kind: 'unread',
    sockets: 300,
    each: 17,
    head: 'GET /openapi.json HTTP/1.1\r\n',
  },
  {
    name: 'small requests, 2,000 on each socket',
    strangers: true,
    kind: 'unread',
    sockets: 60,
    each: 2_000,
    head: 'GET / HTTP/1.1\r\n',
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
