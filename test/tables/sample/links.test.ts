/** Labels of drafts: a file takes one only between fields of the same type, without lists. */
import { expect } from 'chai';
import { BSON, ObjectId, UUID } from 'mongodb';
import { definitionOf, look } from '../../../src/tables/sample/index.ts';
import { findLinks } from '../../../src/tables/sample/links.ts';
import { Profile } from '../../../src/tables/sample/profile.ts';
import { useDatabase } from '../../support/database.ts';

describe('a label of a draft', () => {
  const database = useDatabase();

  /** The labels of orders whose customers have these values in a member, of which it names the first. */
  async function labelsOf(member: string, values: readonly unknown[], named: number) {
    const db = database.client.db(`${database.name}_links`);
    try {
      const customers = values.map((value, i) => ({ [member]: value, name: `n${i}` }));
      await db.collection('customers').insertMany(customers as never);
      if (member !== '_id') {
        await db.collection('customers').createIndex({ [member]: 1 }, { unique: true });
      }
      const orders = values.slice(0, named).map((customerCode) => ({ customerCode }));
      await db.collection('orders').insertMany(orders);
      const { text, tables } = definitionOf(await look(db, {}), new Date(0));
      expect(text).match(/customerCode: /);
      const { fields } = tables.find(({ name }) => name === 'orders')!;
      return Object.values(fields).filter(({ kind }) => kind === 'label');
    } finally {
      await db.dropDatabase();
    }
  }
  const manyOf = (value: (n: number) => unknown) => Array.from({ length: 60 }, (_, n) => value(n));
  const ids = manyOf(() => new ObjectId());
  const uuids = manyOf(() => new UUID().toString());
  const codes = manyOf((n) => `c-${n}`);

  it('leads to a key of the same type', async () => {
    expect(await labelsOf('_id', ids, 60)).lengthOf(1);
    expect(await labelsOf('_id', uuids, 60)).lengthOf(1);
    expect(await labelsOf('code', codes, 60)).lengthOf(1);
  });

  it('is left out where some keys are of another type', async () => {
    expect(await labelsOf('_id', [...ids, 'root'], 60)).eql([]);
    expect(await labelsOf('_id', [...uuids, 'root'], 60)).eql([]);
  });

  it('is left out where a document has several keys', async () => {
    const lists = codes.map((code, n) => (n % 2 === 0 ? code : [code, `${code} b`]));
    expect(await labelsOf('code', [...codes.map((code) => `${code} a`), ...lists], 60)).eql([]);
  });

  it('is looked for among many collections of many ids without long thought', async function many() {
    this.timeout(60_000);
    const names = Array.from({ length: 50 }, (_, n) => `field_${n}_id`);
    const profile = new Profile();
    for (let i = 0; i < 20; i++) {
      const document = Object.fromEntries(names.map((name) => [name, `v${i}`]));
      profile.add(BSON.serialize({ _id: new ObjectId(), ...document }), true);
    }
    profile.finish();
    const looked = { count: 20, uniquePaths: [], schema: undefined, isWhole: true, remarks: [] };
    const collections = names.map((name) => ({ ...looked, name: `of_${name}`, profile }));
    const survey = { db: 'shop', collections, leftOut: [], unfollowable: null };
    const before = process.cpuUsage();
    expect(await findLinks(database.db, survey)).eql([]);
    // It takes 9 s where the names of a collection are read for each path of the others.
    expect(process.cpuUsage(before).user / 1e6).below(3);
  });
});
