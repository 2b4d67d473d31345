/** Drafts of documents, and the findings of `check` about documents that `init` has just looked at. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Binary, BSON, ObjectId } from 'mongodb';
import { type OwnTable, readTablesFile } from '../../../src/tables/file/index.ts';
import { driftOf } from '../../../src/tables/sample/drift.ts';
import { definitionOf } from '../../../src/tables/sample/index.ts';
import { Profile } from '../../../src/tables/sample/profile.ts';
import { draftTables } from '../../../src/tables/sample/tables.ts';
import { updateTables } from '../../../src/tables/sample/update.ts';

function surveyOf(documents: readonly object[], isWhole = true) {
  const profile = new Profile();
  for (const one of documents) profile.add(BSON.serialize({ _id: new ObjectId(), ...one }), true);
  profile.finish();
  const looked = { name: 'notes', count: documents.length, uniquePaths: [], schema: undefined };
  const collections = [{ ...looked, profile, isWhole, remarks: [] }];
  return { db: 'shop', collections, leftOut: [], unfollowable: null };
}

describe('a draft of many tables', () => {
  it('has no findings about fields where the file would be too long', function large() {
    this.timeout(120_000);
    const names = Array.from({ length: 79 }, (_, n) => `a_setting_of_the_number_${n}`);
    const documents = Array.from({ length: 20 }, (_, n) => {
      const value = ['the first value of some', 'a second one, as long', 'and the last one of all'];
      return Object.fromEntries(names.map((name) => [name, value[n % 3]]));
    });
    const { collections, ...survey } = surveyOf(documents);
    const draftOf = (most: number) => {
      const all = Array.from({ length: most }, (_, n) => ({ ...collections[0]!, name: `c${n}` }));
      const many = { ...survey, collections: all };
      return definitionOf({ survey: many, drafts: draftTables(many, []) }, new Date(0));
    };
    expect(draftOf(2).text).include('# 3 values: "the first value of some" 35 %');
    const { text, tables } = draftOf(100);
    expect(tables.map(({ fields }) => Object.keys(fields).length)).eql(Array(100).fill(80));
    expect(text).not.include('3 values');
  });
});

describe('a draft of odd names', () => {
  it('has headings that show, in whole characters', () => {
    const { collections, ...survey } = surveyOf([
      { _: 1, '\t': 2, ok: 3, [`${'🔥'.repeat(101)}`]: 4 },
    ]);
    const named = collections.map((one) => ({ ...one, name: `a${'🔥'.repeat(55)}` }));
    const [table] = draftTables({ ...survey, collections: named }, []).tables;
    const titles = table!.fields.map(({ members }) => members.title);
    expect(titles).eql([undefined, '_', undefined, undefined, '🔥'.repeat(100)]);
    expect(table!.title).equal(`A${'🔥'.repeat(55)}`);
  });
});

describe('a draft of objects whose names are data', () => {
  const documentOf = (i: number) => ({
    meta: { lang: 'en', [`k${i % 200}`]: { x: i }, [`m${i % 40}`]: 'a', [`n${i % 50}`]: null },
  });
  const documents = Array.from({ length: 240 }, (_, i) => documentOf(i));

  it('has the object, and of its names those alone that come often', () => {
    const survey = surveyOf(documents, false);
    const drafts = draftTables(survey, []);
    const { text, tables } = definitionOf({ survey, drafts }, new Date(0));
    expect(Object.keys(tables[0]!.fields)).eql(['id', 'meta', 'meta_lang']);
    expect(text)
      .match(/meta: .*look: json.* rare names inside/)
      .and.not.include('left out');
    // Another sample has other names.
    const other = surveyOf([{ meta: { lang: 'de', k77: 1 } }], false);
    expect(driftOf(tables, other)).eql([]);
  });
});

describe('a draft of secrets', () => {
  const tableOf = (document: object) => {
    const survey = surveyOf([document]);
    return definitionOf({ survey, drafts: draftTables(survey, []) }, new Date(0));
  };

  it('leaves them to the whole document', () => {
    const { text, tables } = tableOf({
      ...{ passwordHash: 'x', api_key: 'x', services: { password: { bcrypt: 'x' } }, name: 'n' },
      resetToken: new Binary(Buffer.from('x')),
      accessTokens: ['x'],
    });
    expect(Object.keys(tables[0]!.fields)).eql(['id', 'name']);
    const paths =
      '"passwordHash", "api_key", "services.password.bcrypt", "resetToken", "accessTokens"';
    expect(text).include(`# left out: ${paths}: named as secrets are; the whole document`);
  });

  it('has none that a validator alone promises', () => {
    const text = { bsonType: 'string' };
    const properties = { apiKey: text, key: text, passwordSet: { bsonType: 'date' } };
    const { collections, ...survey } = surveyOf([{}]);
    const promised = { ...survey, collections: [{ ...collections[0]!, schema: { properties } }] };
    const [table] = draftTables(promised, []).tables;
    expect(table!.fields.map(({ name }) => name)).eql(['id', 'key', 'passwordSet']);
  });

  it('takes dates, numbers and other words for none', () => {
    const document = {
      passwordChangedAt: new Date(0),
      hasPassword: true,
      secretary: 'x',
      secretName: 'x',
      key: 'k',
    };
    const { tables } = tableOf({ ...document, token: 't' });
    const names = [
      'id',
      'passwordChangedAt',
      'hasPassword',
      'secretary',
      'secretName',
      'key',
      'token',
    ];
    expect(Object.keys(tables[0]!.fields)).eql(names);
  });
});

describe('the columns of a draft', () => {
  const draftOf = (documentOf: (i: number) => object) =>
    draftTables(surveyOf(Array.from({ length: 60 }, (_, i) => documentOf(i))), []).tables[0]!;

  it('begin with a name, then a number or code, and of amounts the sum', () => {
    const { columns } = draftOf((i) => ({
      ...{ sku: `s${i}`, net: i, tax: i / 2, gross: 2 * i, name: `n${i}`, state: `s${i % 3}` },
    }));
    expect(columns).eql(['name', 'sku', 'state', 'gross', 'net', 'tax']);
  });

  it('take no text that repeats for the title', () => {
    const { columns } = draftOf((i) => ({ title: ['Mr', 'Mrs'][i % 2], mail: `m${i}` }));
    expect(columns).eql(['mail', 'title']);
  });

  it('do not begin with what most rows lack', () => {
    const { columns } = draftOf((i) => ({
      ...{ flags: i % 5 === 0 ? ['low'] : [], coupon: i % 5 === 0 ? `c${i % 2}` : null, v: i },
      ...{ none: i % 20 === 0 ? [`n${i % 2}`] : [], kind: i % 20 === 0 ? ['a'] : `k${i % 3}` },
    }));
    expect(columns).eql(['kind', 'v', 'coupon', 'flags']);
  });

  it('are ids and lists where there is little else', () => {
    const { columns } = draftOf((i) => ({
      ...{ userId: new ObjectId(), groupId: new ObjectId(), tags: [`t${i}`], any: { [i]: 1 } },
    }));
    expect(columns).eql(['userId', 'groupId', 'tags']);
  });

  it('and the counts leave out what libraries add', () => {
    const { columns, facets } = draftOf((i) => ({
      ...{ name: `n${i}`, __v: i % 2, _class: ['a.B', 'a.C'][i % 2], level: i % 2 },
    }));
    expect({ columns, facets }).eql({ columns: ['name', 'level'], facets: ['level'] });
  });
});

describe('a draft near the bounds of drift', () => {
  /** @param texts, arrays of a hundred documents: how many have a text, and how many an array */
  const surveyWith = (texts: number, arrays: number) =>
    surveyOf(
      Array.from({ length: 1_000 }, (_, i) => ({
        text: i % 100 < texts ? `t${i}` : i,
        amount: i % 100 < texts ? i : `${i}`,
        list: (i * 7) % 100 < arrays ? [i] : i,
        uuid: i % 100 < texts ? randomUUID() : `u${i}`,
      })),
      false,
    );

  it('has no type of which other documents may be drift', () => {
    const survey = surveyWith(62, 4);
    const { tables } = definitionOf({ survey, drafts: draftTables(survey, []) }, new Date(0));
    const types = Object.values(tables[0]!.fields).map((one) => 'type' in one && one.type);
    expect(types).eql(['objectId', 'mixed', 'mixed', 'number', 'string']);
    expect(driftOf(tables, surveyWith(58, 6)).filter(({ isDrift }) => isDrift)).eql([]);
  });
});

