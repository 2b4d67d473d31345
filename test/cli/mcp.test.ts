/** `table-search mcp` as an assistant meets it: the client of the SDK, over a real pipe. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { useWorld } from '../client/world.ts';
import { ANA, uuid } from '../conformance/documents.ts';
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

  async function connect(user: number, isAdmin: boolean, ...args: string[]): Promise<Client> {
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
          TABLE_SEARCH_TOKEN: await world.service.token(user, isAdmin),
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

  it('offers what the caller may ask, and no changes', async () => {
    const admin = await connect(1, true);
    const { tools } = await admin.listTools();
    expect(tools.map(({ name }) => name)).include.members([
      'search_admin_tasks',
      'explore_admin_tasks',
      'search_audit',
      'read_log',
      'read_task_metadata',
      'list_routing_keys',
    ]);
    for (const { name, annotations, inputSchema, description } of tools) {
      expect(name).match(/^(search|explore|read|list)_/);
      expect(annotations?.readOnlyHint, name).equal(true);
      expect(description, name).match(/\w/);
      // It stands alone: nothing refers to what is not there.
      ajv.compile(inputSchema);
    }
    expect(admin.getInstructions()).match(/facets/);
    const ofMember = await names(await connect(ANA, false));
    expect(ofMember).include('search_project_tasks').include('search_users');
    expect(ofMember.filter((name) => /admin|audit|any/.test(name))).eql([]);
  });

  it('takes what the service takes, by its schema', async () => {
    const client = await connect(1, true);
    const { tools } = await client.listTools();
    const { inputSchema } = tools.find(({ name }) => name === 'explore_project_tasks')!;
    const fits = ajv.compile(inputSchema);
    const given = {
      project_id: uuid(1),
      select: [{ field: 'status', in: ['SUCCESS'] }],
      facets: [{ field: 'worker' }],
      pagination: { per_page: 2 },
    };
    expect(fits(given)).equal(true);
    expect(fits({ facets: [] }), 'the project is missing').equal(false);
    expect(fits({ ...given, nope: 1 })).equal(false);
    const { structuredContent, content, isError } = await called(
      client,
      'explore_project_tasks',
      given,
    );
    expect(isError).not.equal(true);
    expect(structuredContent.data.length).equal(2);
    expect(structuredContent.facets[0].field).equal('worker');
    expect(JSON.parse(content[0]!.text!)).eql(structuredContent);
    const log = await called(client, 'read_log', { task_id: uuid(8), last: 2 });
    expect(log.structuredContent.data.map(({ seq }: { seq: number }) => seq)).eql([11, 12]);
  });

  it('says what is wrong in the words of the service', async () => {
    const client = await connect(ANA, false);
    const wrong = await called(client, 'search_users', { filters: { emial: 'x' } });
    expect(wrong.isError).equal(true);
    expect(wrong.content[0]!.text).match(/\/filters\/emial: .*did you mean "email"\?/);
    const foreign = await called(client, 'search_project_tasks', { project_id: uuid(2) });
    expect(foreign.isError).equal(true);
    expect(foreign.content[0]!.text).match(/^There is nothing/);
    const missing = await called(client, 'search_project_tasks', {});
    expect(missing.isError).equal(true);
    await client.callTool({ name: 'cancel_task', arguments: { task_id: uuid(7) } }).then(
      (answer) => expect((answer as Answered).isError).equal(true),
      (error: Error) => expect(error.message).match(/cancel_task/),
    );
    const { data } = await world.client
      .table('adminTasks')
      .search({ filters: { task_id: uuid(7) } });
    expect(data[0]!.status).equal('STARTED');
  });

  it('changes things only where that is allowed, as the caller', async () => {
    const client = await connect(ANA, false, '--allow-changes');
    const { tools } = await client.listTools();
    const cancel = tools.find(({ name }) => name === 'cancel_task')!;
    expect(cancel.annotations).include({ readOnlyHint: false, destructiveHint: true });
    expect(tools.map(({ name }) => name))
      .include('preserve_task')
      .not.include('clean_up_tasks');
    expect(tools.filter(({ name }) => /^(export|explain)/.test(name))).eql([]);
    const task = { project_id: uuid(1), task_id: uuid(3) };
    const kept = await called(client, 'preserve_task', { ...task, preserve: true });
    expect(kept.structuredContent.preserve).equal(true);
    const off = { project_id: uuid(1), schedule_id: uuid(2) };
    const gone = await called(client, 'delete_schedule_of_project', off);
    expect([gone.isError ?? false, gone.content[0]!.text]).eql([false, 'Done.']);
    const { data } = await world.client.table('audit').search();
    expect(data.map(({ actor }) => actor)).eql(['2', '2']);
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
