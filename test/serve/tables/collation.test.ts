/** Collections with a collation: text is compared by its bytes, and answers are those of a collection without one. */
import { expect } from 'chai';
import { useDatabase } from '../../support/database.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { serveTables } from './stage.ts';

const tableOf = (collection: string, people: string) => `
    collection: ${collection}
    fields:
      id: string
      name: { type: string, values: few, use: [text, filter, facet, sort, show] }
      tags: { type: [string] }
      owner: { type: string, use: [filter, facet, show, sort] }
      email: { label: email, of: ${people}, through: owner }
      at: date
      group: { type: number, use: [facet, show] }
    text: [name, email]
    sort: -at
    access:
      - { roles: [admin] }
      - { roles: [one], rows: { name: { claim: name } }, document: true }`;
const FILE = `
version: 1
tables:
  plain: ${tableOf('plain', 'people')}
  folded: ${tableOf('folded', 'folded_people')}
  across: ${tableOf('folded', 'people')}
  back: ${tableOf('plain', 'folded_people')}
  seen: ${tableOf('seen', 'people')}
  through:
    collection: plain
    fields: { id: string, owner: string, named: { label: name, of: seen, through: owner } }
  people: { collection: people, fields: { id: string, email: string } }
  folded_people: { collection: folded_people, fields: { id: string, email: string } }
`;

const NAMES = ['Ann', 'ann', 'ANN', 'bob', 'Bob', 'é', 'e', 'E', 'Z', 'a', '10', '9'];
const ROWS = NAMES.map((name, i) => ({
  _id: `k${i}`,
  name,
  tags: [name, name.toLowerCase(), 'x'],
  ...{ owner: i % 2 === 0 ? 'U1' : 'u1', at: new Date(i * 86_400_000), group: i % 3 },
}));

const ASKED: readonly (readonly [path: string, body?: object])[] = [
  ['search', {}],
  ['search', { sorting: { sort_by: 'name', sort_order: 'asc' } }],
  ['search', { sorting: { sort_by: 'owner', sort_order: 'desc' } }],
  ['search', { select: [{ field: 'name', in: ['ann'] }] }],
  ['search', { select: [{ field: 'owner', not_in: ['u1'] }] }],
  ['search', { filters: { q: 'ONE@' } }],
  ['search', { filters: { email: 'one@', name: 'N' } }],
  ['search/explore', { sorting: [{ sort_by: 'email' }, { sort_by: 'name' }] }],
  ['search/export', { sorting: [{ sort_by: 'email' }, { sort_by: 'name' }] }],
  [
    'search/explore',
    { facets: [{ field: 'name' }, { field: 'tags' }, { field: 'owner', by: 'name' }] },
  ],
  [
    'search/explore',
    {
      ...{ facets: [{ field: 'name', order: 'lift', min_count: 1 }], baseline: [] },
      select: [{ field: 'group', in: [1] }],
    },
  ],
  ['search/explore', { histogram: { field: 'at', interval: 'P1D', by: 'name' } }],
  ['documents/k1'],
  ['documents/K1'],
  ['documents/k0'],
];

for (const index of ['on', 'off']) {
  describe(`a collection with a collation (index ${index})`, () => {
    const database = useDatabase();
    let service: TestService;
    let tokens: readonly string[];

    before(async () => {
      const { db } = database;
      const collation = { locale: 'en', strength: 2 };
      for (const name of ['folded', 'folded_people'])
        await db.createCollection(name, { collation });
      const rowsOf = (name: string) => db.collection<{ _id: string }>(name);
      for (const name of ['plain', 'folded']) await rowsOf(name).insertMany(ROWS);
      for (const name of ['people', 'folded_people']) {
        await rowsOf(name).insertOne({ _id: 'u1', email: 'one@example.org' } as never);
      }
      await db.createCollection('seen', { viewOn: 'folded', pipeline: [], collation });
      service = await serveTables(database.uri, database.name, FILE, { SEARCH_INDEX: index });
      tokens = await Promise.all([
        service.tokenOf('a', { roles: ['admin'] }),
        service.tokenOf('a', { roles: ['one'], name: 'ann' }),
      ]);
    });
    after(() => service?.stop());

    const answerOf = async (path: string, body: object | undefined, token: string) => {
      const method = body ? 'POST' : 'GET';
      const answer = await service.ask(method, `/api/v2/tables/${path}`, { token, body });
      const text = answer.text.replace(/"request_id":"[^"]+"/, '');
      return { status: answer.status, text, route: answer.headers.get('search-route') };
    };
    const tables = ['plain', 'folded', 'across', 'back'];

    it('is followed by the index', async () => {
      const route = index === 'on' ? 'index' : 'pipeline';
      for (const table of tables) {
        await service.goesBy(route, `/api/v2/tables/${table}/search`, tokens[0]!);
      }
    });

    it('answers as one without', async () => {
      for (const token of tokens) {
        for (const [path, body] of ASKED) {
          // In turn, since a caller has few exports at once.
          const plain = await answerOf(`plain/${path}`, body, token);
          expect(plain.status, plain.text).oneOf([200, 404]);
          for (const table of tables.slice(1)) {
            const { status, text } = await answerOf(`${table}/${path}`, body, token);
            const told = `${table}/${path} ${JSON.stringify(body)}`;
            expect({ status, text }, told).eql({ status: plain.status, text: plain.text });
          }
        }
      }
    });

    it('may be seen by a view that has the collation too, whose text only MongoDB compares', async () => {
      const [all, one] = await Promise.all(
        tokens.map((token) => answerOf('seen/search', {}, token)),
      );
      expect([all!.status, one!.status], all!.text).eql([200, 200]);
      expect(JSON.parse(all!.text).meta.pagination.total_items).equal(ROWS.length);
    });

    it('and gives no labels: MongoDB does not join such a view', async () => {
      for (const path of ['through/search', 'through/search/explore']) {
        const { status, text } = await answerOf(path, {}, tokens[0]!);
        expect(status, text).equal(503);
        expect(text).include('MongoDB joins no view or time series');
      }
    });

    it('shows changes of an id to another one that the collation takes for the same', async () => {
      const rows = database.db.collection<{ _id: string; name?: string }>('folded');
      await rows.deleteOne({ _id: 'k11' });
      await rows.insertOne({ _id: 'K11', name: '9' });
      const ids = async () => {
        const body = { select: [{ field: 'name', in: ['9'] }] };
        const { text } = await answerOf('folded/search', body, tokens[0]!);
        return JSON.parse(text)
          .data.map(({ id }: { id: string }) => id)
          .join();
      };
      await until(async () => (await ids()) === 'K11', 'the new id is not there');
      expect((await answerOf('folded/documents/k11', undefined, tokens[0]!)).status).equal(404);
      expect((await answerOf('folded/documents/K11', undefined, tokens[0]!)).status).equal(200);
    });
  });
}