describe('a field that no document has', () => {
  const { tables } = readTablesFile(
    'version: 1\ntables: { notes: { collection: notes, fields: { id: objectId, gone: string } } }\n',
  ) as { tables: readonly OwnTable[] };
  const said = (documents: number, isWhole: boolean) =>
    driftOf(tables, surveyOf(Array(documents).fill({}), isWhole));
  const pointer = '/tables/notes/fields/gone';

  it('is drift where all were looked at, or many', () => {
    const all = { pointer, message: 'gone: none of 3 documents has it', isDrift: true };
    const many = { ...all, message: 'gone: none of the 1,000 documents looked at has it' };
    expect([said(3, true), said(1_000, false)]).eql([[all], [many]]);
  });

  it('is none where few were, as of large documents', () => {
    const message = 'gone: none of the 226 documents looked at has it';
    expect(said(226, false)).eql([{ pointer, message, isDrift: false }]);
  });
});

describe('a draft of what a validator promises', () => {
  it('has no field of arrays in arrays, whose documents would be drift', () => {
    const list = (items: object) => ({ bsonType: 'array', items });
    const ints = list({ bsonType: 'int' });
    const schema = { properties: { a: list(ints), b: list({ properties: { c: ints } }) } };
    const draftOf = (document: object) => {
      const { collections, ...survey } = surveyOf([document]);
      const promised = { ...survey, collections: [{ ...collections[0]!, schema }] };
      return { survey: promised, drafts: draftTables(promised, []) };
    };
    const { tables } = definitionOf(draftOf({}), new Date(0));
    expect(Object.keys(tables[0]!.fields)).eql(['id', 'b_c']);
    const { survey } = draftOf({ a: [[1]], b: [{ c: [2] }] });
    expect(driftOf(tables, survey).filter(({ isDrift }) => isDrift)).eql([]);
  });
});

