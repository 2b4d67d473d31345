/**
 * No answer tells the size of a hidden field, or of a member that is not declared. Large rows come
 * in another way than small ones, and no watch has many megabytes of them: by the size that callers
 * see.
 */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { useDatabase } from '../../support/database.ts';
import { watch } from '../../support/eventStream.ts';
import type { TestService } from '../../support/service.ts';
import { serveTables } from './stage.ts';

const FILE = `
version: 1
tables:
  flat:
    collection: things
    fields: { id: number, name: string, hidden: { type: string, use: [show] }, took: { seconds: [a, b] }, a: date, b: date }
    access: [{ roles: [reader], hide: [hidden] }]
  nested:
    collection: things
    fields:
      id: number
      name: { type: string, path: in.name }
      tags: { type: [string], path: in.list.tag }
      took: { seconds: [a, b] }
      a: { type: date, path: in.a, use: [range] }
      b: { type: date, path: in.b, use: [range] }
      owner: { type: string, path: in.owner, use: [filter, show] }
      ownerName: { label: name, of: people, through: owner }
      hidden: { type: string, path: in.hidden, use: [show] }
      hiddenToo: { type: [string], path: in.list.hidden, use: [show] }
    access: [{ roles: [reader], hide: [hidden, hiddenToo] }]
  undeclared:
    collection: things
    fields: { id: number, name: string, note: { type: string, use: [show] } }
    access: [{ roles: [reader], document: false }]
  pages:
    collection: pages
    fields:
      id: number
      name: { type: string, path: in.name, use: [show] }
      hidden: { type: string, path: in.hidden, use: [show] }
      owner: { type: string, use: [show] }
      ownerName: { label: name, of: people, through: owner }
    access: [{ roles: [reader], hide: [hidden, owner] }]
  people:
    collection: people
    fields: { id: string, name: string }
`;

/** Bytes of documents: one read with others, one by itself, one that is sent in pieces, one that no watch has. */
const SIZES = [3, 60_000, 3_600_000, 15_000_000];

/** Rows of a page that is no download; with their hidden parts they would be one. */
const ROWS = 100;
const SHOWN = 12_000;
const HIDDEN = 20_000;

describe('the size of what is hidden', function sizes() {
  this.timeout(60_000);
  const database = useDatabase();
  before(async () => {
    const { db } = database;
    await db.collection<{ _id: string; name: string }>('people').insertOne({ _id: 'p', name: 'P' });
    const at = (s: number) => new Date(s * 1_000);
    for (const [_id, size] of SIZES.entries()) {
      const hidden = 'x'.repeat(size / 3);
      const list = [1, { hidden, tag: 'a' }, { hidden: 'h' }, { tag: ['b', 'c'] }];
      const inside = { name: 'n', owner: 'p', list, hidden, a: at(1), b: at(3) };
      const thing: Document = {
        _id,
        name: 'n',
        note: 'plain',
        hidden,
        in: inside,
        a: at(1),
        b: at(2),
      };
      await db.collection('things').insertOne(thing);
    }
    const pages = Array.from({ length: ROWS }, (_, _id): Document => {
      const name = 'n'.repeat(SHOWN);
      const hidden = 'x'.repeat(HIDDEN);
      if (_id % 3 === 0) return { _id, owner: hidden, in: { name } };
      return { _id, in: { name, ...(_id % 3 === 1 ? { hidden } : { undeclared: hidden }) } };
    });
    await db.collection('pages').insertMany(pages);
  });

  for (const index of ['on', 'off']) {
    describe(`with the index ${index}`, () => {
      let service: TestService;
      let token: string;
      before(async () => {
        service = await serveTables(database.uri, database.name, FILE, { SEARCH_INDEX: index });
        token = await service.tokenOf('ann', { roles: ['reader'] });
        const route = index === 'on' ? 'index' : 'pipeline';
        await service.goesBy(route, '/api/v2/tables/flat/search', token);
      });
      after(() => service.stop());

      const bodyOf = (id: number) => ({
        ...{ sorting: { sort_by: 'id', sort_order: 'asc' } },
        pagination: { per_page: 1, page: id + 1 },
      });

      it('makes no download of a page', async () => {
        for (const body of [{ sorting: { sort_by: 'id' } }, { sorting: { sort_by: 'name' } }]) {
          const path = '/api/v2/tables/pages/search/explore';
          const asked = { ...body, pagination: { per_page: ROWS } };
          const answer = await service.post(path, asked, token);
          expect([answer.status, answer.body.data.length]).eql([200, ROWS]);
          expect(answer.headers.get('transfer-encoding'), body.sorting.sort_by).equal(null);
        }
      });

      for (const table of ['flat', 'nested', 'undeclared']) {
        it(`is in no answer of ${table}`, async () => {
          const path = `/api/v2/tables/${table}/search`;
          const shown: unknown[] = [];
          for (const id of SIZES.keys()) {
            const { status, headers, body } = await service.post(path, bodyOf(id), token);
            expect([status, headers.get('transfer-encoding')], `${id}`).eql([200, null]);
            expect(headers.get('content-length'), `${id}`).not.equal(null);
            const { id: key, ...record } = body.data[0];
            expect(key).equal(id);
            shown.push(record);
          }
          for (const record of shown) expect(record).eql(shown[0]);
        });

        it(`keeps nobody from watching ${table}`, async () => {
          const url = `${service.url}/api/v2/tables/${table}/search/explore`;
          for (const id of SIZES.keys()) {
            const events = await watch(url, { body: bodyOf(id), token });
            expect(events.status, `${id}`).equal(200);
            const { data } = await events.first('answer');
            expect(data.data[0].id).equal(id);
            events.leave();
          }
        });
      }
    });
  }
});
