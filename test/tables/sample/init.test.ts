/** `table-search init` on a real store: collections that nobody tidied become a file that says so. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { Long } from 'mongodb';
import { parse } from 'yaml';
import { loadDemo } from '../../../src/dev/fixtures/load/load.ts';
import { useDatabase } from '../../support/database.ts';
import { useFolder } from '../../support/folder.ts';
import { run } from '../../support/tableSearch.ts';
import { fillOddities, LONG_NAME } from './oddities.ts';

interface Table {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly columns: readonly string[];
}

interface File {
  readonly tables: Readonly<Record<string, Table>>;
}

describe('table-search init', function init() {
  this.timeout(120_000);
  const database = useDatabase();
  const folder = useFolder('init');
  const file = path.join(folder, 'tables.yaml');

  before(async () => {
    await loadDemo(database.db, { tasks: 2_000, seed: 3, buildIndexes: async () => {} });
    await fillOddities(database.db);
  });

  const uriWith = (name: string) => {
    const [, host, options = ''] = /^(mongodb:\/\/[^/]+)\/?(\?.*)?$/.exec(database.uri)!;
    return `${host}/${name}${options}`;
  };
  const init = (...args: string[]) => run(['init', uriWith(database.name), ...args], {});
  const read = () => parse(readFileSync(file, 'utf8')) as File;

  it('writes a file of every collection, and says what it left out', async () => {
    const { code, out, err } = await init('-o', file);
    expect({ code, out }).eql({ code: 0, out: '' });
    expect(err)
      .match(/Left out: lookedAt, a view/)
      .match(/Left out: series, a time series/);
    expect(err).match(/tables\.yaml: \d+ tables, \d+ fields\. \(/);
    const next = `Next: table-search check ${file} --uri …; then BUILT_IN_TABLES=off AUTH_JWT_SECRET=… table-search serve --mongodb … --db ${database.name} --tables ${file}\n`;
    expect(err.endsWith(`)\n${next}`), err).equal(true);
    const { tables } = read();
    expect(tables).include.keys(
      'tasks',
      'users',
      'projects',
      'orders',
      'customers',
      'mixed_grossen',
    );
    expect(tables).include.keys('large', 'empty', 'snapshots_files');
    expect(tables).not.have.any.keys('looked_at', 'series', 'capped', 'snapshots_chunks');
    expect(tables).not.have.any.keys('search_heartbeat', 'views');
    expect(err).match(/Left out: views, the saved views of table-search\./);
  });

  it('finds types, repetition, labels, spans, order and columns', () => {
    const { orders } = read().tables;
    expect(orders).deep.include({
      ...{ collection: 'orders', title: 'Orders', sort: '-placedAt' },
      facets: ['status', 'ship_region', 'lines_sku', 'stars'],
      fields: {
        id: 'objectId',
        number: { type: 'string', values: 'unique' },
        status: { type: 'string', values: 'few', look: 'status' },
        customerId: 'objectId',
        ship_region: { type: 'string', path: 'ship.region', values: 'few' },
        lines_sku: { type: ['string'], path: 'lines.sku', values: 'few' },
        total: 'decimal',
        placedAt: 'date',
        shippedAt: 'date',
        mood: { type: 'string', values: 'many' },
        ...{ stars: 'number', currency: { type: 'string', values: 'few' } },
        weight: 'number',
        customer_email: { label: 'email', of: 'customers', through: 'customerId' },
        took: { seconds: ['placedAt', 'shippedAt'] },
      },
    });
    expect(orders!.columns, 'the same in every row').not.include('currency');
    expect(orders!.columns).include.members(['placedAt', 'shippedAt', 'took']);
    const { tasks } = read().tables;
    // A number that people know a row by stands first.
    expect(tasks!.columns[0]).equal('id');
    const { readings, large } = read().tables;
    expect(readings!.columns, 'ObjectIds tell people nothing').eql(['sensor', 'v', 'at']);
    expect(large!.columns, 'nothing else is there').eql(['id']);
    expect(tasks!.fields.project_name).eql({
      ...{ label: 'name', of: 'projects', through: 'project_id', key: 'identifier' },
    });
  });

  it('takes no date and no name of a part for the title, and no number `id` for that of any collection', () => {
    const { events } = read().tables;
    expect(events!.columns[0]).equal('message');
    const labels = Object.entries(events!.fields).filter(([, one]) => Object(one).label);
    expect(labels).eql([
      ['box_name', { label: 'name', of: 'boxes', through: 'boxCode', key: 'code' }],
    ]);
  });

  it('tells the key from a field `id` by their titles', () => {
    expect(read().tables.boxes!.fields).deep.include({
      id: { type: 'objectId', title: '_id' },
      id_2: { type: 'number', path: 'id', title: 'id' },
    });
  });

  it('names fields for paths whose names no field can have', () => {
    expect(read().tables.mixed_grossen!.fields).deep.include({
      q_2: { type: 'string', path: 'q' },
      constructor_2: { type: 'string', path: 'constructor' },
      _1st: { type: 'number', path: '1st' },
      cost_: { type: 'number', path: 'cost$' },
      größe: 'number',
      two_lines: { type: 'number', path: 'two\nlines', title: 'two\nlines' },
    });
  });

  it('takes no size for bytes but that of a file, no milliseconds for seconds, upper-case UUIDs for text', () => {
    expect(read().tables.parts!.fields).eql({
      ...{ id: 'objectId', shoe_size: { type: 'number', path: 'shoe size' }, size: 'number' },
      ...{ file_size: { type: 'number', look: 'bytes' }, key: 'mixed', serial: 'number' },
      ...{ profile_size: 'number', delay_milliseconds: 'number' },
      ...{ delaySeconds: { type: 'number', look: 'seconds' } },
      ...{ field: { type: 'number', path: '%', title: '%' } },
      imageUrl: { type: 'string', values: 'unique', look: { link: '{value}' } },
      ...{ curl: { type: 'string', values: 'few' } },
      ...{ guid: { type: 'string', values: 'unique' }, raw: 'mixed', any: 'mixed' },
    });
  });

  it('leaves out of records what is too large for a page of rows', () => {
    expect(read().tables.large!.fields).eql({ id: 'objectId' });
    const { fields } = read().tables.heavy!;
    expect(fields).have.all.keys('id', 'name', 'by', 'tags');
    const text = readFileSync(file, 'utf8');
    expect(text)
      .match(/# left out: "text": values too large for a page/)
      .match(/# left out: "blob": values too large for a page/)
      .match(/# left out: "points", "lines\.sku": too many values in a document/);
  });

  it('says in comments what is odd', () => {
    const text = readFileSync(file, 'utf8');
    expect(text).match(/mood: .*# 90 % string, 10 % number/);
    expect(text).match(/# left out: "ship\.a\.b", "ship\.\$x", "ship\.": no path reaches/);
    expect(text).match(/# left out: "key \d+\\n#: \{", .* and [\d,]+ more: in under 1 %/);
    expect(text).match(/collection: large .*large documents: \d+ MB of them were looked at/);
    expect(text).match(/key: +mixed +# UUIDs stored as binary, only shown$/m);
    expect(text).match(/raw: +mixed +# binary data, only shown$/m);
    expect(text).match(/any: +mixed +# 33 % number, 33 % string, 33 % binary$/m);
    expect(text).match(/serial: +number +# 30 values; integers past 2\^53, which answers write as/);
    expect(text).match(/by: +\{ type: mixed, look: json \} +# names inside that no path reaches$/m);
    expect(text).match(/# left out: "none": always empty/);
    expect(text).match(/# left out: "long long [^"]+…": no path reaches .* or is too long\n/);
    const long = read().tables.long_long_long_long_long_lon!;
    expect(Object.values(long.fields)).deep.include({ type: 'number', path: `${LONG_NAME}.a` });
    expect(text).match(/collection: empty .*# 0 documents/);
    expect(text).match(/# left out: "capped": a capped collection/);
    expect(text).match(/# left out: "lookedAt": a view/);
  });

  it('takes the types of an empty collection from its validator, and asks by them', () => {
    expect(read().tables.empty).deep.include({
      fields: { id: 'objectId', at: 'date', state: { type: 'string', values: 'few' } },
      ...{ text: ['id', 'state'], facets: ['state'], sort: '-id', columns: ['state', 'at'] },
    });
  });

  const check = (...args: string[]) =>
    run(['check', file, '--uri', uriWith(database.name), ...args], {});

  it('writes what check finds fine, with its data', async () => {
    const { code, out, err } = await check();
    expect(out.match(/drift:.*/g)).equal(null);
    expect(out.match(/has no field for.*/g), 'init would add nothing').equal(null);
    expect(err).match(/tables\.yaml: \d+ tables, fine\.$/m);
    expect(code).equal(0);
  });

  it('lets a decimal be a whole number: check finds no drift', async () => {
    await database.db.collection('points').insertMany([{ n: Long.fromNumber(5) }, { n: 7 }]);
    const other = path.join(path.dirname(file), 'points.yaml');
    const fields = '{ id: objectId, n: decimal }';
    writeFileSync(
      other,
      `version: 1\ntables: { points: { collection: points, fields: ${fields} } }\n`,
    );
    const { code, out } = await run(['check', other, '--uri', uriWith(database.name)], {});
    await database.db.collection('points').drop();
    expect(out).not.match(/drift/);
    expect(code).equal(0);
  });

  it('lets check note that pipelines answer tables of a view and of a time series', async () => {
    const other = path.join(path.dirname(file), 'lookedAt.yaml');
    const table = (collection: string) => `{ collection: ${collection}, fields: { id: objectId } }`;
    const tables = `{ looked_at: ${table('lookedAt')}, series: ${table('series')} }`;
    writeFileSync(other, `version: 1\ntables: ${tables}\n`);
    const { code, out } = await run(['check', other, '--uri', uriWith(database.name)], {});
    expect(out)
      .match(/note: lookedAt: a view.*only pipelines can answer its table/)
      .match(/note: series: a time series.*only pipelines can answer its table/);
    expect(code).equal(0);
  });

  it('lets check say that a window leaves less to keep in memory', async () => {
    const before = readFileSync(file, 'utf8');
    const date = /^ {6}(\w+): +date/m.exec(before.slice(before.indexOf('\n  orders:')))![1];
    const window = `    window: { field: ${date}, span: 90d }\n`;
    writeFileSync(file, before.replace(/^ {2}orders:\n/m, `$&${window}`));
    const { out } = await check();
    writeFileSync(file, before);
    expect(out).match(/ orders takes about \d+ MB of memory without its window/);
    expect(out).match(/ customers takes about [^,]* of memory$/m);
  });

  it('lets check say which table needs more memory than the settings allow', async () => {
    const args = ['check', file, '--uri', uriWith(database.name)];
    const { out } = await run(args, { SEARCH_MAX_BYTES: '1mb' });
    expect(out).match(
      / tasks takes about \d+ MB of memory, and pipelines would answer: .* allows 1 MB$/m,
    );
    expect(out).match(/ customers takes about [^,]* of memory$/m);
    const wrong = await run(args, { SEARCH_MAX_BYTES: 'much' });
    expect(wrong.code).equal(2);
    expect(wrong.err).match(/SEARCH_MAX_BYTES is not a size, 1mb to 1024gb\.\n$/);
  });

  it('overwrites nothing, and adds what is new as comments, once', async () => {
    const before = readFileSync(file, 'utf8');
    const refused = await init('-o', file);
    expect(refused.code).equal(2);
    expect(refused.err).match(/is there already; --update adds/);
    expect(readFileSync(file, 'utf8')).equal(before);

    const edited = before
      .replace(/^ *total:.*\n/m, '')
      .replace(' total,', '')
      .replace(/^ {2}large:\n(?: {4}.*\n)+/m, '');
    writeFileSync(file, edited);
    const updated = await init('-o', file, '--update');
    expect(updated.err).match(/tables\.yaml: 1 new table and 1 new field, as comments/);
    const after = readFileSync(file, 'utf8');
    expect(after)
      .match(/^ {6}# new: total: +decimal/m)
      .match(/^# new: a table of "large"$/m);
    expect(parse(after)).eql(parse(edited));

    expect((await init('-o', file, '--update')).err).match(/has every table and field already/);
    expect(readFileSync(file, 'utf8')).equal(after);
  });

  it('lets check find drift and grants that show more than they seem to', async () => {
    const { db } = database;
    await db.collection('orders').updateMany({}, [{ $set: { number: { $rand: {} } } }]);
    await db
      .collection('orders')
      .updateMany({}, { $unset: { mood: 1 }, $rename: { total: 'sum' } });
    // An object in one document leaves the others' numbers without a field.
    await db.collection('orders').updateOne({}, { $set: { sum: { net: 1 } } });
    await db.collection('customers').drop();
    const access = '    access: [{ roles: [clerk], hide: [status], document: true }]\n';
    const text = readFileSync(file, 'utf8').replace(/^ {2}orders:\n/m, `$&${access}`);
    writeFileSync(file, text);
    const { code, out, err } = await check();
    const lines = out.split('\n').map((line) => line.replace(/^.*?:(\d+):\d+ {2}/, '$1 '));
    const at = (pattern: RegExp) => text.split('\n').findIndex((line) => pattern.test(line)) + 1;
    const orders = at(/^ {2}orders:/);
    const lineOf = (name: string) =>
      orders +
      text
        .split('\n')
        .slice(orders)
        .findIndex((line) => line.trim().startsWith(name)) +
      1;
    expect(lines).include.members([
      `${lineOf('number:')} drift: number is string, but of its values 100 % number`,
      `${lineOf('mood:')} drift: mood: none of 3,000 documents has it`,
      `${at(/collection: customers/)} drift: customers: there is no such collection`,
      `${lineOf('access:')} note: customer_email shows customers.email to clerk, who may not see that table`,
      `${lineOf('access:')} note: whole documents show status to clerk, although hidden`,
    ]);
    expect(out).match(/note: orders has no field for "sum"; `init --update` adds it as a comment/);
    expect(err).match(/drift in \d+ places\.$/m);
    expect(code).equal(2);
  });

  it('lets check list every problem of a file', async () => {
    const wrong = path.join(folder, 'wrong.yaml');
    writeFileSync(
      wrong,
      'version: 1\ntables:\n  a:\n    colection: x\n    fields: { id: objectid }\n',
    );
    const { code, out, err } = await run(['check', wrong], {});
    expect(code).equal(2);
    expect(out).match(/wrong\.yaml:4:5 {2}.*colection.*; did you mean "collection"\?/);
    expect(out).match(/wrong\.yaml:5:19 {2}/);
    expect(err).match(/wrong\.yaml: \d problems\./);
  });

  it('lets check name a currency that is none', async () => {
    const odd = path.join(folder, 'odd.yaml');
    const look = '{ type: decimal, look: { money: EUX } }';
    writeFileSync(
      odd,
      `version: 1\ntables:\n  a:\n    collection: x\n    fields: { id: objectId, total: ${look} }\n`,
    );
    const { code, out } = await run(['check', odd], {});
    expect([code, out]).eql([0, `${odd}:5:68  note: this Node knows no currency EUX (ISO 4217)\n`]);
  });

  it('lets check say which table needs the built-in ones to be off', async () => {
    const { out } = await run(['check', file], {});
    expect(out.match(/ note: .*BUILT_IN_TABLES.*/g)).eql(
      Object.keys(read().tables)
        .filter((name) => ['tasks', 'schedules', 'users', 'projects', 'audit'].includes(name))
        .map(
          (name) =>
            ` note: a built-in table has the name ${name}, too: rename this one, or set BUILT_IN_TABLES=off`,
        ),
    );
    const without = await run(['check', file], { BUILT_IN_TABLES: 'off' });
    expect(without.out).not.include('BUILT_IN_TABLES');
  });

  it('looks at named collections alone, and prints to stdout without -o', async () => {
    const { code, out, err } = await init('orders', 'nope');
    expect(code).equal(0);
    expect(err).match(/Left out: nope, there is no such collection/);
    expect(Object.keys((parse(out) as File).tables)).eql(['orders']);
  });

  it('takes a hundred collections of a database with more, and says in a line which are not among them', async () => {
    const db = database.client.db(`${database.name}_many`);
    const names = Array.from({ length: 107 }, (_, n) => `c${String(n).padStart(3, '0')}`);
    try {
      await Promise.all(names.map((name) => db.collection(name).insertOne({ name })));
      const { code, out, err } = await run(['init', uriWith(db.databaseName)], {});
      expect(code, err).equal(0);
      expect(Object.keys((parse(out) as File).tables).length).equal(100);
      const says = 'a file has 100 tables at most; name those that you want';
      expect(err.split('\n').filter((line) => line.startsWith('Left out'))).eql([
        `Left out: c100, c101, c102, c103, c104 and 2 more, ${says}.`,
      ]);
    } finally {
      await db.dropDatabase();
    }
  });

  it('says in one line what to do where it cannot look', async () => {
    const [nobody, wrong, none, unknown] = await Promise.all([
      run(['init', 'mongodb://u:secret@127.0.0.1:1/shop'], {}),
      run(['init', 'localhost:27017'], {}),
      run(['init', uriWith(`${database.name}_none`)], {}),
      run(['init', uriWith(`${database.name}_none`), 'one', 'two'], {}),
    ]);
    for (const { code } of [none, unknown]) expect(code).equal(4);
    expect(unknown.err).match(/_none has no collection one or two to make a table of\.\n$/);
    expect(nobody.code).equal(5);
    expect(nobody.err)
      .match(/no MongoDB answers/)
      .not.include('secret');
    expect(wrong).include({ code: 2 });
    expect(wrong.err).match(/begins with mongodb:\/\//);
    expect(none.err).match(/has no collection to make a table of/);
    for (const { err } of [nobody, wrong, none]) expect(err.trim().split('\n')).length(1);
  });

  it('says that it cannot write its file, before it looks at the store', async () => {
    const out = path.join(folder, 'nowhere', 'tables.yaml');
    const { code, err } = await run(['init', 'mongodb://127.0.0.1:1/shop', '-o', out], {});
    expect(code).equal(1);
    expect(err).equal(`table-search: ${out} cannot be written: there is no such folder.\n`);
  });

  it('says in one line which part of a connection string leads nowhere', async () => {
    const [, set] = /replicaSet=([^&]+)/.exec(database.uri)!;
    // A store of one database needs no name.
    const second = database.client.db(`${database.name}_second`);
    await second.createCollection('one');
    const failures: [args: string[], code: number, says: RegExp][] = [
      [
        [uriWith('x').replace(set!, 'another')],
        5,
        /is the replica set \S+, and .* names another\.$/,
      ],
      [
        ['mongodb://u:p@ss@127.0.0.1:1/x?tlsCertificateKeyFilePassword=ss'],
        2,
        /: mongodb:\/\/…@127\.0\.0\.1:1\/x\?… is not a connection string: .* must be percent-encoded\.$/,
      ],
      [
        ['mongodb+srv://u:p@ss@host.invalid/x?tlsCertificateKeyFilePassword=ss'],
        2,
        /: mongodb\+srv:\/\/…@host\.invalid\/x\?… is not a connection string: /,
      ],
      [['mongodb+srv://host.invalid/x'], 5, /: no MongoDB answers \(querySrv E\w+ .*\)\. Is it/],
      [[uriWith('x'), '--db', 'a b'], 2, /: --db "a b" is not a database name\.$/],
      [[uriWith('a.b')], 2, /: "a\.b" in the URI is not a database name\.$/],
      // Accounts are there, and no tables.
      [[uriWith('admin')], 2, /: Name a database by --db or at the end of the URI: there are /],
    ];
    const ended = await Promise.all(failures.map(([args]) => run(['init', ...args], {})));
    await second.dropDatabase();
    for (const [i, { code, out, err }] of ended.entries()) {
      expect({ code, out }, err).eql({ code: failures[i]![1], out: '' });
      expect(err.trimEnd()).match(failures[i]![2]);
    }
  });
});
