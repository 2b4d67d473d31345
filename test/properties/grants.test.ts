/**
 * Random grants. A caller whose grant hides fields and rows gets the answers of a twin: a service
 * whose file never declared these fields, over a collection that never held these rows.
 *
 *     file with rows and hide   │ all orders          ──┐
 *                                                       ├─ the same status, body and headers
 *     file without the fields   │ the caller's orders ──┘
 *
 * `PROPERTY_RUNS` and `SEED` as in search.test.ts.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { type Document, MongoClient, ObjectId } from 'mongodb';
import { hex, serveTables } from '../serve/tables/stage.ts';
import { put, useDatabase } from '../support/database.ts';
import { SEED } from '../support/seed.ts';
import type { TestService } from '../support/service.ts';

const RUNS = Math.ceil(Number(process.env.PROPERTY_RUNS ?? 18) / 6);
const REQUESTS = 60;

const TEXTS = ['north', 'south', 'Ana', 'ana', 'bo', 'a', 'o', 'A-1', 'x', 'none'];
const KEYS = ['aa01', 'aa02', 'ab03'];

/** Declared fields, in the order of the file. */
const FIELDS: Readonly<Record<string, unknown>> = {
  id: 'string',
  number: { type: 'string', values: 'unique' },
  status: { type: 'string', values: 'few' },
  region: { type: 'string', path: 'ship.region', values: 'few' },
  customer: { type: 'string', path: 'customerId', use: ['filter', 'show'] },
  email: { label: 'email', of: 'customers', through: 'customer' },
  seller: { type: 'string', use: ['facet', 'show'] },
  sold: { label: 'email', of: 'customers', through: 'seller' },
  clerk: { type: 'string', use: ['show'] },
  boss: { label: 'email', of: 'customers', through: 'clerk' },
  skus: { type: ['string'], path: 'lines.sku' },
  total: 'number',
  paid: 'boolean',
  placed: { type: 'date', path: 'placedAt' },
  shipped: { type: 'date', path: 'shippedAt' },
  took: { seconds: ['placed', 'shipped'] },
};
const CUSTOMERS = {
  collection: 'customers',
  fields: { id: 'string', email: 'string' },
  access: [{ roles: ['nobody'] }],
};
const NAMES = Object.keys(FIELDS);
const HIDEABLE = NAMES.filter((name) => name !== 'id');
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  email: ['customer'],
  sold: ['seller'],
  boss: ['clerk'],
  took: ['placed', 'shipped'],
};

const anyText = fc.constantFrom(...TEXTS);
const anyDate = fc.integer({ min: 0, max: 40 }).map((day) => new Date(Date.UTC(2026, 0, 1 + day)));
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) });

const anyRegion = fc.constantFrom('north', 'south', 'east');
const anyStatus = fc.constantFrom('open', 'late', 'closed');
/** In arrays now and then, two at most. */
const several = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: value }, fc.array(value, { maxLength: 2 }));

const anyOrder = fc.record({
  number: rarely(fc.oneof(anyText, fc.integer({ min: 0, max: 9 }))),
  status: several(anyStatus),
  ship: several(fc.record({ region: several(anyRegion) })),
  customerId: rarely(fc.constantFrom(...KEYS, 'gone')),
  seller: rarely(several(fc.constantFrom(...KEYS, 'gone'))),
  clerk: rarely(fc.constantFrom(...KEYS)),
  lines: fc.array(fc.record({ sku: anyText }), { maxLength: 3 }),
  total: rarely(fc.oneof(fc.integer({ min: 0, max: 20 }), anyText)),
  paid: rarely(fc.boolean()),
  placedAt: rarely(anyDate),
  shippedAt: rarely(anyDate),
  secret: fc.constant('not declared'),
});

interface RandomGrant {
  readonly rows: Readonly<Record<string, unknown>>;
  readonly hide: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
  readonly document: boolean;
}

const anyRows = fc.constantFrom<Pick<RandomGrant, 'rows' | 'claims'>>(
  { rows: {}, claims: {} },
  { rows: { region: 'north' }, claims: {} },
  { rows: { region: ['north', 'east'], status: 'open' }, claims: {} },
  { rows: { region: { claim: 'area.of' } }, claims: { area: { of: 'south' } } },
  { rows: { status: { claim: 'may' } }, claims: { may: ['open', 'late'] } },
  { rows: { status: { claim: 'may' } }, claims: {} },
  { rows: { skus: ['Ana', 'x', 'o'] }, claims: {} },
  { rows: { total: [3, 4, 5, 6, 7, 8, 9] }, claims: {} },
  { rows: { paid: true, customer: KEYS.slice(0, 2) }, claims: {} },
  { rows: { seller: { claim: 'id' } }, claims: { id: KEYS[1] } },
  { rows: { clerk: KEYS.slice(0, 2) }, claims: {} },
);
const anyGrant: fc.Arbitrary<RandomGrant> = fc
  .tuple(
    anyRows,
    fc.uniqueArray(fc.constantFrom(...HIDEABLE), { minLength: 1, maxLength: 5 }),
    fc.boolean(),
  )
  .map(([rows, hide, document]) => ({ ...rows, hide, document }));

