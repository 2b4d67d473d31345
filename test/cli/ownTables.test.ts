/** The commands over tables of a definition file, which they know from the running service alone. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { Decimal128, ObjectId } from 'mongodb';
import { createClient } from '../../clients/typescript/index.ts';
import { facetText } from '../../src/cli/show/counts.ts';
import { addressOf, type Fields } from '../../src/cli/show/looks.ts';
import { typesOf } from '../../src/cli/show/types.ts';
import { serveTables } from '../serve/tables/stage.ts';
import { put, useDatabase } from '../support/database.ts';
import type { TestService } from '../support/service.ts';
import { run, TABLE_SEARCH } from '../support/tableSearch.ts';
import { until } from '../support/until.ts';
import { answered, refusalOf } from './answered.ts';

const FILE = `
version: 1
tables:
  orders:
    collection: orders
    title: Web orders
    fields:
      id: objectId
      number: { type: string, values: unique, look: { link: "https://shop.example/{value}" } }
      status: { type: string, values: few }
      skus: { type: [string], path: lines.sku }
      total: { type: decimal, look: { money: EUR } }
      pieces: { type: number, look: bytes, use: [facet, range, sort, show] }
      paid: { type: boolean, title: "Paid\\e[31m */ \\u202e" }
      placed: { type: date, path: placedAt }
      shipped: { type: date, path: shippedAt }
      took: { seconds: [placed, shipped] }
      customer: { type: objectId, path: customerId }
      email: { label: email, of: customers, through: customer }
      secret: { type: string, use: [filter] }
      note: { type: mixed, use: [show] }
    text: [number, email]
    facets: [status, skus, paid, pieces]
    sort: -placed
    columns: [number, status, total]
    access:
      - { roles: [admin] }
      - { roles: [support], hide: [total], rows: { status: open } }
  customers:
    collection: customers
    fields: { id: objectId, email: { type: string, values: unique }, lastSeen: date }
  plain:
    collection: customers
    fields: { id: objectId, email: { type: string, values: unique } }
    access: [ { roles: [plain] } ]
  parts:
    collection: parts
    fields: { id: mixed, name: string, kind: { type: string, values: few } }
    access: [ { roles: [stock] } ]
  series:
    collection: series
    fields: { id: objectId, at: date }
    access: [ { roles: [meter] } ]
