/** `init`, `check` and `role` on stores with users, and on a standalone server. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { type Db, type Document, MongoClient } from 'mongodb';
import { parse } from 'yaml';
import { INDEXES } from '../../src/apps/views/savedView.ts';
import { useFolder } from '../support/folder.ts';
import { freePort } from '../support/freePort.ts';
import { type GuardedStore, startGuardedStore } from '../support/guardedStore.ts';
import { startMongod } from '../support/mongod.ts';
import { run } from '../support/tableSearch.ts';

const DB = 'shop';

describe('commands for definition files, and rights in the store', function rights() {
  this.timeout(180_000);
  let store: GuardedStore;
  let client: MongoClient;
  let admin: Db;
  const folder = useFolder('rights');
  const file = path.join(folder, 'tables.yaml');

  before(async () => {
    store = await startGuardedStore(DB);
    client = await MongoClient.connect(store.rootUri);
    admin = client.db('admin');
    const orders = Array.from({ length: 50 }, (_, n) => ({ n, status: ['open', 'lost'][n % 2] }));
    await client.db(DB).collection('orders').insertMany(orders);
    await admin.command({ createUser: 'nobody', pwd: 'nothing', roles: [] });
    await admin.command({ createUser: 'reader', pwd: 'reads', roles: [{ role: 'read', db: DB }] });
  });
  after(async () => {
    await client?.close();
    await store?.stop();
  });

  const uriOf = (user: string, password: string) =>
    store.rootUri.replace(/\/\/root:[^@]+@/, `//${user}:${password}@`).replace('/?', `/${DB}?`);

  it('say in one line what a store without rights needs', async () => {
    const [nobody, stranger, unnamed] = await Promise.all([
      run(['init', uriOf('nobody', 'nothing')], {}),
      run(['init', uriOf('nobody', 'guess')], {}),
      run(['init', uriOf('nobody', 'nothing').replace('nobody:nothing@', '')], {}),
    ]);
    expect(unnamed.code).equal(3);
    expect(unnamed.err).match(/MongoDB asks who you are: name a user in the URI/);
    expect(nobody.code).equal(3);
    expect(nobody.err).match(/this account may not look at the database; grant it the role `read`/);
    expect(stranger.code).equal(3);
    expect(stranger.err)
      .match(/wrong user or password/)
      .not.include('guess');
    for (const { err } of [nobody, stranger, unnamed]) expect(err.trim().split('\n')).length(1);
  });

  it('say in one line that an account may not follow the store', async () => {
    const privileges = [
      { resource: { db: DB, collection: '' }, actions: ['find', 'listCollections'] },
    ];
    await admin.command({ createRole: 'looks', privileges, roles: [] });
    await admin.command({ createUser: 'looker', pwd: 'looks', roles: ['looks'] });
    const { code, out, err } = await run(['open', uriOf('looker', 'looks')], {});
    expect({ code, out }).eql({ code: 3, out: '' });
    expect(err).match(
      /^table-search: This account may not follow the changes of shop; grant it the role `read`.*\n$/,
    );
  });

  it('need no more than the role read', async () => {
    const { code, err } = await run(['init', uriOf('reader', 'reads'), '-o', file], {});
    expect(code, err).equal(0);
    expect(parse(readFileSync(file, 'utf8')).tables.orders.fields).include({ n: 'number' });
    expect((await run(['check', file, '--uri', uriOf('reader', 'reads')], {})).code).equal(0);
  });

  it('write JSON into a file that is called so, and to stdout for -', async () => {
    const json = path.join(folder, 'tables.json');
    const [written, dash] = await Promise.all([
      run(['init', uriOf('reader', 'reads'), '-o', json], {}),
      run(['init', uriOf('reader', 'reads'), '-o', '-'], {}),
    ]);
    expect(written.code, written.err).equal(0);
    expect(JSON.parse(readFileSync(json, 'utf8'))).eql(parse(readFileSync(file, 'utf8')));
    expect(written.err).match(
      /JSON has no comments; a \.yaml file has what was found as comments\./,
    );
    expect((await run(['check', json], {})).code).equal(0);
    expect(parse(dash.out)).eql(parse(readFileSync(file, 'utf8')));
    const update = ['init', uriOf('reader', 'reads'), '-o', json, '--update'];
    expect((await run(update, {})).err).match(
      /tables\.json cannot be updated: JSON has no comments/,
    );
    const inLatin1 = Buffer.from('# caf\xe9\nversion: 1\n', 'latin1');
    writeFileSync(json, inLatin1);
    const { code, err } = await run(update, {});
    expect([code, err]).eql([
      2,
      `table-search: ${json} is not in UTF-8; save it as UTF-8 first.\n`,
    ]);
    expect(readFileSync(json)).eql(inLatin1);
  });

  it('say where another program has the collection of saved views', async () => {
    const views = client.db(DB).collection('views');
    await views.insertOne({ v: 1 });
    const args = ['check', file, '--uri', uriOf('reader', 'reads')];
    const [usual, off] = await Promise.all([
      run(args, { BUILT_IN_TABLES: 'off' }),
      run(args, { BUILT_IN_TABLES: 'off', VIEWS_COLLECTION: 'off' }),
    ]);
    await views.drop();
    expect(usual.code).equal(0);
    expect(usual.err).match(/saved views in views, where another program has documents/);
    expect(off.err).not.include('another program');
  });

  it('print a role that MongoDB takes, and that suffices to follow the database', async () => {
    const { code, out, err } = await run(['role', file, '--db', DB], {});
    expect(code).equal(0);
    expect(err).match(
      /^The role reads every collection of shop: MongoDB asks for `find` [^\n]+\n$/,
    );
    const role: Document = JSON.parse(out);
    await admin.command(role);
    const roles = [{ role: role.createRole, db: 'admin' }];
    await admin.command({ createUser: 'tables', pwd: 'serves', roles });
    const own = await MongoClient.connect(uriOf('tables', 'serves'));
    try {
      const db = own.db(DB);
      const stream = db.watch();
      await stream.tryNext();
      await stream.close();
      expect((await db.listCollections().toArray()).map(({ name }) => name)).include('orders');
      expect(await db.collection('orders').findOne()).not.equal(null);
      await db.collection('search_heartbeat').insertOne({ at: new Date() });
      // The service makes these wherever it keeps views.
      for (const { key } of INDEXES) await db.collection('views').createIndex(key as never);
      expect(await db.collection('views').indexes()).length(INDEXES.length + 1);
      const refused = await db
        .collection('orders')
        .insertOne({})
        .catch((error) => error);
      expect(refused.code).equal(13);
      // `init` works with this role too; it only leaves out what the role may not see.
      const looked = await run(['init', uriOf('tables', 'serves'), 'orders'], {});
      expect(looked.code).equal(0);
      expect(looked.out).match(/# 50 documents.*may not list its indexes/);
    } finally {
      await own.close();
    }
  });

  it('leave out of the role what settings make needless', async () => {
    const [usual, least, most] = await Promise.all(
      [[], ['--no-heartbeat', '--views-collection', 'off'], ['--indexes']].map((args) =>
        run(['role', file, ...args], {}),
      ),
    );
    const on = ({ out }: { out: string }) =>
      (JSON.parse(out).privileges as Document[]).map(({ resource }) => resource.collection);
    expect(on(usual!)).eql(['', 'views', 'search_heartbeat']);
    expect(on(least!)).eql(['']);
    expect(on(most!)).eql(['', 'orders', 'views', 'search_heartbeat']);
    // Every database, or every collection, would be in it.
    for (const [option, what] of [
      ['--db', 'a database name'],
      ['--views-collection', 'a collection name, or `off`'],
    ] as const) {
      const { code, out, err } = await run(['role', file, option, ''], {});
      expect([code, out, err]).eql([2, '', `table-search: ${option} "" is not ${what}.\n`]);
    }
  });

  it('read settings as the service does: blanks around a value are part of it', async () => {
    const [none, wrong, checked] = await Promise.all([
      run(['role', file], { VIEWS_COLLECTION: ' ' }),
      run(['role', file], { VIEWS_COLLECTION: 'off ' }),
      run(['check', file], { VIEWS_COLLECTION: 'off ' }),
    ]);
    expect(none.out).include('"views"');
    const said = 'table-search: VIEWS_COLLECTION is not a collection name, or `off`.\n';
    for (const { code, err } of [wrong, checked]) expect([code, err]).eql([2, said]);
  });
});

describe('commands for definition files, on a standalone server', function standalone() {
  this.timeout(120_000);
  const alone = useFolder('standalone');
  const ofSet = useFolder('begins');

  it('work, and say what is missing', async () => {
    const port = await freePort();
    const mongod = await startMongod({ port, dbPath: alone, args: [] });
    try {
      const uri = `mongodb://127.0.0.1:${port}/`;
      const client = await MongoClient.connect(uri);
      await client.db(DB).collection('orders').insertOne({ n: 1 });
      await client.close();
      const { code, out, err } = await run(['init', uri], {});
      expect({ code, err }).include({ code: 0 });
      expect(err).match(
        /This is a standalone server, .* needs a replica set.* rs\.initiate\(\) once;/,
      );
      expect(parse(out).tables.orders.collection).equal('orders');
      const opened = await run(['open', uri], {});
      expect(opened).include({ code: 1, out: '' });
      expect(opened.err).match(/^table-search: This is a standalone server, .*\n$/);
    } finally {
      await mongod.kill();
    }
  });

  it('tell how a replica set begins', async () => {
    const port = await freePort();
    const mongod = await startMongod({ port, dbPath: ofSet, args: ['--replSet', 'rs0'] });
    try {
      const { code, out, err } = await run(['open', `mongodb://127.0.0.1:${port}/${DB}`], {});
      expect({ code, out }).eql({ code: 5, out: '' });
      expect(err).match(
        /shop: the replica set has not been initiated: run rs\.initiate\(\) .*once\.\n$/,
      );
    } finally {
      await mongod.kill();
    }
  });
});
