/** Tables of a file over real documents: all executors give the same, and each caller their part. */
import { expect } from 'chai';
import { Decimal128, type Document, ObjectId } from 'mongodb';
import { useOwnStage } from '../own/stage.ts';

const FILE = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: string
      number: { type: string, values: unique }
      status: { type: string, values: few }
      region: { type: string, path: ship.region }
      customer: { type: string, path: customerId }
      email: { label: email, of: customers, through: customer }
      phone: { label: phone, of: customers, through: customer }
      skus: { type: [string], path: lines.sku }
      total: number
      placed: { type: date, path: at.placed }
      shipped: { type: date, path: at.shipped }
      took: { seconds: [placed, shipped] }
      note: mixed
    sort: number
    access:
      - { roles: [admin] }
      - { roles: [support], rows: { region: { claim: region } }, hide: [customer, total, region] }
      - { roles: [packer], rows: { status: [open, late] }, hide: [phone, note, number, placed] }
  parcels:
    collection: orders
    fields: { id: string, place: { type: string, path: ship.region }, state: { type: string, path: status } }
    sort: id
  visits:
    collection: visits
    fields:
      id: objectId
      page: { type: mixed, path: page }
      address: { type: string, path: page.address }
      shop: { type: objectId, path: shopId }
      city: { label: city, of: shops, through: shop }
      session: uuid
      paid: decimal
  shops:
    collection: shops
    fields: { id: objectId, city: string }
  customers:
    collection: customers
    fields: { id: string, email: { type: string, path: contact.email }, phone: string }
