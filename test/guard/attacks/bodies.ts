/** Bodies: bombs, bodies that never come whole, JSON that is dear to read. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { FORM, flood, once, post, ROWS, SEARCH, TASKS } from './asking.ts';

const MB = 2 ** 20;

const zeros = once(() => Buffer.alloc(64 * MB));
const brotli = (window: number) => () =>
  brotliCompressSync(zeros(), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: window },
  });

function bomb(name: string, encoding: string, make: () => Buffer): Attack {
  const body = once(make);
  const request = () => post(SEARCH, body(), { 'content-encoding': encoding });
  const expects = [413, 400];
  return { name, kind: 'flood', times: 400, width: 200, request, expects };
}

export const bodies: readonly Attack[] = [
  bomb('brotli bombs', 'br', brotli(22)),
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
  },
  {
    name: 'compressed bodies that never come whole',
    kind: 'unfinished',
    sockets: 200,
    head:
      `POST ${SEARCH} HTTP/1.1\r\nContent-Type: application/json\r\n` +
      'Content-Encoding: br\r\nContent-Length: 1000000\r\n',
    headEnds: true,
    part: () => brotli(22)().subarray(0, 40),
  },
  {
    name: 'bodies in pieces of one byte',
    kind: 'unfinished',
    expects: [400],
    sockets: 60,
    head: `POST ${SEARCH} HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`,
    headEnds: true,
    part: once(() => Buffer.from('1\r\n \r\n'.repeat(900_000))),
  },
  flood('forms whose accept has 300,000 quotes and commas', 200, [20, 10], (token) => {
    const accept = `${'%22'.repeat(149_999)}${','.repeat(150_000)}`;
    return post(`${ROWS}/export`, `access_token=${token}&request={}&accept=${accept}`, FORM);
  }),
  flood('JSON 400,000 levels deep', 422, [60, 20], () =>
    post(SEARCH, `${'['.repeat(400_000)}${']'.repeat(400_000)}`),
  ),
  flood(
    'JSON 500,000 levels deep that ends too soon',
    400,
    [60, 20],
    once(() => post(SEARCH, '['.repeat(500_000))),
  ),
  flood(
    'JSON of 300,000 items with a fault at its end',
    400,
    [60, 20],
    once(() => post(SEARCH, `[${'1, '.repeat(300_000)}`)),
  ),
  flood('forms with JSON 400,000 levels deep', 422, [60, 20], (token) =>
    post(
      `${ROWS}/export`,
      `access_token=${token}&request=${'['.repeat(400_000)}${']'.repeat(400_000)}`,
      FORM,
    ),
  ),
  flood(
    'JSON of 300,000 items where 100 fit',
    422,
    [60, 20],
    once(() => {
      const items = Array.from({ length: 300_000 }, () => 1);
      return post(`${TASKS}/search`, JSON.stringify({ filters: { routing_keys: items } }));
    }),
  ),
  flood(
    'JSON of 70,000 unknown members',
    422,
    [60, 20],
    once(() => {
      const members = Array.from({ length: 70_000 }, (_, n) => `"m${n}":${n}`);
      return post(SEARCH, `{"filters":{${members}}}`);
    }),
  ),
];
