/**
 * Types of own tables: the matches, the order and the looks of each, in clean and dirty documents,
 * through each executor.
 */
import { expect } from 'chai';
import { Decimal128, type Document, Double, Long, MinKey, ObjectId } from 'mongodb';
import { rangeOf as readRange } from '../../../clients/typescript/viewAddress.ts';
import { insertRaw, putUndefined, UNDEFINED } from '../../follow/support/rawInsert.ts';
import { useDatabase } from '../../support/database.ts';
import { OwnStage } from './stage.ts';

/** A path of as many steps as a file may have. */
const STEPS = Array.from({ length: 20 }, (_, n) => `s${n}`);
/** A value at its end. */
const atTheEnd = (value: unknown) => STEPS.reduceRight((inner, step) => ({ [step]: inner }), value);

const FILE = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: objectId
      name: { type: string, use: [text, filter, facet, sort, show] }
      amount: { type: number, use: [filter, facet, range, sort, show] }
      total: { type: decimal, use: [filter, range, sort, show] }
      paid: { type: boolean, use: [filter, facet, sort, show] }
      placed: { type: date, path: at.placed, use: [filter, range, sort, show] }
      shipped: { type: date, path: at.shipped }
      took: { seconds: [placed, shipped] }
      region: { type: string, path: ship.region, use: [filter, facet, sort, show] }
      city: { type: string, path: to.city, use: [sort, show] }
      customer: { type: objectId, path: customerId, use: [text, filter, facet, sort, show] }
      parent: { type: objectId, path: parentId, values: unique, use: [text, filter, sort, show] }
      token: { type: uuid, use: [text, filter, facet, sort, show] }
      skus: { type: [string], path: lines.sku, use: [text, filter, facet, show] }
      refs: { type: [objectId], path: lines.ref, use: [text, filter, facet, show] }
      note: mixed
      depth: { type: number, path: ${STEPS.join('.')}, use: [filter, facet, range, sort, show] }
      email: { label: email, of: customers, through: customer }
      size: { label: size, of: sizes, through: amount }
    text: [id, name, customer, parent, token, skus, email]
    sort: id
  customers:
    collection: customers
    fields: { id: objectId, email: { type: string, values: unique, use: [show] } }
  sizes:
    collection: sizes
    fields: { id: number, size: string }
