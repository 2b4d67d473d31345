/** Orders by a label that records do not show, on all executors. */
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
      customer: { type: string, path: by.customer, use: [filter] }
      email: { label: email, of: customers, through: customer, use: [filter] }
  customers: { collection: customers, fields: { id: string, email: string } }
`;
const ORDERS = [
  { _id: 1, by: [{ customer: 'ann' }, 5] },
  { _id: 2 },
  { _id: 3, by: [{ customer: 'ann' }] },
];

describe('an order by a label that no record shows', () => {
  const customers = [{ _id: 'ann', email: 'ann@x' }];
  const stage = useOwnStage(TABLES, { customers, orders: ORDERS });

  it('has no label where an element beside the key is no object', async () => {
    const body: Document = { sorting: [{ sort_by: 'email', sort_order: 'asc' }] };
    for (const executor of EXECUTORS) {
      const answer = await stage.ask(executor, { table: 'orders', body });
      expect('rows' in answer && answer.rows.map(({ id }) => id), executor).eql([1, 2, 3]);
    }
  });
});
