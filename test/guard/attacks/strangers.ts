/** The attacks of strangers, who have no token. */
import type { Attack } from '../attack.ts';
import { FORM, get, once, post, ROWS, SEARCH } from './asking.ts';

const MANY_HEADERS = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`x-${n}`, 'y']));

export const strangers: readonly Attack[] = [
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
  {
    name: 'forms of strangers, 300,000 fields',
    expects: [400],
    strangers: true,
    kind: 'flood',
    times: 200,
    width: 50,
    request: once(() => post(`${ROWS}/export`, 'a=&'.repeat(300_000), FORM)),
  },
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