describe('the tables of one collection', () => {
  it('are told of no field that another one of them has, as an update adds none', () => {
    const survey = surveyOf([{ a: 1, b: 2, c: 3 }]);
    const table = (fields: string) => `{ collection: notes, fields: { id: objectId, ${fields} } }`;
    const text = `version: 1\ntables:\n  all: ${table('a: number, b: number')}\n  some: ${table('a: number')}\n`;
    const read = readTablesFile(text);
    const said = 'tables' in read ? driftOf(read.tables, survey) : [];
    const lacks = 'has no field for "c"; `init --update` adds it as a comment';
    expect(said.map(({ message }) => message)).eql([`all ${lacks}`, `some ${lacks}`]);
    expect(updateTables(text, draftTables(survey, []))).include({ fields: 2 });
  });
});

describe('the hints of a definition', () => {
  const documents = Array.from({ length: 2_000 }, (_, i) => ({
    mail: i % 5 < 2 ? null : `m${i}`,
    text: `${i % 2} ${'x'.repeat(500)}`,
    tags: [`t${i % 90}`, null],
  }));
  const survey = surveyOf(documents);

  it('are as init found them, also of fields that are often null, and of long texts', () => {
    const drafts = draftTables(survey, []);
    const { text, tables } = definitionOf({ survey, drafts }, new Date(0));
    expect(text)
      .match(/mail: .*values: unique/)
      .and.match(/tags: .*values: few/);
    expect(driftOf(tables, survey)).eql([]);
  });

  it('are told where values repeat in another way', () => {
    const file = `version: 1
tables:
  notes:
    collection: notes
    fields:
      id: objectId
      mail: { type: string, values: few }
      text: { type: string, use: [show] }
      tags: { type: [string], values: few }
`;
    const read = readTablesFile(file);
    const found = 'tables' in read ? driftOf(read.tables, survey) : undefined;
    expect(found).eql([
      {
        pointer: '/tables/notes/fields/mail',
        message: 'mail has values: few, but about 1,200 values: unique',
        isDrift: false,
      },
    ]);
  });
});