`;
const hex = (n: number) => n.toString(16).padStart(24, '0');
const oid = (n: number) => new ObjectId(hex(n));

describe('table-search over tables of a file', function ownTables() {
  this.timeout(120_000);
  const database = useDatabase();
  let service: TestService;
  let env: Record<string, string>;
  let ofSupport: Record<string, string>;

  before(async () => {
    const { db } = database;
    await put(db, {
      customers: [1, 2].map((n) => ({ _id: oid(n), email: `person${n}@example.org` })),
      orders: Array.from({ length: 8 }, (_, n) => ({
        _id: oid(100 + n),
        number: `A-${n}`,
        status: n % 4 === 0 ? 'open' : 'closed',
        lines: [{ sku: `s${n % 2}` }, { sku: 'box' }],
        total: Decimal128.fromString(`${n}.10`),
        pieces: n,
        paid: n % 2 === 0,
        placedAt: new Date(Date.UTC(2026, 0, 1 + n)),
        shippedAt: new Date(Date.UTC(2026, 0, 1 + n, 0, 1)),
        customerId: oid(1 + (n % 2)),
        secret: 'x',
      })),
    });
    const numbers = [7, '7', '7.0', '007', Decimal128.fromString('0.5')];
    const others = [true, 'true', new ObjectId(hex(1)), { a: 1 }, '{"a": 1}', 'x', '"x"'];
    const parts = [...numbers, ...others];
    await db
      .collection<{ _id: unknown }>('parts')
      .insertMany(parts.map((_id) => ({ _id, name: `${typeof _id} ${_id}`, kind: _id })));
    await db.createCollection('series', { timeseries: { timeField: 'at' } });
    service = await serveTables(database.uri, database.name, FILE);
    const as = async (role: string) => ({
      TABLE_SEARCH_URL: service.url,
      TABLE_SEARCH_TOKEN: await service.tokenOf('ana', { roles: [role] }),
    });
    env = await as('admin');
    ofSupport = await as('support');
    const client = createClient({ baseUrl: service.url, token: env.TABLE_SEARCH_TOKEN });
    await until(
      async () => (await client.tables()).every(({ count }) => count !== null),
      'the index does not load',
    );
  });
  after(() => service?.stop());

  /** The output of a command that succeeds and warns of nothing. */
  async function printed(args: readonly string[], as = env): Promise<string> {
    const { code, out, err } = await run(args, as);
    expect({ code, err }, args.join(' ')).eql({ code: 0, err: '' });
    return out;
  }
  const numbers = async (...args: string[]) => {
    const { data } = await answered(env, ['search', 'orders', '-n', '20', '--sort', 'id', ...args]);
    return data.map(({ number }) => number).join(' ');
  };

  it('shows the columns of the file, in its order', async () => {
    const [shown, few] = await Promise.all([
      printed(['search', 'orders', '-n', '2']),
      printed(['search', 'orders', '-n', '1', '--json'], ofSupport),
    ]);
    expect(shown).equal('number\tstatus\ttotal\nA-7\tclosed\t7.10\nA-6\tclosed\t6.10\n');
    expect(JSON.parse(few).meta.pagination.total_items).equal(2);
    expect(JSON.parse(few).data[0]).not.have.property('total');
  });

  it('shows values by their looks on a terminal', async () => {
    const columns = ['number', 'total', 'pieces', 'took', 'skus', 'paid'];
    const args = ['search', 'orders', '-s', 'pieces=6..7', '-c', columns.join(), '--table'];
    const [plain, coloured] = await Promise.all([
      printed(args),
      printed(args, { ...env, FORCE_COLOR: '1' }),
    ]);
    const [head, row] = plain.split('\n');
    expect(head!.trim().split(/ +/)).eql(columns);
    expect(row!.trim().split(/ {2,}/)).eql([
      'A-6',
      '€6.10',
      '6 B',
      '1 min 00 s',
      's0, box',
      'true',
    ]);
    expect(head!.indexOf('total') + 5, 'to the right').equal(row!.indexOf('6.10') + 4);
    expect(coloured).include('\u001b]8;;https://shop.example/A-6\u001b\\A-6\u001b]8;;\u001b\\');
    const home = { type: 'string', look: { link: '{value}' } } as unknown as Fields[string];
    expect(addressOf(home, 'https://a.example/b?c=d')).equal('https://a.example/b?c=d');
    expect(addressOf(home, 'javascript:alert(1)')).equal(undefined);
  });

  it('shows counts and figures by the looks of their fields on a terminal', async () => {
    const counted = ['--facet', 'pieces', '--stats', 'took', '--stats', 'total'];
    const shown = await printed(['explore', 'orders', '-s', 'pieces=6..7', ...counted, '--table']);
    expect(shown).match(/^ {2}6 B +1 /m);
    const facet = { field: 'pieces', distinct: 3, rest: 0 };
    const values = [1_000_001, 1_000_002, 5].map((value) => ({ value, count: 1 }));
    const fields = { pieces: { type: 'number', look: 'bytes' } } as unknown as Fields;
    const drawing = { paint: (_: unknown, drawn: string) => drawn, width: 60, fields };
    expect(facetText({ ...facet, values }, drawing), 'sizes with the same name')
      .match(/^ {2}1000001 /m)
      .match(/^ {2}1000002 /m)
      .match(/^ {2}5 B /m);
    expect(shown).match(/^ {2}p50 {2}1 min 00 s$/m);
    expect(shown).match(/^ {2}p50 {2}€6\.10$/m);
    const same = ['explore', 'orders', '--baseline', 'all', '--facet', 'pieces', '--table'];
    expect(await printed(same)).match(/^pieces {2}\d+ values\n {2}none is over-represented\n/);
  });

  const conditions: [args: string[], found: string][] = [
    [['-q', 'PERSON1', '-f', 'number=4'], 'A-4'],
    [['-s', 'status=open'], 'A-0 A-4'],
    [['-s', 'total>=6.1'], 'A-6 A-7'],
    [['-s', 'total>6.1'], 'A-7'],
    [['-s', 'total<=6.1', '-s', 'pieces>5'], 'A-6'],
    [['-s', 'total=6.10000000000000000001..8'], 'A-7'],
    [['-s', 'total=6.1'], 'A-6'],
    [['-s', 'placed=2026-01-03T00:00Z'], 'A-2'],
    [['-s', 'took=1m', '-s', 'pieces<2'], 'A-0 A-1'],
    [['-s', 'pieces=2,3'], 'A-2 A-3'],
    [['-s', 'pieces!=2,3', '-s', 'pieces<5'], 'A-0 A-1 A-4'],
    [['-s', 'pieces=5..7'], 'A-5 A-6'],
    [['-s', 'placed<2026-01-03'], 'A-0 A-1'],
    [['-s', 'took=1m..1h30m', '-s', 'pieces<2'], 'A-0 A-1'],
    [['-s', 'took<60s'], ''],
    [['-s', 'took>59s', '-s', 'took<=1m', '-s', 'pieces<2'], 'A-0 A-1'],
    [['-s', 'took>1m'], ''],
    [['-s', 'took>=60', '-s', 'skus=s1', '-s', 'paid=false', '-s', 'pieces>=6'], 'A-7'],
    // A row has several of them.
    [['-s', 'skus=s0', '-s', 'skus=box', '-s', 'pieces<3'], 'A-0 A-2'],
    [['-s', `customer=${hex(2).toUpperCase()}`, '-s', 'pieces<2'], 'A-1'],
    [['-s', `id=${hex(103)}`, '-s', 'secret=x'], 'A-3'],
  ];
  it('takes filters, and conditions by the types of fields', async () => {
    for (const [args, found] of conditions) {
      expect(await numbers(...args), args.join(' ')).equal(found);
    }
  });

  it('finds numbers among texts, as explore lists them', async () => {
    const token = await service.tokenOf('ana', { roles: ['stock'] });
    const as = { ...env, TABLE_SEARCH_TOKEN: token };
    const named = async (condition: string) => {
      const { data } = await answered(as, ['search', 'parts', '-n', '20', '-s', condition]);
      return data.map(({ name }) => name).sort();
    };
    expect(await named('kind=7')).eql(['number 7', 'string 7']);
    expect(await named('kind="7"')).eql(['string 7']);
    expect(await named('kind=true')).eql(['boolean true', 'string true']);
    expect(await named('kind!=7')).length(10);
    const twice = ['search', 'parts', '-s', 'kind=7', '-s', 'kind=x'];
    expect((await refusalOf(as, twice)).sentence).include('write kind=7,x for either');
  });

  it('counts, watches, exports and explains', async () => {
    const [counts, asked, watched, exported, explained] = await Promise.all([
      printed(['explore', 'orders']),
      printed(['explore', 'orders', '--facet', 'skus:1', '--histogram', 'placed:P1Y', '-n', '1']),
      printed(['watch', 'orders', '-s', 'status=open', '--once', '--json']),
      printed(['export', 'orders', '-s', 'pieces<2', '-c', 'id,total', '--json']),
      printed(['explain', 'orders', '-q', 'person1']),
    ]);
    expect(counts).include('status\tclosed\t\t6\n').include('skus\tbox\t\t8\n');
    expect(counts).include('paid\ttrue\t\t4\n');
    expect(asked).include('skus\tbox\t\t8\nplaced\t2026-01-01').include('\nA-7\tclosed\t7.10\n');
    expect(JSON.parse(watched).answer.meta.pagination.total_items).equal(2);
    const rows = exported.trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row).id).sort()).eql([hex(100), hex(101)]);
    expect(explained).match(/^plan\n[\s\S]*\nrows\n {2}4\n/);
  });

  it('says why answers of a table that has no index come late', async () => {
    const TABLE_SEARCH_TOKEN = await service.tokenOf('ana', { roles: ['meter'] });
    const { code, err } = await run(['watch', 'series', '--once'], { ...env, TABLE_SEARCH_TOKEN });
    const reason = 'The index is off for series: it is a time series, which has no change events.';
    expect({ code, err }).eql({
      code: 0,
      err: `${reason} Without the index, answers come every 5 s.\n`,
    });
  });

  it('says that a table has nothing to count by default', async () => {
    const token = await service.tokenOf('ana', { roles: ['plain'] });
    const { code, out, err } = await run(['explore', 'plain'], {
      ...env,
      TABLE_SEARCH_TOKEN: token,
    });
    expect({ code, out }).eql({ code: 0, out: '' });
    expect(err).equal(
      'plain has no facets and no dates to count by; -n shows rows, and --stats measures numbers.\n',
    );
  });

  it('names what there is where a name is wrong', async () => {
    const cases: [args: string[], as: typeof env, code: number, says: RegExp][] = [
      [['search', 'order'], env, 2, /"order" is unknown; did you mean "orders"\? Tables: orders, /],
      [['search', 'tasks'], env, 2, /Table "tasks" is unknown\. Tables: orders, customers\./],
      [['explore', 'customers'], ofSupport, 2, /"customers" is unknown\. Tables: orders\./],
      [['search', 'orders', '-c', 'total'], ofSupport, 2, /--columns total: "total" is unknown/],
      [['search', 'orders', '-s', 'totl>=1'], env, 2, /did you mean "total"\?/],
      [['search', 'orders', '-s', 'total>=many'], env, 2, /--select total>=many: This must/],
      [['search', 'orders', '-s', 'took>=long'], env, 2, /took takes seconds, such as 90, 90s, 2h/],
      [['search', 'orders', '-s', 'total!=1'], env, 2, /no !=; write total<1 or total>1\./],
      [['search', 'orders', '-s', 'email=a@b.c'], env, 2, /text of customers: write email~text or/],
      [['search', 'orders', '-s', 'customer=1'], env, 2, /^--select customer=1: .*ObjectId/],
      [
        ['search', 'orders', '-f', 'status=a', '-p', 'x'],
        env,
        2,
        /Rows of orders belong to no project/,
      ],
      [['explain', 'orders'], ofSupport, 3, /Only admins can use explain/],
    ];
    for (const [args, as, code, says] of cases) {
      const ended = await refusalOf(as, args);
      expect(ended.sentence).match(says);
      expect(ended.code, args.join(' ')).equal(code);
    }
    const own: [args: string[], code: number, says: RegExp][] = [
      [['tail', 'nope'], 4, /This service has no tasks, and so no logs/],
      [['types', 'order'], 2, /"order" is unknown; did you mean "orders"\?/],
    ];
    for (const [args, code, says] of own) {
      const ended = await run(args, env);
      expect({ code: ended.code, out: ended.out }, `${args} ${ended.err}`).eql({ code, out: '' });
      expect(ended.err).match(says);
      expect(ended.err, 'one line').match(/^table-search: [^\n]+\n$/);
    }
  });

  it('lists tables and fields', async () => {
    const [tables, fields, json] = await Promise.all([
      printed(['tables']),
      printed(['tables', 'orders'], ofSupport),
      printed(['tables', '--json']),
    ]);
    expect(tables).equal(
      'name\trows\tfields\ttitle\norders\t8\t14\tWeb orders\ncustomers\t2\t3\tCustomers\n',
    );
    expect(fields).include('\nskus\t[string]\tfilter, facet, show\tSkus\n').not.include('total');
    expect(JSON.parse(json)[1].name).equal('customers');
  });

  it('writes TypeScript types of rows', async () => {
    const [all, one] = await Promise.all([
      printed(['types']),
      printed(['types', 'orders'], ofSupport),
    ]);
    expect(all).include('export interface Customer {\n').include('export interface Order {\n');
    for (const member of [
      'id: string;',
      'status: string | null;',
      'skus: readonly (string | null)[];',
      'total: number | string | null;',
      'pieces: number | string | null;',
      'paid: boolean | null;',
      'took: number | null;',
      'secret?: never;',
      'note: unknown;',
    ]) {
      expect(all).include(`\n  readonly ${member}\n`);
    }
    // A title may come from the name of a collection or a field, which may hold any sign.
    expect(all).include('  /** Paid\\u001b[31m *\\/ \\u202e. */\n  readonly paid');
    // As rows show them: a decimal may be stored as any number, and nothing is Extended JSON.
    expect(all).include('  /** Digits of a decimal, or another number. */\n  readonly total');
    expect(all).include('  /** Any JSON: ids, dates and decimals are text. */\n  readonly note');
    // A title that only repeats the name is not said.
    expect(all).include('  /** RFC 3339, UTC. */\n  readonly lastSeen: string | null;\n');
    expect(one)
      .include("client.table<Order>('orders')")
      .not.match(/total|Customer/);
  });

  it('leaves the names of global types to these', async () => {
    const [table] = JSON.parse(await printed(['tables', '--json']));
    const types = typesOf(['dates', 'records', 'date_rows'].map((name) => ({ ...table, name })));
    expect(types.match(/(?<=export interface )\w+/g)).eql(['DateRow', 'RecordRow', 'DateRow2']);
  });

  describe('an assistant', () => {
    const open: Client[] = [];
    afterEach(async () => {
      for (const client of open.splice(0)) await client.close();
    });
    async function connect(as: Record<string, string>): Promise<Client> {
      const [command, ...own] = TABLE_SEARCH;
      const client = new Client({ name: 'a test', version: '1' });
      open.push(client);
      const PATH = process.env.PATH!;
      const options = { command, args: [...own, 'mcp', '--allow-changes'], env: { PATH, ...as } };
      await client.connect(new StdioClientTransport(options));
      return client;
    }

    it('finds the tables that its owner may see, and no others', async () => {
      const [admin, support] = await Promise.all([connect(env), connect(ofSupport)]);
      const { tools } = await admin.listTools();
      expect(tools.map(({ name }) => name)).eql(['search', 'read_document']);
      expect(admin.getInstructions()).include('orders, customers').not.include('schedules');
      const [search] = tools;
      expect(search!.inputSchema.properties).not.have.property('project_id');
      for (const said of ['\norders (Web orders)\n', 'total (number)', 'placed (date)', 'email']) {
        expect(search!.description).include(said);
      }
      const less = (await support.listTools()).tools;
      expect(less.map(({ name }) => name)).eql(['search']);
      expect(JSON.stringify(less))
        .include('orders')
        .not.match(/total"|customers/);
    });

    it('searches, counts and reads documents', async () => {
      const client = await connect(env);
      const called = async (name: string, given: Record<string, unknown>) =>
        (await client.callTool({ name, arguments: given })) as {
          // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
          readonly structuredContent?: any;
          readonly isError?: boolean;
        };
      const select = [{ field: 'total', from: '6' }];
      const found = await called('search', {
        ...{ table: 'orders', filters: { q: 'person1' }, select },
        facets: [{ field: 'status' }],
      });
      expect(found.structuredContent.data.map(({ id }: { id: string }) => id)).eql([hex(106)]);
      expect(found.structuredContent.facets[0].values[0]).include({ value: 'closed', count: 1 });
      const document = await called('read_document', { table: 'orders', id: hex(106) });
      expect(document.structuredContent).deep.include({ total: { $numberDecimal: '6.10' } });
      expect(await called('search', { table: 'tasks' })).include({ isError: true });
      const said = async (given: Record<string, unknown>) =>
        JSON.stringify(await called('read_document', given));
      expect(await said({ table: 'orders', id: 'x' })).include('Nothing has the id \\"x\\"');
      expect(await said({ id: hex(106) })).include(
        'table is missing. read_document takes: table, id, from.',
      );
      expect(await said({ table: 'order', id: hex(106) })).include('did you mean \\"orders\\"?');
    });

    it('reads a long document in parts', async () => {
      const orders = database.db.collection<{ _id: ObjectId }>('orders');
      const _id = new ObjectId(hex(999));
      await orders.insertOne({ _id, note: 'x'.repeat(199_900) + '😀'.repeat(30_000) } as never);
      const client = await connect(env);
      const texts = async (more: object) => {
        const given = { table: 'orders', id: hex(999), ...more };
        const { content } = await client.callTool({ name: 'read_document', arguments: given });
        return (content as { readonly text: string }[]).map(({ text }) => text);
      };
      const read = async (more: object) => (await texts(more))[0]!;
      const versionOf = async (from: number) =>
        /, version (\w+)\.$/.exec((await texts({ from }))[1]!)![1];
      try {
        expect(await read({})).match(/has 25\d{4} characters.* Ask for its parts by from: 0 /);
        const parts = [await read({ from: 0 }), await read({ from: 200_000 })];
        expect(parts[0]!.length).within(200_000, 200_001);
        expect(parts.map((part) => part.isWellFormed())).eql([true, true]);
        expect(JSON.parse(parts.join('')).note.length).equal(259_900);
        expect(await read({ from: '0' })).match(/^from is no character of the answer, which/);
        expect(await read({ from: 300_000 })).match(/^from is no character of the answer, which/);
        const version = await versionOf(0);
        expect(await versionOf(200_000)).equal(version);
        // The last character alone, which the first part does not show.
        const note = `${'x'.repeat(199_900)}${'😀'.repeat(29_999)}😎`;
        await orders.updateOne({ _id }, { $set: { note } } as never);
        expect(await versionOf(0)).not.equal(version);
      } finally {
        await orders.deleteOne({ _id });
      }
    });

    it('reads the document of the very key that a row shows', async () => {
      const token = await service.tokenOf('ana', { roles: ['stock'] });
      const client = await connect({ ...env, TABLE_SEARCH_TOKEN: token });
      const called = async (name: string, given: object) => {
        const asked = { name, arguments: { table: 'parts', ...given } };
        // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
        return ((await client.callTool(asked)) as { readonly structuredContent: any })
          .structuredContent;
      };
      const { data } = await called('search', { pagination: { per_page: 20 } });
      expect(data.length).equal(12);
      for (const { id, name } of data) {
        expect((await called('read_document', { id })).name, JSON.stringify(id)).equal(name);
      }
    });
  });
});