const anyName = fc.constantFrom(...NAMES, 'nosuch', 'totl');
/** Mostly a field that can be asked so: bodies with a wrong one get no answer to compare. */
const oneOf = (...names: readonly string[]) =>
  fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...names) }, anyName);
const anyTextual = oneOf('number', 'status', 'region', 'customer', 'email', 'sold', 'skus');
const anyCounted = oneOf('status', 'region', 'skus', 'paid', 'seller');
const anyMeasured = oneOf('total', 'placed', 'shipped', 'took');
const anyDated = oneOf('placed', 'shipped');
const anySingle = fc.oneof(
  fc.record({
    field: anyCounted,
    in: fc.array(fc.oneof(anyText, anyRegion, anyStatus, fc.constant(null)), ONE_TO_THREE()),
  }),
  fc.record({
    field: anyCounted,
    not_in: fc.array(fc.oneof(anyText, anyRegion, anyStatus), ONE_TO_THREE()),
  }),
  fc.record({ field: oneOf('total', 'took'), from: fc.integer({ min: -1e6, max: 20 }) }),
  fc.record({ field: anyDated, from: anyDate.map((at) => at.toISOString()) }),
  fc.record({ field: anyTextual, contains: anyText }),
  fc.record({ field: anyTextual, not_contains: anyText }),
  fc.record({ text: anyText }),
  fc.record({ not_text: anyText }),
);
const anyCondition = fc.oneof(
  { weight: 5, arbitrary: anySingle },
  fc.record({ any: fc.array(anySingle, { minLength: 2, maxLength: 3 }) }),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const anySort = fc.record({ sort_by: anyName, sort_order: fc.constantFrom('asc', 'desc') });
const anySearch = {
  filters: maybe(fc.dictionary(fc.oneof(fc.constant('q'), anyTextual), anyText, { maxKeys: 2 })),
  select: maybe(fc.array(anyCondition, { maxLength: 2 })),
};
const anyUsualSort = fc.record({
  sort_by: oneOf('id', 'total', 'placed', 'shipped', 'took'),
  sort_order: fc.constantFrom('asc', 'desc'),
});
const anySorts = fc.uniqueArray(anySort, {
  ...{ minLength: 1, maxLength: 3 },
  selector: ({ sort_by }) => sort_by,
});
const anySorting = { sorting: maybe(anyUsualSort) };
const anyOrdering = { sorting: maybe(fc.oneof(anyUsualSort, anySorts)) };
const anyPage = { pagination: maybe(fc.record({ page: fc.integer({ min: 1, max: 4 }) })) };
const anyFacet = fc.record(
  {
    field: anyCounted,
    by: anyCounted,
    contains: anyText,
    order: fc.constantFrom('count', 'value'),
  },
  { requiredKeys: ['field'] },
);
const anyCounts = {
  facets: maybe(fc.uniqueArray(anyFacet, { maxLength: 2, selector: ({ field }) => field })),
  histogram: maybe(
    fc.record(
      { field: anyDated, interval: fc.constant('auto'), by: anyCounted },
      { requiredKeys: ['field'] },
    ),
  ),
  stats: maybe(fc.array(fc.record({ field: anyMeasured }), { maxLength: 1 })),
};
const anyComparison = {
  facets: fc.tuple(anyFacet.map((one) => ({ ...one, order: 'lift', min_count: 1 }))),
  baseline: fc.array(anyCondition, { maxLength: 1 }),
};

type Asked = readonly [path: string, body?: object];
const anyAsked: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .record({ ...anySearch, ...anySorting, ...anyPage })
    .map((body): Asked => ['orders/search', body]),
  fc
    .record({ ...anySearch, ...anyOrdering, ...anyPage, ...anyCounts })
    .map((body): Asked => ['orders/search/explore', body]),
  fc
    .record({ ...anySearch, ...anyComparison })
    .map((body): Asked => ['orders/search/explore', body]),
  fc
    .record({
      ...{ ...anySearch, ...anyOrdering },
      columns: maybe(fc.uniqueArray(anyName, { minLength: 1, maxLength: 3 })),
    })
    .map((body): Asked => ['orders/search/export', body]),
  fc.constant<Asked>(['orders/search/explain', {}]),
  fc.integer({ min: 0, max: 45 }).map((n): Asked => [`orders/documents/${hex(n)}`]),
  fc.constantFrom<Asked>([''], ['customers/search', {}], ['nothing/search', {}]),
);

function ONE_TO_THREE() {
  return { minLength: 1, maxLength: 3 };
}

