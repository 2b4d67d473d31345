/** Tables whose collection is missing, or a view: every way to ask them is answered. */
import { expect } from 'chai';
import type { ClientSession } from 'mongodb';
import { printTime } from '../../../src/store/clusterTime.ts';
import { useDatabase } from '../../support/database.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { serveTables } from './stage.ts';

const FILE = `
version: 1
tables:
  orders:
    collection: orders
    fields: { id: string, placed: date, status: string }
    sort: -placed
  recent:
    collection: orders
    fields: { id: string, placed: date, status: string }
    window: { field: placed, span: 1d }
  open:
    collection: open
    fields: { id: string, status: string }
    access: [{ roles: [admin], rows: { status: open }, document: true }]
  seen:
    collection: open
    fields: { id: string, status: string }
  labelled:
    collection: orders
    fields: { id: string, seen: { label: status, of: seen, through: id } }
`;

const WAYS = ['', '/explore', '/export'];

for (const index of ['on', 'off']) {
  describe(`tables of a file (index ${index})`, () => {
    const database = useDatabase();
    let service: TestService;
    let token: string;

    before(async () => {
      // A database index for the order of `orders` makes no collection.
      const settings = { SEARCH_INDEX: index, STORE_INDEXES: 'all' };
      service = await serveTables(database.uri, database.name, FILE, settings);
      token = await service.tokenOf('a', { roles: ['admin'] });
    });
    after(() => service?.stop());

    const answerOf = (path: string, body?: object, headers: Record<string, string> = {}) =>
      service.ask(body ? 'POST' : 'GET', `/api/v2/tables/${path}`, { token, body, headers });
    const totalOf = async (table: string, headers?: Record<string, string>): Promise<number> =>
      (await answerOf(`${table}/search`, {}, headers)).body.meta.pagination.total_items;

    /** Waits until `/readyz` says this of the table, where there is an index. */
    const untilTold = (table: string, reason: string | undefined) =>
      until(async () => {
        const { collections } = (await service.ask('GET', '/readyz', {})).body.index;
        const of = collections?.[`table:${table}`];
        return index === 'off' || (of?.phase === 'live' && of.reason === reason);
      }, `/readyz does not say of ${table}: ${reason}`);

    /** A header that asks for an answer after this write. */
    const timeOf = async (write: (session: ClientSession) => Promise<unknown>) =>
      await database.client.withSession(async (session) => {
        await write(session);
        return { 'search-not-before': printTime(session.operationTime!) };
      });

    it('are empty until their collection is there', async () => {
      for (const table of ['orders', 'recent']) {
        for (const way of WAYS) {
          const { status, text } = await answerOf(`${table}/search${way}`, {});
          expect(status, `${table}${way} ${text}`).equal(200);
        }
        expect(await totalOf(table)).equal(0);
        expect((await answerOf(`${table}/documents/a`)).status, table).equal(404);
      }
      await untilTold('orders', 'the collection is missing: its table is empty until it is there');
      const orders = database.db.collection<{ _id: string }>('orders');
      await orders.insertOne({ _id: 'a', placed: new Date(), status: 'open' } as never);
      await until(async () => (await totalOf('recent')) === 1, 'the order is not there');
      await untilTold('orders', undefined);
      for (const table of ['orders', 'recent']) {
        expect((await answerOf(`${table}/documents/a`)).status, table).equal(200);
      }
    });

    it('may show a view', async () => {
      const create = (session: ClientSession) =>
        database.db.createCollection('open', { viewOn: 'orders', pipeline: [], session });
      const created = await timeOf(create);
      for (const table of ['open', 'seen']) {
        expect(await totalOf(table, created), table).equal(1);
        for (const way of WAYS) {
          const { status, text } = await answerOf(`${table}/search${way}`, {});
          expect(status, `${table}${way} ${text}`).equal(200);
          expect(text, `${table}${way}`).include('"status":"open"');
        }
        const { status, text } = await answerOf(`${table}/documents/a`);
        expect(status, text).equal(200);
      }
    });

    it('are no table that is late in the metrics, where they show a view', async () => {
      if (index === 'off') return;
      const figures = async () => (await service.ask('GET', '/metrics')).text;
      const isGone = async () => !(await figures()).includes('live{table="table:labelled"}');
      await until(isGone, 'a table with labels of a view counts');
      const text = await figures();
      expect(text).not.include('live{table="table:open"}');
      expect(text).match(/^table_search_table_live\{table="table:orders"\} 1$/m);
      expect(text).match(/^table_search_table_documents\{table="table:open"\} 0$/m);
      const { collections } = (await service.ask('GET', '/readyz', {})).body.index;
      expect(collections['table:open']).include({ phase: 'off', by_pipelines: true });
      expect(collections['table:orders']).not.property('by_pipelines');
      const { headers } = await answerOf('labelled/search', {});
      expect(headers.get('search-route')).equal('pipeline');
    });

    it('may show a collection that takes the place of a view', async () => {
      const dropped = await timeOf((session) => database.db.dropCollection('open', { session }));
      for (const table of ['open', 'seen']) {
        expect(await totalOf(table, dropped), table).equal(0);
      }
      const open = database.db.collection<{ _id: string; status: string }>('open');
      const two = ['a', 'b'].map((_id) => ({ _id, status: 'open' }));
      const filled = await timeOf((session) => open.insertMany(two, { session }));
      for (const table of ['open', 'seen']) {
        expect(await totalOf(table, filled), table).equal(2);
      }
      for (const table of ['open', 'seen']) await untilTold(table, undefined);
      if (index === 'off') return;
      const { text } = await service.ask('GET', '/metrics');
      for (const table of ['open', 'labelled']) {
        expect(text).include(`table_search_table_live{table="table:${table}"} 1\n`);
      }
    });
  });
}
