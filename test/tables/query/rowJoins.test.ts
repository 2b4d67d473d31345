/** Rows joined by their keys, compared with the server's `$lookup`. */
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { Binary, Decimal128, type Document, Long, ObjectId } from 'mongodb';
import { Deadline } from '../../../src/store/deadline.ts';
import { SnapshotRead } from '../../../src/store/snapshotRead.ts';
import type { Join, KeyType, Resource } from '../../../src/tables/definition/definition.ts';
import { isKey } from '../../../src/tables/query/pipeline.ts';
import { readRows } from '../../../src/tables/rows/readRows.ts';
import { useDatabase } from '../../support/database.ts';

const OID = new ObjectId('0123456789abcdef01234567');

/** Keys of shops: some twice, some of a type that is no key. */
const KEYS: readonly unknown[] = [
  ...[1, 2, 2, 3, 2 ** 53 + 2, Number.NaN, Long.fromString('9007199254740993')],
  ...[Decimal128.fromString('2'), Decimal128.fromString('0.1'), 'a', 'b', 'b', '', OID, OID],
  ...[null, true, ['a'], [1], new Date(0), undefined],
];

/** `_id`s in an order that is not that of the keys, of types that JavaScript knows and others. */
const IDS: readonly unknown[] = [
  ...[new Binary(Buffer.from([2])), 'x', 5, { a: 1 }, Long.fromString('9007199254740995')],
  ...[new ObjectId(), -1, Decimal128.fromString('0.5'), true, new Date(5), 'w', { a: 0 }],
  ...[new Binary(Buffer.from([1])), 4, 'v', 3.5, new ObjectId(), 2, 'u', 1, 0],
];

/** Values of orders that lead to shops. */
const LED: readonly unknown[] = [
  ...[1, 2, Long.fromNumber(2), 'a', 'b', OID, Number.NaN, null, undefined, true, []],
  ...[
    Long.fromString('9007199254740993'),
    Decimal128.fromString('0.10'),
    Decimal128.fromString('1'),
  ],
  ...[[2, 1], ['b', 'a', 'b'], [OID, 'a'], [[1]], ['a', 3, null, OID, 2], { shop: 1 }],
];

describe('joined rows', () => {
  const database = useDatabase();

  before(async () => {
    const { db } = database;
    const shops = KEYS.map((code, i) => ({
      _id: IDS[i] as never,
      code,
      in: { code },
      name: `${i}`,
    }));
    await db.collection('shops').insertMany(shops, { ignoreUndefined: false });
    const orders = LED.map((shop, i) => ({
      _id: i as never,
      shop,
      at: { shop },
      lines: [{ shop }],
    }));
    await db.collection('orders').insertMany(orders);
  });

  const expected = (join: Join): Promise<Document[]> => {
    const [through, foreignField] = [join.through, join.key];
    const joined = [
      { $match: { $expr: isKey(join.key, join.keyType) } },
      { $sort: { _id: 1 } },
      ...(join.one ? [{ $limit: 1 }] : []),
      { $project: { name: 1 } },
    ];
    return database.db
      .collection('orders')
      .aggregate([
        { $sort: { _id: 1 } },
        {
          $lookup: { from: 'shops', localField: through, foreignField, pipeline: joined, as: 'of' },
        },
      ])
      .toArray();
  };

  for (const keyType of ['string', 'number', 'objectId'] satisfies KeyType[]) {
    for (const through of ['shop', 'at.shop', 'lines.shop']) {
      for (const key of ['code', 'in.code', '_id']) {
        for (const one of [true, false]) {
          it(`${through} leads to ${one ? 'one' : 'all'} by ${key}, a ${keyType}`, async () => {
            const join = { as: 'of', by: 'shop', shows: ['name'], one, to: 'shops', through, key };
            const orders = { collection: 'orders', joins: [{ ...join, keyType }] };
            const resources = { shops: { collection: 'shops' } };
            const read = new SnapshotRead(database.db, { deadline: new Deadline(10_000) });
            const rows = await readRows(
              read,
              orders as unknown as Resource,
              resources as unknown as Readonly<Record<string, Resource>>,
              LED.map((_, i) => i),
            );
            const names = (all: readonly Document[]) => all.map(({ name }) => name);
            const wanted = (await expected({ ...join, keyType })).map(({ of }) => names(of));
            expect(rows.map((row) => names(row!.joined.of!))).eql(wanted);
            if (key === 'code') expect(wanted.flat()).not.eql([]);
          });
        }
      }
    }
  }
});
