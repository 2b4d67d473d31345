/** Bodies: which ones count as JSON, where the limit cuts, and which bytes stay unread. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Context } from 'koa';
import type { Holdings } from '../../src/serve/guard.ts';
import { bodies, valueOfPart } from '../../src/serve/request/body.ts';
import { KeptBody } from '../../src/serve/request/decompress.ts';
import type { Hold } from '../../src/tables/search/quota.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { collectGarbage } from '../support/usage.ts';
import { bearer, type Edge, echo, startEdge, storePeople } from './edge.ts';
import { openSocket, parseAnswer } from './rawSocket.ts';

const LIMIT = 64 * 1_024;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Node's parser of a connection calls this function for each piece. */
type Parser = {
  readonly constructor: { readonly kOnBody: number };
  [index: number]: ((this: Parser, piece: Buffer) => unknown) | undefined;
};

describe('a JSON body', () => {
  const database = useDatabase();
  let edge: Edge;
  let auth: Record<string, string>;
  /** Requests that were answered. */
  const answered: WeakRef<IncomingMessage>[] = [];

  before(async () => {
    await storePeople(database.db);
    auth = await bearer('member');
    edge = await startEdge({
      db: database.db,
      routes: [
        echo('POST', '/echo', 'user', 'json'),
        echo('POST', '/none', 'user', 'none'),
        {
          ...echo('POST', '/seen', 'user', 'json'),
          handle(ctx) {
            answered.push(new WeakRef(ctx.req));
            ctx.body = {};
          },
        },
      ],
      env: { BODY_LIMIT: String(LIMIT), maxConnections: 1_000 },
    });
  });
  after(() => edge.close());

  async function post(
    body: string | Buffer | undefined,
    headers: Record<string, string> = JSON_TYPE,
    path = '/echo',
  ): Promise<{ status: number; code: string | undefined; body: unknown; headers: Headers }> {
    const answer = await fetch(edge.url + path, {
      method: 'POST',
      headers: { ...auth, ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
    const given = (await answer.json()) as { code?: string; body?: unknown };
    return { status: answer.status, code: given.code, body: given.body, headers: answer.headers };
  }

  describe('is read', () => {
    const VALUES = [
      '{}',
      ' \n{"a":[1,"x",null,true]}\t',
      '[]',
      '"text"',
      '3',
      'null',
      '{"a":1,"a":2}',
    ];
    for (const text of VALUES) {
      it(`as JSON.parse does: ${JSON.stringify(text)}`, async () => {
        const { status, body } = await post(text);
        expect(status).equal(200);
        expect(body).eql(JSON.parse(text));
      });
    }

    const TYPES = [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'application/json; charset="utf-8"',
      'application/json;charset=utf8;',
      'application/json; charset',
      'application/json; profile="open',
      'application/json; charset=utf-8; Charset="utf-16"',
      'application/json; odata=verbose',
      'application/json; profile="https://example.org/a;b=\\"c\\""; charset=utf-8',
    ];
    for (const type of TYPES) {
      it(`as ${type}`, async () => {
        expect((await post('{"q":"Ψ😀"}', { 'content-type': type })).body).eql({ q: 'Ψ😀' });
      });
    }

    const COMPRESSED: Record<string, (text: string) => Buffer> = {
      gzip: gzipSync,
      GZIP: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      identity: Buffer.from,
    };
    for (const [encoding, compress] of Object.entries(COMPRESSED)) {
      it(`compressed as ${encoding}`, async () => {
        const text = JSON.stringify({ a: 'x'.repeat(LIMIT - 100) });
        const { body } = await post(compress(text), { ...JSON_TYPE, 'content-encoding': encoding });
        expect(body).eql(JSON.parse(text));
      });
    }

    it('up to the last byte of the limit', async () => {
      const fits = `"${'x'.repeat(LIMIT - 2)}"`;
      expect((await post(fits)).status).equal(200);
      expect((await post(`${fits} `)).code).equal('BodyTooLarge');
    });

    it('after 100 Continue, which only a known caller gets', async () => {
      const head =
        'POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n';
      const type = 'Content-Type: application/json\r\n';
      const socket = await openSocket(edge.port);
      socket.write(`${head}${type}Authorization: ${auth.authorization}\r\n\r\n`);
      const [first] = (await once(socket, 'data')) as [Buffer];
      expect(first.toString()).match(/^HTTP\/1.1 100 Continue/);
      socket.write('{}');
      const [second] = (await once(socket, 'data')) as [Buffer];
      expect(second.toString()).match(/^HTTP\/1.1 200 OK/);
      socket.destroy();

      const known = `Authorization: ${auth.authorization}\r\n`;
      const refused: [lines: string, status: number][] = [
        [type, 401],
        [`${known}Content-Type: text/plain\r\n`, 415],
        [`${known}${type}`.replace('\r\n', '\r\nContent-Encoding: zstd\r\n'), 415],
      ];
      for (const [lines, status] of refused) {
        const stranger = await openSocket(edge.port);
        stranger.write(`${head}${lines}\r\n`);
        const [answer] = (await once(stranger, 'data')) as [Buffer];
        expect(answer.toString()).match(new RegExp(`^HTTP/1.1 ${status} `));
        stranger.destroy();
      }
    });
  });

  describe('is 415', () => {
    const TYPES: (string | undefined)[] = [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/xml',
      'application/json; charset=utf-16',
      'application/json; charset=iso-8859-1',
      'application/json-patch+json',
      'application/vnd.api+json',
      'application/json, text/plain',
      'text/json',
      'json',
    ];
    for (const type of TYPES) {
      it(`as ${type ?? 'nothing in particular'}`, async () => {
        const headers = type === undefined ? {} : { 'content-type': type };
        const { status, code } = await post('{}', headers as Record<string, string>);
        expect({ status, code }).eql({ status: 415, code: 'UnsupportedMediaType' });
      });
    }
    for (const encoding of ['zstd', 'gzip, gzip', 'compress', 'constructor']) {
      it(`compressed as ${encoding}`, async () => {
        const { code, headers } = await post('{}', { ...JSON_TYPE, 'content-encoding': encoding });
        expect(code).equal('UnsupportedMediaType');
        expect(headers.get('accept-encoding')).equal('gzip, deflate, br');
      });
    }
  });

  describe('is 400', () => {
    const BAD: Record<string, string | Buffer | undefined> = {
      'when empty': '',
      'when missing': undefined,
      'when blank': ' \n',
      'when cut': '{"a":',
      'with two values': '{}{}',
      'with a comment': '{} // x',
      'with NaN': 'NaN',
      'with single quotes': "{'a':1}",
      'with a bare control character': '"\u0001"',
      'with a byte order mark': Buffer.from('\ufeff{}'),
      'with bytes that are not UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x22]),
      'with half a character': Buffer.from([0x22, 0xc3, 0x22]),
      'with a surrogate written as bytes': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      'in UTF-16': Buffer.from('{}', 'utf16le'),
    };
    for (const [what, body] of Object.entries(BAD)) {
      it(what, async () => {
        const { status, code } = await post(body);
        expect({ status, code }).eql({ status: 400, code: 'MalformedBody' });
      });
    }
    const compressed: Record<string, Buffer> = {
      'not gzip at all': Buffer.from('{}'),
      'gzip, cut': gzipSync('{"a":"bcdefghijkl"}').subarray(0, 20),
      'gzip of nothing': gzipSync(''),
    };
    for (const [what, body] of Object.entries(compressed)) {
      it(`compressed, and ${what}`, async () => {
        const { code } = await post(body, { ...JSON_TYPE, 'content-encoding': 'gzip' });
        expect(code).equal('MalformedBody');
      });
    }
  });

  describe('cannot hurt', () => {
    it('by being 400,000 levels deep, as JSON or not quite', async () => {
      const big = await startEdge({
        db: database.db,
        routes: [
          {
            ...echo('POST', '/deep', 'user', 'json'),
            handle(ctx) {
              ctx.body = {};
            },
          },
        ],
      });
      try {
        const send = async (body: string | Buffer) => {
          const answer = await fetch(`${big.url}/deep`, {
            method: 'POST',
            headers: { ...auth, ...JSON_TYPE },
            body: Buffer.from(body),
          });
          const { code, detail, errors } = (await answer.json()) as Record<string, unknown>;
          return { status: answer.status, code, says: JSON.stringify(errors ?? detail) };
        };
        for (const [open, close] of [
          ['[', ']'],
          ['{"a":', '}'],
        ] as const) {
          const depth = open === '[' ? 400_000 : 170_000;
          const [opened, closed] = [open.repeat(depth), close.repeat(depth)];
          const deep = await send(`${opened}1${closed}`);
          expect(deep).include({ status: 422 });
          expect(deep.says).include('1000 levels');
          for (const [body, says] of [
            [`${opened}1`, 'xpected'],
            [`${opened}1x${closed}`, 'xpected'],
            [`${opened}1${closed}${close}`, 'xpected'],
            [Buffer.concat([Buffer.from(opened), Buffer.from([0xff])]), 'not UTF-8'],
          ] as const) {
            const broken = await send(body);
            expect(broken).include({ status: 400, code: 'MalformedBody' });
            expect(broken.says).include(says);
          }
        }
        expect((await fetch(`${big.url}/livez`)).status).equal(200);
      } finally {
        await big.close();
      }
    });

    it('by being deep and small, whatever is around it: no thread is begun', async () => {
      const deep = '['.repeat(2_000) + ']'.repeat(2_000);
      let threads = 0;
      const count = () => {
        threads += 1;
      };
      process.on('worker', count);
      try {
        const zipped = await post(gzipSync(deep), { ...JSON_TYPE, 'content-encoding': 'gzip' });
        expect(zipped.status).equal(200);
        const nobody = {} as Holdings;
        expect(JSON.stringify(await valueOfPart(deep, '', nobody))).equal(deep);
      } finally {
        process.off('worker', count);
      }
      expect(threads).equal(0);
    });

    it('by a member named __proto__, which is one like any other', async () => {
      for (const text of ['{"__proto__":{"polluted":1}}', '[{"\\u005f_proto__":"Ψ"}]']) {
        const answer = await fetch(`${edge.url}/echo`, {
          method: 'POST',
          headers: { ...auth, ...JSON_TYPE },
          body: text,
        });
        expect(await answer.text()).equal(
          `{"body":${JSON.stringify(JSON.parse(text))},"params":{}}`,
        );
      }
    });
  });

  describe('in small pieces', () => {
    const inPieces = (text: string, size: number) => {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const framed = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
      return `${framed.join('')}0\r\n\r\n`;
    };
    const sent = async (text: string, size: number, more = '') => {
      const socket = await openSocket(edge.port);
      socket.write(`${head('Transfer-Encoding: chunked')}${inPieces(text, size)}${more}`);
      const answer = await answerOn(socket);
      socket.destroy();
      return answer;
    };

    it('is read: of single bytes, and of thousands of pieces', async () => {
      for (const [length, size] of [
        [500, 1],
        [60_000, 80],
      ] as const) {
        const text = JSON.stringify('x'.repeat(length));
        const { status, body } = await sent(text, size);
        expect(status, `${size}`).equal(200);
        expect(JSON.parse(body).body).equal(JSON.parse(text));
      }
    });

    it('far more of them than bytes allow are 400, nothing of it is taken for the whole, and others are read', async () => {
      const next = 'POST /echo HTTP/1.1\r\nHost: x\r\n\r\n';
      for (let i = 0; i < 3; i++) {
        const { status, headers, body } = await sent('1'.repeat(5_000), 1, next);
        expect(status).equal(400);
        expect(headers.get('connection')).equal('close');
        expect(JSON.parse(body)).to.include({
          code: 'MalformedRequest',
          detail:
            'The body comes in too many small chunks: send it in larger ones. The connection is closed.',
        });
        // Node may use the same parser for it.
        expect((await post('{"a":1}')).body).eql({ a: 1 });
      }
    });

    it('costs no call for the pieces of a read that come after its refusal', async () => {
      let calls = 0;
      const counted = (message: unknown) => {
        const { socket } = message as { socket: Socket & { parser: Parser } };
        // Once the server has looked at the connection, and before it is read.
        process.nextTick(() => {
          const { parser } = socket;
          const { kOnBody } = parser.constructor;
          const onBody = parser[kOnBody]!;
          parser[kOnBody] = function count(this: Parser, piece: Buffer) {
            calls += 1;
            return onBody.call(this, piece);
          };
        });
      };
      subscribe('net.server.socket', counted);
      try {
        expect((await sent('1'.repeat(5_000), 1)).status).equal(400);
      } finally {
        unsubscribe('net.server.socket', counted);
      }
      expect(calls).within(513, 530);
    });

    it('far more of them are 400 also where their connection has the parser of one that Node let go', async () => {
      const text = `${head('Transfer-Encoding: chunked')}${inPieces('1'.repeat(5_000), 1)}`;
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        const left = await openSocket(edge.port);
        left.write(`${head('Content-Length: 2')}{}`);
        await answerOn(left);
        // Node lets go of a parser at a CONNECT, and closes its connection after the next one has come.
        left.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
        const next = await openSocket(edge.port);
        await once(left, 'close');
        next.write(text);
        statuses.push((await answerOn(next)).status);
        next.destroy();
      }
      expect(statuses).eql([400, 400, 400, 400, 400]);
    });

    it('leaves nothing on a connection that stays once it is answered', async () => {
      const socket = await openSocket(edge.port);
      socket.write(`${head('Content-Length: 2').replace('/echo', '/seen')}{}`);
      expect((await answerOn(socket)).status).equal(200);
      await until(() => {
        collectGarbage();
        return answered.length === 1 && answered[0]!.deref() === undefined;
      }, 'the request is held');
      socket.destroy();
    });

    it('that has hardly begun takes no more room than it is counted for', async () => {
      const turn = <T>(work: () => Promise<T>) => work();
      const { arrayBuffers: before } = process.memoryUsage();
      const begun = Array.from({ length: 1_000 }, () => new KeptBody('identity', LIMIT, turn));
      for (const body of begun) await body.add(Buffer.from('x'));
      const { arrayBuffers } = process.memoryUsage();
      expect((arrayBuffers - before) / begun.length).below(1_500);
    });

    it('takes little more room than its bytes', async () => {
      const holds = new Set<Hold & { readonly units: number }>();
      const holdings = {
        hold: (name: string, units: number) => {
          expect(name).equal('bodies');
          const hold = { units, release: () => holds.delete(hold) };
          holds.add(hold);
          return hold;
        },
      };
      const req = Object.assign(new PassThrough(), { headers: { ...JSON_TYPE } });
      const ctx = { req, request: {} } as unknown as Context;
      const read = bodies(2 * LIMIT).json(ctx, holdings as unknown as Holdings);
      for (let n = 0; n < 19_998; n++) req.write(n === 0 ? '"' : 'x');
      await until(() => req.readableLength === 0);
      expect([...holds].reduce((sum, { units }) => sum + units, 0)).within(19_998, 21_023);
      expect(holds.size).below(21);
      req.end('x"');
      await read;
      expect(ctx.request.body).equal('x'.repeat(19_998));
      expect(holds.size).equal(0);
    });
  });

  describe('over the limit is 413', () => {
    it('when its length says so, and not one byte is awaited', async () => {
      const socket = await openSocket(edge.port);
      socket.write(head(`Content-Length: ${LIMIT + 1}`));
      expect((await answerOn(socket)).status).equal(413);
    });

    it('when it comes in chunks, as soon as it is passed, the rest unread', async () => {
      const socket = await openSocket(edge.port);
      socket.write(head('Transfer-Encoding: chunked'));
      const chunk = Buffer.from(`${(16_384).toString(16)}\r\n${'x'.repeat(16_384)}\r\n`);
      const answer = answerOn(socket);
      // Far more than the limit and all buffers on the way: a reader would take it, and never answer.
      let sent = 0;
      let answered = false;
      void answer.then(() => {
        answered = true;
      });
      while (sent < 64 * 2 ** 20 && !answered && socket.writable) {
        sent += chunk.length;
        if (!socket.write(chunk))
          await Promise.race([once(socket, 'drain'), answer]).catch(() => 0);
      }
      const { status, headers, body } = await answer;
      expect(status).equal(413);
      expect(headers.get('connection')).equal('close');
      expect(JSON.parse(body)).to.include({ code: 'BodyTooLarge' });
      expect(sent).lessThan(64 * 2 ** 20);
      socket.destroy();
    });

    it('when it is a bomb: 40 MB in 40 kB are not decompressed', async () => {
      const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20), { level: 9 });
      expect(bomb.length).lessThan(LIMIT);
      const peak = process.memoryUsage().arrayBuffers;
      for (let i = 0; i < 5; i++) {
        const { code } = await post(bomb, { ...JSON_TYPE, 'content-encoding': 'gzip' });
        expect(code).equal('BodyTooLarge');
      }
      expect(process.memoryUsage().arrayBuffers - peak).lessThan(30 * 2 ** 20);
    });

    it('when it is a bomb that is not here yet: its beginning tells, and the rest stays unread', async () => {
      for (const [encoding, compress] of [
        ['gzip', gzipSync],
        ['deflate', deflateSync],
      ] as const) {
        const bomb = compress(Buffer.alloc(40 * 2 ** 20), { level: 9 });
        const socket = await openSocket(edge.port);
        const answer = answerOn(socket);
        socket.write(head(`Content-Encoding: ${encoding}\r\nContent-Length: ${bomb.length}`));
        socket.write(bomb.subarray(0, 20_000));
        const { status, body } = await answer;
        expect(status).equal(413);
        expect(JSON.parse(body)).to.include({ code: 'BodyTooLarge' });
        socket.destroy();
      }
    });

    it('compressed as br and deflate too', async () => {
      const large = JSON.stringify('x'.repeat(LIMIT));
      for (const [encoding, compress] of [
        ['br', brotliCompressSync],
        ['deflate', deflateSync],
      ] as const) {
        const { code } = await post(compress(large), {
          ...JSON_TYPE,
          'content-encoding': encoding,
        });
        expect(code).equal('BodyTooLarge');
      }
    });

    it('when what is compressed is too much already, though it decompresses to nothing', async () => {
      const empty = gzipSync('');
      const many = Buffer.concat(
        Array.from({ length: Math.ceil((LIMIT + 1) / empty.length) }, () => empty),
      );
      const { code } = await post(many, { ...JSON_TYPE, 'content-encoding': 'gzip' });
      expect(code).equal('BodyTooLarge');
    });

    it('and a connection whose body had come whole serves the next request', async () => {
      const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20), { level: 9 });
      const socket = await openSocket(edge.port);
      socket.write(head(`Content-Encoding: gzip\r\nContent-Length: ${bomb.length}`));
      socket.write(bomb);
      expect((await answerOn(socket)).status).equal(413);
      socket.removeAllListeners('data');
      socket.write(`${head('Content-Length: 2')}{}`);
      expect((await answerOn(socket)).status).equal(200);
      socket.destroy();
    });

    it('and the same connection is of no further use, a new one is', async () => {
      expect((await post('x'.repeat(LIMIT + 1))).code).equal('BodyTooLarge');
      expect((await post('{}')).status).equal(200);
    });
  });

  it('whose sender goes away ends its request, compressed or not', async () => {
    const before = edge.lines.length;
    for (const encoding of ['', 'Content-Encoding: gzip\r\n']) {
      const socket = await openSocket(edge.port);
      socket.write(head(`${encoding}Expect: 100-continue\r\nContent-Length: 1000`));
      await once(socket, 'data');
      socket.write(gzipSync('{"a":1}').subarray(0, 12));
      await sleep(100);
      socket.destroy();
    }
    const statuses = () => edge.lines.slice(before).map((line) => JSON.parse(line).status);
    await until(() => statuses().length >= 2);
    expect(statuses()).eql([499, 499]);
  });

  it('that waits to be decompressed when the service stops is not called broken', async () => {
    const { decompressing } = edge.guard.quotas;
    const held = decompressing.hold('others', edge.config.maxDecompressing);
    const answer = post(gzipSync('{}'), { ...JSON_TYPE, 'content-encoding': 'gzip' });
    await until(() => decompressing.waiting === 1);
    edge.requests.giveUp();
    const { status, code } = await answer;
    held.release();
    expect({ status, code }).eql({ status: 503, code: 'StoreUnavailable' });
  });

  it('is ignored, whatever it is, by a route that takes none', async () => {
    for (const headers of [JSON_TYPE, { 'content-type': 'text/plain' }, {}]) {
      const { status, body } = await post('{{{', headers as Record<string, string>, '/none');
      expect({ status, body }).eql({ status: 200, body: null });
    }
  });

  function head(lines: string): string {
    const fixed = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    return `${fixed}Authorization: ${auth.authorization}\r\n${lines}\r\n\r\n`;
  }
});

/** The answer that comes over `socket`, whenever it is whole. */
function answerOn(socket: Socket): Promise<ReturnType<typeof parseAnswer>> {
  return new Promise((resolve) => {
    let text = '';
    const look = () => {
      const answer = parseAnswer(text);
      const length = Number(answer.headers.get('content-length') ?? Number.NaN);
      if (Buffer.byteLength(answer.body) >= length) resolve(answer);
    };
    socket.on('data', (chunk) => {
      text += chunk;
      look();
    });
    socket.on('error', () => undefined);
  });
}
