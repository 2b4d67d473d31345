/** Orders by a path through arrays with elements that are no objects, for callers of all rows and of some. */
import { useOwnStage } from './stage.ts';

const TABLES = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: string
      shop: string
      quantity: { type: number, path: lines.quantity, use: [sort, show] }
    access:
      - { roles: [all] }
      - { roles: [some], rows: { shop: north } }
`;
/** In ascending order: the store takes an element that is no object for null. */
const ORDERS = [
  { _id: 'none', lines: [{ quantity: [] }] },
  { _id: 'a', lines: [{ quantity: 12 }, true] },
  { _id: 'b' },
  { _id: 'c', lines: [5, { quantity: -1 }] },
  { _id: 'd', lines: [[{ quantity: 3 }]] },
  { _id: 'e', lines: [{ quantity: 2 }] },
  { _id: 'f', lines: { quantity: 7 } },
];

describe('an order by a path through arrays', () => {
  const orders = ORDERS.map((order) => ({ ...order, shop: 'north' }));
  const stage = useOwnStage(TABLES, { orders });

  for (const [grant, whose] of ['all', 'some'].entries()) {
    it(`is alike on all executors for a caller of ${whose} rows`, async () => {
      const body = { sorting: [{ sort_by: 'quantity', sort_order: 'asc' }] };
      const ids = ORDERS.map(({ _id }) => _id);
      await stage.finds({ table: 'orders', body, grant }, ids);
    });
  }
});
