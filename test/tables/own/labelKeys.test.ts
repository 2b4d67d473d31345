/**
 * Keys of labels inside of arrays. Documents of the other table that have theirs there have no label to give. A row
 * with several keys is found by the labels of all.
 */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { useOwnStage } from './stage.ts';

const TABLES = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: number
      code: { type: string, values: few }
      name: { label: name, of: people, through: code, key: code }
  people:
    collection: people
    fields: { id: number, name: string, code: { type: string, path: all.code } }
`;
const PEOPLE = [
  { _id: 1, name: 'Abe', all: [{ code: 'c1' }] },
  { _id: 2, name: 'Ann', all: { code: 'c2' } },
  { _id: 3, name: 'Zoe', all: { code: ['c1'] } },
];
const ORDERS = [{ _id: 1, code: 'c1' }, { _id: 2, code: 'c2' }, { _id: 3 }];

describe('a label by a key that lies inside of arrays', () => {
  const stage = useOwnStage(TABLES, { people: PEOPLE, orders: ORDERS });

  it('is none, neither for its values nor for null', async () => {
    const body: Document = { facets: [{ field: 'code', order: 'value' }] };
    const { facets, rows } = await stage.shown({ table: 'orders', body });
    expect(facets![0]!.values).eql([
      { value: null, count: 1 },
      { value: 'c1', count: 1 },
      { value: 'c2', label: 'Ann', count: 1 },
    ]);
    expect(rows.map(({ name }) => name)).eql([null, 'Ann', null]);
  });
});

describe('a label through a field that holds arrays in arrays', () => {
  const file = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: number
      region: string
      code: { type: string, path: lines.code }
      name: { label: name, of: people, through: code }
    sort: id
    access:
      - { roles: [admin] }
      - { roles: [north], rows: { region: north } }
  people: { collection: people, fields: { id: string, name: string } }
`;
  const people = [
    { _id: 'c1', name: 'Abe' },
    { _id: 'c2', name: 'Ann' },
  ];
  const orders = [
    { _id: 1, region: 'north', lines: [{ code: ['c1', 'c2'] }] },
    { _id: 2, region: 'south', lines: [{ code: ['c2'] }] },
    { _id: 3, region: 'north', lines: [{ code: 'c3' }] },
    { _id: 4, region: 'north', lines: [[{ code: 'c2' }]] },
  ];
  const stage = useOwnStage(file, { people, orders });

  it('is found, also by callers who see some rows alone', async () => {
    for (const [grant, ids] of [[1, 2], [1]].entries()) {
      await stage.finds({ table: 'orders', grant, body: { filters: { name: 'ann' } } }, ids);
    }
  });
});
