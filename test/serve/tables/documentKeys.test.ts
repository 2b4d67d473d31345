/** Whole documents by keys of any type: as records show them, and in quotes where that is a text. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { Binary, Decimal128, Long, ObjectId, Timestamp } from 'mongodb';
import { createClient, keyInPath, type OwnTables } from '../../../clients/typescript/index.ts';
import { toolsOf } from '../../../src/cli/mcp/tools.ts';
import { useDatabase } from '../../support/database.ts';
import type { TestService } from '../../support/service.ts';
import { serveTables } from './stage.ts';

const FILE = `
version: 1
tables:
  mixed:
    collection: keys
    fields: { id: mixed, name: string, region: string }
    access:
      - { roles: [anyone] }
      - { roles: [north], rows: { region: north }, document: true }
  texts:
    collection: keys
    fields: { id: string, name: string, region: string }
    access: [{ roles: [anyone] }]
  folded:
    collection: folded_keys
    fields: { id: mixed, name: string }
    access: [{ roles: [anyone] }]
  uuids:
    collection: keys
    fields: { id: uuid, name: string, region: string }
    access: [{ roles: [anyone] }]
  numbers:
    collection: keys
    fields: { id: number, name: string, region: string }
    access: [{ roles: [anyone] }]
`;

const HEX = '65f000000000000000000001';
const IN_CAPITALS = '7D0A0000-1111-4000-8000-00000000000A';
const IN_SMALL = IN_CAPITALS.toLowerCase();
const binary = (text: string, subtype = Binary.SUBTYPE_DEFAULT) =>
  new Binary(Buffer.from(text), subtype);

/** Each beside others that show alike. */
const KEYS: readonly unknown[] = [
  ...[
    '',
    '.',
    '..',
    '/',
    '%2F',
    '"',
    '1',
    'true',
    'null',
    '0.5',
    '1e3',
    HEX,
    '{"a":1}',
    IN_CAPITALS,
    IN_SMALL,
  ],
  ...[1, true, 0.25, 1_000, Decimal128.fromString('0.5'), new ObjectId(HEX)],
  ...[binary('abc'), binary('0123456789abcdef', Binary.SUBTYPE_MD5)],
  binary('a legacy uuid 16', Binary.SUBTYPE_UUID_OLD),
  new Binary(Buffer.from('12345678', 'base64')),
  ...[{ a: 1 }, { a: '1.10' }, { b: Decimal128.fromString('1.10') }],
  { tenant: 7, no: Long.fromString('9007199254740993') },
  ...[new Timestamp({ t: 1, i: 1 }), new Timestamp({ t: 2 ** 32 - 1, i: 2 ** 32 - 1 })],
  ...[Decimal128.fromString('-Infinity'), Decimal128.fromString('NaN'), Number.POSITIVE_INFINITY],
];

