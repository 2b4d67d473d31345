/** Looks at a store that takes too long to answer, or has too much to look at. */
import { expect } from 'chai';
import { readTablesFile } from '../../../src/tables/file/index.ts';
import { driftOf } from '../../../src/tables/sample/drift.ts';
import { definitionOf } from '../../../src/tables/sample/index.ts';
import { survey } from '../../../src/tables/sample/survey.ts';
import { draftTables } from '../../../src/tables/sample/tables.ts';
import { useDatabase } from '../../support/database.ts';
import { failCommand, failNone } from '../../support/failCommand.ts';

describe('a look that is cut short', () => {
  const database = useDatabase();
  afterEach(() => failNone(database.client));

  it('says so once, and calls no collection empty of which nothing was read', async () => {
    const documents = Array.from({ length: 4_100 }, (_, i) => ({ _id: i as never }));
    await database.db.collection('things').insertMany(documents);
    await failCommand(database.client, 'alwaysOn', {
      failCommands: ['find', 'aggregate'],
      errorCode: 50,
      namespace: `${database.name}.things`,
    });
    const found = await survey(database.db, { only: ['things'] });
    const remark = 'reading documents took too long, and was cut short';
    expect(found.collections[0]).deep.include({ count: 4_100, remarks: [remark] });
    const look = { survey: found, drafts: draftTables(found, []) };
    const { text } = definitionOf(look, new Date(0));
    expect(text)
      .match(new RegExp(`# 4,100 documents; \\d+ kB; ${remark}\n`))
      .and.not.include('empty');
    const described = readTablesFile(text);
    const drift = 'tables' in described ? driftOf(described.tables, found) : undefined;
    expect(drift?.map(({ message }) => message)).eql([remark]);
  });

  it('calls a collection empty whose indexes alone cannot be listed', async () => {
    await database.db.createCollection('nothings');
    await failCommand(database.client, 'alwaysOn', {
      failCommands: ['listIndexes'],
      errorCode: 13,
      namespace: `${database.name}.nothings`,
    });
    const found = await survey(database.db, { only: ['nothings'] });
    const remark = 'this account may not list its indexes';
    expect(found.collections[0]).deep.include({ count: 0, remarks: [remark] });
    const [draft] = draftTables(found, []).tables;
    expect(draft?.remarks).eql(['empty: fields come with the first documents', remark]);
  });

  it('calls a collection whole whose indexes alone cannot be listed', async () => {
    await database.db.collection<{ _id: number }>('few').insertMany([{ _id: 1 }, { _id: 2 }]);
    const namespace = `${database.name}.few`;
    const failCommands = ['listIndexes'];
    await failCommand(database.client, 'alwaysOn', { failCommands, errorCode: 13, namespace });
    const found = await survey(database.db, { only: ['few'] });
    const remark = 'this account may not list its indexes';
    expect(found.collections[0]).deep.include({ isWhole: true, remarks: [remark] });
    const [draft] = draftTables(found, []).tables;
    expect(draft?.remarks).eql(['every document was looked at', remark]);
  });

  it('leaves a collection out whose documents cannot be read', async () => {
    await database.db.createCollection('secrets');
    const namespace = `${database.name}.secrets`;
    const failCommands = ['find', 'listIndexes'];
    await failCommand(database.client, 'alwaysOn', { failCommands, errorCode: 13, namespace });
    const found = await survey(database.db, { only: ['secrets'] });
    expect(draftTables(found, [])).eql({
      tables: [],
      leftOut: [{ name: 'secrets', why: 'this account may not read its documents' }],
    });
  });

  it('calls no collection whole whose documents the store does not count', async () => {
    const documents = Array.from({ length: 500 }, (_, i) => ({ _id: i as never }));
    await database.db.collection('uncounted').insertMany(documents);
    await failCommand(database.client, 'alwaysOn', {
      failCommands: ['aggregate', 'count'],
      errorCode: 50,
      namespace: `${database.name}.uncounted`,
    });
    const found = await survey(database.db, { only: ['uncounted'], drawn: 100 });
    expect(found.collections[0]).include({ count: 400, isWhole: false });
    const all = await survey(database.db, { only: ['uncounted'] });
    expect(all.collections[0]).include({ count: 500, isWhole: true });
  });
});

describe('a look at more collections than a file has tables', () => {
  const database = useDatabase();

  it('reads no more than may become tables, and names the others once', async function many() {
    this.timeout(60_000);
    const names = Array.from({ length: 203 }, (_, n) => `c${n}`);
    await Promise.all(names.map((name) => database.db.collection(name).insertOne({ name })));
    const found = await survey(database.db);
    expect(found.collections.map(({ name }) => name)).eql(names.slice(0, 200));
    const drafts = draftTables(found, []);
    expect(drafts.leftOut.map(({ name }) => name)).eql(names.slice(100));
    const { text } = definitionOf({ survey: found, drafts }, new Date(0));
    expect(text.match(/# left out: .*/g)).eql([
      `# left out: ${names
        .slice(100, 112)
        .map((name) => `"${name}"`)
        .join(', ')} and 91 more: a file has 100 tables at most; name those that you want`,
    ]);
  });
});
