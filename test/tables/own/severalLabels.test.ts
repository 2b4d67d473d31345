/** Several labels that show one text of one table: through different fields, by different keys, and through the key. */
import type { Document } from 'mongodb';
import { useOwnStage } from './stage.ts';

const TABLES = `
version: 1
tables:
  orders:
    collection: orders
    fields:
      id: number
      region: { type: string, values: few }
      buyer: number
      seller: number
      code: string
      bought: { label: name, of: people, through: buyer }
      sold: { label: name, of: people, through: seller }
      coded: { label: name, of: people, through: code, key: code }
      same: { label: name, of: people, through: id }
    text: [bought, sold, coded, same]
    sort: id
    access:
      - { roles: [admin] }
      - { roles: [north], rows: { region: north } }
  people:
    collection: people
    fields: { id: number, name: string, code: string }
`;

const PEOPLE = [
  { _id: 1, name: 'Ann', code: 'c1' },
  { _id: 2, name: 'Bob', code: 'c2' },
  { _id: 3, name: 'Zoe', code: 'c3' },
];
const ORDERS = [
  { _id: 11, region: 'north', buyer: 1, seller: 2, code: 'c3' },
  { _id: 12, region: 'north', buyer: 3, seller: 1, code: 'c2' },
  { _id: 13, region: 'south', buyer: 2, seller: 3, code: 'c1' },
  { _id: 2, region: 'north' },
  { _id: 3, region: 'south' },
];

/** Each body, and the ids that an admin finds, in order. A caller of the north finds those of the north. */
const CASES: readonly [name: string, body: Document, ids: readonly number[]][] = [
  ['a text in any of them', { filters: { q: 'ann' } }, [11, 12, 13]],
  ['a text that the key leads to, too', { filters: { q: 'bob' } }, [2, 11, 12, 13]],
  ['a text through one field', { select: [{ field: 'sold', contains: 'ann' }] }, [12]],
  ['a text by another key', { select: [{ field: 'coded', contains: 'zo' }] }, [11]],
  ['a text through the key', { select: [{ field: 'same', contains: 'o' }] }, [2, 3]],
  [
    'no text through the key',
    { select: [{ field: 'same', not_contains: 'bob' }] },
    [3, 11, 12, 13],
  ],
  [
    'one of two',
    {
      select: [
        {
          any: [
            { field: 'bought', contains: 'bob' },
            { field: 'sold', contains: 'bob' },
          ],
        },
      ],
    },
    [11, 13],
  ],
  [
    'an order by the one through the key',
    { sorting: [{ sort_by: 'same' }, { sort_by: 'id', sort_order: 'asc' }] },
    [3, 2, 11, 12, 13],
  ],
];

describe('several labels of one text', () => {
  const stage = useOwnStage(TABLES, { people: PEOPLE, orders: ORDERS });

  for (const [name, body, ids] of CASES) {
    it(`find ${name}`, async () => {
      const north = ids.filter((id) => ORDERS.find(({ _id }) => _id === id)!.region === 'north');
      for (const [grant, wanted] of [ids, north].entries()) {
        await stage.finds({ table: 'orders', grant, body }, wanted);
      }
    });
  }
});
