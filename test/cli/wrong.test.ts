/** Command lines that cannot work, and answers that say less than was asked: what people are told. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { useWorld } from '../client/world.ts';
import { ANA, task, uuid } from '../conformance/documents.ts';
import { run, runInTerminal, start, TABLE_SEARCH } from '../support/tableSearch.ts';

describe('table-search, told something wrong', function wrongly() {
  this.timeout(180_000);
  const world = useWorld();
  let env: Record<string, string>;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'table-search-'));
    const token = await world.service.token(1, true);
    env = { TABLE_SEARCH_URL: world.service.url, TABLE_SEARCH_TOKEN: token };
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const nowhere = { TABLE_SEARCH_URL: 'http://127.0.0.1:1', TABLE_SEARCH_TOKEN: 'x' };
  const wrong: [args: string[], change: Record<string, string>, code: number, says: RegExp][] = [
    [['serach'], {}, 2, /unknown command 'serach' \(Did you mean search\?\)/],
    [['search'], {}, 2, /'table'; `table-search search --help` has examples\./],
    [['search', 'taks'], {}, 2, /Table "taks" is unknown; did you mean "tasks"\?/],
    [['search', 'constructor'], {}, 2, /Table "constructor" is unknown/],
    [['search', 'tasks', 'backup'], {}, 2, /text to search for goes after -q/],
    [['search', 'tasks', '--jsn'], {}, 2, /unknown option '--jsn' \(Did you mean --json\?\)/],
    [['export', 'tasks', '-n', '5'], {}, 2, /'-n'; `table-search export --help` has examples\./],
    [['search', 'tasks', '-c', ''], {}, 2, /--columns is empty\./],
    [['search', 'tasks', '--sort', ''], {}, 2, /--sort is empty\./],
    [['search', 'tasks', '--csv', '--json'], {}, 2, /Use one of --json and --csv/],
    [
      ['search', 'tasks', '-f', 'status=A'],
      {},
      2,
      /status is no filter; write --select status=A\./,
    ],
    [['search', 'tasks', '-f', 'q'], {}, 2, /--filter q: write name=value/],
    [['search', 'tasks', '-f', 'q=a', '-q', 'b'], {}, 2, /The filter q is given twice/],
    [['search', 'users', '-f', 'emial=x'], {}, 2, /emial=x: .*did you mean "email"\?/],
    [['search', 'tasks', '-c', 'nope'], {}, 2, /--columns nope: .*Columns: id, task_id/],
    [['search', 'tasks', '-n', 'x'], {}, 2, /--per-page x: give a whole number from 1/],
    [['search', 'tasks', '--page', '0'], {}, 2, /--page 0: give a whole number from 1/],
    [['search', 'tasks', '-n', '0'], {}, 2, /--per-page 0: give a whole number from 1/],
    [['search', 'tasks', '-f', 'project_id=x'], {}, 2, /^\S+ --filter project_id=x: This must/],
    [['search', 'users', '-f', 'id=abc'], {}, 2, /--filter id=abc: This must be /],
    [['search', 'tasks', '-s', 'statu=A'], {}, 2, /--select statu=A: .*did you mean "status"\?/],
    [['search', 'tasks', '-s', 'retries>=abc'], {}, 2, /--select retries>=abc: This must/],
    [['search', 'tasks', '-s', 'status>=A'], {}, 2, /--select status>=A: /],
    [['search', 'tasks', '--sort', 'id,'], {}, 2, /--sort id,: /],
    [['explore', 'tasks', '--facet', 'workers'], {}, 2, /--facet workers: .*mean "worker"\?/],
    [['explore', 'tasks', '--stats', 'worker'], {}, 2, /--stats worker: /],
    [['explore', 'tasks', '--by', 'status'], {}, 2, /--by belongs to --histogram/],
    [
      ['explore', 'tasks', '--histogram', 'date_done:1d'],
      {},
      2,
      /^table-search: --histogram date_done:1d: This must be one of .*"P1D"/,
    ],
    [
      [
        'explore',
        'tasks',
        '-s',
        'date_done=1970-01-01..2026-01-01',
        '--histogram',
        'date_done:PT1H',
      ],
      {},
      2,
      /--histogram date_done:PT1H: .* are the most\. Take a longer interval, or less time by -s date_done=from\.\.to\.\n/,
    ],
    [['search', 'tasks', '--url', 'nonsense'], {}, 2, /nonsense is no address/],
    [['search', 'tasks', '--token', 'a b'], {}, 2, /copy it again/],
    [['search', 'tasks', '--token', 'x'], {}, 3, /must be a signed JWT.*TABLE_SEARCH_TOKEN/],
    [
      ['search', 'tasks'],
      { TABLE_SEARCH_TOKEN: '' },
      3,
      /No token is set\. Set TABLE_SEARCH_TOKEN/,
    ],
    [['search', 'tasks', '-p', 'nope'], {}, 4, /no project nope .*search projects/],
    // As a variable of the shell that is not set.
    [['search', 'tasks', '-p', ''], {}, 2, /--project is empty\./],
    [['tail', ''], {}, 2, /The id of the task is empty\./],
    [['export', 'tasks', '-o', ''], {}, 2, /--out is empty\./],
    [['tables', 'taks'], {}, 2, /did you mean "tasks"\? Tables: tasks, schedules, /],
    [['types', 'tasks'], {}, 2, /Table "tasks" is built in, and the client has its types\./],
    [['tail', 'nope'], {}, 4, /There is no task nope .*search tasks -c task_id/],
    [['tail', uuid(999)], {}, 4, /There is no task /],
    [['tail', uuid(8), '--after', 'x'], {}, 2, /--after x: give the seq of a line/],
    [['tail', uuid(8), '-n', '5001'], {}, 2, /--lines 5001: give a whole number from 1 to 5000\./],
    [['search', 'tasks'], nowhere, 5, /127\.0\.0\.1:1 cannot be reached.*TABLE_SEARCH_URL/],
    [['export', 'tasks', '-o', 'x.xlsx'], {}, 2, /--out x\.xlsx: .*\.csv \(spreadsheets open it\)/],
    [['export', 'tasks', '-o', tmpdir()], {}, 2, /is a folder; name a file in it/],
    [['export', 'tasks', '-o', '/nowhere/x.csv'], {}, 1, /cannot be written: there is no such fo/],
    [
      ['search', 'tasks', '-s', 'status=FAILURE', '-s', 'status=SUCCESS'],
      {},
      2,
      /--select has status twice; write status=FAILURE,SUCCESS for either/,
    ],
    [['token'], {}, 2, /--user takes the id of a user/],
    [['token', '--user', '1', '--claim', 'eu'], {}, 2, /--claim eu: write name=value/],
    [['token', '--user', '1', '--claim', 'sub=2'], {}, 2, /--claim sub=2: sub follows from --user/],
    [
      ['check', 'no.yaml'],
      {},
      1,
      /no\.yaml cannot be read: there is no such file; `table-search init/,
    ],
  ];

  it('asks for a new token where it has expired, and doubts the secret only of one that is unknown', async () => {
    const expired = await world.service.token(1, true, -60);
    const AUTH_JWT_SECRET = 'another one that is long enough for a signature';
    const say = async (token: string) => {
      const { code, err } = await run(['search', 'tasks'], {
        ...{ ...env, TABLE_SEARCH_TOKEN: token, AUTH_JWT_SECRET },
      });
      expect(code, err).equal(3);
      return err;
    };
    expect(await say(expired))
      .match(/The token expired at .* `table-search token .* prints one/)
      .not.include('AUTH_JWT_SECRET');
    expect(await say(`${env.TABLE_SEARCH_TOKEN!.slice(0, -4)}AAAA`)).include('AUTH_JWT_SECRET');
  });

  it('says so in one line, by an exit code, and never with a stack', async () => {
    // Some at a time: each is a process that has to start.
    for (let i = 0; i < wrong.length; i += 4) {
      await Promise.all(
        wrong.slice(i, i + 4).map(async ([args, change, code, says]) => {
          const ended = await run(args, { ...env, ...change });
          const shown = { code: ended.code, out: ended.out };
          expect(shown, `${args} ${ended.err}`).eql({ code, out: '' });
          expect(ended.err).match(says);
          expect(ended.err, 'one line').match(/^table-search: [^\n]+\n$/);
          expect(ended.err, 'no pointer').not.match(/\/(filters|select|facets|histogram)\//);
        }),
      );
    }
  });

  it('tells members what only admins can do, and anybody that the address is wrong', async () => {
    const ofAna = { ...env, TABLE_SEARCH_TOKEN: await world.service.token(ANA) };
    const [explain, inProject, audit] = await Promise.all([
      run(['explain', 'tasks'], ofAna),
      run(['explain', 'tasks', '-p', uuid(1)], ofAna),
      run(['search', 'audit'], ofAna),
    ]);
    const [path, tls] = await Promise.all([
      run(['search', 'tasks', '--url', `${world.service.url}/docs`], env),
      run(['search', 'tasks', '--url', world.service.url.replace('http:', 'https:')], env),
    ]);
    expect(path).include({ code: 4 });
    expect(path.err).match(/no such table; is --url or TABLE_SEARCH_URL its address\?\n$/);
    expect(tls).include({ code: 5 });
    expect(tls.err).match(/^\S+ https\S+ cannot be reached: it answers without TLS; [^\n]+\n$/);
    for (const { code, err } of [explain, inProject]) {
      expect({ code, err }).eql({ code: 3, err: 'table-search: Only admins can use explain.\n' });
    }
    expect(audit.err).equal('table-search: Only admins can read audit.\n');
  });

  it('takes a token as a header has it, and a task id in upper case', async () => {
    const bearer = ['--token', `Bearer ${env.TABLE_SEARCH_TOKEN}`];
    const [search, tail] = await Promise.all([
      run(['search', 'tasks', '-n', '1', ...bearer], { ...env, TABLE_SEARCH_TOKEN: '' }),
      run(['tail', uuid(8).toUpperCase(), '-n', '1'], env),
    ]);
    expect(search).include({ code: 0, err: '' });
    expect(tail).include({ code: 0, err: '' });
    expect(tail.out).match(/line 12\n$/);
  });

  it('says where values are listed, when nothing has one that was asked for', async () => {
    const asked = async (...args: string[]) => (await run(args, env)).err;
    const errors = await Promise.all([
      asked('search', 'tasks', '-s', 'status=failure'),
      asked('search', 'tasks', '-s', 'status=failure', '--json'),
      asked('explore', 'tasks', '-s', 'status=failure'),
      asked('export', 'tasks', '-s', 'status=failure'),
    ]);
    const note =
      'No rows. Values count whole and in their case; `table-search explore tasks --facet status` lists those of status.\n';
    expect(errors).eql(Array(4).fill(note));
    expect(await asked('search', 'users', '-s', 'first_name=gpu'), 'of no facet').equal(
      'No rows. Values count whole and in their case; first_name~gpu looks for a part of one.\n',
    );
    expect(await asked('search', 'tasks', '-q', 'nothing')).equal('');
  });

  it('tells of a page past the end', async () => {
    const { code, err } = await run(['search', 'tasks', '--page', '99'], env);
    expect({ code, err }).eql({ code: 0, err: 'Page 99 does not exist; showing page 3.\n' });
  });

  it('tells of a page that the service has cut', async () => {
    const { err, out } = await run(['search', 'tasks', '-n', '1000', '-c', 'id'], env);
    // The sixty tasks are below the limit of 100, so that nothing is missing.
    expect({ err, lines: out.trimEnd().split('\n').length }).eql({ err: '', lines: 61 });
    const more = Array.from({ length: 60 }, (_, n) => ({ _id: 30_000 + n, scope: 'system' }));
    const tasks = world.database.db.collection<{ _id: number }>('tasks');
    await tasks.insertMany(more);
    try {
      const cut = await run(['search', 'tasks', '-n', '1000', '-c', 'id'], env);
      expect(cut.out.trimEnd().split('\n').length).equal(101);
      expect(cut).include({
        code: 0,
        err: 'Showing 100 of 120 rows: the service limits a page to 100. `table-search export` writes all rows of one moment.\n',
      });
    } finally {
      await tasks.deleteMany({ _id: { $gte: 30_000 } });
    }
  });

  it('takes no page of another server for rows', async () => {
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<html></html>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const there = { ...env, TABLE_SEARCH_URL: `http://127.0.0.1:${port}` };
    const commands = [
      ['search', 'tasks'],
      ['export', 'tasks'],
      ['watch', 'tasks'],
      ['tail', 'x'],
    ];
    try {
      for (const args of commands) {
        const { code, out, err } = await run(args, there);
        expect({ code, out }, args.join(' ')).eql({ code: 5, out: '' });
        expect(err).match(
          /^table-search: http\S+ (answers with text\/html|does not answer in JSON)/,
        );
        expect(err).match(/TABLE_SEARCH_URL\.\n$/);
      }
    } finally {
      other.close();
    }
  });

  it('is quiet about a reader that has enough', async () => {
    const child = start(['export', 'tasks', '--json'], env);
    child.stdout!.destroy();
    const [err, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
    expect({ code, err }).eql({ code: 0, err: '' });
  });

  it('ends by Ctrl-C although its reader takes no more', async () => {
    const tasks = world.database.db.collection('tasks');
    const many = Array.from({ length: 2_000 }, (_, n) =>
      task(20_000 + n, { folder: 'f'.repeat(500) }),
    );
    await tasks.insertMany(many as never[]);
    const child = start(['export', 'tasks'], env);
    const says = text(child.stderr!);
    try {
      await once(child.stdout!, 'readable');
      // A pipe and its buffers hold a tenth of it.
      await sleep(1_000);
      child.kill('SIGINT');
      const [code] = await once(child, 'exit');
      expect({ code, err: await says }).eql({ code: 130, err: 'table-search: Interrupted.\n' });
    } finally {
      child.kill('SIGKILL');
      await tasks.deleteMany({ _id: { $gte: 20_000 as never } });
    }
  });

  it('takes a terminal that tells no size for one of 120 cells', async () => {
    const args = ['search', 'tasks', '-n', '1'];
    const [unknown, known] = await Promise.all(
      [0, 120].map((columns) => runInTerminal(args, env, columns)),
    );
    expect(unknown).eql(known);
  });

  it('says in a line that stdout, or a file, is full', async () => {
    const full = openSync('/dev/full', 'w');
    for (const command of ['search', 'export']) {
      const [node, ...own] = TABLE_SEARCH;
      const child = spawn(node, [...own, command, 'tasks'], {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', full, 'pipe'],
      });
      const [err, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')]);
      const line = 'table-search: The output cannot be written: no space left on the device.\n';
      expect({ code, err }, command).eql({ code: 1, err: line });
    }
    const link = path.join(folder, 'full.csv');
    symlinkSync('/dev/full', link);
    const { code, err } = await run(['export', 'tasks', '-o', link], env);
    expect(code, err).equal(1);
    expect(err).match(/full\.csv cannot be written: no space left on the device\.\n$/);
  });

  it('takes - for stdout, as other tools do', async () => {
    const to = (...more: string[]) => run(['export', 'tasks', '-c', 'id', ...more], env);
    const [dash, lines, none] = await Promise.all([to('-o', '-'), to('-o', '-', '--json'), to()]);
    expect(dash).eql(none);
    expect(lines).include({ code: 0 });
    expect(lines.out).match(/^\{"id":/);
  });

  it('writes through links and pipes, and leaves them where they are', async () => {
    const [file, link, pipe] = ['real.csv', 'link.csv', 'pipe.csv'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    writeFileSync(file, 'older and longer than all the rows are, hopefully\n'.repeat(1_000));
    symlinkSync(file, link);
    execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', pipe]);
    const read = text(createReadStream(pipe));
    const [linked, piped] = await Promise.all([
      run(['export', 'tasks', '-c', 'id', '-o', link], env),
      run(['export', 'tasks', '-c', 'id', '-o', pipe], env),
    ]);
    expect([linked, piped]).eql(Array(2).fill({ code: 0, out: '', err: '' }));
    expect(lstatSync(link).isSymbolicLink()).equal(true);
    expect(lstatSync(pipe).isFIFO()).equal(true);
    expect(readFileSync(file, 'utf8')).equal(await read);
    expect((await read).trimEnd().split('\r\n').length).equal(61);
  });
});