`;

const id = (n: number): ObjectId =>
  new ObjectId(`65f00000aaaaaaaaaa00${n.toString(16).padStart(4, '0')}`);
const customer = (n: number) => new ObjectId(`65f00000bbbbbbbbbb00000${n}`);
const uuid = (n: number) => `7d0a0000-1111-4000-8000-00000000000${n}`;
const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const dec = (text: string) => Decimal128.fromString(text);

/** An object as the driver writes no other: with members that it has for classes of its own. */
const likeADriversOwn = new Map<string, unknown>([
  ['_bsontype', 'Long'],
  ['toString', 1],
  ['constructor', [{ name: 'Lotus' }]],
]);

const ORDERS: readonly Document[] = [
  {
    ...{ _id: id(1), name: 'Ann', amount: 1, total: dec('12.30'), paid: true, token: uuid(1) },
    ...{ at: { placed: day(1), shipped: new Date(day(1).getTime() + 1_500) } },
    ...{ ship: { region: 'EU' }, customerId: customer(1), parentId: id(9), note: { a: [1] } },
    ...(atTheEnd(3) as Document),
    lines: [
      { sku: 'A-1', ref: id(1) },
      { sku: 'B-2', ref: id(2) },
    ],
  },
  {
    ...{ _id: id(2), name: 'bob', amount: 1.5, total: dec('12.3'), paid: false, token: uuid(2) },
    ...{ at: { placed: day(2), shipped: day(1) }, ship: { region: 'US' }, customerId: customer(2) },
    ...{ parentId: id(1), lines: [{ sku: 'A-1' }] },
  },
  { _id: id(3), amount: Long.fromString('9007199254740993'), total: dec('0.1'), lines: [] },
  { _id: id(14), amount: Long.fromString('1152921504606846976') },
  { _id: id(17), amount: new Double(1e40) },
  { _id: id(4), amount: dec('9007199254740993'), total: 0.1, paid: null, customerId: customer(9) },
  { _id: id(5), amount: new Double(9007199254740992), total: dec('NaN'), lines: { sku: 'C-3' } },
  { _id: id(6), amount: Number.NaN, total: dec('1E+40'), lines: 'A-1' },
  { _id: id(7), amount: '1', total: '12.30', paid: 'true', ship: [{ region: 'EU' }, 5] },
  { _id: id(8), amount: [1, 2], total: [dec('5'), dec('0.10')], paid: [true, false] },
  { _id: id(9), name: id(1), amount: new Double(-0), at: { placed: '2026-01-01T00:00:00.000Z' } },
  {
    _id: id(10),
    name: ['x', 'Ann'],
    customerId: '65f00000bbbbbbbbbb000001',
    parentId: [id(1), id(2)],
  },
  { _id: id(11), at: [{ placed: day(3), shipped: day(4) }], ship: [], customerId: [customer(1)] },
  { _id: id(12), ship: { region: [] }, at: { placed: [day(5), day(1)], shipped: day(6) } },
  {
    _id: id(13),
    ship: [[{ region: 'EU' }]],
    token: uuid(1).toUpperCase(),
    lines: [[{ sku: 'D' }]],
  },
  { _id: '65f00000aaaaaaaaaa000001', name: 'a string with the text of an id', amount: dec('1.50') },
  { _id: 7, name: 'a number' },
  { _id: 9, to: [] },
  { _id: 10, to: { city: ['Bonn', new MinKey()] } },
  { _id: 11, to: { city: [] } },
  { _id: 12, name: likeADriversOwn, customerId: customer(8), note: likeADriversOwn },
  { _id: 8, at: [[{ placed: day(1) }], 5] },
  { _id: new Date(5), name: 'a date' },
  { _id: dec('0.1'), name: 'a decimal' },
];
/** Undefined alone, in lists, beside null, and on the way to a label. */
const UNDEFINED_MEMBERS: readonly Document[] = [
  {
    ...{ _id: id(15), name: UNDEFINED, amount: UNDEFINED, paid: UNDEFINED, note: UNDEFINED },
    ...{ at: { placed: UNDEFINED }, ship: { region: UNDEFINED }, customerId: UNDEFINED },
    lines: [{ sku: UNDEFINED }, { sku: 'E-4', ref: [UNDEFINED] }],
  },
  {
    ...{ _id: id(16), name: [UNDEFINED], amount: [UNDEFINED, 5], customerId: [UNDEFINED] },
    ...{ ship: [{ region: UNDEFINED }], lines: UNDEFINED, token: [null, UNDEFINED] },
  },
];
const CUSTOMERS: readonly Document[] = [
  { _id: customer(1), email: 'ann@x.org' },
  { _id: customer(2), email: 'bob@x.org' },
  { _id: customer(8), email: likeADriversOwn },
  { _id: '65f00000bbbbbbbbbb000001', email: 'dirty@x.org' },
];

/** In another order than their numbers. */
const SIZES: readonly Document[] = [
  { _id: 1, size: 'small' },
  { _id: 1.5, size: 'large' },
  { _id: Number.NaN, size: 'none' },
];

const everything = { pagination: { per_page: 100 } };
const find = (...select: Document[]): Document => ({ ...everything, select });
const text = (q: string): Document => ({ ...everything, filters: { q } });
/** As an address or the search box names it. */
const rangeOf = (amount: string): Document => {
  const { kind: _, ...range } = readRange('amount', amount)!;
  return range;
};
const sorts = [
  'id',
  'name',
  'amount',
  'total',
  'paid',
  'placed',
  'region',
  'customer',
  'parent',
  'token',
  'took',
  'depth',
];

/**
 * Bodies, some with the last digits of the ids that they find; answers must be the same everywhere.
 */
const CASES: readonly [name: string, body: Document, found?: readonly number[]][] = [
  ['everything', everything],
  ...sorts.flatMap((sort_by) =>
    ['asc', 'desc'].map((sort_order): [string, Document] => [
      `sort by ${sort_by} ${sort_order}`,
      { ...everything, sorting: { sort_by, sort_order } },
    ]),
  ),
  ...['email', 'size'].flatMap((sort_by) =>
    ['asc', 'desc'].map((sort_order): [string, Document] => [
      `sort by the label ${sort_by} ${sort_order}`,
      { ...everything, sorting: [{ sort_by, sort_order }] },
    ]),
  ),
  [
    'sort by a city that an empty array hides or MinKey precedes, then by id',
    {
      ...everything,
      sorting: [
        { sort_by: 'city', sort_order: 'asc' },
        { sort_by: 'id', sort_order: 'asc' },
      ],
    },
  ],
  ['an id', find({ field: 'id', in: [id(3).toHexString().toUpperCase()] }), [3]],
  ['a piece of ids', text('aa00000'), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]],
  ['a piece of a customer', text('BBBB000002'), [2]],
  ['a label', text('ANN@x'), [1, 11]],
  ['a label by its filter', { ...everything, filters: { email: 'bob' } }, [2]],
  ['a customer', find({ field: 'customer', in: [customer(1).toHexString()] }), [1, 11]],
  ['no customer', find({ field: 'customer', in: [null] })],
  ['no token', find({ field: 'token', in: [null] })],
  [
    'a token or no number',
    find({
      any: [
        { field: 'token', not_in: [null] },
        { field: 'amount', in: [null, 5] },
      ],
    }),
  ],
  ['no sku', find({ field: 'skus', in: [null, 'E-4'] })],
  ['all but no region', find({ field: 'region', not_in: [null] })],
  ['all but a customer', find({ field: 'customer', not_in: [customer(1).toHexString()] })],
  ['a parent', find({ field: 'parent', in: [id(1).toHexString()] }), [2, 10]],
  ['a piece of a parent', text('aa000009'), [1, 9]],
  ['a token in any case', find({ field: 'token', in: [uuid(2).toUpperCase()] }), [2]],
  ['a token as it shows', find({ field: 'token', in: [uuid(1).toUpperCase()] }), [1, 13]],
  ['all but a token', find({ field: 'token', not_in: [uuid(1).toUpperCase()] })],
  ['a sku', find({ field: 'skus', in: ['A-1'] }), [1, 2]],
  ['a ref', find({ field: 'refs', in: [id(2).toHexString()] }), [1]],
  ['a double', find({ field: 'amount', in: [1.5] })],
  ['a text among numbers, of digits that a double has', find({ field: 'amount', in: ['1'] }), [7]],
  ['a text among booleans', find({ field: 'paid', in: ['true'] }), [7]],
  ['all but a text among numbers', find({ field: 'amount', not_in: ['1', 'one'] })],
  ['an integer past doubles', find({ field: 'amount', in: ['9007199254740993'] }), [3, 4]],
  [
    'an integer past 2^53 that a double equals, as records and facets show it',
    find({ field: 'amount', in: ['1152921504606846976'] }),
    [14],
  ],
  ['that integer as a number', find({ field: 'amount', in: [2 ** 60] }), [14]],
  [
    'a number among decimals, stored as one or as a double',
    find({ field: 'total', in: [0.1] }),
    [3, 4, 8],
  ],
  ['the decimal alone', find({ field: 'total', in: ['0.1'] }), [3, 8]],
  ['all but both', find({ field: 'total', not_in: [0.1] })],
  ['a range of numbers', find({ field: 'amount', from: 1, to: 2 })],
  ['a range up to a number', find({ field: 'amount', to: 1 })],
  [
    'a range of large numbers',
    find({ field: 'amount', from: '9007199254740992.5' }),
    [3, 4, 14, 17],
  ],
  ['the range of an integer past doubles', find(rangeOf('9007199254740993')), [3, 4]],
  ['the range of one that is a double', find(rangeOf('9007199254740992')), [5]],
  ['the range of one that is far from the next double', find(rangeOf('1152921504606846977')), []],
  [
    'up to an integer past doubles',
    find(rangeOf('9007199254740992..=9007199254740993')),
    [3, 4, 5],
  ],
  ['above an integer past doubles', find(rangeOf('>9007199254740993..')), [14, 17]],
  ['a total', find({ field: 'total', in: [12.3] }), [1, 2]],
  ['a total as text', find({ field: 'total', in: ['12.300'] }), [1, 2]],
  ['a total with a power of ten', find({ field: 'total', in: ['1E+40'] }), [6]],
  ['a tenth', find({ field: 'total', in: [0.1] })],
  ['a range of totals', find({ field: 'total', from: 0.1, to: '12.30' })],
  ['a range from a total', find({ field: 'total', from: 12.3 })],
  ['a number at the end of a long path', find({ field: 'depth', from: 3 }), [1]],
  ['a boolean', find({ field: 'paid', in: [true] }), [1, 8]],
  ['a date', find({ field: 'placed', in: [day(1).toISOString()] })],
  ['a range of dates', find({ field: 'placed', from: day(2).toISOString() })],
  ['a range of seconds', find({ field: 'took', from: 0 }), [1]],
  ['a range up to some seconds', find({ field: 'took', to: 1.5 }), [2]],
  ['a region', { ...everything, filters: { region: 'e' } }],
  ['a name', { ...everything, filters: { name: 'ANN' } }],
  [
    'facets',
    {
      facets: [
        ...['name', 'amount', 'paid', 'region', 'customer', 'token', 'skus', 'refs', 'depth'],
      ].map((field) => ({ field })),
    },
  ],
  [
    'facets with a text',
    {
      facets: [
        { field: 'customer', contains: 'ann' },
        { field: 'refs', contains: '0002' },
      ],
    },
  ],
  [
    'a baseline by a number that no double equals',
    {
      select: [{ field: 'amount', in: ['9007199254740993'] }],
      baseline: [{ field: 'amount', in: [9007199254740992] }],
      facets: [{ field: 'name' }],
    },
  ],
  ['statistics of dates', { stats: [{ field: 'placed' }, { field: 'shipped' }] }],
  ['a histogram', { histogram: { field: 'placed', interval: 'P1D', by: 'customer' } }],
  ['a histogram by region', { histogram: { field: 'shipped', interval: 'P1D', by: 'region' } }],
];

const REFUSED: readonly [name: string, select: Document, pointer: string][] = [
  ['an id that is none', { field: 'id', in: ['65f0'] }, '/select/0/in/0'],
  ['a text among decimals', { field: 'total', in: ['1', 'one'] }, '/select/0/in/1'],
  ['a boolean among dates', { field: 'placed', in: [true] }, '/select/0/in/0'],
  ['a text for a date', { field: 'placed', from: 'today' }, '/select/0/from'],
  ['too small a number', { field: 'total', in: ['0.0', '1e-9999'] }, '/select/0/in/1'],
  ['a bound that is too small', { field: 'amount', from: '-1e-99999' }, '/select/0/from'],
  ['too many digits', { field: 'total', in: [`0.${'1'.repeat(40)}`] }, '/select/0/in/0'],
];

describe('types of own tables', function () {
  this.timeout(120_000);
  const database = useDatabase();
  let stage: OwnStage;

  before(async () => {
    stage = await OwnStage.start(database.db, FILE);
    await stage.write(async (db, options) => {
      await db.collection('customers').insertMany([...CUSTOMERS], options);
      await db.collection('sizes').insertMany([...SIZES] as never, options);
      await db.collection('orders').insertMany([...ORDERS] as never, options);
      const { operationTime } = await insertRaw(
        ...([database.client, database.name, 'orders', UNDEFINED_MEMBERS, putUndefined] as const),
      );
      options.session.advanceOperationTime(operationTime);
    });
  });
  after(() => stage?.stop());

  const same = (body: Document) => stage.answer({ table: 'orders', body });

  for (const [name, body, found] of CASES) {
    it(name, async () => {
      const answer = await same(body);
      if (!found || 'wrong' in answer) return;
      const wanted = found.map((n) => id(n).toHexString());
      expect(answer.rows.map((row) => row.id)).to.deep.equal(wanted);
    });
  }

  for (const [name, select, pointer] of REFUSED) {
    it(`refuses ${name}`, async () => {
      const answer = await same({ select: [select] });
      expect(answer).to.deep.equal({ wrong: [pointer] });
    });
  }

  it('finds as many rows by a value of a facet as it counts, of whatever type', async () => {
    const fields = ['name', 'amount', 'paid', 'region', 'skus', 'refs'];
    const answer = await same({ facets: fields.map((field) => ({ field, limit: 100 })) });
    if ('wrong' in answer) throw new Error(`refused: ${answer.wrong}`);
    const [, amounts] = answer.facets as Document[];
    expect(amounts!.values.map(({ value }: Document) => value)).to.include.members([
      ...['1152921504606846976', 1e40],
    ]);
    for (const { field, values } of answer.facets as Document[]) {
      for (const { value, count } of values) {
        const found = await same({ select: [{ field, in: [value] }] });
        expect(found, `${field} ${JSON.stringify(value)}`).to.include({ total: count });
      }
    }
  });

  it('refuses conditions on a field that only a label needs', async () => {
    const body = { select: [{ field: 'email', contains: 'ann' }] };
    const answer = await stage.answer({ table: 'customers', body });
    expect(answer).to.deep.equal({ wrong: ['/select/0/field'] });
  });

  it('follows changes of rows with keys of every type', async () => {
    for (const { _id } of ORDERS) {
      await stage.write((db, options) =>
        db
          .collection('orders')
          .updateOne({ _id } as never, { $set: { name: `changed ${_id}` } }, options),
      );
    }
    await same(everything);
    await stage.write((db, options) => db.collection('orders').deleteMany({ amount: 1 }, options));
    await stage.write((db, options) =>
      db
        .collection('customers')
        .updateOne({ _id: customer(2) } as never, { $set: { email: 'new' } }, options),
    );
    await same(everything);
    await same({ ...everything, filters: { email: 'new' } });
    stage.check();
    expect(stage.defects).to.deep.equal([]);
  });
});