describe('whole documents', () => {
  const database = useDatabase();
  let service: TestService;
  let token: string;

  before(async () => {
    const documents = KEYS.map((_id, n) => ({ _id, name: `n${n}`, region: 'north' }));
    await database.db.collection<{ _id: unknown }>('keys').insertMany(documents);
    const collation = { locale: 'en', strength: 2 };
    const folded = await database.db.createCollection<{ _id: unknown; name: string }>(
      'folded_keys',
      {
        collation,
      },
    );
    await folded.insertOne({ _id: { a: ['X', Long.fromString('1')] }, name: 'X' });
    service = await serveTables(database.uri, database.name, FILE);
    token = await service.tokenOf('a', { roles: ['anyone'] });
  });
  after(() => service.stop());

  /** The name in the document of this key, or the status. */
  async function nameOf(table: string, id: string, as = token): Promise<unknown> {
    const path = `/api/v2/tables/${table}/documents/${encodeURIComponent(id)}`;
    const { status, body } = await service.ask('GET', path, { token: as });
    return status === 200 ? body.name : status;
  }
  const nameOfKey = (key: unknown) => `n${KEYS.indexOf(key)}`;

  it('are found by a text in quotes, whatever else the text could be', async () => {
    const texts = KEYS.filter((key) => typeof key === 'string');
    const north = await service.tokenOf('b', { roles: ['north'] });
    for (const text of texts) {
      const id = JSON.stringify(text);
      for (const table of ['mixed', 'texts', 'numbers']) {
        expect(await nameOf(table, id), `${table} ${id}`).equal(nameOfKey(text));
      }
      expect(await nameOf('mixed', id, north), id).equal(nameOfKey(text));
    }
    for (const key of ['0.25', '1000', '1e0']) {
      expect(await nameOf('mixed', JSON.stringify(key)), key).equal(404);
    }
    const half = KEYS.find((key) => key instanceof Decimal128);
    expect(await nameOf('mixed', '"0.50"')).equal(nameOfKey(half));
    expect(await nameOf('texts', '"')).equal(nameOfKey('"'));
    expect(await nameOf('texts', '"1')).equal(404);
    expect(await nameOf('mixed', '1')).equal(nameOfKey(1));
    expect(await nameOf('mixed', 'true')).equal(nameOfKey(true));
    expect(await nameOf('texts', '1')).equal(nameOfKey('1'));
  });

  it('are found by timestamps, and by numbers that are not finite', async () => {
    for (const key of KEYS.filter((key) => key instanceof Timestamp)) {
      expect(await nameOf('mixed', String(key))).equal(nameOfKey(key));
      expect(await nameOf('numbers', String(key))).equal(404);
    }
    for (const key of KEYS.filter((key) => /^(NaN|-?Infinity)$/.test(`${key}`))) {
      for (const table of ['mixed', 'numbers']) {
        expect(await nameOf(table, String(key)), table).equal(nameOfKey(key));
      }
    }
    expect(await nameOf('mixed', '18446744073709551616')).equal(404);
  });

  it('are found by binary keys, and by objects with decimals and large integers', async () => {
    const { body } = await service.post(
      '/api/v2/tables/mixed/search',
      { pagination: { per_page: 100 } },
      token,
    );
    expect(body.data).length(KEYS.length);
    const odd = body.data.filter(({ name }: { name: string }) => {
      const key = KEYS[Number(name.slice(1))];
      return key instanceof Binary || (typeof key === 'object' && !('_bsontype' in key!));
    });
    expect(odd).length(8);
    for (const { id, name } of odd) {
      const shown = typeof id === 'string' ? id : JSON.stringify(id);
      expect(await nameOf('mixed', shown), shown).equal(name);
    }
  });

  it('are found by the very texts inside of a key, whatever the collection takes for equal', async () => {
    expect(await nameOf('folded', '{"a":["X",1]}')).equal('X');
    expect(await nameOf('folded', '{"a":["X",1.0]}')).equal('X');
    expect(await nameOf('folded', '{"a":["x",1]}')).equal(404);
  });

  it('are found by the client, by keys that no path can have too', async () => {
    const client = createClient({ baseUrl: service.url, token });
    for (const id of ['', '.', '..', '/', '%2F']) {
      const { name } = await client.document('texts', id);
      expect(name, id).equal(nameOfKey(id));
    }
    // A UUID's small letters are no other program's promise.
    for (const id of [IN_CAPITALS, IN_SMALL]) {
      expect((await client.document('uuids', id)).name).equal(nameOfKey(id));
    }
  });

  it('are found by the client, by each key as rows show it', async () => {
    const client = createClient({ baseUrl: service.url, token });
    const rows = await client.table<{ id: unknown; name: string }>('mixed').search({
      pagination: { per_page: 100 },
    });
    for (const { id } of rows.data) {
      const alike = rows.data.filter((row) => isDeepStrictEqual(row.id, id));
      const { name } = await client.document('mixed', keyInPath(id, true));
      expect(
        alike.map((row) => row.name),
        JSON.stringify(id),
      ).include(name);
    }
  });

  it('are found by the tool of assistants, by keys as rows have them', async () => {
    const client = createClient({ baseUrl: service.url, token });
    const tables = await client.get<OwnTables>('/api/v2/tables');
    const tool = toolsOf({ admin: false, changes: false }, tables).find(
      ({ name }) => name === 'read_document',
    )!;
    for (const key of ['', '..', 1, 0.25, true, { a: 1 }, { a: '1.10' }]) {
      const { name } = await client.request<{ name: string }>({
        ...tool.request({ table: 'mixed', id: key }),
        isRead: tool.isRead,
      });
      const { _id } = KEYS.map((_id) => ({ _id })).find(({ _id }) => isDeepStrictEqual(_id, key))!;
      expect(name, JSON.stringify(key)).equal(nameOfKey(_id));
    }
  });
});
