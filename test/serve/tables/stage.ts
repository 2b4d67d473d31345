/** A service that serves the tables of a file, where the token alone decides, over some orders. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, Decimal128, Long, ObjectId, UUID } from 'mongodb';
import { startService, type TestService } from '../../support/service.ts';
import type { TestSettings } from '../../support/settings.ts';

export const FILE = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: objectId
      number: { type: string, values: unique }
      status: { type: string, values: few }
      region: { type: string, path: ship.region, values: few }
      customer: { type: objectId, path: customerId }
      email: { label: email, of: customers, through: customer }
      total: decimal
      placed: { type: date, path: placedAt }
    text: [id, number, email]
    facets: [status, region]
    sort: -placed
    access:
      - { roles: [admin] }
      - { roles: [support], rows: { region: { claim: region } }, hide: [total], document: true }
      - { roles: [packer], hide: [customer] }
  numbered:
    collection: numbered
    fields: { id: number, region: string }
    access: [{ roles: [support], rows: { region: { claim: region } }, document: true }]
  any:
    collection: any
    fields: { id: mixed, region: string, tags: [string] }
    access:
      - { roles: [anyone] }
      - { roles: [support], rows: { region: { claim: region } }, document: true }
  uuids:
    collection: uuids
    fields: { id: mixed, region: string }
    access: [{ roles: [anyone] }]
  accounts:
    collection: numbered
    fields: { id: number, region: string }
    access: [{ roles: [account], rows: { id: { claim: account } } }]
  long:
    collection: long
    fields: { id: string, kind: { type: string, values: few }, note: { type: string, use: [show] } }
    access: [{ roles: [anyone] }]
  customers:
    collection: customers
    fields: { id: objectId, email: { type: string, values: unique } }
`;

export const hex = (n: number) => n.toString(16).padStart(24, '0');
const oid = (n: number) => new ObjectId(hex(n));
export const UUID_KEY = new UUID('7d0a0000-1111-4000-8000-000000000001');

export async function storeOrders(db: Db): Promise<void> {
  const customers = [1, 2].map((n) => ({ _id: oid(n), email: `person${n}@example.org` }));
  await db.collection<{ _id: ObjectId }>('customers').insertMany(customers);
  const numbered = [1, 2].map((_id) => ({ _id, region: _id === 1 ? 'north' : 'south' }));
  await db.collection<{ _id: number }>('numbered').insertMany(numbered);
  // Beside the row of the same nearest double.
  const large = ['9007199254740992', '9007199254740993'].map((text, n) => ({
    _id: Long.fromString(text),
    region: n === 0 ? 'north' : 'south',
  }));
  await db.collection<{ _id: Long }>('numbered').insertMany(large);
  const compound = {
    order: oid(7),
    by: UUID_KEY,
    on: new Date(0),
    no: 1,
    inside: ['x', { a: oid(8) }],
  };
  const keys = ['{', 7, '8', oid(7), UUID_KEY, { a: 1 }, compound, new Date(7)];
  const integers = ['9007199254740995', '9007199254740996'].map((text) => Long.fromString(text));
  const numbers = [...integers, 0.1, Decimal128.fromString('0.10')];
  const any = [...keys, ...numbers].map((_id) => ({ _id, region: 'north' }));
  await db.collection<{ _id: unknown }>('any').insertMany(any);
  await db
    .collection<{ _id: UUID; region: string }>('uuids')
    .insertOne({ _id: UUID_KEY, region: 'north' });
  await db.collection<{ _id: string; tags: unknown }>('any').insertMany([
    { _id: 'null', tags: null },
    { _id: 'some', tags: ['a', null] },
  ]);
  const orders = Array.from({ length: 20 }, (_, n) => ({
    _id: oid(100 + n),
    number: `A-${n}`,
    status: n % 4 === 0 ? 'open' : 'closed',
    ship: { region: n % 2 === 0 ? 'north' : 'south', street: `Street ${n}` },
    customerId: oid(1 + (n % 2)),
    total: Decimal128.fromString(`${n}.10`),
    placedAt: new Date(Date.UTC(2026, 0, 1 + n)),
    large: Long.fromString('9007199254740993'),
  }));
  await db.collection<{ _id: ObjectId }>('orders').insertMany(orders);
}

/** @param text the file */
export async function serveTables(
  uri: string,
  dbName: string,
  text = FILE,
  settings: TestSettings = {},
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'));
  const file = join(folder, 'tables.yaml');
  writeFileSync(file, text);
  try {
    const own = { TABLES: file, BUILT_IN_TABLES: 'off' };
    return await startService(uri, dbName, { ...own, ...settings });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
