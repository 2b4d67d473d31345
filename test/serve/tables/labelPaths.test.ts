/** Labels whose key or text lies inside of the other table's `_id`, or inside of each other. */
import { expect } from 'chai';
import { put, useDatabase } from '../../support/database.ts';
import { serveTables } from './stage.ts';

const FILE = `
version: 1
tables:
  sales:
    collection: sales
    fields:
      id: number
      shop: { type: string, values: few }
      city: { label: city, of: shops, through: shop, key: code }
      name: { label: name, of: shops, through: shop, key: code }
      brand: { label: code, of: shops, through: shop, key: brand }
    sort: id
    text: [city, name]
  shops:
    collection: shops
    fields:
      id: mixed
      code: { type: string, path: _id.code }
      city: { type: string, path: _id.city }
      name: string
      brand: { type: string, path: name.brand }
`;

const SHOPS = [
  { _id: { code: 'a', city: 'Ulm' }, name: 'Anna' },
  { _id: { code: 'b', city: 'Bonn' }, name: { brand: 'x' } },
];
const SALES = ['a', 'b', 'x', 'y'].map((shop, i) => ({ _id: i + 1, shop }));
const ROWS = [
  { id: 1, shop: 'a', city: 'Ulm', name: 'Anna', brand: null },
  { id: 2, shop: 'b', city: 'Bonn', name: null, brand: null },
  { id: 3, shop: 'x', city: null, name: null, brand: 'b' },
  { id: 4, shop: 'y', city: null, name: null, brand: null },
];

for (const index of ['on', 'off']) {
  describe(`labels of other paths (index ${index})`, () => {
    const database = useDatabase();

    it('are shown, searched, counted, sorted by and exported', async () => {
      const { db, name, uri } = database;
      await put(db, { shops: SHOPS, sales: SALES });
      const service = await serveTables(uri, name, FILE, { SEARCH_INDEX: index });
      try {
        const token = await service.tokenOf('a', { roles: ['admin'] });
        const ask = async (way: string, body: object) => {
          const answer = await service.post(`/api/v2/tables/sales/search${way}`, body, token);
          expect(answer.status, JSON.stringify(answer.body)).equal(200);
          return answer.body;
        };
        const idsOf = (data: readonly { id: number }[]) => data.map(({ id }) => id);
        expect((await ask('', {})).data).eql(ROWS);
        expect(idsOf((await ask('', { filters: { city: 'U' } })).data)).eql([1]);
        expect(idsOf((await ask('', { filters: { brand: 'B' } })).data)).eql([3]);
        expect(idsOf((await ask('', { filters: { q: 'nn' } })).data)).eql([1, 2]);
        const sorting = [{ sort_by: 'city', sort_order: 'asc' }];
        const explored = await ask('/explore', { sorting, facets: [{ field: 'shop' }] });
        expect(idsOf(explored.data)).eql([3, 4, 2, 1]);
        const labels = explored.facets[0].values.map(({ label }: { label?: string }) => label);
        expect(labels).eql(['Ulm', 'Bonn', undefined, undefined]);
        const { text } = await service.post('/api/v2/tables/sales/search/export', {}, token);
        const lines = text.trim().split('\n');
        expect(lines.map((line) => JSON.parse(line))).eql(ROWS);
      } finally {
        await service.stop();
      }
    });
  });
}
