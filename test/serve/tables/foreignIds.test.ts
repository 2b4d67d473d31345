/** Rows with ids that the driver has as others: no document of the other id is shown that is not the caller's. */
import { expect } from 'chai';
import { insertBroken } from '../../follow/support/rawInsert.ts';
import { useDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { serveTables } from './stage.ts';

const FILE = `
version: 1
tables:
  orders:
    collection: orders
    fields: { id: mixed, region: string }
    access: [{ roles: [north], rows: { region: north } }]
`;

describe('rows with ids that the driver has as others', () => {
  const database = useDatabase();

  before(async () => {
    const { client, db, name } = database;
    const orders = db.collection<{ _id: unknown; region: string }>('orders');
    await orders.insertMany([
      { _id: new Date(0), region: 'south' },
      { _id: 'caf\ufffd', region: 'south' },
      { _id: 'here', region: 'north' },
    ] as never);
    await insertBroken(client, name, 'orders', { _id: 'caf~', region: 'north' });
    // A date past those of JavaScript, which the driver would write as 1970.
    const far = { $set: { _id: { $add: [new Date(8.64e15), 1] } } };
    await orders
      .aggregate([{ $match: { _id: 'here' } }, far, { $merge: 'orders' }] as never)
      .toArray();
  });

  for (const SEARCH_INDEX of ['on', 'off'] as const) {
    it(`show no foreign row in their place, with the index ${SEARCH_INDEX}`, async () => {
      const service = await serveTables(database.uri, database.name, FILE, { SEARCH_INDEX });
      try {
        await until(async () => (await service.ready()).body.index.state === 'off');
        const token = await service.tokenOf('a', { roles: ['north'] });
        const path = '/api/v2/tables/orders/search';
        const { body } = await service.post(path, {}, token);
        const { text } = await service.post(`${path}/export`, {}, token);
        const here = { id: 'here', region: 'north' };
        expect(body.data).eql([here]);
        expect(text).equal(`${JSON.stringify(here)}\n`);
      } finally {
        await service.stop();
      }
    });
  }
});
