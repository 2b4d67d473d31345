/** Collections that nobody tidied: odd names, mixed types and keys, huge documents, views, capped ones. */
import { Binary, BSONRegExp, type Db, Decimal128, Long, ObjectId, UUID } from 'mongodb';
import { INDEXES } from '../../../src/apps/views/savedView.ts';

/** As long as the store takes the name of a collection, beside that of a test's database. */
export const LONG_NAME = 'long '.repeat(44).trim();

/** Orders with their customers, and odd collections beside them. */
export async function fillOddities(db: Db): Promise<void> {
  const customers = Array.from({ length: 300 }, (_, i) => ({
    _id: new ObjectId(),
    email: `c${i}@example.com`,
  }));
  const orders = Array.from({ length: 3_000 }, (_, i) => ({
    ...{
      number: `O-${i}`,
      status: ['open', 'shipped', 'lost'][i % 3],
      customerId: customers[i % 300]!._id,
    },
    ...{ ship: { region: ['eu', 'us'][i % 2], 'a.b': 1, $x: 2, '': 3 } },
    lines: Array.from({ length: i % 4 }, (_, k) => ({ sku: `S${(i * k) % 100}` })),
    total: Decimal128.fromString((i / 7).toFixed(2)),
    placedAt: new Date(1.7e12 + i * 6e4),
    ...(i % 5 > 0 && { shippedAt: new Date(1.7e12 + i * 6e4 + 1e6) }),
    mood: i % 10 === 0 ? i : 'well',
    ...{ stars: 1 + (i % 5), currency: 'EUR' },
    ...(i % 9 > 0 && { weight: i % 700 }),
    [`key ${i}\n#: {`]: 1,
  }));
  await Promise.all([
    db.collection('customers').insertMany(customers),
    db.collection('orders').insertMany(orders),
    db.collection('readings').insertMany(
      Array.from({ length: 200 }, (_, i) => ({
        ...{ sensor: `s${i % 4}`, v: i / 3, at: new Date(1.7e12 + i * 6e4) },
      })),
    ),
    db.collection('parts').insertMany(
      Array.from({ length: 30 }, (_, i) => ({
        ...{ 'shoe size': 36 + (i % 10), size: i, file_size: i, key: new UUID() },
        ...{ profile_size: i, delay_milliseconds: i, delaySeconds: i, '%': i },
        ...{ serial: Long.fromString(`${9_007_199_254_740_993n + BigInt(i)}`) },
        ...{ imageUrl: `https://a.example/${i}`, curl: 'tight' },
        ...{ guid: new UUID().toString().toUpperCase(), raw: new Binary(Buffer.from('ab')) },
        any: [i, `${i}`, new Binary(Buffer.from('ab'))][i % 3],
      })),
    ),
    db.collection<{ _id: unknown }>('Mixed Größen').insertMany(
      [1, 'one', new ObjectId(), { a: 1 }, null].map((_id) => ({
        ...{ _id, no: 1, q: 'a', constructor: 'b', '1st': 1, cost$: 2, größe: 3, 'two\nlines': 4 },
      })),
    ),
    db
      .collection('large')
      .insertMany(Array.from({ length: 4 }, () => ({ text: 'x'.repeat(15_900_000) }))),
    db.collection('heavy').insertMany(
      Array.from({ length: 30 }, (_, i) => ({
        ...{ name: `n ${i}`, blob: new Binary(Buffer.alloc(100_000)), by: { 2024: i, 2025: i } },
        ...{ points: Array.from({ length: 2_000 }, (_, k) => k), none: [] },
        ...{ lines: Array.from({ length: 2_000 }, (_, k) => ({ sku: k })), tags: ['a', `t${i}`] },
      })),
    ),
    db.collection('events').insertMany(
      Array.from({ length: 30 }, (_, i) => ({
        ...{ at: new Date(1.7e12 + i).toISOString(), agent: { id: i % 9, name: `u${i % 9}` } },
        ...{
          page: `https://a.example/${i}`,
          checksum: `e3b0${i}`,
          message: `GET /items/${i}`,
          boxCode: `B-${i}`,
        },
      })),
    ),
    db
      .collection('boxes')
      .insertMany(Array.from({ length: 40 }, (_, i) => ({ id: i, code: `B-${i}`, name: `b${i}` }))),
    db.createCollection('empty', {
      validator: {
        $jsonSchema: {
          bsonType: 'object',
          properties: { at: { bsonType: 'date' }, state: { enum: ['open', 'closed'] } },
        },
        // JavaScript has no such pattern.
        note: { $not: new BSONRegExp('(?i)^secret') },
      },
    }),
    db.collection(LONG_NAME).insertOne({ [LONG_NAME]: { [LONG_NAME]: 1, a: 1 } }),
    db.createCollection('capped', { capped: true, size: 4_096 }),
    db.createCollection('series', { timeseries: { timeField: 'at' } }),
  ]);
  await db.createCollection('lookedAt', { viewOn: 'orders', pipeline: [] });
  await db.collection('capped').insertOne({ n: 1 });
  // The service's own.
  await db.collection('search_heartbeat').insertOne({ at: new Date() });
  await db.collection('views').insertOne({ audience: 'everyone', name: 'Open orders', place: 0 });
  for (const { key } of INDEXES) await db.collection('views').createIndex(key as never);
}