describe('random grants', () => {
  const restricted = useDatabase();
  const twin = useDatabase();

  it(`tell nothing hidden: ${RUNS} grants, seed ${SEED}`, async function compare() {
    this.timeout(60_000 + RUNS * 30_000);
    const orders = fc.array(anyOrder, { minLength: 20, maxLength: 40 });
    const asked = fc.array(anyAsked, { minLength: REQUESTS, maxLength: REQUESTS });
    const statuses = new Map<number, number>();
    const property = fc.asyncProperty(orders, anyGrant, asked, async (rows, grant, requests) => {
      const documents = rows.map((order, n) => ({ _id: hex(n), ...order }));
      const visible = documents.filter((one) => isVisible(one, grant));
      const gone = hiddenBy(grant.hide);
      const left = Object.entries(FIELDS).filter(([name]) => !gone.has(name));
      const { hide, rows: limited, document } = grant;
      const whole = fileOf(FIELDS, { rows: limited, hide, document });
      const reduced = fileOf(Object.fromEntries(left), { document });
      const services = [
        await servedOver(restricted, documents, whole),
        await servedOver(twin, visible, reduced),
      ];
      try {
        const tokens = await Promise.all(
          services.map((one) => one.tokenOf('ana', { roles: ['reader'], ...grant.claims })),
        );
        for (const request of requests) {
          const [mine, twins] = await Promise.all(
            services.map((one, i) => answerOf(one, request, tokens[i]!)),
          );
          expect(mine!.text, JSON.stringify([request, grant])).equal(twins!.text);
          expect(mine, JSON.stringify(request)).eql(twins);
          statuses.set(mine!.status, (statuses.get(mine!.status) ?? 0) + 1);
        }
        const references = await Promise.all(
          services.map((one, i) => answerOf(one, ['/openapi.json'], tokens[i]!)),
        );
        expect(references[0]).eql(references[1]);
      } finally {
        await Promise.all(services.map((one) => one.stop()));
      }
    });
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
    for (const status of [200, 404, 422]) expect(statuses.get(status), `${status}`).above(0);
    expect(statuses.get(500)).equal(undefined);
  });

  async function servedOver(
    { uri, name }: { readonly uri: string; readonly name: string },
    orders: readonly Document[],
    file: string,
  ): Promise<TestService> {
    const client = await MongoClient.connect(uri);
    try {
      const db = client.db(name);
      await db.dropDatabase();
      const customers = KEYS.map((_id, n) => ({ _id, email: `${TEXTS[n + 2]}@mail` }));
      await put(db, { customers, orders: [{ _id: new ObjectId() }] });
      await db.collection('orders').deleteMany({});
      if (orders.length > 0) await db.collection('orders').insertMany([...orders]);
    } finally {
      await client.close();
    }
    const service = await serveTables(uri, name, file);
    const token = await service.tokenOf('ops', { roles: ['reader'] });
    await service.goesBy('index', '/api/v2/tables/orders/search', token);
    return service;
  }
});

function hiddenBy(hide: readonly string[]): ReadonlySet<string> {
  const derived = NAMES.filter((name) => DERIVED[name]?.some((from) => hide.includes(from)));
  return new Set([...hide, ...derived]);
}

const isEmpty = (rows: object = {}) => Object.keys(rows).length === 0;

const fileOf = (
  fields: Readonly<Record<string, unknown>>,
  grant: { readonly document: boolean } & Partial<Omit<RandomGrant, 'claims'>>,
) =>
  JSON.stringify({
    version: 1,
    tables: {
      orders: {
        collection: 'orders',
        title: 'Orders',
        fields,
        sort: '-id',
        access: [{ roles: ['reader'], ...grant, ...(isEmpty(grant.rows) && { rows: undefined }) }],
      },
      customers: CUSTOMERS,
    },
  });

function isVisible(order: Document, { rows, claims }: RandomGrant): boolean {
  const stored: Readonly<Record<string, readonly unknown[]>> = {
    region: [order.ship].flat().flatMap(({ region }) => region),
    status: [order.status].flat(),
    skus: order.lines.map(({ sku }: Document) => sku),
    customer: [order.customerId],
    clerk: [order.clerk],
    seller: [order.seller].flat(),
    total: [order.total],
    paid: [order.paid],
  };
  return Object.entries(rows).every(([name, wanted]) => {
    const claim = (wanted as { readonly claim?: string }).claim;
    const value = claim === 'area.of' ? 'south' : claim ? claims[claim] : wanted;
    return [value].flat().some((one) => stored[name]!.includes(one));
  });
}

async function answerOf(service: TestService, [path, body]: Asked, token: string) {
  const url = path.startsWith('/') ? path : `/api/v2/tables${path === '' ? '' : `/${path}`}`;
  const answer = await service.ask(body ? 'POST' : 'GET', url, { token, body });
  const text = answer.text.replace(/"request_id":"[^"]*"/, '');
  const headers = [...answer.headers].filter(([name]) => !VARYING.has(name));
  return { status: answer.status, text, headers };
}

/** The moment and the request differ, and no length does where the text does not. */
const VARYING = new Set([
  ...['x-request-id', 'date', 'search-as-of', 'content-disposition', 'content-length', 'etag'],
]);
