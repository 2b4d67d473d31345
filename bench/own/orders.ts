/**
 * Orders and customers from a seed, and the definition file of their tables: ObjectId keys, nested
 * members, arrays, decimals and dates.
 */
import { type Db, Decimal128, type Document, ObjectId } from 'mongodb';
import { randomFrom } from '../../test/worlds/random.ts';

export const DEFINITION = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: objectId
      number: { type: string, values: unique }
      status: { type: string, values: few }
      region: { type: string, path: ship.region, values: few }
      city: { type: string, path: ship.city, values: many }
      customer: { type: objectId, path: customerId }
      email: { label: email, of: customers, through: customer }
      skus: { type: [string], path: lines.sku }
      total: decimal
      placed: { type: date, path: placedAt }
      shipped: { type: date, path: shippedAt }
      took: { seconds: [placed, shipped] }
      gift: boolean
      note: { type: mixed, use: [show] }
    text: [id, number, email, skus]
    facets: [status, region, city, skus]
    sort: -placed
  customers:
    collection: customers
    fields: { id: objectId, email: { type: string, values: unique } }
`;

const SEED = 11;
export const STATUSES = ['open', 'paid', 'packed', 'shipped', 'delivered', 'returned', 'lost'];
export const REGIONS = ['north', 'south', 'east', 'west', 'islands', 'alps', 'coast', 'abroad'];
const NAMES = 'anna bruno carla dario elena fabio gina hugo irene jonas klara luca'.split(' ');
const ORDERS_A_CUSTOMER = 20;
export const SKUS = 5_000;
export const CITIES = 800;
const FIRST_MS = Date.UTC(2024, 0, 1);
export const STEP_MS = 60_000;

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
/** Ids as a driver makes them: seconds, a process, a counter. */
export const orderId = (n: number) =>
  new ObjectId(`${hex((FIRST_MS + n * STEP_MS) / 1_000, 8)}5eed0a57e1${hex(n, 6)}`);
export const customerId = (n: number) =>
  new ObjectId(`${hex(1_600_000_000 + n * 977, 8)}c0ffee0b1e${hex(n, 6)}`);
export const placedAt = (n: number) => new Date(FIRST_MS + n * STEP_MS);
/** Digits that lie apart for orders that are neighbours. */
export const numberOf = (n: number) =>
  `O-${String((n * 7_368_787) % 100_000_000).padStart(8, '0')}`;
export const sku = (n: number) => `SKU-${String((n * 7_919) % 100_000).padStart(5, '0')}`;
export const city = (n: number) => `${NAMES[n % NAMES.length]}ville ${n}`;
export const emailOf = (n: number) =>
  `${NAMES[n % NAMES.length]}.${NAMES[(n * 7) % NAMES.length]}${n}@mail${n % 50}.test`;
export const customersOf = (orders: number) => Math.ceil(orders / ORDERS_A_CUSTOMER);

/** Orders from 0 on. */
function* orders(count: number): Generator<Document> {
  const next = randomFrom(SEED);
  const below = (n: number) => Math.floor(next() * n);
  // Few values are frequent, and many are not.
  const skewed = (n: number) => Math.floor(n * next() ** 3);
  const customers = customersOf(count);
  for (let n = 0; n < count; n++) {
    const placed = placedAt(n);
    const isShipped = next() < 0.8;
    const lines = Array.from({ length: 1 + below(4) }, () => ({
      ...{ sku: sku(skewed(SKUS)), quantity: 1 + below(5) },
      price: Decimal128.fromString((below(20_000) / 100).toFixed(2)),
    }));
    yield {
      ...{ _id: orderId(n), number: numberOf(n), status: STATUSES[skewed(STATUSES.length)] },
      ship: { region: REGIONS[skewed(REGIONS.length)], city: city(skewed(CITIES)) },
      ...{ customerId: customerId(below(customers)), lines },
      total: Decimal128.fromString((below(1_000_000) / 100).toFixed(2)),
      ...{ placedAt: placed, gift: next() < 0.1 },
      ...(isShipped && { shippedAt: new Date(placed.getTime() + below(10 * 86_400_000)) }),
      note: `please leave it at door ${below(1_000)}`,
    };
  }
}

const BATCH = 5_000;

/** Fills the database, unless it is full. */
export async function fillOrders(db: Db, count: number): Promise<void> {
  if ((await db.collection('orders').estimatedDocumentCount()) === count) return;
  await db.dropDatabase();
  const customers = Array.from(
    { length: customersOf(count) },
    (_, n): Document => ({
      ...{ _id: customerId(n), email: emailOf(n) },
    }),
  );
  await inBatches(db, 'customers', customers);
  await inBatches(db, 'orders', orders(count));
}

async function inBatches(db: Db, name: string, documents: Iterable<Document>): Promise<void> {
  const insert = (batch: Document[]) =>
    db.collection(name).insertMany(batch, { writeConcern: { w: 1 }, ordered: false });
  let batch: Document[] = [];
  let before: Promise<unknown> = Promise.resolve();
  for (const one of documents) {
    if (batch.push(one) < BATCH) continue;
    await before;
    before = insert(batch);
    batch = [];
  }
  await before;
  if (batch.length > 0) await insert(batch);
}
