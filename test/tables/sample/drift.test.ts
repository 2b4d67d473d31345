/** The findings of `check` about documents that `init` has just looked at. */
import { expect } from 'chai';
import { BSON, ObjectId } from 'mongodb';
import { readTablesFile } from '../../../src/tables/file/index.ts';
import { driftOf } from '../../../src/tables/sample/drift.ts';
import { definitionOf } from '../../../src/tables/sample/index.ts';
import { Profile } from '../../../src/tables/sample/profile.ts';
import { draftTables } from '../../../src/tables/sample/tables.ts';

function surveyOf(documents: readonly object[]) {
  const profile = new Profile();
  for (const one of documents) profile.add(BSON.serialize({ _id: new ObjectId(), ...one }), true);
  profile.finish();
  const looked = { name: 'notes', count: documents.length, uniquePaths: [], schema: undefined };
  const collections = [{ ...looked, profile, isWhole: true, remarks: [] }];
  return { db: 'shop', collections, leftOut: [], unfollowable: null };
}

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