`;

const date = (text: string) => new Date(`2026-01-${text}Z`);

const ORDERS: readonly Document[] = [
  {
    _id: 'o1',
    number: 'A-1',
    status: 'open',
    ship: { region: 'north', street: 'x' },
    customerId: 'c1',
    lines: [{ sku: 'red' }, { sku: 'blue' }],
    total: 12.5,
    at: { placed: date('01T10:00:00'), shipped: date('01T10:00:01.500') },
    note: { any: [1, { thing: true }] },
  },
  {
    _id: 'o2',
    number: 'A-2',
    status: 'closed',
    ship: { region: 'south' },
    customerId: 'c2',
    lines: [],
    total: 7,
  },
  // Dirty: other types, arrays where none should be, members that are missing.
  {
    _id: 'o3',
    number: 3,
    status: ['open', 'late'],
    ship: [{ region: 'north' }, { region: 'east' }],
    customerId: 5,
  },
  {
    _id: 'o4',
    number: 'A-4',
    status: 'late',
    ship: 'north',
    customerId: 'gone',
    lines: 'red',
    total: '12',
  },
  {
    _id: 'o5',
    number: 'A-5',
    status: null,
    ship: { region: 'north' },
    customerId: 'c1',
    lines: { sku: 'green' },
  },
];

const CUSTOMERS = [
  { _id: 'c1', contact: { email: 'ana@example.org' }, phone: '1' },
  { _id: 'c2', contact: { email: 'bo@example.org' }, phone: 2 },
];

const [SHOP, VISIT] = ['0123456789abcdef01234567', 'fedcba987654321001234567'] as const;
const SESSION = '6f1f0d3c-5a55-4c1c-8f4e-0d7a4f1f2b3c';

describe('tables of a file over documents', () => {
  const stage = useOwnStage(FILE, {
    orders: ORDERS,
    customers: CUSTOMERS,
    shops: [{ _id: new ObjectId(SHOP), city: 'Graz' }],
    visits: [
      {
        _id: new ObjectId(VISIT),
        page: { address: '/a', more: [1, { at: date('02T00:00:00') }] },
        shopId: new ObjectId(SHOP),
        session: SESSION,
        paid: Decimal128.fromString('0.10'),
      },
    ],
  });
  const GRANTS = ['admin', 'support', 'packer'];
  /** The answer to a caller with this role. */
  const page = (table: string, role: string, body: Document, claims = {}) =>
    stage.shown({ table, body, claims, grant: GRANTS.indexOf(role) });

  it('show every declared member, dirty values as they are', async () => {
    const { rows, total } = await page('orders', 'admin', {});
    expect(total).equal(5);
    const [odd, first, , , last] = rows;
    expect(first).eql({
      id: 'o1',
      number: 'A-1',
      status: 'open',
      region: 'north',
      customer: 'c1',
      email: 'ana@example.org',
      phone: '1',
      skus: ['red', 'blue'],
      total: 12.5,
      placed: '2026-01-01T10:00:00.000Z',
      shipped: '2026-01-01T10:00:01.500Z',
      took: 1.5,
      note: { any: [1, { thing: true }] },
    });
    expect(odd).include({ id: 'o3', number: 3, email: null, total: null, took: null });
    expect(odd).deep.include({ status: ['open', 'late'], region: ['north', 'east'], skus: [] });
    expect(last).deep.include({ id: 'o5', skus: ['green'], status: null });
  });

  const BODIES = [
    [{ q: 'ana@' }, ['o1', 'o5']],
    [{ q: 'blue' }, ['o1']],
    [{ email: 'BO@' }, ['o2']],
    [{ region: 'nor' }, ['o3', 'o1', 'o5']],
    [{ skus: 're' }, ['o1', 'o5']],
    [{ status: 'open' }, ['o3', 'o1']],
  ] as const;
  for (const [filters, ids] of BODIES) {
    it(`find ${JSON.stringify(filters)}`, async () => {
      const { rows } = await page('orders', 'admin', { filters });
      expect(rows.map(({ id }) => id)).eql(ids);
    });
  }

  it('show a caller the rows of their claim, without the hidden fields and their labels', async () => {
    const { rows, total } = await page('orders', 'support', {}, { region: 'north' });
    expect(total).equal(3);
    expect(rows.map(({ id }) => id)).eql(['o3', 'o1', 'o5']);
    expect(Object.keys(rows[0]!)).eql([
      ...['id', 'number', 'status', 'skus', 'placed', 'shipped', 'took', 'note'],
    ]);
    expect(rows[1]).deep.include({ skus: ['red', 'blue'], note: { any: [1, { thing: true }] } });
    const hidden = await page('orders', 'support', { filters: { q: 'ana@' } }, { region: 'north' });
    expect(hidden.total).equal(0);
    expect((await page('orders', 'support', {})).total).equal(0);
  });

  it('show ObjectIds, UUIDs, decimals, and a mixed field around another field', async () => {
    const found = [
      {},
      { q: 'abcdef' },
      { q: 'FEDCBA98' },
      { q: 'graz' },
      { q: '4c1c-8f4e' },
      { city: 'GRA' },
    ];
    for (const filters of found) {
      const { rows } = await page('visits', 'admin', { filters });
      expect(rows, JSON.stringify(filters)).eql([
        {
          id: VISIT,
          page: { address: '/a', more: [1, { at: '2026-01-02T00:00:00.000Z' }] },
          address: '/a',
          shop: SHOP,
          city: 'Graz',
          session: SESSION,
          paid: '0.10',
        },
      ]);
    }
  });

  it('follow one collection for each table that shows it', async () => {
    const parcels = await page('parcels', 'admin', { filters: { place: 'north' } });
    expect(parcels.rows.map(({ id, state }) => [id, state])).eql([
      ['o1', 'open'],
      ['o3', ['open', 'late']],
      ['o5', null],
    ]);
    const sixth = { _id: 'o6', number: 'Z-6', ship: { region: 'west' } } as never;
    await stage.write((db, options) => db.collection('orders').insertOne(sixth, options));
    const [parcel] = (await page('parcels', 'admin', { filters: { place: 'west' } })).rows;
    expect(parcel).eql({ id: 'o6', place: 'west', state: null });
    const [order] = (await page('orders', 'admin', { filters: { region: 'west' } })).rows;
    expect(order).include({ id: 'o6', number: 'Z-6', status: null });
    await stage.write((db, options) => db.collection('orders').deleteOne(sixth, options));
    for (const table of ['parcels', 'orders']) {
      expect((await page(table, 'admin', {})).total).equal(5);
    }
  });

  it('show callers with different grants different parts of one row, one after the other', async () => {
    for (const _ of [1, 2]) {
      const packer = await page('orders', 'packer', { filters: { email: 'ana' } });
      expect(packer.rows).eql([
        {
          id: 'o1',
          status: 'open',
          region: 'north',
          customer: 'c1',
          email: 'ana@example.org',
          skus: ['red', 'blue'],
          total: 12.5,
          shipped: '2026-01-01T10:00:01.500Z',
        },
      ]);
      const admin = await page('orders', 'admin', { filters: { q: 'A-1' } });
      expect(admin.rows[0]).include({ number: 'A-1', phone: '1' });
    }
  });
});
