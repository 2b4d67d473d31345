/** New fields of a store, as comments in a file that people have edited. */
import { expect } from 'chai';
import type { DraftField, DraftTable } from '../../../src/tables/sample/draft.ts';
import { updateTables } from '../../../src/tables/sample/update.ts';

const TEXT = `version: 1
tables:
  orders:
    collection: orders
    fields:
      id: objectId
      sum: { type: number, path: total }
      sum_2: { type: number, path: net }
`;

describe('an updated definition', () => {
  it('names a new field apart from all fields of the file', () => {
    const field: DraftField = {
      name: 'sum',
      members: { type: 'number' },
      remark: '',
      found: { profile: { path: 'sum' } } as DraftField['found'] & object,
    };
    const table = { name: 'orders', collection: 'orders', fields: [field] } as Partial<DraftTable>;
    const drafts = { tables: [table as DraftTable], leftOut: [] };
    const head = { db: 'shop', at: new Date(0), memory: new Map(), counts: new Map() };
    const { text, fields } = updateTables(TEXT, drafts, head);
    expect(fields).equal(1);
    expect(text).contain('# new: sum_3: { type: number, path: sum }');
  });
});
