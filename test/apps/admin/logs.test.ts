/** Logs: pages over gaps and while the log grows, and the whole of it as text, at the client's pace. */
import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { type CommandStartedEvent, Long } from 'mongodb';
import { TaskLogs } from '../../../src/apps/admin/logs/taskLogs.ts';
import { openCursors } from '../../support/openCursors.ts';
import { until } from '../../support/until.ts';
import { type Any, HARBOUR, LIBRARIAN, LIBRARY, SAILOR, useScene } from './scene.ts';

const MINUTE = Date.parse('2026-11-16T06:00:00Z');

describe('logs', () => {
  const scene = useScene({ SEARCH_INDEX: 'off' });
  const lines = () => scene.db.collection<Any>('task_logs');
  const line = (task_id: string, seq: Any, message = `line ${seq}`) => ({
    task_id,
    seq,
    ts: new Date(MINUTE + Number(seq)),
    level: 'INFO',
    message,
  });
  const paths = (id: string) => [
    `/api/v2/tasks/${id}/logs`,
    `/api/v2/projects/${HARBOUR}/tasks/${id}/logs`,
    `/api/v2/admin/tasks/${id}/logs`,
  ];

  async function taskWithLog(seqs: readonly Any[], status = 'SUCCESS'): Promise<string> {
    const { task_id } = await scene.task({ status });
    if (seqs.length > 0) await lines().insertMany(seqs.map((seq) => line(task_id, seq)));
    return task_id;
  }

  /** All pages from `after` on, as a client would ask for them. */
  async function pages(path: string, limit: number, between?: () => Promise<unknown>) {
    const seqs: number[] = [];
    const sizes: number[] = [];
    let query = `?limit=${limit}`;
    for (;;) {
      const { status, body } = await scene.call('GET', `${path}${query}`);
      expect(status).equal(200);
      seqs.push(...body.data.map(({ seq }: Any) => seq));
      sizes.push(body.data.length);
      if (body.next_after === null) return { seqs, sizes };
      expect(body.next_after).equal(seqs.at(-1));
      query = `?limit=${limit}&after=${body.next_after}`;
      await between?.();
    }
  }

  it('are the same on their three paths', async () => {
    const id = await taskWithLog([3, 1, 2]);
    for (const path of paths(id)) {
      const { body, headers } = await scene.call('GET', path);
      expect(headers.get('vary')).match(/accept/i);
      expect(body).eql({
        data: [1, 2, 3].map((seq) => ({
          seq,
          ts: new Date(MINUTE + seq).toISOString(),
          level: 'INFO',
          message: `line ${seq}`,
        })),
        next_after: null,
      });
    }
    const empty = await taskWithLog([]);
    for (const path of paths(empty)) {
      expect((await scene.call('GET', path)).body).eql({ data: [], next_after: null });
    }
  });

  it("of another project's task, or of none, are not there", async () => {
    const id = await taskWithLog([1]);
    const of = `/api/v2/projects/${LIBRARY}/tasks/${id}/logs`;
    for (const [path, as] of [
      [of, LIBRARIAN],
      [of, 1],
      [`/api/v2/tasks/${id}/logs`, LIBRARIAN],
      [`/api/v2/admin/tasks/${randomUUID()}/logs`, 1],
    ] as const) {
      for (const accept of ['application/json', 'text/plain']) {
        const { status, body } = await scene.call('GET', path, { as, headers: { accept } });
        expect([status, body.code]).eql([404, 'NotFound']);
      }
    }
  });

  it('come in pages without a line lost or doubled, over gaps', async () => {
    const seqs = Array.from({ length: 2_503 }, (_, i) => i * 3 - (i % 2) - 9);
    const id = await taskWithLog(seqs);
    for (const limit of [1_000, 5_000, 2_503, 2_502, 834]) {
      const read = await pages(paths(id)[0]!, limit);
      expect(read.seqs).eql(seqs);
      expect(read.sizes.every((size, i) => size === limit || i === read.sizes.length - 1)).equal(
        true,
      );
    }
    const standard = await scene.call('GET', paths(id)[0]!);
    expect(standard.body.data).lengthOf(1_000);
    const middle = await scene.call('GET', `${paths(id)[0]}?after=1000&limit=2`);
    const [first, second] = seqs.filter((seq) => seq > 1_000);
    expect(middle.body.data.map(({ seq }: Any) => seq)).eql([first, second]);
    const past = await scene.call('GET', `${paths(id)[0]}?after=9007199254740991`);
    expect(past.body).eql({ data: [], next_after: null });
  });

  it('grow while they are read, and every line comes once', async () => {
    const id = await taskWithLog([1, 2, 3, 4, 5]);
    let next = 6;
    const { seqs } = await pages(paths(id)[0]!, 3, async () => {
      if (next < 40) await lines().insertMany([line(id, next++), line(id, next++)]);
    });
    expect(seqs).eql(Array.from({ length: next - 1 }, (_, i) => i + 1));
    // A reader at the end asks again from the last line it has.
    await lines().insertOne(line(id, 100));
    const { body } = await scene.call('GET', `${paths(id)[0]}?after=${seqs.at(-1)}`);
    expect(body.data.map(({ seq }: Any) => seq)).eql([100]);
  });

  it('of a task that has not ended always say where to go on', async () => {
    const id = await taskWithLog([1, 2], 'STARTED');
    const path = paths(id)[0]!;
    const ask = async (query: string) => (await scene.call('GET', path + query)).body;
    expect(await ask('')).to.include({ next_after: 2 });
    expect(await ask('?after=2')).eql({ data: [], next_after: 2 });
    expect(await ask('?after=70')).eql({ data: [], next_after: 70 });
    const { next_after } = await ask(`?after=${Number.MIN_SAFE_INTEGER}`);
    expect(next_after).equal(2);
    const empty = await taskWithLog([], 'PENDING');
    const before = (await scene.call('GET', paths(empty)[0]!)).body.next_after;
    await lines().insertOne(line(empty, -5));
    const { body } = await scene.call('GET', `${paths(empty)[0]}?after=${before}`);
    expect(body.data.map(({ seq }: Any) => seq)).eql([-5]);
    await scene.db.collection('tasks').updateOne({ task_id: id }, { $set: { status: 'FAILURE' } });
    expect(await ask('?after=2')).eql({ data: [], next_after: null });
  });

  it('go on from positions that are rare', async () => {
    const seqs = [
      0.5,
      1.25,
      Long.fromString('9007199254740993'),
      Long.fromString('9007199254740995'),
    ];
    const id = await taskWithLog(seqs, 'STARTED');
    const found: unknown[] = [];
    let query = '?limit=1';
    for (let n = 0; n < seqs.length; n++) {
      const { status, body } = await scene.call('GET', `${paths(id)[0]}${query}`);
      expect(status).equal(200);
      found.push(body.next_after);
      query = `?limit=1&after=${body.next_after}`;
    }
    expect(found).eql([0.5, 1.25, '9007199254740993', '9007199254740995']);
    const { body } = await scene.call('GET', `${paths(id)[0]}${query}`);
    expect(body).eql({ data: [], next_after: found.at(-1) });
  });

  it('begin after a position or with the last lines, in each form', async () => {
    const id = await taskWithLog(Array.from({ length: 30 }, (_, i) => i * 2));
    const expected: readonly (readonly [query: string, seqs: readonly number[]])[] = [
      ['after=53', [54, 56, 58]],
      ['after=58', []],
      ['last=2', [56, 58]],
      ['last=2&after=56', [58]],
      ['last=5000&after=55', [56, 58]],
      ['limit=2&after=9', [10, 12]],
      ['limit=1&last=3', [54]],
    ];
    for (const [query, seqs] of expected) {
      const path = `${paths(id)[1]}?${query}`;
      const page = await scene.call('GET', path);
      expect(
        page.body.data.map(({ seq }: Any) => seq),
        query,
      ).eql(seqs);
      const { text } = await scene.call('GET', path, { headers: { accept: 'text/plain' } });
      expect(text.match(/(?<= line )\d+$/gm)?.map(Number) ?? [], query).eql(seqs);
    }
  });

  it('come in pages of 1 MB at most, and a larger line alone', async function large() {
    this.timeout(60_000);
    const id = await taskWithLog([]);
    const messages = [
      ...Array.from({ length: 30 }, () => 'x'.repeat(100_000)),
      'small',
      `"${'\u0001😀\n'.repeat(1_500_000)}`,
      'small',
      '\u0002'.repeat(400_000),
      'y'.repeat(15_000_000),
      'last',
    ];
    for (const [seq, message] of messages.entries()) {
      await lines().insertOne(line(id, seq, message));
    }
    const found: string[] = [];
    const sizes: number[] = [];
    for (let after: number | null = -1; after !== null; ) {
      const { status, body, text } = await scene.call('GET', `${paths(id)[1]}?after=${after}`);
      expect(status).equal(200);
      if (Buffer.byteLength(text) > 1.1 * 2 ** 20) expect(body.data).lengthOf(1);
      sizes.push(body.data.length);
      found.push(...body.data.map(({ message }: Any) => message));
      expect(body.next_after === null || body.next_after === found.length - 1).equal(true);
      after = body.next_after;
    }
    expect(found.length).equal(messages.length);
    expect(found.every((message, i) => message === messages[i])).equal(true);
    expect(sizes).eql([10, 10, 11, 1, 1, 1, 1, 1]);
    const headers = { accept: 'text/plain; charset=utf-8' };
    const { text } = await scene.call('GET', paths(id)[1]!, { headers });
    const written = text.split('\n').slice(0, -1);
    expect(written.length).equal(messages.length);
    const plain = (message: string) =>
      message.replaceAll('\u0001', '\\u0001').replaceAll('\n', '\\n');
    expect(written[31]!.endsWith(` INFO ${plain(messages[31]!)}`)).equal(true);
    expect(written[34]!.endsWith(messages[34]!)).equal(true);
    await lines().deleteMany({ task_id: id });
  });

  it('go on at every number that a position may be, as answers write it', async () => {
    const seqs = [-1e300, -0.5, 1e-7, 3, 2 ** 63, 1e22];
    const id = await taskWithLog(seqs);
    let query = '?limit=1';
    for (const seq of seqs) {
      const { body } = await scene.call('GET', `${paths(id)[0]}${query}`);
      expect(body.data[0].seq).equal(seq);
      query = `?limit=1&after=${encodeURIComponent(JSON.stringify(seq))}`;
    }
    const end = await scene.call('GET', `${paths(id)[0]}${query}`);
    expect([end.status, end.body.data]).eql([200, []]);
  });

  it('take positions only, and name what is wrong, unknown parameters too', async () => {
    const id = await taskWithLog([1]);
    for (const value of ['', 'x', '1.', '1e', ' 1', '+1', '0x1', '1e999', '%31x']) {
      const { status, body } = await scene.call('GET', `${paths(id)[1]}?after=${value}`);
      expect([status, body.errors?.[0].pointer], value).eql([422, '/after']);
    }
    for (const value of ['0', '-1', '5001', '10e2', '', '1&limit=2']) {
      for (const accept of ['application/json', 'text/plain']) {
        const path = `${paths(id)[2]}?limit=${value}`;
        const { status, body } = await scene.call('GET', path, { headers: { accept } });
        expect([status, body.errors?.[0].pointer], value).eql([422, '/limit']);
      }
    }
    const both = await scene.call('GET', `${paths(id)[0]}?after=x&limit=y`);
    expect(both.body.errors).lengthOf(2);
    const odd = await scene.call('GET', `${paths(id)[0]}?page=7&q=x&limit=5000&after=0`);
    expect([odd.status, odd.body.errors.map((e: { pointer: string }) => e.pointer)]).eql([
      422,
      ['/page', '/q'],
    ]);
  });

  it('are JSON or text, as Accept says', async () => {
    const id = await taskWithLog([1]);
    for (const [accept, type] of [
      ['application/json', 'application/json'],
      ['*/*', 'application/json'],
      ['text/plain', 'text/plain'],
      ['text/*', 'text/plain'],
      ['TEXT/PLAIN', 'text/plain'],
      ['application/json;q=0.5, text/plain', 'text/plain'],
      ['text/plain;q=0.4, application/json;q=0.6', 'application/json'],
      ['text/plain;q=0, */*', 'application/json'],
      ['image/png', 'application/json'],
    ] as const) {
      const { headers } = await scene.call('GET', paths(id)[0]!, { headers: { accept } });
      expect(headers.get('content-type'), accept).equal(`${type}; charset=utf-8`);
    }
  });

  it('as text have one line for each entry, whatever the entry holds', async () => {
    const { task_id } = await scene.task();
    const ts = new Date('2026-11-16T06:00:03.020Z');
    const entries = [
      { level: 'INFO', ts, message: 'Εισαγωγή 📚 C:\\new' },
      { level: 'error', ts, message: 'Traceback:\n  at f()\r\n\tat g()' },
      {
        level: 'WARN ING',
        ts,
        message: '\u001b[31mred\u001b[0m \u2028 \u0085 \0 \u202ednE\u2066 \u200f\u061c end',
      },
      { message: null },
      { level: 7, ts: 'yesterday', message: 12 },
      { level: 'DEBUG', ts, message: '' },
    ];
    await lines().insertMany(entries.map((entry, seq) => ({ task_id, seq, ...entry })));
    await lines().insertOne({ task_id, seq: 'none', ts, level: 'INFO', message: 'dirty' });
    const { text } = await scene.call('GET', paths(task_id)[0]!, {
      headers: { accept: 'text/plain' },
    });
    const at = '2026-11-16T06:00:03.020Z';
    expect(text.split('\n')).eql([
      `${at} INFO Εισαγωγή 📚 C:\\new`,
      `${at} ERROR Traceback:\\n  at f()\\r\\n\tat g()`,
      `${at} WARN_ING \\u001b[31mred\\u001b[0m \\u2028 \\u0085 \\u0000 \\u202ednE\\u2066 \\u200f\\u061c end`,
      '- - ',
      '- - ',
      `${at} DEBUG `,
      '',
    ]);
    const { body } = await scene.call('GET', paths(task_id)[0]!);
    expect(body.data[1].message, 'JSON has the message as it is').equal(entries[1]!.message);
    expect(body.data[4]).eql({ seq: 4, ts: null, level: null, message: null });
  });

  describe('of 100,000 lines, as text', () => {
    const n = 100_000;
    let id: string;

    before(async function store() {
      this.timeout(60_000);
      id = await taskWithLog([]);
      const message = 'x'.repeat(200);
      for (let from = 0; from < n; from += 10_000) {
        const batch = Array.from({ length: 10_000 }, (_, i) => line(id, from + i, message));
        await lines().insertMany(batch, { ordered: false });
      }
    });

    const open = async () => {
      const headers = {
        accept: 'text/plain',
        authorization: `Bearer ${await scene.token(SAILOR)}`,
      };
      return await new Promise<IncomingMessage>((resolve, reject) => {
        get(scene.service.url + paths(id)[0], { headers }, resolve).on('error', reject);
      });
    };
    /** Cursors on the log that the server holds open. */
    const cursors = async () =>
      (await openCursors(scene.database.client, `${scene.database.name}.task_logs`)).length;

    it('come whole', async function whole() {
      this.timeout(60_000);
      let count = 0;
      for await (const bytes of await open()) {
        for (const byte of bytes as Buffer) if (byte === 10) count += 1;
      }
      expect(count).equal(n);
      expect(await cursors()).equal(0);
    });

    it('are read no further for a client that wants the head alone', async () => {
      const headers = { accept: 'text/plain' };
      expect((await scene.call('HEAD', paths(id)[0]!, { headers })).status).equal(200);
      await until(async () => (await cursors()) === 0);
    });

    it('wait for a slow client, and stop when it goes', async () => {
      const answer = await open();
      answer.once('data', () => answer.pause());
      await until(async () => (await cursors()) === 1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await cursors(), 'the stream waits in the middle').equal(1);
      answer.destroy();
      await until(async () => (await cursors()) === 0);
    });

    it('are read no further than the reader wants', async () => {
      const monitored = new (scene.database.client.constructor as Any)(scene.database.uri, {
        monitorCommands: true,
      });
      const commands: string[] = [];
      monitored.on('commandStarted', ({ commandName }: CommandStartedEvent) => {
        commands.push(commandName);
      });
      try {
        const logs = new TaskLogs(monitored.db(scene.database.name));
        const reader = {
          turn: <T>(read: () => Promise<T>) => read(),
          hold: () => ({ release: () => undefined }),
          step: async <T>(work: () => T) => work(),
        };
        for await (const piece of logs.text({ taskId: id }, reader)) {
          expect(piece.length).lessThan(2 * 65_536);
          break;
        }
        expect(commands.filter((name) => name === 'getMore')).lengthOf.lessThan(5);
        expect(commands).include('killCursors');
      } finally {
        await monitored.close();
      }
    });
  });
});
