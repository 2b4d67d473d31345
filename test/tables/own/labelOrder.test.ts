/** Orders by a label: its key or text may lie inside of arrays, and records need not show it. */
import { useOwnStage } from './stage.ts';

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

const by = (sort_by: string) => ({
  table: 'orders',
  body: { sorting: [{ sort_by, sort_order: 'asc' }], pagination: { per_page: 100 } },
});

describe('an order by a label', () => {
  const stage = useOwnStage(TABLES, { customers: CUSTOMERS, orders: ORDERS });

  it('follows the one value that is found inside of arrays on the way', async () => {
    const ids = ORDERS.map(({ _id }) => _id);
    await stage.finds(by('email'), ids);
  });

  it('has no label where the text is found inside of an array', async () => {
    await stage.finds(by('name'), [1, 2, 3, 4, 5, 6, 7, 7.5, 8, 9, 10, 11, 12]);
  });
});

describe('an order by a label that no record shows', () => {
  const file = `
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
  const orders = [
    { _id: 1, by: [{ customer: 'ann' }, 5] },
    { _id: 2 },
    { _id: 3, by: [{ customer: 'ann' }] },
  ];
  const stage = useOwnStage(file, { customers: [{ _id: 'ann', email: 'ann@x' }], orders });

  it('has no label where an element beside the key is no object', () =>
    stage.finds(by('email'), [1, 2, 3]));
});
