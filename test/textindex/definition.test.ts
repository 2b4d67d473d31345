import { expect } from 'chai';
import type { ColumnDefinition, Query } from '../../src/textindex/api.ts';
import { createIndex, standardFold } from '../../src/textindex/index.ts';

const NAME: ColumnDefinition = { name: 'name', expect: 'any', contains: true };
const SHOP: ColumnDefinition = { name: 'shop', expect: 'any', equals: true, labels: ['title'] };

function created(...columns: ColumnDefinition[]) {
  return createIndex({ name: 'orders', columns }, { fold: standardFold() });
}

describe('the definition of a table', () => {
  for (const [columns, what] of [
    [[NAME, SHOP, NAME], 'column "name" is defined twice'],
    [[{ ...NAME, name: 'id', sort: true }], 'column "id" would hide the row id'],
    [[{ ...NAME, range: true }], 'column "name" holds neither numbers nor dates'],
  ] as const) {
    it(`is refused: ${what}`, () => {
      expect(() => created(...columns)).to.throw(TypeError, `table orders: ${what}`);
    });
  }

  for (const [where, what] of [
    [{ op: 'contains', column: 'town', text: 'a' }, 'column "town" is not defined'],
    [{ op: 'equals', column: 'name', values: ['a'] }, 'column "name" is not defined for equals'],
    [{ op: 'contains', column: 'shop', text: 'a' }, 'column "shop" is not defined for contains'],
    [
      { op: 'contains', column: 'shop', label: 'owner', text: 'a' },
      'column "shop" has no label "owner"',
    ],
  ] satisfies (readonly [Query, string])[]) {
    it(`has no such use, each time: ${what}`, () => {
      const table = created(NAME, SHOP);
      const page = { sortBy: 'id', descending: false, page: 1, perPage: 10 };
      for (let time = 0; time < 2; time++) {
        expect(() => table.search({ where, ...page })).to.throw(TypeError, `table orders: ${what}`);
      }
    });
  }

  it('has no such use for orders, counts and labels', () => {
    const table = created(NAME, SHOP);
    const page = { where: { op: 'all' }, descending: false, page: 1, perPage: 10 } as const;
    const explored = { ...page, sortBy: 'id', conditions: [], facets: [] };
    table.put({ id: 1, cells: ['a', 's'] });
    const boundaries = () => [0, 1];
    expect(() => table.search({ ...page, sortBy: 'name' })).to.throw(TypeError, 'for sorting');
    expect(() => table.explore({ ...explored, facets: [{ column: 'shop', limit: 3 }] })).to.throw(
      TypeError,
      'for facets',
    );
    expect(() =>
      table.explore({ ...explored, histogram: { column: 'shop', boundaries } }),
    ).to.throw(TypeError, 'cannot be counted by time');
    expect(() => table.relate('name', 'a', 'title', ['x'])).to.throw(TypeError, 'no label "title"');
    expect(() => table.valuesOf(1, ['town'])).to.throw(TypeError, 'is not defined');
  });
});
