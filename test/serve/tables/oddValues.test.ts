/** Documents that JavaScript or its driver has no values for: rows, exports and whole documents show them. */
import { expect } from 'chai';
import { BSONRegExp } from 'mongodb';
import { insertBroken } from '../../follow/support/rawInsert.ts';
import { useDatabase } from '../../support/database.ts';
import type { TestSettings } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { serveTables } from './stage.ts';

const FILE = `
version: 1
tables:
  rules:
    collection: rules
    fields: { id: string, rule: mixed, lists: mixed, old: { type: string, use: [show] } }
    access: [{ roles: [anyone] }]
`;

const WAYS: readonly (readonly [name: string, settings: TestSettings])[] = [
  ['index', {}],
  ['index, rows from the store', { ROWS_MEMORY_BYTES: '0' }],
  ['pipeline', { SEARCH_INDEX: 'off' }],
];

describe('values that JavaScript has not', () => {
  const database = useDatabase();

  before(async () => {
    const { client, db, name } = database;
    const rules = db.collection<{ _id: string }>('rules');
    await rules.insertMany([
      // A group that JavaScript refuses, and an option that the driver would take for another one.
      { _id: 'pattern', rule: new BSONRegExp('(?i)^a', 'sx'), more: new BSONRegExp('a++') },
      { _id: 'lists', lists: { constructor: [{ a: 1 }] } },
    ] as never);
    await insertBroken(client, name, 'rules', { _id: 'text', old: 'caf~', more: 'caf~' });
  });

  for (const [name, settings] of WAYS) {
    it(`are shown (${name})`, async () => {
      const service = await serveTables(database.uri, database.name, FILE, settings);
      try {
        const token = await service.tokenOf('a', { roles: ['anyone'] });
        const path = '/api/v2/tables/rules';
        const asked = { sorting: { sort_by: 'id', sort_order: 'asc' } };
        await until(async () => {
          const { headers } = await service.post(`${path}/search`, {}, token);
          return headers.get('search-route') === name.split(',')[0];
        }, `the ${name} answers`);
        const { status, body } = await service.post(`${path}/search`, asked, token);
        expect(status, JSON.stringify(body)).equal(200);
        expect(body.data).eql([
          { id: 'lists', rule: null, lists: { constructor: [{ a: 1 }] }, old: null },
          { id: 'pattern', rule: '/(?i)^a/sx', lists: null, old: null },
          { id: 'text', rule: null, lists: null, old: 'caf\ufffd' },
        ]);
        const read = async (id: string) => {
          const headers = { authorization: `Bearer ${token}` };
          const answer = await fetch(`${service.url}${path}/documents/${id}`, { headers });
          return (await answer.json()) as unknown;
        };
        expect(await read('pattern')).eql({
          _id: 'pattern',
          rule: { $regularExpression: { pattern: '(?i)^a', options: 'sx' } },
          more: { $regularExpression: { pattern: 'a++', options: '' } },
        });
        expect(await read('text')).eql({ _id: 'text', old: 'caf\ufffd', more: 'caf\ufffd' });
        expect(await read('lists')).eql({ _id: 'lists', lists: { constructor: [{ a: 1 }] } });
      } finally {
        await service.stop();
      }
    });
  }
});
