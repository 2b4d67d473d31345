import { expect } from 'chai';
import type { Query, Row, TextTable } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createScan } from './scan.ts';

const definition = {
  name: 'tasks',
  columns: [
    { name: 'project', expect: 'any', contains: true, equals: true, labels: ['name'] },
    { name: 'email', expect: 'any', contains: true },
    { name: 'done', expect: 'date', sort: true },
  ],
} as const;

const rows: readonly Row[] = [
  { id: 1, cells: ['p1', 'Ann@X.org', new Date(5)] },
  { id: 2, cells: ['p2', ['bob@x.org', 'ANN@y.org'], null] },
  { id: 3, cells: [null, 7, [new Date(1), new Date(9)]] },
];

function ids(table: TextTable, where: Query, sortBy = 'id', descending = false) {
  const { total, ids } = table.search({ where, sortBy, descending, page: 1, perPage: 10 });
  expect(total).to.equal(ids.length);
  return ids;
}

describe('scan', () => {
  const table = createScan(definition, { fold: standardFold() });
  for (const row of rows) table.put(row);
  const contains = (column: string, text: string): Query => ({ op: 'contains', column, text });

  it('finds texts and elements, letters folded, never numbers', () => {
    expect(ids(table, contains('email', 'aNN'))).to.deep.equal([1, 2]);
    expect(ids(table, contains('email', '7'))).to.deep.equal([]);
    expect(ids(table, contains('email', ''))).to.deep.equal([1, 2]);
    expect(ids(table, { op: 'equals', column: 'project', values: ['p1', null] })).to.deep.equal([
      1, 3,
    ]);
  });

  it('finds labels, of values that come before or after them', () => {
    table.relate('project', 'p2', 'name', ['Größe', 'second']);
    const named = { op: 'contains', column: 'project', label: 'name', text: 'GRÖẞ' } as const;
    expect(ids(table, named)).to.deep.equal([2]);
    table.relate('project', 'p2', 'name', []);
    expect(ids(table, named)).to.deep.equal([]);
  });

  it('sorts an array by its least or greatest element', () => {
    expect(ids(table, { op: 'all' }, 'done')).to.deep.equal([2, 3, 1]);
    expect(ids(table, { op: 'all' }, 'done', true)).to.deep.equal([3, 1, 2]);
  });

  it('clamps pages', () => {
    const ask = (page: number, perPage: number) =>
      table.search({ where: { op: 'all' }, sortBy: 'id', descending: false, page, perPage });
    expect(ask(9, 2)).to.deep.equal({ total: 3, page: 2, ids: [3] });
    expect(ask(0, 2)).to.deep.equal({ total: 3, page: 1, ids: [1, 2] });
    expect(
      table.search({ where: { op: 'none' }, sortBy: 'id', descending: false, page: 4, perPage: 2 }),
    ).to.deep.equal({ total: 0, page: 1, ids: [] });
  });

  it('refuses what the definition does not name', () => {
    expect(() => ids(table, contains('done', 'x'))).to.throw(TypeError, 'contains');
    expect(() => ids(table, contains('nope', 'x'))).to.throw(TypeError, 'not defined');
    expect(() => ids(table, { op: 'all' }, 'email')).to.throw(TypeError, 'sorting');
  });
});
