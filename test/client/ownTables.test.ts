/**
 * The client over tables of a definition file: its requests and answers, and the errors of its
 * types.
 */

import { expect } from 'chai';
import { ObjectId } from 'mongodb';
import { type ApiError, type Client, createClient } from '../../clients/typescript/index.ts';
import { toolsOf } from '../../src/cli/mcp/tools.ts';
import { hex, serveTables, storeOrders } from '../serve/tables/stage.ts';
import { useDatabase } from '../support/database.ts';
import type { TestService } from '../support/service.ts';
import { run } from '../support/tableSearch.ts';
import { until } from '../support/until.ts';
import { all } from './world.ts';

/** As `table-search types orders` writes it. */
interface Order {
  readonly id: string;
  readonly number: string | null;
  readonly status: string | null;
  readonly region: string | null;
  readonly customer: string | null;
  readonly email: string | null;
  readonly total: string | null;
  readonly placed: string | null;
}

describe('the client over tables of a file', function ownTables() {
  this.timeout(90_000);
  const database = useDatabase();
  let service: TestService;
  let admin: Client;
  const as = async (claims: Readonly<Record<string, unknown>>) =>
    createClient({ baseUrl: service.url, token: await service.tokenOf('ana', claims) });

  before(async () => {
    await storeOrders(database.db);
    service = await serveTables(database.uri, database.name);
    admin = await as({ roles: ['admin'] });
    await until(
      async () => (await admin.tables()).every(({ count }) => count !== null),
      'the index does not load',
    );
  });
  after(() => service?.stop());

  it('lists the tables that its caller may see', async () => {
    const shown = async (client: Client) =>
      (await client.tables()).map(({ name, count, documents }) => ({ name, count, documents }));
    expect(await shown(admin)).deep.include({ name: 'orders', count: 20, documents: true });
    const support = await as({ roles: ['support'], region: 'north' });
    expect(await shown(support)).deep.include({ name: 'orders', count: 10, documents: true });
    const orders = (await support.tables()).find(({ name }) => name === 'orders');
    expect(orders!.fields).not.have.property('total');
  });

  it('searches, explores, pages and exports rows of a type', async () => {
    const orders = admin.table<Order>('orders');
    const found = await orders.search({
      select: [{ field: 'total', from: '17.10' }],
      sorting: { sort_by: 'total', sort_order: 'asc' },
    });
    expect(found.data.map((row) => row.total)).eql(['17.10', '18.10', '19.10']);
    expect(found.meta.applied_select).eql([{ field: 'total', from: '17.1' }]);
    const { meta, facets, histogram } = await orders.explore({
      filters: { q: 'person1' },
      sorting: [{ sort_by: 'region', sort_order: 'asc' }, { sort_by: 'placed' }],
      facets: [{ field: 'status' }],
      histogram: { field: 'placed', interval: 'P1Y' },
    });
    const sorts = meta.applied_sorting.map(({ sort_by, sort_order }) => [sort_by, sort_order]);
    expect(sorts).eql([
      ['region', 'asc'],
      ['placed', 'desc'],
    ]);
    expect(facets![0]!.values.map(({ value, count }) => [value, count])).eql([
      ['closed', 5],
      ['open', 5],
    ]);
    expect(histogram!.buckets.map(({ count }) => count)).eql([10]);
    const pages = await all(orders.pages({ pagination: { per_page: 8 } }));
    expect(pages.map(({ data }) => data.length)).eql([8, 8, 4]);
    const rows = await orders.export({ columns: ['id', 'number'] });
    expect(rows.total).equal(20);
    const numbers = (await all(rows)).map((row) => row.number);
    expect(new Set(numbers).size).equal(20);
    const keep = await orders.exportFile({ columns: ['number'], formulas: 'keep' });
    expect(keep.total).equal(20);
    expect((await orders.facets(['region']))[0]!.distinct).equal(2);
    expect((await orders.explain({ filters: { q: 'a' } })).plan.length).greaterThan(0);
  });

  it('watches, and reads a whole document', async () => {
    const orders = admin.table<Order>('orders');
    const select = [{ field: 'status', in: ['new'] }] as const;
    const counts: number[] = [];
    for await (const event of orders.watch({ select })) {
      if (event.type !== 'answer') continue;
      const total = event.answer.meta.pagination.total_items;
      if (counts.at(-1) !== total) counts.push(total);
      if (total > 0) break;
      await database.db
        .collection('orders')
        .updateOne({ _id: new ObjectId(hex(101)) }, { $set: { status: 'new' } });
    }
    expect(counts).eql([0, 1]);
    const document = await admin.document('orders', hex(101));
    expect(document).deep.include({ _id: { $oid: hex(101) }, status: 'new' });
    const none = await admin.document('orders', 101).catch((error: ApiError) => error);
    expect(none).include({ status: 404 });
    const packer = await as({ roles: ['packer'] });
    const missing = await packer.document('orders', hex(101)).catch((error: ApiError) => error);
    expect(missing).include({ status: 404, code: 'NotFound' });
  });

  it('refuses names of fields that a typed record has not', async () => {
    const orders = admin.table<Order>('orders');
    // @ts-expect-error: no field of an order
    const select = () => orders.search({ select: [{ field: 'totl', in: [1] }] });
    // @ts-expect-error: no field of an order
    const sorting = () => orders.search({ sorting: { sort_by: 'totl' } });
    // @ts-expect-error: no field of an order
    const facets = () => orders.explore({ facets: [{ field: 'totl' }] });
    // @ts-expect-error: no field of an order
    const columns = () => orders.export({ columns: ['totl'] });
    // @ts-expect-error: no field of an order
    const histogram = () => orders.explore({ histogram: { field: 'totl' } });
    for (const ask of [select, sorting, facets, columns, histogram]) {
      const refused = await ask().then(
        () => undefined,
        (error: ApiError) => error,
      );
      expect(refused).include({ status: 422 });
    }
    const any = admin.table('orders');
    expect((await any.search({ sorting: { sort_by: 'total' } })).data[0]!.total).equal('19.10');
  });
});

