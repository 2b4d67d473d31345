/** Definition files: the meaning of each member, and every problem with its line and column. */
import { expect } from 'chai';
import { printProblems, type ReadFile, readTablesFile } from '../../../src/tables/file/index.ts';
import { described } from './definitions.ts';
import { ORDERS } from './orders.ts';
import { PROBLEMS } from './problems.ts';

const tablesOf = (file: ReadFile) => {
  if ('problems' in file) throw new Error(printProblems('tables.yaml', file.problems));
  return file.tables;
};

/** A table of these fields, besides the key. */
const fieldsOf = (fields: object, members: object = {}) =>
  tablesOf(
    readTablesFile(
      JSON.stringify({
        version: 1,
        tables: { t: { collection: 'c', fields: { id: 'objectId', ...fields }, ...members } },
      }),
    ),
  )[0]!;

describe('a definition file', () => {
  it('describes tables with every default filled in', () => {
    const [orders, customers] = tablesOf(readTablesFile(ORDERS));
    expect(orders).to.deep.include({
      name: 'orders',
      collection: 'orders',
      title: 'Orders',
      text: ['id', 'number', 'email', 'skus'],
      facets: ['status', 'region', 'skus'],
      sort: { by: 'placed', descending: true },
      columns: ['number', 'status', 'email', 'total', 'placed', 'took'],
    });
    expect(orders!.access).to.deep.equal([
      { roles: ['admin'], rows: {}, hidden: new Set(), document: true },
      {
        roles: ['support'],
        rows: { region: { claim: 'region' } },
        hidden: new Set(['total']),
        document: false,
      },
    ]);
    expect(described(customers!)).to.deep.equal({
      name: 'customers',
      collection: 'customers',
      title: 'Customers',
      fields: {
        id: {
          kind: 'stored',
          title: 'ID',
          type: 'objectId',
          path: '_id',
          values: 'unique',
          uses: ['text', 'filter', 'sort', 'show'],
        },
        email: {
          kind: 'stored',
          title: 'Email',
          type: 'string',
          path: 'email',
          values: 'unique',
          uses: ['text', 'filter', 'show'],
        },
      },
      text: ['id', 'email'],
      facets: [],
      sort: { by: 'id', descending: true },
      columns: ['id', 'email'],
      access: [{ roles: ['admin'], rows: {}, hidden: new Set(), document: true }],
    });
  });

  const USES: readonly (readonly [unknown, string])[] = [
    ['string', 'text filter facet show'],
    [{ type: 'string', values: 'unique' }, 'text filter show'],
    [['string'], 'text filter facet show'],
    [{ type: ['string'], use: ['facet'] }, 'facet'],
    ['number', 'sort range show'],
    [['number'], 'range show'],
    ['decimal', 'sort range show'],
    ['boolean', 'facet show'],
    ['date', 'sort range show'],
    [['date'], 'range show'],
    ['objectId', 'text filter show'],
    ['uuid', 'text filter show'],
    ['mixed', 'show'],
    [{ seconds: ['from', 'to'] }, 'sort range show'],
    [{ label: 'name', of: 't', through: 'id' }, 'text filter show'],
    [{ type: 'string', use: [] }, ''],
    [{ type: 'string', use: ['show', 'sort', 'text'] }, 'text sort show'],
  ];
  for (const [field, uses] of USES) {
    it(`uses ${JSON.stringify(field)} for: ${uses}`, () => {
      const { fields } = fieldsOf({ f: field, name: 'string', from: 'date', to: 'date' });
      expect(fields.f!.uses.join(' ')).to.equal(uses);
    });
  }

  it('makes headings of names, with abbreviations as people write them', () => {
    const names = ['placedAt', 'customerId', 'http_status', 'idea', 'Über_ID', 'guid', '_'].concat([
      'customerID',
      'blogCMS',
      'Url',
      'planB',
      'step2Done',
    ]);
    const { fields } = fieldsOf(Object.fromEntries(names.map((name) => [name, 'string'])));
    const titles = [
      'ID',
      'Placed at',
      'Customer ID',
      'HTTP status',
      'Idea',
      'Über ID',
      'Guid',
      '_',
      ...['Customer ID', 'Blog CMS', 'URL', 'Plan b', 'Step2 done'],
    ];
    expect(Object.values(fields).map(({ title }) => title)).to.deep.equal(titles);
  });

  it('gives a use to the fields that a list names', () => {
    const fields = { a: { type: 'string', values: 'unique' }, b: 'number', c: 'string' };
    const lists = { text: ['a'], facets: ['a', 'b'], sort: 'a', columns: ['c'] };
    const table = fieldsOf(fields, lists);
    expect(table.fields.a!.uses).to.deep.equal(['text', 'filter', 'facet', 'sort', 'show']);
    expect(table.fields.b!.uses).to.deep.equal(['facet', 'sort', 'range', 'show']);
    expect(table.fields.c!.uses).to.deep.equal(['filter', 'facet', 'show']);
    expect(table).to.deep.include({ sort: { by: 'a', descending: false } });
  });

  it('shows ten fields and counts twenty without lists, and no mixed field', () => {
    const names = Array.from({ length: 30 }, (_, n) => `f${n}`);
    const { columns, facets } = fieldsOf({
      any: 'mixed',
      ...Object.fromEntries(names.map((name) => [name, 'string'])),
    });
    expect(columns).to.deep.equal(['id', ...names.slice(0, 9)]);
    expect(facets).to.deep.equal(names.slice(0, 20));
  });

  it('hides the labels and seconds that would tell a hidden field', () => {
    const { access } = fieldsOf(
      {
        owner: 'objectId',
        name: { label: 'mail', of: 't', through: 'owner' },
        mail: 'string',
        from: 'date',
        to: 'date',
        took: { seconds: ['from', 'to'] },
      },
      { access: [{ roles: ['a'], hide: ['owner', 'to'] }] },
    );
    expect([...access[0]!.hidden]).to.have.members(['owner', 'name', 'to', 'took']);
    expect(access[0]!.document).to.equal(false);
  });

  it('reads names as they are written, and words of YAML 1.1 as text', () => {
    const text =
      'version: 1\ntables:\n  t: {collection: on, fields: {id: string, no: string, null: string, True: date}}';
    const [table] = tablesOf(readTablesFile(text));
    expect(table!.collection).to.equal('on');
    expect(Object.keys(table!.fields)).to.deep.equal(['id', 'no', 'null', 'True']);
  });

  it('reads anchors and aliases', () => {
    const text = 'version: 1\ntables:\n  a: &a {collection: a, fields: {id: string}}\n  b: *a\n';
    const names = tablesOf(readTablesFile(text)).map(({ name, collection }) => [name, collection]);
    expect(names).to.deep.equal([
      ['a', 'a'],
      ['b', 'a'],
    ]);
  });

  it('looks up ten thousand aliases at once', () => {
    const began = performance.now();
    readTablesFile(`a: &a 1\nb: [${'*a, '.repeat(10_000)}]`);
    expect(performance.now() - began).below(5_000);
  });

  it('refuses nested aliases that would grow beyond memory', () => {
    const lines = Array.from({ length: 40 }, (_, n) =>
      n === 0 ? 'a0: &a0 [x, x, x, x]' : `a${n}: &a${n} [*a${n - 1}, *a${n - 1}, *a${n - 1}]`,
    );
    for (const text of [lines.join('\n'), 'a: &a [*a]', 'a: &a {b: *a}']) {
      const file = readTablesFile(text);
      expect(file).to.have.property('problems');
      expect('problems' in file && file.problems[0]!.message).to.match(/^the file holds more than/);
    }
  });

  it('refuses brackets, lists and objects of a hundred thousand levels', () => {
    const message = 'the file holds more than 20 levels';
    const levels = (text: string) => text.repeat(100_000);
    for (const text of [levels('['), levels('[') + levels(']'), levels('{a: '), levels('- ')]) {
      const file = readTablesFile(text);
      expect(file).to.deep.equal({ problems: [{ line: 1, column: 1, message }] });
    }
  });

  it('names the problems of three thousand fields at once', () => {
    const wrong = '{type: string, look: staus, use: [x], path: a..b}';
    const fields = Array.from({ length: 3_000 }, (_, n) => `f${n}: ${wrong}`);
    const before = process.cpuUsage();
    const file = readTablesFile(
      `version: 1\ntables: {t: {collection: t, fields: {id: string, ${fields.join(', ')}}}}`,
    );
    expect('problems' in file && file.problems.length).to.be.at.least(9_000);
    // The time of a processor, since others may have it meanwhile: 1 s, and 85 s with a list of them.
    expect(process.cpuUsage(before).user / 1_000).below(20_000);
  });

  it('says where a file is not in UTF-8', () => {
    const latin = Buffer.from('version: 1\ntables:\n  caf\xe9:\n', 'latin1');
    const utf16 = Buffer.from('\ufeffversion: 1\n', 'utf16le');
    const said = [latin, utf16].map((bytes) => {
      const file = readTablesFile(bytes);
      return 'problems' in file && printProblems('', file.problems);
    });
    const why = 'the file is not in UTF-8 from here on: save it as UTF-8';
    expect(said).to.deep.equal([`:3:6  ${why}`, `:1:1  ${why}`]);
    const marked = Buffer.from(`\ufeff${ORDERS}`.replaceAll('\n', '\r\n'));
    expect(tablesOf(readTablesFile(marked))).length(2);
  });

  it('refuses a file that is too long', () => {
    const file = readTablesFile(`# ${'x'.repeat(2 ** 20)}`);
    expect(file).to.deep.equal({
      problems: [{ line: 1, column: 1, message: 'the file is longer than 1048576 characters' }],
    });
  });
});

describe('a problem of a definition file', () => {
  for (const { text, says } of PROBLEMS) {
    it(says.join(' | ').slice(0, 120), () => {
      const file = readTablesFile(text);
      const found = 'problems' in file ? printProblems('', file.problems).split('\n') : [];
      expect(found.map((line) => line.slice(1))).to.deep.equal(says);
    });
  }
});
