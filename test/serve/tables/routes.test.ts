/** The routes of tables from a file: each caller by their grant, all else the same 404. */
import { expect } from 'chai';
import { useDatabase } from '../../support/database.ts';
import { watch } from '../../support/eventStream.ts';
import { failCommand, failNone } from '../../support/failCommand.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { FILE, hex, serveTables, storeOrders, UUID_KEY } from './stage.ts';

const SEARCH = '/api/v2/tables/orders/search';

for (const index of ['on', 'off']) {
  describe(`tables of a file over HTTP (index ${index})`, () => {
    const database = useDatabase();
    let service: TestService;
    let tokens: Readonly<Record<'admin' | 'support' | 'packer' | 'stranger', string>>;

    before(async function start() {
      this.timeout(60_000);
      await storeOrders(database.db);
      const storeIndexes = index === 'off' && { STORE_INDEXES: 'all' };
      const settings = { SEARCH_INDEX: index, ...storeIndexes };
      service = await serveTables(database.uri, database.name, FILE, settings);
      tokens = {
        admin: await service.tokenOf('ana@example.org', { roles: ['admin'] }),
        support: await service.tokenOf('bo', { roles: ['x', 'support'], region: 'north' }),
        packer: await service.tokenOf('7', { roles: ['packer'] }),
        stranger: await service.tokenOf('7', {}),
      };
      if (index === 'on') await service.goesBy('index', SEARCH, tokens.admin);
    });
    after(() => service?.stop());

    const get = (path: string, token?: string) => service.ask('GET', path, { token });

    it('answer a search with the rows and fields of the grant', async () => {
      const all = await service.post(SEARCH, {}, tokens.admin);
      expect(all.status, JSON.stringify(all.body)).equal(200);
      expect(all.body.meta.pagination.total_items).equal(20);
      expect(all.body.data[0]).eql({
        id: hex(119),
        number: 'A-19',
        status: 'closed',
        region: 'south',
        customer: hex(2),
        email: 'person2@example.org',
        total: '19.10',
        placed: '2026-01-20T00:00:00.000Z',
      });
      const some = await service.post(SEARCH, {}, tokens.support);
      expect(some.body.meta.pagination.total_items).equal(10);
      expect(Object.keys(some.body.data[0])).not.include('total');
      expect(some.headers.get('server-timing')).equal(null);
    });

    it('take q, filters and select', async () => {
      const select = [{ field: 'region', in: ['south'] }];
      const body = { filters: { q: 'person2' }, select, sorting: { sort_by: 'placed' } };
      const { status, body: answer } = await service.post(SEARCH, body, tokens.admin);
      expect(status, JSON.stringify(answer)).equal(200);
      expect(answer.meta.pagination.total_items).equal(10);
      const byId = { select: [{ field: 'id', in: [hex(104).toUpperCase()] }] };
      expect((await service.post(SEARCH, byId, tokens.support)).body.data[0].number).equal('A-4');
    });

    it('explore, export and explain', async () => {
      const body = { facets: [{ field: 'region' }], histogram: { field: 'placed' } };
      const explored = await service.post(`${SEARCH}/explore`, body, tokens.support);
      expect(explored.status, JSON.stringify(explored.body)).equal(200);
      expect(explored.body.facets[0].values.map((one: { value: string }) => one.value)).eql([
        'north',
      ]);
      const exported = await service.ask('POST', `${SEARCH}/export`, {
        ...{ token: tokens.support, body: {}, headers: { accept: 'text/csv' } },
      });
      expect(exported.headers.get('content-disposition')).match(/filename="orders-2/);
      const [head, ...lines] = exported.text.trim().split('\r\n');
      expect(head).equal('id,number,status,region,customer,email,placed');
      expect(lines).length(10);
      const plain = '/api/v2/tables/customers/search';
      for (const path of [`${plain}/explore`, plain]) {
        const { status, body } = await service.post(path, {}, tokens.admin);
        expect(status, `${path} ${JSON.stringify(body)}`).equal(200);
      }
      const none = { facets: [{ field: 'email' }] };
      const refused = await service.post(`${plain}/explore`, none, tokens.admin);
      expect(refused.body.errors[0].detail).equal('This table has no field that can stand here.');
      const explained = await service.post(`${SEARCH}/explain`, {}, tokens.admin);
      expect(explained.status, JSON.stringify(explained.body)).equal(200);
      expect(explained.body.total_items).equal(20);
      expect((await service.post(`${SEARCH}/explain`, {}, tokens.support)).status).equal(403);
    });

    it('are the same 404 for tables that are not there, and not the caller’s', async () => {
      const paths = ['/search', '/search/explore', '/search/export', '/search/explain'];
      for (const path of paths) {
        for (const [table, token] of [
          ['orders', tokens.stranger],
          ['customers', tokens.support],
          ['nothing', tokens.admin],
          ['nothing', tokens.stranger],
          ['Orders', tokens.admin],
        ]) {
          const { status, body } = await service.post(`/api/v2/tables/${table}${path}`, {}, token);
          expect([status, body.code], `${table}${path}`).eql([404, 'NotFound']);
        }
      }
      expect((await service.post(SEARCH, {})).status).equal(401);
    });

    it('list the tables of the caller', async () => {
      const listOf = async (token: string) => (await get('/api/v2/tables', token)).body;
      const { data } = await listOf(tokens.admin);
      expect(data.map((one: { name: string }) => one.name)).eql(['orders', 'customers']);
      const [orders] = data;
      if (index === 'on') expect(orders.count).equal(20);
      expect(orders.default_sort).eql({ sort_by: 'placed', sort_order: 'desc' });
      expect(orders.fields.email).eql({
        type: 'string',
        several: false,
        title: 'Email',
        uses: ['text', 'filter', 'show'],
        look: null,
        label_of: { table: 'customers', through: 'customer' },
      });
      const [mine, ...others] = (await listOf(tokens.support)).data;
      expect(others.map((one: { name: string }) => one.name)).eql(['numbered', 'any']);
      expect(mine.fields).not.property('total');
      expect(mine.fields.email.label_of, 'a table that is not theirs').equal(null);
      if (index === 'on') expect(mine.count).equal(10);
      const mixedKey = others.find((one: { name: string }) => one.name === 'any');
      expect(mixedKey.fields.id.uses).eql(['sort', 'show']);
      expect(mixedKey.select, 'fields that no value can be found in').not.include('id');
      expect((await listOf(tokens.stranger)).data).eql([]);
    });

    it('show a whole document as relaxed Extended JSON, to grants that allow it', async () => {
      const path = (n: number) => `/api/v2/tables/orders/documents/${hex(n)}`;
      const { status, text, headers, body } = await get(path(104), tokens.admin);
      expect(status, text).equal(200);
      expect(headers.get('content-type')).match(/^application\/json/);
      expect(body).eql({
        _id: { $oid: hex(104) },
        number: 'A-4',
        status: 'open',
        ship: { region: 'north', street: 'Street 4' },
        customerId: { $oid: hex(1) },
        total: { $numberDecimal: '4.10' },
        placedAt: { $date: '2026-01-05T00:00:00Z' },
        large: { $numberLong: '9007199254740993' },
      });
      expect((await get(path(104), tokens.support)).status).equal(200);
      const customer = `/api/v2/tables/customers/documents/${hex(1)}`;
      expect((await get(customer, tokens.admin)).body._id).eql({ $oid: hex(1) });
      const numbered = '/api/v2/tables/numbered/documents';
      expect((await get(`${numbered}/1`, tokens.support)).text).equal('{"_id":1,"region":"north"}');
      const refused = [
        await get(`${numbered}/2`, tokens.support),
        await get(`${numbered}/one`, tokens.support),
        await get(path(105), tokens.support),
        await get(path(104), tokens.packer),
        await get(path(104), tokens.stranger),
        await get(path(999), tokens.admin),
        await get('/api/v2/tables/orders/documents/none', tokens.admin),
        await get('/api/v2/tables/orders/documents/a%2Fb', tokens.admin),
        await get('/api/v2/tables/orders/documents/%ff', tokens.admin),
      ];
      const problems = refused.map((one) => ({ ...one.body, request_id: null }));
      for (const problem of problems) expect(problem).eql(problems[0]);
      expect(problems[0].status).equal(404);
    });

    it('show the document of the very number that was asked for', async () => {
      const read = async (id: string) =>
        (await get(`/api/v2/tables/numbered/documents/${id}`, tokens.support)).status;
      expect(await read('9007199254740992')).equal(200);
      expect(await read('9007199254740993'), 'another caller’s row').equal(404);
      expect(await read('1.00000000000000000000001')).equal(404);
      for (const id of ['1e9999', '1e-9999', `1.${'1'.repeat(34)}`, '9'.repeat(40)]) {
        expect(await read(id), id).equal(404);
      }
    });

    it('take the key of a document as a value, never as a condition', async () => {
      const anyone = await service.tokenOf('a', { roles: ['anyone'] });
      const read = async (id: string, token: string) =>
        (await get(`/api/v2/tables/any/documents/${encodeURIComponent(id)}`, token)).status;
      for (const id of ['{', '7', '8', hex(7), `{"$oid":"${hex(7)}"}`, String(UUID_KEY)]) {
        expect(await read(id, anyone), id).equal(200);
        expect(await read(id, tokens.support), id).equal(200);
      }
      expect(await read('{"a":1}', anyone)).equal(200);
      const deep = '['.repeat(300) + ']'.repeat(300);
      for (const id of ['{"$gt":""}', '{"$in":[7]}', '{"$regex":"."}', '{"\\u0000":1}', deep]) {
        expect(await read(id, anyone), id).equal(404);
        expect(await read(id, tokens.support), id).equal(404);
      }
    });

    it('show the document of each key as a record shows the key', async () => {
      const anyone = await service.tokenOf('a', { roles: ['anyone'] });
      const all = { pagination: { per_page: 20 } };
      const { body } = await service.post('/api/v2/tables/any/search', all, anyone);
      expect(body.data).length(14);
      for (const { id } of body.data) {
        const key = encodeURIComponent(typeof id === 'string' ? id : JSON.stringify(id));
        expect((await get(`/api/v2/tables/any/documents/${key}`, anyone)).status, key).equal(200);
      }
      const { body: exact } = await get('/api/v2/tables/any/documents/0.10', anyone);
      expect(exact._id).eql({ $numberDecimal: '0.10' });
      for (const other of ['9007199254740994', '9007199254740997', '0.11']) {
        expect((await get(`/api/v2/tables/any/documents/${other}`, anyone)).status).equal(404);
      }
    });

    it('show rows whose keys are binary UUIDs by the index, and the keys as their text', async () => {
      const anyone = await service.tokenOf('a', { roles: ['anyone'] });
      const { body, headers } = await service.post('/api/v2/tables/uuids/search', {}, anyone);
      expect(body.data).eql([{ id: String(UUID_KEY), region: 'north' }]);
      expect(headers.get('search-route')).equal(index === 'on' ? 'index' : 'pipeline');
    });

    it('are not sorted by fields that the grant hides, and do not tell of these', async () => {
      for (const [token, hidden] of [
        [tokens.support, 'total'],
        [tokens.packer, 'customer'],
        [tokens.packer, 'email'],
        [tokens.admin, 'nonsense'],
      ] as const) {
        const asked = { sorting: [{ sort_by: 'status' }, { sort_by: hidden }] };
        for (const path of [`${SEARCH}/explore`, `${SEARCH}/export`]) {
          const { status, body } = await service.post(path, asked, token);
          expect(status, `${path} ${hidden}`).equal(422);
          expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).eql([
            '/sorting/1/sort_by',
          ]);
          expect(body.errors[0].detail).not.include(`"${hidden}"`);
        }
      }
    });

    it('sort by what the index does not keep, however long the keys are', async () => {
      const anyone = await service.tokenOf('a', { roles: ['anyone'] });
      const path = '/api/v2/tables/long/search';
      // Together more than the 16 MB that a command to the store can have.
      const rows = Array.from({ length: 9_000 }, (_, n) => ({
        _id: String(n).padEnd(2_000, 'x'),
        ...{ kind: n % 2 === 0 ? 'even' : 'odd', note: `note ${(n * 7) % 9_000}` },
      }));
      await database.db.collection<{ _id: string }>('long').insertMany(rows);
      await until(async () => {
        const page = { pagination: { per_page: 1 } };
        const { body, headers } = await service.post(path, page, anyone);
        const isByIndex = index === 'off' || headers.get('search-route') === 'index';
        return isByIndex && body.meta.pagination.total_items === rows.length;
      }, 'the rows are not there');
      const asked = {
        sorting: { sort_by: 'note', sort_order: 'asc' },
        ...{ facets: [{ field: 'kind' }], pagination: { per_page: 1 } },
      };
      const { status, body } = await service.post(`${path}/explore`, asked, anyone);
      expect(status, JSON.stringify(body)).equal(200);
      expect(body.data[0].note).equal('note 0');
      expect(body.facets[0].values.map(({ count }: { count: number }) => count)).eql([
        4_500, 4_500,
      ]);
    });

    it('say that another order may be in time, where MongoDB sorts for too long', async () => {
      const anyone = await service.tokenOf('a', { roles: ['anyone'] });
      const path = '/api/v2/tables/long/search';
      const namespace = `${database.name}.long`;
      const failed = { failCommands: ['aggregate'], errorCode: 50, namespace };
      await failCommand(database.client, 'alwaysOn', failed);
      try {
        for (const way of ['explore', 'export']) {
          const asked = { sorting: [{ sort_by: 'note' }] };
          const { status, body, headers } = await service.post(`${path}/${way}`, asked, anyone);
          expect(status, way).equal(503);
          expect(body.code, way).equal('SearchTimeout');
          expect(body.detail, way).include('Sort by another one');
          expect(headers.get('retry-after'), way).equal('1');
        }
      } finally {
        await failNone(database.client);
      }
    });

    it('show nothing as an empty list, whatever answers', async () => {
      const anyone = await service.tokenOf('a', { roles: ['anyone'] });
      const { body } = await service.post('/api/v2/tables/any/search', {}, anyone);
      const tags = body.data.map((row: { id: unknown; tags: unknown }) => [row.id, row.tags]);
      expect(tags).deep.include.members([
        ['8', []],
        ['null', []],
        ['some', ['a', null]],
      ]);
    });

    it('compare claims with numbers that no double holds', async () => {
      const claims = { roles: ['account'], account: '9007199254740993' };
      const token = await service.tokenOf('a', claims);
      for (const path of ['/search', '/search/explore']) {
        const { status, body } = await service.post(`/api/v2/tables/accounts${path}`, {}, token);
        expect([status, body.data], path).eql([200, [{ id: '9007199254740993', region: 'south' }]]);
      }
      // As a number of JSON it would be read as that of another row.
      const unsafe = await service.tokenOf('a', { roles: ['account'], account: 2 ** 53 });
      const { body } = await service.post('/api/v2/tables/accounts/search', {}, unsafe);
      expect(body.data).eql([]);
    });

    it('give no rows for a claim that the store has no text for', async () => {
      const text = '\ufffd';
      await database.db
        .collection<{ _id: number; region: string }>('numbered')
        .insertOne({ _id: 7, region: text });
      try {
        const ids = async (region: unknown) => {
          const token = await service.tokenOf('a', { roles: ['support'], region });
          const { body } = await service.post('/api/v2/tables/numbered/search', {}, token);
          return body.data.map(({ id }: { id: unknown }) => id);
        };
        await until(async () => (await ids(text)).join() === '7', 'the row is not found');
        // The driver sends half a pair of surrogates as U+FFFD, which is another claim's text.
        expect(await ids('\ud800')).eql([]);
        expect(await ids(['\udfff', 'south'])).not.include(7);
      } finally {
        await database.db.collection<{ _id: number }>('numbered').deleteOne({ _id: 7 });
      }
    });

    it('describe themselves for everyone, and the caller’s tables with a token', async () => {
      const reference = async (token?: string) => {
        const { status, text, body } = await get('/openapi.json', token);
        expect(status, text).equal(200);
        return body;
      };
      const paths = Object.keys((await reference()).paths);
      expect(paths).include('/api/v2/tables/{table}/search');
      expect(paths).not.include(SEARCH);
      const typed = await reference(tokens.support);
      expect(Object.keys(typed.paths)).include(SEARCH).not.include(`${SEARCH}/explain`);
      const { properties } = typed.components.schemas.TableOrdersRow;
      expect(Object.keys(properties)).include('email').not.include('total');
      expect((await get('/openapi.json', 'nonsense')).text).equal(
        (await get('/openapi.json')).text,
      );
      expect(JSON.stringify(typed)).not.include('customers');
    });

    it('are watched for as long as the token lasts', async () => {
      const token = await service.tokenOf('bo', { roles: ['support'], region: 'north' }, 3);
      const stream = await watch(`${service.url}${SEARCH}/explore`, { body: {}, token });
      const answer = await stream.first('answer');
      expect(answer.data).nested.property('meta.pagination.total_items', 10);
      const end = await stream.first('end');
      expect(end.data).eql({ reason: 'The token has expired.' });
    });

    it('get a database index for their order, if they are to have one', async () => {
      const names = async (collection: string) => {
        const there = await database.db.collection(collection).listIndexes().toArray();
        return there.map(({ name }) => name);
      };
      const isIndexed = async () => (await names('orders')).includes('placedAt_-1__id_-1');
      if (index === 'off') await until(isIndexed, 'there is no database index');
      else expect(await names('orders')).eql(['_id_']);
      // Its order is that of its keys.
      expect(await names('numbered')).eql(['_id_']);
    });

    it('show a row whose field of `rows` holds an array to callers of each of its values', async () => {
      const numbered = database.db.collection<{ _id: number }>('numbered');
      await numbered.insertOne({ _id: 50, region: ['north', 'south'] } as never);
      const sees = async (region: string) => {
        const token = await service.tokenOf('bo', { roles: ['support'], region });
        const { body } = await service.post('/api/v2/tables/numbered/search', {}, token);
        return body.data.some(({ id }: { id: unknown }) => id === 50);
      };
      await until(() => sees('north'), 'north does not see it');
      expect(await sees('south')).equal(true);
      expect(await sees('west')).equal(false);
    });

    it('have figures of their own in the metrics', async () => {
      await service.post(SEARCH, {}, tokens.admin);
      const { text } = await get('/metrics');
      const route = index === 'on' ? 'index' : 'pipeline';
      expect(text).match(
        new RegExp(
          `^table_search_searches_total\\{view="table:orders",route="${route}"\\} [1-9]`,
          'm',
        ),
      );
      if (index === 'off') return;
      expect(text).match(/^table_search_table_documents\{table="table:orders"\} 20$/m);
      expect(text).match(/^table_search_table_live\{table="table:orders"\} 1$/m);
    });

    it('are all there is', async () => {
      const { status } = await service.post('/api/v2/users/search', {}, tokens.admin);
      expect(status).equal(404);
    });
  });
}

describe('tables of a file beside the built-in ones', () => {
  const database = useDatabase();
  let service: TestService;

  before(async function start() {
    this.timeout(60_000);
    await storeOrders(database.db);
    const people = [1, 2].map((_id) => ({ _id, active: _id === 1 }));
    await database.db.collection<{ _id: number }>('users').insertMany(people);
    const settings = { BUILT_IN_TABLES: 'on', SEARCH_INDEX: 'off' };
    const file = FILE;
    service = await serveTables(database.uri, database.name, file, settings);
  });
  after(() => service?.stop());

  it('are for active users of the store, by the roles of their token', async () => {
    const asked = async (sub: number, ...roles: string[]) => {
      const token = await service.tokenOf(sub, { roles });
      return (await service.post(SEARCH, {}, token)).status;
    };
    expect(await asked(1, 'packer')).equal(200);
    expect(await asked(1, 'stranger')).equal(404);
    expect(await asked(2, 'packer')).equal(401);
    expect(await asked(3, 'admin')).equal(401);
    const admin = await service.tokenOf(1, { roles: ['admin'] });
    expect((await service.post('/api/v2/users/search', {}, admin)).body.data).length(2);
  });
});
