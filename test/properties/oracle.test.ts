/** The oracle is an oracle only as far as it orders values as the store does. */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { Documents, KINDS } from '../faults/writers.ts';
import { compareStored } from '../oracles/storedValues.ts';
import { useDatabase } from '../support/database.ts';
import { SEED } from '../support/seed.ts';

/** Documents whose members hold values of every kind. */
const JUMBLED = 400;

describe('the oracle’s order', () => {
  const database = useDatabase();

  it('is the store’s, of objects inside of others too', async () => {
    const documents = new Documents(SEED);
    const found = Array.from({ length: JUMBLED }, () => documents.jumbled(documents.pick(KINDS)));
    // Arrays are sorted by one of their elements, and some hold others.
    const values = found.flatMap((one) => Object.values(one).flat(2));
    values.push(
      {},
      { a: [] },
      { a: [{ b: 1 }] },
      { a: [{ b: 1 }, 2] },
      { a: {} },
      { a: true },
      { b: 1 },
    );
    const stored = values.map((v, _id) => ({ _id, v }));
    const collection = database.db.collection('values');
    await collection.insertMany(stored as never[]);
    const sorted: Document[] = await collection
      .aggregate([{ $sort: { v: 1, _id: 1 } }], { allowDiskUse: true })
      .toArray();
    const expected = stored.toSorted((a, b) => compareStored(a.v, b.v) || a._id - b._id);
    expect(sorted.map(({ _id }) => _id)).deep.equal(expected.map(({ _id }) => _id));
    const objects = new Set(
      values.filter((v) => v?.constructor === Object).map((v) => JSON.stringify(v)),
    );
    expect(objects.size, 'different objects').greaterThan(20);
  });
});
