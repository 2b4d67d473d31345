/** The log: one JSON line a request, whatever callers put into it, and nothing that must not leave. */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createLog, formatted } from '../../src/log.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { bearer, type Edge, echo, PROJECT_A, startEdge, storePeople } from './edge.ts';

/** Line ends, ANSI in 7 and 8 bits, separators, marks that turn the direction of text. */
const HOSTILE =
  'a\r\n{"level":"fatal"}\u001b[31m\u009b31m\u0085\u2028\u2029\u202e\u2066\u200f\u061c\ufeff\u007f\0z';
const BREAKS = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

describe('the log', () => {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  beforeEach(() => {
    lines.length = 0;
  });
  const only = () => {
    expect(lines.length).equal(1);
    expect(lines[0]!.endsWith('\n')).equal(true);
    return lines[0]!.slice(0, -1);
  };

  it('keeps hostile text to one line, and whole', () => {
    log.info({ text: HOSTILE, [HOSTILE]: 1 }, HOSTILE);
    expect(only()).not.match(BREAKS);
    const parsed = JSON.parse(only());
    expect(parsed.text).equal(HOSTILE);
    expect(parsed[HOSTILE]).equal(1);
    expect(parsed.msg).equal(HOSTILE);
  });

  it('ends with all its lines in their order, though a thread has the first and no time is left', async () => {
    const program = `
      import { pbkdf2 } from 'node:crypto';
      import { stdoutLog } from './src/log.ts';
      const { log, end } = stdoutLog('info');
      pbkdf2('', '', 50_000, 64, 'sha512', () => {});
      for (const line of ['first', 'second', 'third']) log.info(line);
      const ended = end();
      // A busy machine gives the process no time for longer than it tries a full pipe.
      for (const start = performance.now(); performance.now() - start < 600; );
      await ended;
      process.exit();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', program],
      // The only thread is busy when the first line comes.
      { env: { ...process.env, UV_THREADPOOL_SIZE: '1' } },
    );
    const said = stdout.split('\n', 3).map((line) => JSON.parse(line).msg);
    expect(said).eql(['first', 'second', 'third']);
  });

  it('does not show what is called a secret', () => {
    log.warn({
      token: 'T1',
      headers: { authorization: 'T2', cookie: 'T3' },
      task_args: { a: 'T4' },
    });
    expect(only()).not.match(/"T[1-4]"/);
  });

  it('shows errors with their causes, without credentials and without what hangs on them', () => {
    const cause = Object.assign(new Error('mongodb://user:sesame@host/db refused'), {
      code: 'ECONNREFUSED',
      document: { canary: 'CANARY' },
    });
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln';
    log.error({ err: new Error(`bad ${token}`, { cause }) }, 'failed');
    const { err } = JSON.parse(only());
    expect(err.cause).to.include({ type: 'Error', code: 'ECONNREFUSED' });
    expect(err.stack).include('log.test.ts');
    expect(only()).not.match(/sesame|CANARY|c2ln/);
  });

  it('shows that a command was denied, and not what it looked for', () => {
    const command = `{ find: "orders", filter: { a: "CANARY }\n${'x'.repeat(10_000)}" } }`;
    log.error({ err: new Error(`not authorized on shop to execute command ${command}`) }, 'failed');
    const { err } = JSON.parse(only());
    expect(err.message).equal('not authorized on shop to execute command find: "orders"');
    expect(err.stack).include('log.test.ts');
    expect(only()).not.include('CANARY');
    const stream =
      '{ aggregate: 1, pipeline: [ { $changeStream: {} }, { $match: { a: "CANARY" } } ] }';
    log.error({ err: new Error(`denied to execute command ${stream}`) }, 'failed');
    expect(JSON.parse(lines.at(-1)!).err.message).equal(
      'denied to execute command aggregate with $changeStream',
    );
    log.error(
      { err: new Error('denied to execute command { a: "CANARY \\" x", b: 1 }') },
      'failed',
    );
    expect(JSON.parse(lines.at(-1)!).err.message).equal('denied to execute command');
  });

  it('is readable where it goes to a terminal, whatever stdout is', () => {
    const out = { write: (line: string) => void lines.push(line) };
    createLog('info', formatted(out, { isTTY: true })).info({ a: 1 }, 'said');
    expect(only())
      .match(/info.*said/)
      .not.match(/^\{/);
    expect(formatted(out, {})).equal(out);
  });

  it('shows what was thrown and is no error', () => {
    log.error({ err: 'text' }, 'failed');
    expect(JSON.parse(only()).err).eql({ type: 'string', message: 'text' });
  });
});

describe('the line of a request', () => {
  const database = useDatabase();
  let edge: Edge;
  let auth: Record<string, string>;

  before(async () => {
    await storePeople(database.db);
    auth = await bearer('member');
    edge = await startEdge({
      db: database.db,
      routes: [
        echo('POST', '/api/v2/projects/:project_id/tasks/search', 'path', 'json'),
        {
          ...echo('GET', '/breaks', 'public'),
          handle() {
            throw Object.assign(new Error(`secret plan ${HOSTILE}`), { task_args: 'CANARY' });
          },
        },
        {
          ...echo('GET', '/circular', 'public'),
          handle(ctx) {
            const body: Record<string, unknown> = {};
            body.self = body;
            ctx.set('Search-Route', 'index');
            ctx.body = body;
          },
        },
      ],
    });
  });
  beforeEach(() => {
    edge.lines.length = 0;
  });
  after(() => edge.close());

  /** So many lines, when they have come, and any that come right after them. */
  const settled = async (count: number) => {
    await until(() => edge.lines.length >= count);
    await sleep(20);
    return edge.lines.map((line) => JSON.parse(line));
  };

  it('says what was asked, by the pattern, and who asked', async () => {
    const path = `/api/v2/projects/${PROJECT_A}/tasks/search?q=QUERY`;
    const answer = await fetch(edge.url + path, {
      method: 'POST',
      headers: { ...auth, 'content-type': 'application/json', 'x-request-id': 'abc' },
      body: JSON.stringify({ filters: { q: `BODY${HOSTILE}` } }),
    });
    await answer.text();
    const [line, ...more] = await settled(1);
    expect(more).eql([]);
    expect(line).to.include({
      level: 'info',
      msg: 'request',
      request_id: 'abc',
      method: 'POST',
      route: '/api/v2/projects/:project_id/tasks/search',
      status: 200,
      user_id: 2,
    });
    expect(line.ms).a('number').greaterThan(0);
    expect(new Date(line.time).getTime()).closeTo(Date.now(), 5_000);
    expect(edge.lines[0]).not.match(/BODY|QUERY|eyJ|authorization/i);
  });

  it('is one line for a hostile path, which is cut', async () => {
    await fetch(`${edge.url}/${encodeURI(HOSTILE)}${'y'.repeat(1_000)}?q=QUERY`).then((a) =>
      a.text(),
    );
    await settled(1);
    expect(edge.lines.length).equal(1);
    expect(edge.lines[0]!.slice(0, -1)).not.match(BREAKS);
    expect(edge.lines[0]).not.include('QUERY');
    const line = JSON.parse(edge.lines[0]!);
    expect(line).to.include({ route: null, status: 404, code: 'NotFound' });
    expect(line.path.length).equal(256);
  });

  it('never holds a token, good or bad', async () => {
    for (const authorization of [
      auth.authorization!,
      'Bearer eyJabc.eyJdef.ghi',
      'Basic c2VjcmV0',
    ]) {
      await fetch(`${edge.url}/breaks`, { headers: { authorization } }).then((a) => a.text());
      await fetch(`${edge.url}/nope`, { headers: { authorization } }).then((a) => a.text());
    }
    // Each failure has a line of its own beside that of its request.
    await settled(9);
    expect(edge.lines.join('')).not.match(/eyJ|Bearer|c2VjcmV0/);
  });

  it('goes with the cause, which the caller never sees', async () => {
    const answer = await fetch(`${edge.url}/breaks`);
    const text = await answer.text();
    expect(answer.status).equal(500);
    expect(answer.headers.get('content-type')).match(/^application\/problem\+json/);
    expect(text).not.match(/secret plan|CANARY|\.ts/);
    const problem = JSON.parse(text);
    expect(problem.code).equal('Internal');
    const [failure, request] = await settled(2);
    expect(failure.level).equal('error');
    expect(failure.request_id).equal(problem.request_id);
    expect(failure.err.message).include('secret plan');
    expect(edge.lines.join('')).not.include('CANARY');
    expect(request).to.include({ status: 500, code: 'Internal', request_id: problem.request_id });
  });

  it('tells of an answer that cannot be written as JSON', async () => {
    const answer = await fetch(`${edge.url}/circular`);
    expect(answer.status).equal(500);
    expect((await answer.json()) as object).to.include({ code: 'Internal' });
    expect(answer.headers.has('search-route')).equal(false);
    expect((await settled(1))[0].err.message).include('circular');
  });
});
