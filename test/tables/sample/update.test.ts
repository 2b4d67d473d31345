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

function draftOf(...paths: readonly string[]) {
  const fields = paths.map((path): DraftField => {
    const found = { profile: { path } } as DraftField['found'] & object;
    return { name: path, members: { type: 'number' }, remark: `as in ${path}`, found };
  });
  const table = { name: 'orders', collection: 'orders', fields } as Partial<DraftTable>;
  return { tables: [table as DraftTable], leftOut: [] };
}

describe('an updated definition', () => {
  it('names a new field apart from all fields of the file', () => {
    const { text, fields } = updateTables(TEXT, draftOf('sum'));
    expect(fields).equal(1);
    expect(text).contain('# new: sum_3: { type: number, path: sum }');
  });

  it('names a field once, also when a later one has a longer name', () => {
    const { text } = updateTables(TEXT, draftOf('tax'));
    const { text: again, fields } = updateTables(text, draftOf('tax', 'discount'));
    expect(fields).equal(1);
    expect(again.match(/# new: (tax|discount):/g)).eql(['# new: discount:', '# new: tax:']);
  });

  it('has the line ends of Windows where the file has them', () => {
    const ofWindows = TEXT.replaceAll('\n', '\r\n');
    const [orders] = draftOf('tax').tables;
    const lists = { text: [], facets: [], columns: [], remarks: [], leftOut: [] };
    const taxes = {
      ...orders!,
      ...lists,
      name: 'taxes',
      collection: 'taxes',
      title: 'Taxes',
      count: 1,
    };
    const drafts = { tables: [orders!, taxes], leftOut: [] };
    const { text, fields, tables } = updateTables(ofWindows, drafts);
    expect({ fields, tables }).eql({ fields: 1, tables: 1 });
    expect(text).equal(updateTables(TEXT, drafts).text.replaceAll('\n', '\r\n'));
    // Lines of both kinds stay as they are.
    const mixed = ofWindows.replace('\r', '');
    expect(updateTables(mixed, drafts).text.startsWith(mixed.trimEnd())).equal(true);
  });

  it('names no field that another table of the collection has', () => {
    const recent = `${TEXT}  recent:\n    collection: orders\n    fields: { id: objectId }\n`;
    const known = updateTables(recent, draftOf('total', 'net'));
    expect(known).eql({ text: recent, fields: 0, tables: 0 });
    expect(updateTables(recent, draftOf('total', 'tax'))).include({ fields: 2 });
  });

  it('knows a table whose fields are those of another one', () => {
    const shared = TEXT.replace('fields:', 'fields: &shared').replace('orders\n', 'sales\n');
    const text = `${shared}  again:\n    collection: orders\n    fields: *shared\n`;
    expect(updateTables(text, draftOf('tax'))).eql({ text, fields: 0, tables: 0 });
  });
});
