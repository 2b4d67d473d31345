/** Snapshot downloads: whole, in parts, resumed, under odd names, from broken files, in flat memory. */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { GridFSBucket, ObjectId } from 'mongodb';
import { useFolder } from '../../support/folder.ts';
import { collectGarbage } from '../../support/usage.ts';
import { type Any, LIBRARIAN, SAILOR, useScene } from './scene.ts';

const MB = 2 ** 20;

describe('snapshots', () => {
  const folder = useFolder('names');
  const scene = useScene({ SEARCH_INDEX: 'off' });
  const pathOf = (id: string) => `/api/v2/tasks/${id}/snapshot/download`;

  interface StoredSnapshot {
    readonly path: string;
    readonly fileId: ObjectId;
  }

  async function store(
    bytes: Uint8Array | Readable,
    { name = 'a.json', chunkSizeBytes = 1_000, metadata = {} as object } = {},
  ): Promise<StoredSnapshot> {
    const bucket = new GridFSBucket(scene.db, { bucketName: 'snapshots', chunkSizeBytes });
    const upload = bucket.openUploadStream(name, { metadata });
    await pipeline(bytes instanceof Readable ? bytes : Readable.from([bytes]), upload);
    const { task_id } = await scene.task({ snapshot_file_id: upload.id, status: 'SUCCESS' });
    return { path: pathOf(task_id), fileId: upload.id };
  }

  async function download(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await fetch(scene.service.url + path, {
      method,
      headers: { authorization: `Bearer ${await scene.token(SAILOR)}`, ...headers },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, bytes };
  }

  it('come whole, with length, type, name and tag', async () => {
    const bytes = randomBytes(3_500);
    const metadata = { content_type: 'application/x-harbour' };
    const { path } = await store(bytes, { name: 'atlas.json', metadata });
    const { status, headers, bytes: got } = await download(path);
    expect(status).equal(200);
    expect(got.equals(bytes)).equal(true);
    expect(headers.get('content-length')).equal('3500');
    expect(headers.get('content-type')).equal('application/x-harbour');
    expect(headers.get('content-disposition')).equal('attachment; filename="atlas.json"');
    expect(headers.get('accept-ranges')).equal('bytes');
    expect(headers.get('etag')).match(/^"[\w-]+"$/);
    expect(headers.get('cache-control')).equal('no-store');
    expect(Date.parse(headers.get('last-modified')!)).closeTo(Date.now(), 60_000);
  });

  it('come in parts, from any byte to any other', async () => {
    const bytes = randomBytes(3_500);
    const { path } = await store(bytes);
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=0-999', 0, 999],
      ['bytes=999-1000', 999, 1_000],
      ['bytes=1000-2999', 1_000, 2_999],
      ['bytes=3400-', 3_400, 3_499],
      ['bytes=3499-9999', 3_499, 3_499],
      ['bytes=-1', 3_499, 3_499],
      ['bytes=-3000', 500, 3_499],
      ['bytes=-99999', 0, 3_499],
      ['Bytes= 5-6', 5, 6],
    ] as const) {
      const { status, headers, bytes: got } = await download(path, { range });
      expect(status, range).equal(206);
      expect(headers.get('content-range'), range).equal(`bytes ${start}-${end}/3500`);
      expect(headers.get('content-length'), range).equal(String(end - start + 1));
      expect(got.equals(bytes.subarray(start, end + 1)), range).equal(true);
    }
    for (const range of ['bytes=3500-', 'bytes=99999-100000', 'bytes=-0']) {
      const { status, headers, bytes: got } = await download(path, { range });
      expect(status, range).equal(416);
      expect(headers.get('content-range')).equal('bytes */3500');
      expect(JSON.parse(String(got)).code).equal('RangeNotSatisfiable');
    }
    const odd = ['bytes=5-4', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes', 'bytes=0-1,5-6'];
    for (const range of odd) {
      const { status, bytes: got } = await download(path, { range });
      expect([status, got.length], range).eql([200, 3_500]);
    }
  });

  it('have no date where JavaScript has none for theirs', async () => {
    const { path, fileId } = await store(randomBytes(10));
    const late = { $set: { uploadDate: { $add: [new Date(8.64e15), 1] } } };
    await scene.db.collection('snapshots.files').updateOne({ _id: fileId }, [late]);
    const { status, headers } = await download(path);
    expect(status).equal(200);
    expect(headers.get('last-modified')).equal(null);
    expect(headers.get('etag')).equal(`"${fileId}-a-0"`);
  });

  it('are not sent again to a client that has them, and resumed only while unchanged', async () => {
    const { path } = await store(randomBytes(2_500));
    const { headers } = await download(path);
    const etag = headers.get('etag')!;
    const modified = headers.get('last-modified')!;
    const past = new Date(Date.parse(modified) - 5_000).toUTCString();
    const range = 'bytes=100-';
    for (const [sent, status] of [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `"x", W/${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"x"', 'if-modified-since': modified }, 200],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-modified-since': past }, 200],
      [{ 'if-modified-since': 'yesterday' }, 200],
      [{ 'if-none-match': etag, range }, 304],
      [{ range, 'if-range': etag }, 206],
      [{ range, 'if-range': `W/${etag}` }, 200],
      [{ range, 'if-range': '"x"' }, 200],
      [{ range, 'if-range': modified }, 206],
      [{ range, 'if-range': past }, 200],
      [{ range, 'if-match': etag }, 206],
      [{ range, 'if-match': '"x"' }, 200],
      [{ range: 'bytes=9999-', 'if-range': '"x"' }, 200],
    ] as [Record<string, string>, number][]) {
      const got = await download(path, sent);
      expect(got.status, JSON.stringify(sent)).equal(status);
      expect(got.headers.get('etag')).equal(etag);
      expect(got.bytes.length).equal({ 200: 2_500, 206: 2_400, 304: 0 }[status]);
    }
    const other = await store(randomBytes(2_500));
    expect((await download(other.path)).headers.get('etag')).not.equal(etag);
  });

  it('answer HEAD like GET, without a body', async () => {
    const { path } = await store(randomBytes(2_500));
    const { status, headers, bytes } = await download(path, { range: 'bytes=0-9' }, 'HEAD');
    expect([status, bytes.length]).eql([200, 0]);
    expect(headers.get('content-length')).equal('2500');
    expect(headers.get('etag')).equal((await download(path)).headers.get('etag'));
    const tag = { 'if-none-match': headers.get('etag')! };
    expect((await download(path, tag, 'HEAD')).status).equal(304);
  });

  it('may be empty', async () => {
    const { path } = await store(Buffer.alloc(0));
    const { status, headers, bytes } = await download(path);
    expect([status, headers.get('content-length'), bytes.length]).eql([200, '0', 0]);
    expect((await download(path, { range: 'bytes=0-' })).status).equal(416);
  });

  it('have names and types that cannot break a header or fool a reader', async () => {
    for (const [name, header] of [
      [
        'Harbour Atlas – 1.json',
        /="Harbour Atlas _ 1\.json"; filename\*=UTF-8''Harbour%20Atlas%20%E2%80%93%201\.json$/,
      ],
      [
        'Βιβλιοθήκη "πριν" 📚.json',
        /="snapshot-[0-9a-f-]{36}\.json"; filename\*=UTF-8''%CE[^"]*_[%0-9A-F]+_/,
      ],
      [
        'Café à Zürich.csv',
        /="Cafe a Zurich\.csv"; filename\*=UTF-8''Caf%C3%A9%20%C3%A0%20Z%C3%BCrich\.csv$/,
      ],
      ['say "hi".txt', /^attachment; filename="say _hi_\.txt"$/],
      ["it's (1) *.txt", /="it's \(1\) _\.txt"$/],
      ['l’an (1).txt', /="l_an \(1\)\.txt"; filename\*=UTF-8''l%E2%80%99an%20%281%29\.txt$/],
      ['a\r\nSet-Cookie: x=1', /filename="aSet-Cookie_ x=1"$/],
      ['../../etc/passwd', /filename="_\.\._etc_passwd"$/],
      ['C:\\Windows\\x.dll', /filename="C__Windows_x\.dll"$/],
      ['con', /filename="_con"$/],
      ['NUL.tar.gz', /filename="_NUL\.tar\.gz"$/],
      [' con.txt', /filename="_con\.txt"$/],
      ['.aux', /filename="_aux"$/],
      ['con .txt', /="_con\.txt"; filename\*=UTF-8''_con%20\.txt$/],
      ['cón.txt', /="_con\.txt"; filename\*=UTF-8''c%C3%B3n\.txt$/],
      // A long name is cut first.
      [`con${' '.repeat(300)}x`, /filename="_con"$/],
      [`con${' '.repeat(300)}x.txt`, /="_con\.txt"; filename\*=UTF-8''_con(%20)+\.txt$/],
      ['a<b>|c?.json', /filename="a_b__c_\.json"$/],
      ['\u202egpj.exe', /filename="gpj\.exe"$/],
      [
        '50%20off; a=b, c.csv',
        /="50_20off_ a=b, c\.csv"; filename\*=UTF-8''50%2520off%3B%20a%3Db%2C%20c\.csv$/,
      ],
      ['..', /filename="snapshot-[0-9a-f-]{36}"$/],
      ['', /filename="snapshot-[0-9a-f-]{36}"$/],
      [
        `${'長'.repeat(5_000)}.json`,
        /="snapshot-[0-9a-f-]{36}\.json"; filename\*=UTF-8''(%[0-9A-F]{2}){195}\.json$/,
      ],
    ] as const) {
      const { path } = await store(Buffer.from('x'), { name });
      const { status, headers } = await download(path);
      expect(status, name).equal(200);
      expect(headers.get('content-disposition'), name).match(header);
      expect(headers.get('set-cookie')).equal(null);
    }
    // A client that knows ASCII alone, and one that saves a file under the name in the answer.
    const { path } = await store(Buffer.from('x'), { name: 'Βιβλιοθήκη.json' });
    const auth = `Authorization: Bearer ${await scene.token()}`;
    await promisify(execFile)('curl', ['-sSfOJ', '-H', auth, scene.service.url + path], {
      cwd: folder,
    });
    expect((await readdir(folder)).join()).match(/^snapshot-[0-9a-f-]{36}\.json$/);
    for (const content_type of ['text/html\r\nX: y', 'text', '', 7, null, { $gt: '' }]) {
      const { path } = await store(Buffer.from('x'), { metadata: { content_type } });
      expect((await download(path)).headers.get('content-type')).equal('application/octet-stream');
    }
  });

  it('that are not there are SnapshotNotFound; of foreign tasks, NotFound', async () => {
    for (const snapshot_file_id of [null, undefined, new ObjectId(), 'x', { $gt: '' }, 5]) {
      const { task_id } = await scene.task({ snapshot_file_id });
      const { status, bytes } = await download(pathOf(task_id));
      expect([status, JSON.parse(String(bytes)).code]).eql([404, 'SnapshotNotFound']);
    }
    const { path } = await store(Buffer.from('x'));
    const foreign = await scene.call('GET', path, { as: LIBRARIAN });
    expect([foreign.status, foreign.body.code]).eql([404, 'NotFound']);
  });

  it('break off, and do not hang, where the file is broken', async () => {
    const chunks = () => scene.db.collection<Any>('snapshots.chunks');
    const breakings: ((fileId: ObjectId) => Promise<unknown>)[] = [
      (files_id) => chunks().deleteOne({ files_id, n: 0 }),
      (files_id) => chunks().deleteOne({ files_id, n: 40 }),
      (files_id) => chunks().deleteOne({ files_id, n: 99 }),
      (files_id) => chunks().updateOne({ files_id, n: 50 }, { $set: { data: randomBytes(9) } }),
      (files_id) => chunks().updateOne({ files_id, n: 50 }, { $set: { data: 'text' } }),
    ];
    for (const [i, damage] of breakings.entries()) {
      const { path, fileId } = await store(randomBytes(100_000));
      await damage(fileId);
      const failure = await download(path).then(
        ({ status }) => status,
        () => 'broken off',
      );
      expect(failure, `damage ${i}`).oneOf(['broken off', 500]);
      const before = await download(path, { range: 'bytes=1000-2999' });
      expect([before.status, before.bytes.length]).eql([206, 2_000]);
    }
    const logged = scene.service.logLines.filter((line) => line.includes('snapshot'));
    expect(logged.join(''), 'the log says which file').match(/lacks its chunk 40/);
  });

  it('of 64 MB come right in a memory that stays flat, also for slow clients', async function big() {
    this.timeout(120_000);
    const piece = randomBytes(MB);
    const total = 64;
    const hash = createHash('sha256');
    for (let i = 0; i < total; i++) hash.update(piece);
    const pieces = Readable.from(
      (function* () {
        for (let i = 0; i < total; i++) yield piece;
      })(),
    );
    const { path } = await store(pieces, { chunkSizeBytes: 255 * 1_024 });
    const open = async () => {
      const headers = { authorization: `Bearer ${await scene.token(SAILOR)}` };
      return await new Promise<IncomingMessage>((resolve, reject) => {
        get(scene.service.url + path, { headers, agent: false }, resolve).on('error', reject);
      });
    };
    /** MB that are still referred to. */
    const held = () => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / MB;
    };
    // Ten clients that read a little and then wait hold no more than the bytes on their way to
    // each.
    const before = held();
    const slow = await Promise.all(Array.from({ length: 10 }, open));
    for (const answer of slow) answer.once('data', () => answer.pause());
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(held() - before, 'MB held for ten slow clients').lessThan(10 * 8);

    const got = createHash('sha256');
    const during: number[] = [];
    let received = 0;
    for await (const bytes of await open()) {
      got.update(bytes as Buffer);
      received += bytes.length;
      if (received > (during.length + 1) * 8 * MB) during.push(held() - before);
    }
    expect(got.digest('hex')).equal(hash.digest('hex'));
    expect(Math.max(...during), 'MB held at most, slow clients included').lessThan(10 * 8);
    for (const answer of slow) answer.destroy();
  });
});
