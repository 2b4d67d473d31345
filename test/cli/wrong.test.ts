/**
 * Command lines that cannot work, and answers with less than was asked: the messages for people.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, lstatSync, openSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CommanderError } from 'commander';
import { ApiError } from 'table-search/client';
import { VIEWS } from '../../clients/typescript/index.ts';
import type { Condition } from '../../src/cli/asked/condition.ts';
import { bytesOf, runCheck } from '../../src/cli/definitions/check.ts';
import { CliError, EXIT, endingOf } from '../../src/cli/failure.ts';
import { formOf } from '../../src/cli/output.ts';
import { program } from '../../src/cli/program.ts';
import { emptyNotes } from '../../src/cli/show/pageNote.ts';
import { runToken } from '../../src/dev/cli/token.ts';
import { useWorld } from '../client/world.ts';
import { ANA, task, uuid } from '../conformance/documents.ts';
import { useFolder } from '../support/folder.ts';
import { run, runInTerminal, start, TABLE_SEARCH } from '../support/tableSearch.ts';
import { commandOf, refusalOf } from './answered.ts';

describe('table-search, told something wrong', function wrongly() {
  this.timeout(180_000);
  const world = useWorld();
  let env: Record<string, string>;
  const folder = useFolder('wrong');

  before(async () => {
    const token = await world.service.token(1, true);
    env = { TABLE_SEARCH_URL: world.service.url, TABLE_SEARCH_TOKEN: token };
  });

  const nowhere = { TABLE_SEARCH_URL: 'http://127.0.0.1:1', TABLE_SEARCH_TOKEN: 'x' };
  /** One of each way in which a command ends. */
  const wrong: [args: string[], change: Record<string, string>, code: number, says: RegExp][] = [
    [['serach'], {}, 2, /unknown command 'serach' \(Did you mean search\?\)/],
    [['search', 'tasks', '-n', '0'], {}, 2, /-n, --per-page 0: give a whole number from 1/],
    [['search', 'taks'], {}, 2, /Table "taks" is unknown; did you mean "tasks"\?/],
    [['search', 'users', '-f', 'emial=x'], {}, 2, /emial=x: .*did you mean "email"\?/],
    [['search', 'tasks', '--token', 'x'], {}, 3, /must be a signed JWT.*TABLE_SEARCH_TOKEN/],
    [
      ['search', 'tasks'],
      { TABLE_SEARCH_TOKEN: '' },
      3,
      /No token is set\. Set TABLE_SEARCH_TOKEN/,
    ],
    [['tables', 'taks'], {}, 2, /did you mean "tasks"\? Tables: tasks, schedules, /],
    [['types', 'tasks'], {}, 2, /Table "tasks" is built in, and the client has its types\./],
    [['tail', 'nope'], {}, 4, /There is no task nope .*search tasks -c task_id/],
    [['tail', uuid(999)], {}, 4, /There is no task /],
    [['search', 'tasks'], nowhere, 5, /127\.0\.0\.1:1 cannot be reached.*TABLE_SEARCH_URL/],
    [['export', 'tasks', '-o', 'x.xlsx'], {}, 2, /--out x\.xlsx: .*\.csv \(spreadsheets open it\)/],
    [['export', 'tasks', '-o', tmpdir()], {}, 2, /is a folder; name a file in it/],
  ];

  it('refuses arguments that no command takes', () => {
    const unknown: [args: string[], says: RegExp][] = [
      [['search'], /'table'; `table-search search --help` has examples\.$/],
      [['search', 'tasks', 'backup'], /text to search for goes after -q/],
      [['search', 'tasks', '--jsn'], /unknown option '--jsn'\s\(Did you mean --json\?\)/],
      [['export', 'tasks', '-n', '5'], /'-n'; `table-search export --help` has examples\.$/],
    ];
    for (const [args, says] of unknown) {
      let said = '';
      const root = program((sentence) => {
        said += sentence;
      });
      expect(() => root.parse(args, { from: 'user' }), `${args}`).throw(CommanderError);
      expect(said).match(says);
    }
  });

  it('refuses options and arguments by what they hold', () => {
    const values: [args: string[], says: RegExp][] = [
      [['search', '-c', ''], /^--columns is empty\.$/],
      [['search', '--sort', ''], /^--sort is empty\.$/],
      // As a variable of the shell that is not set.
      [['search', '-p', ''], /^--project is empty\.$/],
      [['search', '-p', '..'], /^--project \.\.: no id is dots alone\.$/],
      [['export', '-o', ''], /^--out is empty\.$/],
      [['search', '--url', ''], /^--url is empty\.$/],
      [['serve', '--mongodb', ''], /^--mongodb is empty\.$/],
      [['serve', '--tables', ''], /^--tables is empty\.$/],
      [['fixtures', '--uri', ' '], /^--uri is empty\.$/],
      [['init', '--db', ''], /^--db is empty\.$/],
      [['init', '-o', ''], /^--output is empty\.$/],
      [['check', '--uri', ''], /^--uri is empty\.$/],
      [['search', '-n', 'x'], /^-n, --per-page x: give a whole number from 1/],
      [['search', '--page', '0'], /^--page 0: give a whole number from 1/],
      [['search', '--page', '1000000000'], /^--page 10+: give a whole number from 1 to 9{9}\.$/],
      [['open', '--port', 'abc'], /^--port abc: give a whole number from 0 to 65535\.$/],
      [['tail', '--after', 'x'], /^--after x: give the seq of a line/],
      [['tail', '-n', '5001'], /^--lines 5001: give a whole number from 1 to 5000\.$/],
    ];
    for (const [[name, ...args], says] of values) {
      const read = () => commandOf(name!, args);
      expect(read, `${args}`).throw(CliError, says).include({ code: EXIT.usage });
    }
    const [task] = commandOf('tail').registeredArguments;
    expect(() => task!.parseArg!('', undefined)).throw(CliError, /^The id of the task is empty\.$/);
    for (const name of ['open', 'init']) {
      const [uri] = commandOf(name).registeredArguments;
      expect(() => uri!.parseArg!('', undefined)).throw(CliError, /^The URI is empty\.$/);
    }
    expect(() => task!.parseArg!('..', undefined)).throw(
      CliError,
      /^The id .* no id is dots alone/,
    );
    expect(() => formOf({ csv: true, json: true })).throw(CliError, /Use one of --json and --csv/);
  });

  it('refuses what a token cannot be made of, and a file that is not there', async () => {
    const failures: [made: Promise<unknown>, code: number, says: RegExp][] = [
      [runToken({ expires: '8h' }, {}), 2, /^--user takes the id of a user/],
      [
        runToken({ user: '1', expires: '8h', claim: ['eu'] }, {}),
        2,
        /^--claim eu: write name=value/,
      ],
      [
        runToken({ user: '1', expires: '8h', claim: ['sub=2'] }, {}),
        2,
        /^--claim sub=2: sub follows from --user/,
      ],
      [runCheck('tables.yaml', { db: 'shop' }), 2, /^--db belongs to --uri; add one\.$/],
      [
        bytesOf('no.yaml'),
        2,
        /^no\.yaml cannot be read: there is no such file; `table-search init/,
      ],
      [bytesOf('.'), 2, /^\. cannot be read: /],
    ];
    for (const [made, code, says] of failures) {
      const { sentence, ...ended } = await made.then(() => expect.fail(), endingOf);
      expect(sentence).match(says);
      expect(ended, sentence).eql({ code });
    }
  });

  it('ends with a code that tells a script whether the same may work later', () => {
    const codes: [code: number, statuses: number[]][] = [
      [EXIT.usage, [400, 405, 413, 415, 422, 431]],
      [EXIT.refused, [401, 403]],
      [EXIT.missing, [404]],
      [EXIT.unavailable, [408, 429, 500, 502, 503]],
    ];
    for (const [code, statuses] of codes) {
      for (const status of statuses) {
        const problem = { code: 'Unknown', status, title: '', detail: 'no' };
        const ended = endingOf(new ApiError(problem, new Headers()));
        expect(ended, `${status}`).include({ code });
      }
    }
  });

  const refused: [args: string[], says: RegExp, code?: number][] = [
    [['search', 'constructor'], /^Table "constructor" is unknown/],
    [['search', 'tasks', '-f', 'status=A'], /status is no filter; write --select status=A\./],
    [['search', 'tasks', '-f', 'q'], /^--filter q: write name=value/],
    [['search', 'tasks', '-f', 'q=a', '-q', 'b'], /^The filter q is given twice/],
    [['search', 'tasks', '-c', 'nope'], /^--columns nope: .*Columns: id, task_id/],
    [['search', 'tasks', '-f', 'project_id=x'], /^--filter project_id=x: This must/],
    [['search', 'users', '-f', 'id=abc'], /^--filter id=abc: This must be /],
    [['search', 'tasks', '-s', 'statu=A'], /^--select statu=A: .*did you mean "status"\?/],
    [['search', 'tasks', '-s', 'retries>=abc'], /^--select retries>=abc: This must/],
    [['search', 'tasks', '-s', 'status>=A'], /^--select status>=A: /],
    [['search', 'tasks', '--sort', 'id,'], /^--sort id,: /],
    [['explore', 'tasks', '--facet', 'workers'], /^--facet workers: .*mean "worker"\?/],
    [
      ['explore', 'tasks', '--stats', 'worker'],
      new RegExp(`^--stats worker: This must be one of "${VIEWS.adminTasks.stats.join('", "')}".$`),
    ],
    [['explore', 'tasks', '--by', 'status'], /^--by belongs to --histogram/],
    [
      ['explore', 'tasks', '--histogram', 'date_done:1d'],
      /^--histogram date_done:1d: This must be one of .*"P1D"/,
    ],
    [
      [
        ...['explore', 'tasks', '-s', 'date_done=1970-01-01..2026-01-01'],
        ...['--histogram', 'date_done:PT1H'],
      ],
      /^--histogram date_done:PT1H: .* are the most\. Take a longer interval, or less time by -s date_done=from\.\.to\.$/,
    ],
    [['search', 'tasks', '--url', 'nonsense'], /^nonsense is no address/],
    [
      ['search', 'tasks', '--url', 'http://127.0.0.1:9/#token=secret'],
      /^An address has no account, no \? and no #: give http:\/\/127\.0\.0\.1:9\/\.$/,
    ],
    [
      ['search', 'tasks', '--url', 'http://ana:secret@127.0.0.1:9'],
      /^An address has no account, .* give http:\/\/127\.0\.0\.1:9\/\.$/,
    ],
    [['search', 'tasks', '--token', 'a b'], /copy it again/],
    [['search', 'tasks', '-p', 'nope'], /no project nope .*search projects/, EXIT.missing],
    [
      ['search', 'tasks', '-s', 'status=FAILURE', '-s', 'status=SUCCESS'],
      /^--select has status twice; write status=FAILURE,SUCCESS for either/,
    ],
  ];

  it('names the options of what it cannot ask, and of what the service refuses', async () => {
    for (const [args, says, code = EXIT.usage] of refused) {
      const ended = await refusalOf(env, args);
      expect(ended.sentence).match(says);
      expect(ended.code, args.join(' ')).equal(code);
    }
  });

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
    for (const args of [
      ['explain', 'tasks'],
      ['explain', 'tasks', '-p', uuid(1)],
    ]) {
      const sentence = 'Only admins can use explain.';
      expect(await refusalOf(ofAna, args)).eql({ code: 3, sentence });
    }
    const { sentence: audit } = await refusalOf(ofAna, ['search', 'audit']);
    expect(audit).equal('Only admins can read audit.');
    const { url } = world.service;
    const at = (url: string) => refusalOf(env, ['search', 'tasks', '--url', url]);
    const path = await at(`${url}/docs`);
    expect(path).include({ code: 4 });
    expect(path.sentence).match(/no such table; is --url or TABLE_SEARCH_URL its address\?$/);
    const tls = await at(url.replace('http:', 'https:'));
    expect(tls).include({ code: 5 });
    expect(tls.sentence).match(/^https\S+ cannot be reached: it answers without TLS; [^\n]+$/);
  });

  it('takes a token as a header has it, and a task id in upper case', async () => {
    const bearer = ['--token', `Bearer ${env.TABLE_SEARCH_TOKEN}`];
    const tail = ['tail', uuid(8).toUpperCase(), '-n', '1', ...bearer];
    const { code, out, err } = await run(tail, { ...env, TABLE_SEARCH_TOKEN: '' });
    expect({ code, err }).eql({ code: 0, err: '' });
    expect(out).match(/line 12\n$/);
  });

  it('says where values are listed, when nothing has one that was asked for', async () => {
    const asked = async (...args: string[]) => (await run(args, env)).err;
    const errors = await Promise.all([
      asked('search', 'tasks', '-s', 'status=failure'),
      asked('explore', 'tasks', '-s', 'status=failure'),
      asked('export', 'tasks', '-s', 'status=failure'),
    ]);
    const note =
      'No rows. Values count whole and in their case; `table-search explore tasks --facet status` lists those of status.\n';
    expect(errors).eql(Array(3).fill(note));
    const notes = (select: Condition[]) =>
      emptyNotes(0, { word: 'users', description: VIEWS.users }, select);
    expect(notes([{ field: 'first_name', in: ['gpu'] }]), 'of no facet').eql([
      'No rows. Values count whole and in their case; first_name~gpu looks for a part of one.',
    ]);
    expect(notes([])).eql([]);
  });

  it('tells of a page past the end', async () => {
    const { code, err } = await run(['search', 'tasks', '--page', '99'], env);
    expect({ code, err }).eql({ code: 0, err: 'Page 99 does not exist; showing page 3.\n' });
  });

  it('tells of a page that the service has cut', async () => {
    const more = Array.from({ length: 60 }, (_, n) => ({ _id: 30_000 + n, scope: 'system' }));
    const search = ['search', 'tasks', '-n', '1000', '-c', 'id'];
    const cut = await world.withTasks(more as never[], () => run(search, env));
    expect(cut.out.trimEnd().split('\n').length).equal(101);
    expect(cut).include({
      code: 0,
      err: 'Showing 100 of 120 rows: the service limits a page to 100. `table-search export` writes all rows of one moment.\n',
    });
  });

  it('takes no page of another server for rows', async () => {
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<html></html>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const there = { ...env, TABLE_SEARCH_URL: `http://127.0.0.1:${port}` };
    // Commands that ask for rows ask for the tables first, by the same function.
    const commands = [
      ['search', 'tasks'],
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
    const many = Array.from({ length: 2_000 }, (_, n) =>
      task(20_000 + n, { folder: 'f'.repeat(500) }),
    );
    await world.withTasks(many, async () => {
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
      }
    });
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
    const dash = await run(['export', 'tasks', '-c', 'id', '-o', '-'], env);
    expect(dash).include({ code: 0, err: '' });
    expect(dash.out).match(/^id\r\n(\d+\r\n){60}$/);
  });

  it('writes through pipes, and leaves them where they are', async () => {
    const pipe = path.join(folder, 'pipe.csv');
    execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', pipe]);
    const read = text(createReadStream(pipe));
    const piped = await run(['export', 'tasks', '-c', 'id', '-o', pipe], env);
    expect(piped).eql({ code: 0, out: '', err: '' });
    expect(lstatSync(pipe).isFIFO()).equal(true);
    expect((await read).trimEnd().split('\r\n').length).equal(61);
  });
});
