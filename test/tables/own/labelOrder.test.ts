/** Orders by a label whose key or text lies inside of arrays, on all executors. */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { EXECUTORS, useOwnStage } from './stage.ts';

const TABLES = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: number
      customer: { type: string, path: by.customer }
      email: { label: email, of: customers, through: customer }
      name: { label: name, of: customers, through: customer }
  customers:
    collection: customers
    fields:
      id: string
      email: string
      name: { type: string, path: names.first }
`;

const CUSTOMERS = [
  { _id: 'ann', email: 'ann@x', names: [{ first: 'Ann' }] },
  { _id: 'bob', email: 'bob@x', names: { first: 'Abe' } },
];

/** In ascending order: those with no one customer come first, by their ids. */
const ORDERS = [
  { _id: 1, by: { customer: ['ann'] } },
  { _id: 2, by: [{ customer: 'ann' }, { customer: 'bob' }] },
  { _id: 3, by: [{ customer: 'ann' }, { customer: 'ann' }] },
  { _id: 4, by: [{ customer: 'ann' }, 5] },
  { _id: 5, by: [{ customer: [['ann']] }] },
  { _id: 6, by: [] },
  { _id: 7, by: [[{ customer: 'ann' }]] },
  { _id: 7.5, by: [{ customer: [] }, { customer: 'ann' }] },
  { _id: 8 },
  { _id: 9, by: [{ customer: 'ann' }] },
  { _id: 10, by: { customer: 'ann' } },
  { _id: 11, by: [{ customer: ['ann'] }] },
  { _id: 12, by: [{ customer: 'bob' }] },
];

describe('an order by a label', () => {
  const stage = useOwnStage(TABLES, { customers: CUSTOMERS, orders: ORDERS });

  it('follows the one value that is found inside of arrays on the way', async () => {
    for (const name of EXECUTORS) {
      expect(await idsBy('email', name), name).eql(ORDERS.map(({ _id }) => _id));
    }
  });

  it('has no label where the text is found inside of an array', async () => {
    for (const name of EXECUTORS) {
      expect(await idsBy('name', name), name).eql([1, 2, 3, 4, 5, 6, 7, 7.5, 8, 9, 10, 11, 12]);
    }
  });

  async function idsBy(label: string, name: (typeof EXECUTORS)[number]): Promise<number[]> {
    const sorting = [{ sort_by: label, sort_order: 'asc' }];
    const body: Document = { sorting, pagination: { per_page: 100 } };
    const answer = await stage.ask(name, { table: 'orders', body });
    if ('wrong' in answer) throw new Error(`${name} takes no such order`);
    return answer.rows.map((row) => Number(row.id));
  }
});
