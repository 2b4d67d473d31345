/**
 * A generated table for sorts by columns that have no kept order, statistics, and a facet of very many
 * values.
 */
import type { ExploreRequest, RowCondition, TableDefinition } from '../../src/textindex/api.ts';
import type { Row } from '../../src/textindex/index.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { fill } from '../filled.ts';
import { product } from '../product.ts';
import type { ClassOf, Measure, Share } from './classes.ts';
import type { Generated } from './scanned.ts';

const { objectIdFrom } =
  await product<typeof import('../../src/textindex/objectId.ts')>('textindex/objectId');

const SEED = 23;
const PER_PAGE = 25;
const DAY_MS = 86_400_000;

/** Columns without a kept order, from mostly unique to few values. */
const BY = ['uuid', 'objectId', 'email', 'number', 'amount', 'tag', 'status'] as const;
const MEASURED = ['took', 'done', 'size'] as const;

const DEFINITION: TableDefinition = {
  name: 'sorted',
  columns: [
    { name: 'uuid', expect: 'uuid', equals: true },
    { name: 'objectId', expect: 'objectId', ofIds: true, equals: true },
    { name: 'email', expect: 'any', equals: true },
    { name: 'number', expect: 'any', equals: true },
    { name: 'amount', expect: 'any', equals: true },
    { name: 'tag', expect: 'any', equals: true, facet: true },
    { name: 'status', expect: 'any', equals: true, facet: true },
    { name: 'share', expect: 'any', equals: true },
    { name: 'took', expect: 'number', sort: true, range: true },
    { name: 'done', expect: 'date', sort: true, range: true },
    { name: 'size', expect: 'number', sort: true, range: true },
  ],
};

/** `share`: one row of a hundred has each. */
function* rowsOf(count: number): Generator<Row> {
  const next = randomFrom(SEED);
  const below = (n: number) => Math.floor(next() * n);
  const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
  const eight = () => hex(below(2 ** 32), 8);
  for (let id = 0; id < count; id++) {
    const [a, b, c, d] = [eight(), eight(), eight(), eight()];
    const uuid = `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
    const cells = [
      ...[uuid, objectIdFrom(`${hex(1_600_000_000 + below(1e8), 8)}5eed0a57e1${hex(id, 6)}`)!],
      ...[`ann.${hex(below(2 ** 32), 8)}@mail.test`, `https://shop.test/orders/2026/${below(1e9)}`],
      ...[below(1e8) / 100, `tag ${below(300_000)}`, ['open', 'paid', 'sent'][below(3)]!],
      ...[below(100), below(1e6) / 1000, new Date(below(365 * DAY_MS)), below(1e9)],
    ];
    yield { id, cells };
  }
}

function classesOf(count: number, seed: number): ClassOf<ExploreRequest>[] {
  const next = randomFrom(seed);
  const below = (n: number) => Math.floor(next() * n);
  const shares = (most: number) => {
    const first = below(100);
    return Array.from({ length: most }, (_, i) => (first + i) % 100);
  };
  const among = (most: number): RowCondition[] => [
    { op: 'in', column: 'share', values: shares(most) },
  ];
  const sets: readonly (readonly [Share, number, () => RowCondition[]])[] = [
    ['all rows', 1, () => []],
    ['10 %', 0.1, () => among(10)],
    ['1 %', 0.01, () => among(1)],
  ];
  const ask = (conditions: RowCondition[], more: Partial<ExploreRequest>): ExploreRequest => ({
    ...{ where: { op: 'all' }, sortBy: 'id', descending: false, page: 1, perPage: PER_PAGE },
    ...{ conditions, facets: [], ...more },
  });
  return sets.flatMap(([share, part, conditions]) => {
    const add = (measure: Measure, of: string, more: () => Partial<ExploreRequest>) => ({
      ...{ name: `${measure}: ${of}, ${share}`, measure, share },
      draw: () => ask(conditions(), more()),
    });
    const sorts = BY.flatMap((column) =>
      ['first', 'any'].map((which) =>
        add('sort', `${column}, ${which} page`, () => ({
          order: [{ column, descending: next() < 0.5 }],
          page: which === 'first' ? 1 : 1 + below((count * part) / PER_PAGE),
        })),
      ),
    );
    const ranks = (n: number) => [0.01, 0.5, 0.9, 0.95, 0.99, 1].map((of) => Math.ceil(of * n) - 1);
    const stats = MEASURED.map((column) => ({ column, ranks }));
    return [
      ...sorts,
      add('stats', 'three', () => ({ stats })),
      add('facet of 300,000 values', 'tag', () => ({ facets: [{ column: 'tag', limit: 10 }] })),
    ];
  });
}

export const SORTED: Generated = {
  shape: 'columns without an order',
  definition: DEFINITION,
  fill: (table, count) => fill(table, rowsOf(count)),
  classes: classesOf,
};