describe('the client and the command line over tables with names of built-in ones', function named() {
  this.timeout(90_000);
  const database = useDatabase();
  let service: TestService;

  before(async () => {
    const head = new ObjectId();
    // Data with members that the driver has for classes of its own.
    const name = new Map<string, unknown>([
      ['_bsontype', 'Long'],
      ['toString', 1],
    ]);
    const people = [{ name: 'Ann', head }, { name: 'Bob' }, { _id: head, name }];
    await database.db.collection('people').insertMany(people);
    const file = `version: 1
tables:
  users:
    collection: people
    fields: { id: objectId, name: string, head: objectId, under: { label: name, of: audit, through: head } }
  audit: { collection: people, fields: { id: objectId, name: string } }
`;
    service = await serveTables(database.uri, database.name, file);
  });
  after(() => service?.stop());

  it('export a row whose label is an object like one of the driver', async () => {
    const token = await service.tokenOf('ana', { roles: ['admin'] });
    const users = createClient({ baseUrl: service.url, token }).table('tables/users');
    const rows = [];
    const columns = ['name', 'under'] as const;
    for await (const row of await users.export({ columns })) rows.push(row);
    expect(rows).deep.members([
      { name: 'Ann', under: null },
      { name: 'Bob', under: null },
      { name: { _bsontype: 'Long', toString: 1 }, under: null },
    ]);
  });

  it('search them', async () => {
    const token = await service.tokenOf('ana', { roles: ['admin'] });
    const client = createClient({ baseUrl: service.url, token });
    const env = { TABLE_SEARCH_URL: service.url, TABLE_SEARCH_TOKEN: token };
    for (const name of ['users', 'audit']) {
      const { data } = await client.table(`tables/${name}`).search({ filters: { q: 'ann' } });
      expect(data.map((row) => row.name)).eql(['Ann']);
      const { out, err } = await run(['search', name, '-q', 'bob', '-c', 'name'], env);
      expect({ out, err }).eql({ out: 'name\nBob\n', err: '' });
    }
    const { out } = await run(['types', 'users'], env);
    expect(out).include("client.table<User>('tables/users')");
    const meta = { built_in_tables: false, saved_views: false };
    const listed = { data: await client.tables(), meta };
    const [search] = toolsOf({ admin: false, changes: false }, listed);
    expect(search!.inputSchema).nested.property('properties.table.enum').eql(['users', 'audit']);
  });
});
