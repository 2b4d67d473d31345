/** `table-search mcp` as an assistant meets it: the client of the SDK, over a real pipe. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { VIEWS } from '../../clients/typescript/index.ts';
import { TABLES } from '../../src/cli/tables.ts';
import { useWorld } from '../client/world.ts';
import { ANA, task, uuid } from '../conformance/documents.ts';
import { run, TABLE_SEARCH } from '../support/tableSearch.ts';

interface Answered {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  readonly structuredContent?: any;
}

describe('table-search mcp', function mcp() {
  this.timeout(90_000);
  const world = useWorld();
  const open: Client[] = [];
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  const connect = async (user: number, isAdmin: boolean, ...args: string[]) =>
    connectBy(await world.service.token(user, isAdmin), ...args);

  async function connectBy(token: string, ...args: string[]): Promise<Client> {
    const [command, ...own] = TABLE_SEARCH;
    const client = new Client({ name: 'a test', version: '1' });
    open.push(client);
    await client.connect(
      new StdioClientTransport({
        command,
        args: [...own, 'mcp', ...args],
        env: {
          PATH: process.env.PATH!,
          TABLE_SEARCH_URL: world.service.url,
          TABLE_SEARCH_TOKEN: token,
        },
      }),
    );
    return client;
  }
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close();
  });

  const names = async (client: Client) =>
    (await client.listTools()).tools.map(({ name }) => name).sort();
  const called = async (client: Client, name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })) as Answered;

  it('offers a tool a kind, and no changes, in a list that is quickly read', async () => {
    const admin = await connect(1, true);
    const { tools } = await admin.listTools();
    const reading = ['list_routing_keys', 'read_log', 'read_task', 'search'];
    expect(tools.map(({ name }) => name).sort()).eql(reading);
    const { inputSchema } = tools.find(({ name }) => name === 'read_log')!;
    // As `next_after` shows a position past 2^53.
    const far = { task_id: uuid(8), after: '9007199254740993' };
    expect(ajv.validate(inputSchema, far), JSON.stringify(ajv.errors)).equal(true);
    // One tool a route took 58 kB.
    expect(Buffer.byteLength(JSON.stringify(tools))).lessThan(8_000);
    for (const { name, annotations, inputSchema, description } of tools) {
      expect(annotations?.readOnlyHint, name).equal(true);
      expect(description, name).match(/\w/);
      // It stands alone: nothing refers to a missing part.
      ajv.compile(inputSchema);
    }
    expect(admin.getInstructions()).match(
      /: tasks \(job runs\), schedules, users, projects\. .*facets/,
    );
    // The rows of projects have no member project_id.
    expect(tools[0]!.description).match(/project_id.*: the identifier of a row of projects\./);
    const member = await connect(ANA, false);
    expect(await names(member)).eql(reading);
    const tablesOf = async (client: Client) => {
      const { inputSchema } = (await client.listTools()).tools.find(
        ({ name }) => name === 'search',
      )!;
      return (inputSchema.properties as Record<string, { enum?: string[] }>).table!.enum;
    };
    expect(await tablesOf(admin)).eql(Object.keys(TABLES));
    expect(await tablesOf(member)).eql(['tasks', 'schedules', 'users', 'projects']);
    // Where AUTH_ROLES_CLAIM names another claim.
    const elsewhere = { realm_access: { roles: ['offline', 'admin'] } };
    const named = await connectBy(await world.service.tokenOf(1, elsewhere));
    expect(await tablesOf(named)).eql(Object.keys(TABLES));
  });

  it('describes all filters and fields of each table', async () => {
    const { tools } = await (await connect(1, true)).listTools();
    const { description = '' } = tools.find(({ name }) => name === 'search')!;
    for (const [word, { view }] of Object.entries(TABLES)) {
      const [, text = ''] = description.split(`\n\n${word}\n`);
      const own = new Set(text.split('\n\n')[0]!.match(/\w+/g));
      const { filters, conditions, sorts, facets } = VIEWS[view];
      const all = [...Object.keys(filters), ...conditions, ...sorts, ...facets];
      expect([...own], word).include.members(all);
    }
  });

  it('searches and counts any table, and takes only members that there are', async () => {
    const client = await connect(1, true);
    const { tools } = await client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === 'search')!;
    const fits = ajv.compile(inputSchema);
    const given = {
      table: 'tasks',
      project_id: uuid(1),
      select: [{ field: 'status', in: ['SUCCESS'] }],
      facets: [{ field: 'worker' }],
      pagination: { per_page: 2 },
    };
    expect(fits(given)).equal(true);
    expect(fits({ facets: [] }), 'the table is missing').equal(false);
    expect(fits({ ...given, nope: 1 })).equal(false);
    const { structuredContent, content, isError } = await called(client, 'search', given);
    expect(isError).not.equal(true);
    expect(structuredContent.data.length).equal(2);
    expect(structuredContent.facets[0].field).equal('worker');
    expect(JSON.parse(content[0]!.text!)).eql(structuredContent);
    for (const table of Object.keys(TABLES)) {
      const plain = { table, pagination: { per_page: 1 } };
      const answer = await called(client, 'search', plain);
      expect(fits(plain), table).equal(true);
      expect(answer.structuredContent.meta.pagination.per_page, table).equal(1);
    }
    const log = await called(client, 'read_log', { task_id: uuid(8), last: 2 });
    expect(log.structuredContent.data.map(({ seq }: { seq: number }) => seq)).eql([11, 12]);
    // Some assistants write null for members that they leave out.
    const nulls = { task_id: uuid(8), project_id: null, last: null };
    expect((await called(client, 'read_log', nulls)).structuredContent.data.length).equal(12);
    const figures = {
      table: 'tasks',
      stats: [{ field: 'execution_time' }],
      sorting: [{ sort_by: 'retries' }, { sort_by: 'date_done', sort_order: 'desc' }],
    };
    expect(fits(figures), 'figures').equal(true);
    const asked = { ...figures, facets: null };
    const { structuredContent: measured } = await called(client, 'search', asked);
    expect(measured.stats[0].field).equal('execution_time');
    // An order that the contract's search has not.
    const byRetries = { table: 'tasks', sorting: { sort_by: 'retries' } };
    const { structuredContent: sorted } = await called(client, 'search', byRetries);
    const retries = sorted.data.map((row: { retries: number }) => row.retries);
    expect(retries).eql(retries.toSorted((a: number, b: number) => a - b));
    // As a step of a path, dots would lead to the log that needs no project.
    for (const project_id of [uuid(2), '..', '../x/..', '%2e%2e']) {
      const { isError } = await called(client, 'read_log', { project_id, task_id: uuid(8) });
      expect(isError, project_id).equal(true);
    }
    const half = await called(client, 'read_log', { task_id: '\ud800' });
    expect(half.content[0]!.text).match(/^Nothing has the task_id/);
    const metadata = await called(client, 'read_task', { project_id: uuid(1), task_id: uuid(3) });
    expect(metadata.structuredContent.task_id).equal(uuid(3));
    const keys = await called(client, 'list_routing_keys', {});
    expect(keys.structuredContent.data.length).greaterThan(5);
  });

  it('says what is wrong in the words of the service', async () => {
    const client = await connect(ANA, false);
    const asked = (given: Record<string, unknown>) => called(client, 'search', given);
    const wrong = await asked({ table: 'users', filters: { emial: 'x' } });
    expect(wrong.isError).equal(true);
    expect(wrong.content[0]!.text).match(/\/filters\/emial: .*did you mean "email"\?/);
    const foreign = await asked({ table: 'tasks', project_id: uuid(2) });
    expect(foreign.isError).equal(true);
    expect(foreign.content[0]!.text).equal(
      `Nothing has the project_id "${uuid(2)}", or this token may not see it; the tool search lists ids.`,
    );
    const unknown = await asked({ table: 'taks' });
    expect(unknown.content[0]!.text).match(
      /^Table "taks" is unknown; did you mean "tasks"\? Tables: [\w, ]+\.$/,
    );
    const outside = await asked({ table: 'users', q: 'ana', per_page: 5 });
    expect(outside.content[0]!.text)
      .match(/\/q: "q" is not known here.* It is a member of "filters"\./)
      .match(/\/per_page: .* It is a member of "pagination"\./);
    const listing = await asked({ table: 'users', select: [{ field: 'language', in: [] }] });
    expect(listing.content[0]!.text).match(/\/select\/0\/in: This must list at least 1\./);
    await client.callTool({ name: 'cancel_task', arguments: { task_id: uuid(7) } }).then(
      (answer) => expect((answer as Answered).isError).equal(true),
      (error: Error) => expect(error.message).match(/cancel_task/),
    );
    const { data } = await world.client
      .table('adminTasks')
      .search({ filters: { task_id: uuid(7) } });
    expect(data[0]!.status).equal('STARTED');
  });

  it('says what would be right where arguments are missing, misspelt or in the wrong place', async () => {
    const client = await connect(ANA, false, '--allow-changes');
    const cases: [name: string, given: Record<string, unknown>, says: RegExp][] = [
      ['search', {}, /^table is missing\. Tables: tasks, schedules, users, projects\.$/],
      ['search', { table: 'tasks' }, /^Only admins may leave project_id out; .*search projects/],
      [
        'search',
        { table: 'tasks', project_id: uuid(1), filters: { status: 'FAILURE' } },
        /^\/filters\/status: status is no filter; put \{"field": "status", …\} into select\.$/,
      ],
      ['read_log', {}, /^task_id is missing\. read_log takes: task_id, project_id, after, last, /],
      ['read_log', { id: uuid(1) }, /^"id" is unknown\. read_log takes: task_id, /],
      ['read_log', { task_id: 7 }, /^Nothing has the task_id 7, or this token may not see it;/],
      ['list_routing_keys', { q: 'x' }, /^"q" is unknown\. list_routing_keys takes: none\.$/],
      ['read_task', { task_id: uuid(3) }, /^project_id is missing\. read_task takes: project_id, /],
      [
        'read_task',
        { task_id: 'a', project_id: 'b' },
        /^Nothing has the task_id "a" and the project_id "b", or this /,
      ],
      ['cancel_task', {}, /^task_id is missing\./],
      ['preserve_task', { project_id: uuid(1), task_id: uuid(3) }, /^preserve is missing\./],
      [
        'switch_schedule',
        { schedule_id: uuid(1), enabled: true },
        /^Only admins may leave project_id out/,
      ],
    ];
    for (const [name, given, says] of cases) {
      const { isError, content } = await called(client, name, given);
      expect(isError, name).equal(true);
      expect(content[0]!.text, name).match(says);
    }
  });

  it('changes things only where that is allowed, as the caller', async () => {
    const client = await connect(ANA, false, '--allow-changes');
    const { tools } = await client.listTools();
    const cancel = tools.find(({ name }) => name === 'cancel_task')!;
    expect(cancel.annotations).include({ readOnlyHint: false, destructiveHint: true });
    expect(tools.map(({ name }) => name))
      .include('preserve_task')
      .not.include('clean_up_tasks');
    const task = { project_id: uuid(1), task_id: uuid(3) };
    const kept = await called(client, 'preserve_task', { ...task, preserve: true });
    expect(kept.structuredContent.preserve).equal(true);
    const mistyped = await called(client, 'preserve_task', { ...task, keep: true });
    expect(mistyped.content[0]!.text).match(/keep/);
    const off = { project_id: uuid(1), schedule_id: uuid(2) };
    const switched = await called(client, 'switch_schedule', { ...off, enabled: false });
    expect(switched.structuredContent.enabled).equal(false);
    const gone = await called(client, 'delete_schedule', off);
    expect([gone.isError ?? false, gone.content[0]!.text]).eql([false, 'Done.']);
    const { data } = await world.client.table('audit').search();
    expect(data.map(({ actor }) => actor)).eql(['2', '2', '2']);
  });

  it('lets admins change schedules of no project, and clean up', async () => {
    const client = await connect(1, true, '--allow-changes');
    expect(await names(client)).include('clean_up_tasks');
    const switched = { schedule_id: uuid(1), enabled: false };
    const { structuredContent } = await called(client, 'switch_schedule', switched);
    expect(structuredContent.enabled).equal(false);
  });

  it('answers all that a script has written before it closed its end, lines that are no messages too', async () => {
    const [node, ...own] = TABLE_SEARCH;
    const env = {
      PATH: process.env.PATH,
      TABLE_SEARCH_URL: world.service.url,
      TABLE_SEARCH_TOKEN: await world.service.token(1, true),
    };
    const child = spawn(node, [...own, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const clientInfo = { name: 'a script', version: '1' };
    const given = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const call = (name: string, args: object) => ({
      ...{ method: 'tools/call', params: { name, arguments: args } },
    });
    const requests = [
      { method: 'initialize', params: given },
      call('search', { table: 'tasks', facets: [{ field: 'status' }] }),
      call('read_log', { task_id: uuid(8) }),
      call('search', { table: 'projects' }),
    ];
    const lines = requests.map((one, id) => JSON.stringify({ jsonrpc: '2.0', id, ...one }));
    // A blank line asks nothing, and the last line may lack its end.
    lines.splice(2, 0, '{"jsonrpc": "2.0", "id": 7, ', '', '{"id": 8}\r', '[]');
    child.stdin.end(lines.join('\n'));
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).equal(0);
    const refused = answers.filter(({ id }) => id === null);
    expect(refused.map(({ error }) => error.code)).eql([-32700, -32600, -32600]);
    const answered = answers.filter(({ id }) => id !== null);
    expect(answered.map(({ id }) => id).sort()).eql([0, 1, 2, 3]);
    expect(answered.filter(({ error, result }) => error || result.isError)).eql([]);
  });

  it('says nothing of many answers that their reader is late for', async () => {
    const [node, ...own] = TABLE_SEARCH;
    const env = {
      PATH: process.env.PATH,
      TABLE_SEARCH_URL: world.service.url,
      TABLE_SEARCH_TOKEN: await world.service.token(1, true),
    };
    const child = spawn(node, [...own, 'mcp'], { env, stdio: 'pipe' });
    const said = text(child.stderr);
    const lines = Array.from({ length: 300 }, (_, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
    );
    child.stdin.write(`${lines.join('\n')}\n`);
    // The first answers show that it reads; the others fill the pipe.
    await once(child.stdout, 'readable');
    await sleep(500);
    child.stdin.end();
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect([code, out.trimEnd().split('\n').length]).eql([0, 300]);
    expect(await said).equal('');
  });

  it('refuses an answer that is too long to be read, and says how to ask for less', async () => {
    const client = await connect(1, true);
    const long = Array.from({ length: 5 }, (_, n) =>
      task(20_000 + n, { scope: 'system', folder: 'f'.repeat(50_000) }),
    );
    await world.withTasks(long, async () => {
      const given = { table: 'tasks', filters: { q: 'f'.repeat(100) } };
      const whole = await called(client, 'search', given);
      expect(whole.isError).equal(true);
      expect(whole.content[0]!.text).match(
        /^The answer has \d{6} characters, and 200000 are the most\. Ask for fewer rows by pagination\.per_page/,
      );
      const less = await called(client, 'search', { ...given, pagination: { per_page: 2 } });
      expect(less.structuredContent.data.length).equal(2);
    });
  });

  it('ends with one line and 3 where the token is missing or bad', async () => {
    for (const token of ['', 'x', (await world.service.token(999, false)).slice(0, -4)]) {
      const env = { TABLE_SEARCH_URL: world.service.url, TABLE_SEARCH_TOKEN: token };
      const { code, out, err } = await run(['mcp'], env);
      expect({ code, out }, token).eql({ code: 3, out: '' });
      expect(err).match(/^table-search: [^\n]*TABLE_SEARCH_TOKEN[^\n]*\n$/);
    }
  });

  it('ends with the signal that asks it to, although its client stays', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const client = await connect(1, true);
      const { pid } = client.transport as StdioClientTransport;
      const closed = new Promise<void>((resolve) => {
        client.onclose = resolve;
      });
      process.kill(pid!, signal);
      await closed;
    }
  });

  it('says in one line that there is no service', async () => {
    const { code, out, err } = await run(['mcp'], {
      TABLE_SEARCH_URL: 'http://127.0.0.1:1',
      TABLE_SEARCH_TOKEN: 'x',
    });
    expect({ code, out }).eql({ code: 5, out: '' });
    expect(err).match(/^table-search: http:\/\/127\.0\.0\.1:1 cannot be reached[^\n]+\n$/);
  });
});
