/** Documents that JavaScript or its driver has no values for: rows, exports and whole documents show them. */
import { expect } from 'chai';
import { Binary, BSONRegExp, Code } from 'mongodb';
import { insertBroken, replaceAll } from '../../follow/support/rawInsert.ts';
import { useDatabase } from '../../support/database.ts';
import type { TestSettings } from '../../support/settings.ts';
import { serveTables } from './stage.ts';

const FILE = `
version: 1
tables:
  rules:
    collection: rules
    fields: { id: string, rule: mixed, lists: mixed, old: { type: string, use: [show] } }
    access: [{ roles: [anyone] }]
  keys:
    collection: keys
    fields: { id: mixed, note: { type: string, use: [show] } }
    access: [{ roles: [anyone] }]
`;

const WAYS: readonly (readonly [name: string, settings: TestSettings])[] = [
  ['index', {}],
  ['index, rows from the store', { ROWS_MEMORY_BYTES: '0' }],
  ['pipeline', { SEARCH_INDEX: 'off' }],
];

/** A row shows the pattern so, since the driver has no object for it. The bytes of the old binary follow. */
const option = { $regularExpression: { pattern: 'a', options: 'g' } };
const BYTES = Buffer.from('\x09\0\0\0abc').toString('base64');

/** Keys with a member that the driver has for its classes, beside large rows and small ones. */
const LIKE_A_DRIVERS_OWN = [
  { _bsontype: 'Long', a: 1 },
  { _bsontype: 'Map', a: [{ _bsontype: 'ObjectId' }] },
  { k: { _bsontype: 7 } },
];
const KEYS = ['a', ...LIKE_A_DRIVERS_OWN];
const LONG = 'long '.repeat(4_000);

/** As the driver writes it: an object of its own would not reach the store. */
const withMap = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withMap);
  return new Map(Object.entries(value).map(([name, inner]) => [name, withMap(inner)]));
};

describe('values that JavaScript has not', () => {
  const database = useDatabase();

  before(async () => {
    const { client, db, name } = database;
    const rules = db.collection<{ _id: string }>('rules');
    await rules.insertMany([
      // A group that JavaScript refuses, and an option that the driver would take for another one.
      { _id: 'pattern', rule: new BSONRegExp('(?i)^a', 'sx'), more: new BSONRegExp('a++') },
      { _id: 'lists', lists: { constructor: [{ a: 1 }] } },
      { _id: 'dates', more: new Date(8.64e15) },
    ] as never);
    const past = { $add: [new Date(8.64e15), 1] };
    const before = { $add: [new Date(-8.64e15), -1] };
    const far = { rule: { list: ['a', past] }, lists: [past], old: before };
    await rules.updateOne({ _id: 'dates' }, [{ $set: far }]);
    await insertBroken(client, name, 'rules', { _id: 'text', old: 'caf~', more: 'caf~' });
    await insertBroken(client, name, 'keys', { _id: { a: 'caf~' } });
    await db
      .collection<{ _id: unknown }>('keys')
      .insertMany([
        { _id: 'a' },
        ...LIKE_A_DRIVERS_OWN.map((key, i) => ({ _id: withMap(key), note: LONG.repeat(i) })),
      ] as never);
    // Values that the driver throws at: it stands for them until they are on their way.
    const standIn = new BSONRegExp('a', 'x');
    const scoped = new Code('f()', { option: standIn });
    const old = new Binary(Buffer.from('abc'), Binary.SUBTYPE_BYTE_ARRAY);
    const document = {
      _id: 'thrown',
      rule: { option: standIn, list: [scoped, old] },
      old: 'fine',
      more: standIn,
    };
    await insertBroken(client, name, 'rules', document, (bytes) => {
      replaceAll(bytes, Buffer.from('a\0x\0'), Buffer.from('a\0g\0'));
      // The subtype and the second length of the old binary.
      replaceAll(bytes, Buffer.of(2, 3, 0, 0, 0), Buffer.of(2, 9, 0, 0, 0));
    });
  });

  for (const [name, settings] of WAYS) {
    it(`are shown (${name})`, async () => {
      const service = await serveTables(database.uri, database.name, FILE, settings);
      try {
        const token = await service.tokenOf('a', { roles: ['anyone'] });
        const path = '/api/v2/tables/rules';
        const asked = { sorting: { sort_by: 'id', sort_order: 'asc' } };
        await service.goesBy(name.split(',')[0]!, `${path}/search`, token);
        const { status, body } = await service.post(`${path}/search`, asked, token);
        expect(status, JSON.stringify(body)).equal(200);
        expect(body.data).eql([
          { id: 'dates', rule: { list: ['a', null] }, lists: [null], old: null },
          { id: 'lists', rule: null, lists: { constructor: [{ a: 1 }] }, old: null },
          { id: 'pattern', rule: '/(?i)^a/sx', lists: null, old: null },
          { id: 'text', rule: null, lists: null, old: 'caf\ufffd' },
          {
            id: 'thrown',
            rule: { option, list: [{ code: 'f()', scope: { option } }, BYTES] },
            lists: null,
            old: 'fine',
          },
        ]);
        const exportOf = async (of: string) => {
          const { status, text } = await service.post(`${of}/search/export`, asked, token);
          expect(status, text).equal(200);
          const lines = text.trimEnd().split('\n');
          return lines.map((line) => JSON.parse(line));
        };
        const readOf = async (table: string, id: string): Promise<unknown> =>
          (await service.ask('GET', `/api/v2/tables/${table}/documents/${id}`, { token })).body;
        const exportedKeys = await exportOf('/api/v2/tables/keys');
        expect(exportedKeys.map(({ id }) => id)).include.deep.members(KEYS);
        const pageOfKeys = await service.post('/api/v2/tables/keys/search', asked, token);
        expect(pageOfKeys.status, JSON.stringify(pageOfKeys.body)).equal(200);
        expect(pageOfKeys.body.data.map((row: { id: unknown }) => row.id)).include.deep.members(
          KEYS,
        );
        for (const _id of LIKE_A_DRIVERS_OWN) {
          const id = encodeURIComponent(JSON.stringify(_id));
          expect(await readOf('keys', id)).deep.include({ _id });
        }
        expect(await exportOf(path)).eql(body.data);
        const read = (id: string) => readOf('rules', id);
        expect(await read('pattern')).eql({
          _id: 'pattern',
          rule: { $regularExpression: { pattern: '(?i)^a', options: 'sx' } },
          more: { $regularExpression: { pattern: 'a++', options: '' } },
        });
        expect(await read('text')).eql({ _id: 'text', old: 'caf\ufffd', more: 'caf\ufffd' });
        expect(await read('thrown')).eql({
          _id: 'thrown',
          rule: {
            option,
            list: [
              { $code: 'f()', $scope: { option } },
              { $binary: { base64: BYTES, subType: '00' } },
            ],
          },
          old: 'fine',
          more: option,
        });
        const past = { $date: { $numberLong: '8640000000000001' } };
        expect(await read('dates')).eql({
          ...{ _id: 'dates', rule: { list: ['a', past] }, lists: [past] },
          more: { $date: { $numberLong: '8640000000000000' } },
          old: { $date: { $numberLong: '-8640000000000001' } },
        });
        expect(await read('lists')).eql({ _id: 'lists', lists: { constructor: [{ a: 1 }] } });
      } finally {
        await service.stop();
      }
    });
  }
});
