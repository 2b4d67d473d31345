/**
 * Compressed answers: their callers, their sizes and codings; and streams, sent as they are made.
 */
import { get, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { GridFSBucket } from 'mongodb';
import { type Any, HARBOUR, SAILOR, useScene } from '../apps/admin/scene.ts';
import { openCursors } from '../support/openCursors.ts';
import { until } from '../support/until.ts';

const PAGE = '/api/v2/admin/tasks/search';

describe('compressed answers', function compressed() {
  this.timeout(60_000);
  const scene = useScene({ SEARCH_INDEX: 'off' });
  let token: string;
  let task: Any;

  before(async () => {
    token = await scene.token();
    for (let n = 0; n < 60; n++) task = await scene.task({ folder: `folder ${n}` });
    await scene.db.collection('task_logs').insertMany(
      Array.from({ length: 3_000 }, (_, seq) => ({
        task_id: task.task_id,
        seq,
        ts: new Date(1_700_000_000_000 + seq),
        level: 'INFO',
        message: `line ${seq} of a log that goes on and on`,
      })),
    );
  });

  interface Asked {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  }
  /** Bytes as they came: fetch would decompress them. */
  async function ask(path: string, { method = 'POST', headers = {}, body }: Asked = {}) {
    const options: RequestOptions = {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(scene.service.url + path, options, resolve).on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
    const pieces: Buffer[] = [];
    for await (const piece of answer) pieces.push(piece as Buffer);
    return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(pieces) };
  }
  const page = (encoding?: string) =>
    ask(PAGE, {
      body: { pagination: { per_page: 50 } },
      headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
    });
  const DECOMPRESS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
  };

  it('are compressed as Accept-Encoding prefers', async () => {
    const plain = await page();
    expect(plain.headers).not.have.property('content-encoding');
    expect(plain.headers.vary).match(/\bAccept-Encoding\b/);
    for (const [accepts, encoding] of [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['gzip, deflate, br, zstd', 'gzip'],
      ['br, gzip', 'br'],
      ['gzip;q=0.5, br;q=0.8', 'br'],
      ['*', 'gzip'],
      ['GZIP', 'gzip'],
      ['identity', undefined],
      ['deflate', undefined],
      ['', undefined],
      ['gzip;q=0', undefined],
      ['identity;q=1, gzip;q=0.5', undefined],
      [';;;,,', undefined],
    ] as const) {
      const { status, headers, bytes } = await page(accepts);
      expect([status, headers['content-encoding']], accepts).eql([200, encoding]);
      expect(headers.vary).match(/\bAccept-Encoding\b/);
      expect(headers['content-length']).equal(String(bytes.length));
      expect(headers['content-type']).match(/^application\/json\b/);
      const decompressed = encoding ? DECOMPRESS[encoding]!(bytes) : bytes;
      expect(decompressed.equals(plain.bytes), accepts).equal(true);
      if (encoding) expect(bytes.length).lessThan(plain.bytes.length / 3);
    }
  });

  it('are the same, whether one is asked for or many at once', async () => {
    const plain = (await page()).bytes.toString();
    const one = await page('gzip');
    for (const { headers, bytes } of [
      one,
      ...(await Promise.all(Array(8).fill('gzip').map(page))),
    ]) {
      expect(headers['content-encoding']).to.equal('gzip');
      expect(gunzipSync(bytes).toString()).to.equal(plain);
    }
  });

  it('are those of 1 kB and more, and no failures', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const few = await ask(PAGE, { headers, body: { pagination: { per_page: 1 } } });
    expect(few.bytes.length).lessThan(1_024);
    expect(few.headers).not.have.property('content-encoding');
    const wrong = {
      filters: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, 1])),
    };
    const refused = await ask(PAGE, { headers, body: wrong });
    expect(refused.status).equal(422);
    expect(refused.headers).not.have.property('content-encoding');
  });

  it('of files have a weak tag, by which they are known again', async () => {
    const headers = { 'accept-encoding': 'br, gzip' };
    for (const path of ['/openapi.json', '/docs/swagger-ui-bundle.js']) {
      const plain = await ask(path, { method: 'GET' });
      const first = await ask(path, { method: 'GET', headers });
      const again = await ask(path, { method: 'GET', headers });
      expect(first.headers.etag).equal(`W/${plain.headers.etag}`);
      expect(brotliDecompressSync(first.bytes).equals(plain.bytes)).equal(true);
      expect(again.bytes.equals(first.bytes)).equal(true);
      const tag = { ...headers, 'if-none-match': first.headers.etag! };
      const known = await ask(path, { method: 'GET', headers: tag });
      expect([known.status, known.bytes.length]).eql([304, 0]);
      expect(known.headers).not.have.property('content-encoding');
    }
  });

  it('of files cost no more than the files themselves, once they are made', async () => {
    const costOf = async (encoding: string) => {
      const asked = { method: 'GET', headers: { 'accept-encoding': encoding } };
      const before = process.cpuUsage();
      for (let n = 0; n < 10; n++) await ask('/docs/swagger-ui-bundle.js', asked);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    // The process has other work, such as collections of garbage: the least of several times is the files'.
    const least = { br: Number.POSITIVE_INFINITY, identity: Number.POSITIVE_INFINITY };
    for (let round = 0; round < 6; round++) {
      least.br = Math.min(least.br, await costOf('br'));
      least.identity = Math.min(least.identity, await costOf('identity'));
    }
    expect(least.br).lessThan(2 * least.identity);
  });

  it('to HEAD have the headers of GET', async () => {
    const logs = `/api/v2/tasks/${task.task_id}/logs`;
    for (const [path, accept] of [
      ['/openapi.json', 'application/json'],
      [logs, 'application/json'],
      [logs, 'text/plain'],
    ] as const) {
      const headers = { 'accept-encoding': 'gzip', accept };
      const told = await ask(path, { method: 'HEAD', headers });
      const sent = await ask(path, { method: 'GET', headers });
      expect(told.bytes.length).equal(0);
      for (const name of ['content-type', 'content-encoding', 'content-length', 'vary', 'etag']) {
        expect(told.headers[name], `${path} ${name}`).equal(sent.headers[name]);
      }
      expect(told.headers['content-encoding'], `${path} ${accept}`).equal('gzip');
    }
  });

  it('that are streams are whole: logs and exports', async () => {
    const gzip = { 'accept-encoding': 'br, gzip' };
    const logs = `/api/v2/tasks/${task.task_id}/logs`;
    for (const [path, asked] of [
      [logs, { method: 'GET', headers: { accept: 'text/plain' } }],
      [`${PAGE}/export`, { body: {}, headers: { accept: 'text/csv' } }],
      [`${PAGE}/export`, { body: {}, headers: { accept: 'application/x-ndjson' } }],
    ] as const) {
      const plain = await ask(path, asked);
      const compressed = await ask(path, { ...asked, headers: { ...asked.headers, ...gzip } });
      expect(compressed.headers['content-encoding']).equal('gzip');
      expect(compressed.headers).not.have.property('content-length');
      expect(gunzipSync(compressed.bytes).equals(plain.bytes)).equal(true);
      const onlyBrotli = { ...asked.headers, 'accept-encoding': 'br' };
      const other = await ask(path, { ...asked, headers: onlyBrotli });
      expect(other.headers).not.have.property('content-encoding');
    }
  });

  describe('that are streams', () => {
    const message = 'x'.repeat(100_000);
    const n = 400;
    let path: string;

    before(async () => {
      const { task_id } = await scene.task();
      path = `/api/v2/projects/${HARBOUR}/tasks/${task_id}/logs`;
      for (let from = 0; from < n; from += 50) {
        await scene.db.collection('task_logs').insertMany(
          Array.from({ length: 50 }, (_, i) => ({
            task_id,
            seq: from + i,
            message: `${from + i} ${message}${Math.random()}`,
          })),
        );
      }
    });

    async function open(): Promise<IncomingMessage> {
      const headers = {
        accept: 'text/plain',
        'accept-encoding': 'gzip',
        authorization: `Bearer ${await scene.token(SAILOR)}`,
      };
      return await new Promise((resolve, reject) => {
        get(scene.service.url + path, { headers }, resolve).on('error', reject);
      });
    }
    const cursors = () => openCursors(scene.database.client, `${scene.database.name}.task_logs`);

    it('come piece by piece, and go no further than their reader', async () => {
      const answer = await open();
      let text = '';
      for await (const piece of answer.pipe(createGunzip())) {
        text += piece;
        // The first line can be read while most of them have not been written.
        if (text.includes('\n')) break;
      }
      expect(text.length).lessThan((message.length * n) / 2);
      answer.destroy();
      await until(async () => (await cursors()).length === 0, 'it goes on without its reader');
    });

    it('end cut when they are cut', async () => {
      const answer = await open();
      expect(answer.statusCode).equal(200);
      const pieces: Buffer[] = [];
      answer.once('data', () => answer.pause());
      const [cursor] = await until(async () => {
        const found = await cursors();
        return found.length > 0 && found;
      });
      await scene.db.command({ killCursors: 'task_logs', cursors: [cursor] });
      answer.resume();
      answer.on('data', (piece) => pieces.push(piece));
      const error = await new Promise<Error>((resolve) => answer.once('error', resolve));
      expect(error).include({ code: 'ECONNRESET' });
      expect(answer.complete).equal(false);
      expect(() => gunzipSync(Buffer.concat(pieces))).to.throw();
    });
  });

  it('are no events, no downloads and no parts of them', async () => {
    const headers = { 'accept-encoding': 'gzip, br', accept: 'text/event-stream' };
    const { task_id } = await scene.task({ status: 'SUCCESS' });
    const events = await ask(`/api/v2/tasks/${task_id}/logs`, { method: 'GET', headers });
    expect(events.headers['content-type']).equal('text/event-stream');
    expect(events.headers).not.have.property('content-encoding');
    expect(events.headers.vary).not.match(/Accept-Encoding/);
    const bytes = Buffer.from(JSON.stringify({ text: 'x'.repeat(10_000) }));
    const bucket = new GridFSBucket(scene.db, { bucketName: 'snapshots' });
    const upload = bucket.openUploadStream('a.json', {
      metadata: { content_type: 'application/json' },
    });
    await pipeline(Readable.from([bytes]), upload);
    const { task_id: of } = await scene.task({ snapshot_file_id: upload.id });
    const snapshot = `/api/v2/tasks/${of}/snapshot/download`;
    for (const [range, length] of [
      [undefined, bytes.length],
      ['bytes=0-4999', 5_000],
    ] as const) {
      const asked = { ...headers, ...(range && { range }) };
      const file = await ask(snapshot, { method: 'GET', headers: asked });
      expect(file.headers['content-type']).equal('application/json');
      expect(file.headers).not.have.property('content-encoding');
      expect(file.headers['content-length']).equal(String(length));
      expect(file.headers.etag).match(/^"/);
    }
  });
});
