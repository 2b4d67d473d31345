/** The database indexes and their keeper, on a real mongod. */
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { DATABASE_INDEXES } from '../../src/apps/admin/databaseIndexes.ts';
import { INDEXES } from '../../src/apps/views/savedView.ts';
import { ensureIndexes, IndexKeeper } from '../../src/store/indexes.ts';
import { useDatabase } from '../support/database.ts';
import { startGuardedStore } from '../support/guardedStore.ts';
import { until } from '../support/until.ts';

const silent = { info: () => {}, warn: () => {} };

describe('database indexes', () => {
  const database = useDatabase();
  const names = async (collection: string) =>
    (await database.db.collection(collection).listIndexes().toArray()).map(({ name }) => name);

  it('are there again after a collection was dropped', async () => {
    const keeper = new IndexKeeper(database.db, DATABASE_INDEXES, silent, 20);
    keeper.start();
    await keeper.settled();
    await database.db.collection('tasks').drop();
    await until(async () => {
      const there = await names('tasks').catch(() => []);
      return there.length === DATABASE_INDEXES.tasks!.length + 1;
    }, 'not all are there');
    keeper.stop();
    await keeper.settled();
  });

  it('make no collection of another program, and are made once it is there', async () => {
    const indexes = { orders: [{ key: { placed: 1 }, onceThere: true }] } as const;
    expect(await ensureIndexes(database.db, indexes)).eql({});
    expect(await database.db.listCollections({ name: 'orders' }).toArray()).eql([]);
    await database.db.createCollection('orders');
    expect(await ensureIndexes(database.db, indexes)).eql({ orders: ['placed_1'] });
  });

  it('never refuse a document of another writer: no two arrays meet in one', () => {
    for (const [collection, definitions] of Object.entries(DATABASE_INDEXES)) {
      if (collection === 'task_logs') continue; // unique by the contract of its writers
      for (const { key } of definitions) {
        expect(Object.keys(key).filter((path) => path !== '_id')).to.have.length(1);
      }
    }
  });

  it('are made as far as they can be when one cannot', async () => {
    const logs = database.db.collection('task_logs');
    await logs.dropIndexes().catch(() => {});
    await logs.insertMany([
      { task_id: 'a', seq: 1 },
      { task_id: 'a', seq: 1 },
    ]);
    await database.db.collection('audit').dropIndexes();
    const warnings: object[] = [];
    const log = { info: () => {}, warn: (fields: object) => void warnings.push(fields) };
    const keeper = new IndexKeeper(database.db, DATABASE_INDEXES, log, 60_000);
    keeper.start();
    await keeper.settled();
    keeper.stop();
    expect(warnings).to.have.length(1);
    expect(warnings[0]).include({ collection: 'task_logs' });
    expect(await names('audit')).to.include('target_id_1__id_1');
  });

  it('of saved views are not made where another program has documents', async () => {
    const pages = database.db.collection('pages');
    await pages.insertOne({ v: 1 });
    const warnings: object[] = [];
    const log = { info: () => {}, warn: (fields: object) => void warnings.push(fields) };
    const keeper = new IndexKeeper(database.db, { pages: INDEXES }, log, 60_000);
    keeper.start();
    await keeper.settled();
    expect(await names('pages')).eql(['_id_']);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include({ collection: 'pages' });
    await pages.deleteMany({});
    await keeper.settled();
    keeper.stop();
    const again = new IndexKeeper(database.db, { pages: INDEXES }, log, 60_000);
    again.start();
    await again.settled();
    again.stop();
    expect(await names('pages')).to.have.length(INDEXES.length + 1);
  });

  it('are told of once where the account may not make them', async function denied() {
    this.timeout(60_000);
    const store = await startGuardedStore(database.name);
    const client = await MongoClient.connect(store.rootUri);
    const roles = [{ role: 'read', db: database.name }];
    await client.db('admin').command({ createUser: 'reader', pwd: 'reads', roles });
    await client.close();
    const uri = store.rootUri.replace(/\/\/root:[^@]+@/, '//reader:reads@');
    const reader = await MongoClient.connect(uri);
    const warnings: object[] = [];
    const log = { info: () => {}, warn: (fields: object) => void warnings.push(fields) };
    try {
      const keeper = new IndexKeeper(reader.db(database.name), DATABASE_INDEXES, log, 60_000);
      for (let round = 0; round < 3; round++) {
        keeper.start();
        await keeper.settled();
      }
      keeper.stop();
      const reason =
        `not authorized on ${database.name} to execute command createIndexes; ` +
        '`table-search role` prints the rights that are needed';
      const [collection] = Object.keys(DATABASE_INDEXES);
      expect(warnings).eql([{ collection, reason }]);
    } finally {
      await reader.close();
      await store.stop();
    }
  });
});
