/** Drafts of documents, and the findings of `check` about documents that `init` has just looked at. */
import { expect } from 'chai';
import { BSON, ObjectId } from 'mongodb';
import { readTablesFile } from '../../../src/tables/file/index.ts';
import { driftOf } from '../../../src/tables/sample/drift.ts';
import { definitionOf } from '../../../src/tables/sample/index.ts';
import { Profile } from '../../../src/tables/sample/profile.ts';
import { draftTables } from '../../../src/tables/sample/tables.ts';
import { updateTables } from '../../../src/tables/sample/update.ts';

function surveyOf(documents: readonly object[]) {
  const profile = new Profile();
  for (const one of documents) profile.add(BSON.serialize({ _id: new ObjectId(), ...one }), true);
  profile.finish();
  const looked = { name: 'notes', count: documents.length, uniquePaths: [], schema: undefined };
  const collections = [{ ...looked, profile, isWhole: true, remarks: [] }];
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
