/** Whether a search notices that a name stands for something else than at its beginning. */
import { expect } from 'chai';
import type { Db } from 'mongodb';
import { areSame, collectionUuids } from '../../src/store/collectionUuids.ts';
import { withDeadline } from '../../src/store/deadline.ts';
import { useDatabase } from '../support/database.ts';

const LARGE = [{ $match: { size: { $gt: 7 } } }];
const makeSeries = (db: Db) => db.createCollection('series', { timeseries: { timeField: 't' } });

/** Others do it while a search goes on. */
const DONE: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'the collection was dropped': (db) => db.collection('orders').drop(),
  'the collection was replaced': async (db) => {
    await db.collection('staging').insertOne({});
    await db.collection('staging').rename('orders', { dropTarget: true });
  },
  'the view was defined anew': (db) =>
    db.command({ collMod: 'large', viewOn: 'orders', pipeline: [] }),
  'the view is of another collection': (db) =>
    db.command({ collMod: 'large', viewOn: 'others', pipeline: LARGE }),
  'the time series was made anew': async (db) => {
    await db.collection('series').drop();
    await makeSeries(db);
  },
};

describe('what names stand for', () => {
  const database = useDatabase();
  const look = () =>
    withDeadline(10_000, (deadline) =>
      collectionUuids(database.db, ['largest', 'series', 'missing'], deadline),
    );

  beforeEach(async () => {
    const { db } = database;
    await db.dropDatabase();
    await db.collection('orders').insertOne({ size: 9 });
    await db.createCollection('large', { viewOn: 'orders', pipeline: LARGE });
    await db.createCollection('largest', { viewOn: 'large', pipeline: [] });
    await makeSeries(db);
  });

  it('is the same while documents change', async () => {
    const before = await look();
    await database.db.collection('orders').insertOne({ size: 1 });
    expect(areSame(before, await look())).equal(true);
  });

  for (const [name, change] of Object.entries(DONE)) {
    it(`is not the same where ${name}`, async () => {
      const before = await look();
      await change(database.db);
      expect(areSame(before, await look())).equal(false);
    });
  }
});
