/**
 * Random tables: rows that are clean, dirty and in many scripts, and queries that hit them.
 *
 * Pools are small so that values meet: equal ones, ones inside others, ones that differ by case.
 */
import fc from 'fast-check';
import type {
  Cell,
  ExploreRequest,
  FacetRequest,
  HistogramRequest,
  PageRequest,
  Query,
  Row,
  RowCondition,
  RowId,
  Scalar,
  SortKey,
  StatsRequest,
} from '../../src/textindex/api.ts';
import { decimalFrom } from '../../src/textindex/decimal.ts';
import { objectIdFrom } from '../../src/textindex/objectId.ts';
import { scalarKey } from '../../src/textindex/scalars.ts';
import { TYPE_ORDER } from '../../src/textindex/typeOrder.ts';

export const definition = {
  name: 'things',
  columns: [
    { name: 'uuid', expect: 'uuid', contains: true, equals: true, sort: true },
    {
      name: 'project',
      expect: 'any',
      contains: true,
      equals: true,
      labels: ['name', 'mail'],
      facet: true,
    },
    { name: 'email', expect: 'any', contains: true, sort: true },
    { name: 'state', expect: 'any', contains: true, equals: true, facet: true },
    { name: 'date', expect: 'date', sort: true, range: true },
    { name: 'number', expect: 'number', sort: true, range: true },
    { name: 'labelled', expect: 'uuid', equals: true, labels: ['name'] },
    { name: 'dates', expect: 'date', equals: true, contains: true, sort: true, range: true },
    { name: 'idle', expect: 'any' },
    { name: 'counted', expect: 'uuid', equals: true, facet: true },
    { name: 'tries', expect: 'number', range: true },
    { name: 'made', expect: 'objectId', ofIds: true, contains: true, equals: true, sort: true },
    {
      name: 'parts',
      expect: 'any',
      ofIds: true,
      contains: true,
      equals: true,
      facet: true,
      labels: ['name'],
    },
  ],
  together: [
    { column: 'uuid' },
    { column: 'project' },
    { column: 'project', label: 'name' },
    { column: 'email' },
    { column: 'state' },
    { column: 'labelled', label: 'name' },
  ],
} as const;

const uuid = fc
  .array(fc.constantFrom('0', '1', 'a', 'f'), { minLength: 32, maxLength: 32 })
  .map((digits) => digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
const uuids = fc.oneof(
  { weight: 8, arbitrary: uuid },
  { weight: 1, arbitrary: fc.constantFrom('00000000-0000-0000-0000-000000000000', '', 'a-1') },
  { weight: 1, arbitrary: uuid.map((text) => text.toUpperCase()) },
  { weight: 1, arbitrary: uuid.map((text) => text.slice(0, 35)) },
);
const letters = fc.constantFrom(
  ...'aAbBkK\u212aſSsßẞςσΣé1-.@😀😁\u{10400}\u{10428}жЖ\0',
  '\ud83d',
  '\ufffd',
);
const text = fc.oneof(
  fc.string({ unit: letters, maxLength: 4 }),
  fc.string({ unit: letters, maxLength: 12 }),
  fc.constantFrom('', 'ann@x.org', 'Ann@X.org', 'bob@y.org', 'данные', 'ДАННЫЕ', '\uffff', '😀'),
);
const time = fc.integer({ min: -3, max: 3 }).map((ms) => new Date(ms));
const objectId = fc
  .array(fc.constantFrom('0', '1', 'a', 'f'), { minLength: 3, maxLength: 3 })
  .chain((digits) =>
    fc.constantFrom('00', '0a', '0000000000', '5f0000000000aaaaaaaa').map((start) => {
      return objectIdFrom((start + digits.join('')).padEnd(24, digits[0]))!;
    }),
  );
const odd = fc.oneof(
  fc.record({
    typeOrder: fc.constantFrom(TYPE_ORDER.minKey, TYPE_ORDER.object, 44.5, TYPE_ORDER.regex),
    key: fc.constantFrom('', 'a', 'b', 'ann'),
  }),
  objectId,
);
const decimal = fc
  .constantFrom('0.1', '0.5', '-0.1', '1e-400', '9007199254740993.5', '0.30', '4.35')
  .chain((text) =>
    fc.constantFrom('', '0000000000000000000001').map((end) => text.replace(/(?=e)|$/, end)),
  )
  .map((text) => decimalFrom(text)!);
const number = fc.oneof(
  fc.integer({ min: -2, max: 9 }),
  fc.constantFrom(0.5, Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 2 ** 53),
  fc.constantFrom(1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 62n, 2 ** 62),
  fc.constantFrom(-0, 0.1, 0.3, 4.35, 9007199254740992, 5e-324, Number.MAX_VALUE, 10n ** 400n),
  decimal,
);
const dirt = fc.oneof<fc.Arbitrary<Scalar>[]>(
  text,
  uuids,
  number,
  time,
  odd,
  fc.boolean(),
  fc.constant(null),
);

function mostly(clean: fc.Arbitrary<Scalar>): fc.Arbitrary<Cell> {
  return fc.oneof(
    { weight: 12, arbitrary: clean as fc.Arbitrary<Cell> },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: dirt },
    { weight: 1, arbitrary: fc.array(fc.oneof(clean, dirt), { maxLength: 3 }) },
  );
}

const uuidOne = '0000000f-0000-0000-0000-000000000000';
const state = fc.constantFrom('SUCCESS', 'FAILURE', 'Pending', 'straße', 'STRAẞE');
const cells: readonly fc.Arbitrary<Cell>[] = [
  mostly(uuids),
  mostly(fc.oneof(uuids, fc.constantFrom('p1', 'p2', 'P3'))),
  mostly(text),
  mostly(state),
  mostly(time),
  mostly(number),
  mostly(uuids),
  mostly(time),
  mostly(text),
  mostly(fc.constantFrom<Scalar>(null, true, false, 1, 2, 'a', uuidOne)),
  mostly(number),
  mostly(objectId),
  mostly(objectId),
];

const id: fc.Arbitrary<RowId> = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 2, arbitrary: fc.constantFrom<RowId>(1.5, 2n ** 60n, 7n, 'x', 'y', '\uffff', '😀') },
  {
    weight: 2,
    arbitrary: fc.constantFrom<RowId>('', 'same six: a', 'same six: b', 'same s', '\0'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<RowId>(2 ** 1001, Number.POSITIVE_INFINITY, 10n ** 400n),
  },
  { weight: 1, arbitrary: fc.constantFrom<RowId>(null, true, Number.NaN, -1, 2 ** 60) },
  { weight: 1, arbitrary: fc.oneof<fc.Arbitrary<RowId>[]>(time, odd, decimal) },
  { weight: 4, arbitrary: objectId },
);

const row: fc.Arbitrary<Row> = fc.record({ id, cells: fc.tuple(...cells) });

const wanted = fc.oneof(
  text,
  fc.string({ unit: letters, maxLength: 2 }),
  state,
  uuid.chain((whole) =>
    fc
      .tuple(fc.nat(35), fc.integer({ min: 1, max: 12 }))
      .map(([from, length]) => whole.slice(from, from + length)),
  ),
  fc.string({ unit: fc.constantFrom('0', '1', 'a', 'F', '-'), maxLength: 5 }),
  fc.constantFrom('ann', '@', 'ORG', '-', 'ДАН', 'ss', 'ß'),
);
const value: fc.Arbitrary<Scalar> = fc.oneof(
  dirt,
  uuids,
  state,
  fc.constantFrom('p1', 'p2', null),
  objectId,
);

const leaf: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    op: fc.constant('contains' as const),
    column: fc.constantFrom('uuid', 'project', 'email', 'state', 'dates', 'made', 'parts'),
    text: wanted,
  }),
  fc.record({
    op: fc.constant('contains' as const),
    column: fc.constant('project'),
    label: fc.constantFrom('name', 'mail'),
    text: wanted,
  }),
  fc.record({
    op: fc.constant('contains' as const),
    column: fc.constant('labelled'),
    label: fc.constant('name'),
    text: wanted,
  }),
  fc.record({
    op: fc.constant('equals' as const),
    column: fc.constantFrom('uuid', 'project', 'state', 'labelled', 'dates', 'made', 'parts'),
    values: fc.array(value, { maxLength: 4 }),
  }),
);
/** Short enough to be kept, in everything that is looked through together, and something besides. */
const freeText: fc.Arbitrary<Query> = fc
  .tuple(
    fc.oneof(fc.string({ unit: letters, minLength: 1, maxLength: 2 }), wanted),
    fc.array(leaf, { maxLength: 1 }),
    fc.nat(20),
  )
  .map(([text, besides, missing]) => ({
    op: 'or' as const,
    of: [
      ...definition.together.map((part) => ({ op: 'contains' as const, ...part, text })),
      ...besides,
    ].filter((_, i) => i !== missing),
  }));
const query: fc.Arbitrary<Query> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<Query>({ op: 'all' }, { op: 'none' }) },
  { weight: 6, arbitrary: leaf },
  { weight: 6, arbitrary: freeText },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(
        fc.oneof(
          { weight: 5, arbitrary: leaf },
          {
            weight: 1,
            arbitrary: fc.record({
              op: fc.constantFrom('and' as const, 'or' as const),
              of: fc.array(leaf, { maxLength: 3 }),
            }),
          },
          { weight: 1, arbitrary: fc.constantFrom<Query>({ op: 'all' }, { op: 'none' }) },
        ),
        { maxLength: 4 },
      ),
    }),
  },
);

const request: fc.Arbitrary<PageRequest> = fc.record({
  where: query,
  within: fc.oneof(fc.constant<Query>({ op: 'all' }), query),
  sortBy: fc.constantFrom('id', 'uuid', 'email', 'date', 'number', 'dates', 'made'),
  descending: fc.boolean(),
  page: fc.integer({ min: 0, max: 9 }),
  perPage: fc.constantFrom(1, 2, 7, 30, 1000),
});

const several = fc.array(value, { maxLength: 4 });
const bound = fc.oneof(
  fc.integer({ min: -3, max: 9 }),
  fc.constantFrom(0.5, 2 ** 53, 2 ** 1001, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
);
const range = (of: fc.Arbitrary<number | Date>) =>
  fc.record({ from: of, to: of }, { requiredKeys: [] });
const leafCondition: fc.Arbitrary<RowCondition> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      {
        op: fc.constant('matches' as const),
        column: fc.constantFrom('project', 'state', 'elsewhere'),
        query,
      },
      { requiredKeys: ['op', 'query'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('ids' as const),
      ids: fc.array(id, { maxLength: 30 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('in' as const),
      column: fc.constantFrom('uuid', 'project', 'state', 'labelled', 'counted', 'made', 'parts'),
      values: several,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('nothing' as const),
      column: fc.constantFrom('id', 'date', 'dates', 'number', 'tries'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('date', 'dates'), range(time))
      .map(([column, bounds]) => ({ op: 'range' as const, column, ...bounds })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('id', 'number', 'tries'), range(bound))
      .map(([column, bounds]) => ({ op: 'range' as const, column, ...bounds })),
  },
);
const single: fc.Arbitrary<RowCondition> = fc
  .tuple(leafCondition, fc.boolean())
  .map(([of, isMet]) => (isMet ? of : { op: 'not', of }));
const condition: fc.Arbitrary<RowCondition> = fc.oneof(
  { weight: 4, arbitrary: single },
  {
    weight: 1,
    arbitrary: fc
      .array(single, { minLength: 1, maxLength: 3 })
      .map((of) => ({ op: 'any' as const, of })),
  },
);
const having = fc.record(
  { text: wanted.filter((text) => text !== ''), values: several },
  { requiredKeys: ['text'] },
);
const splitBy = fc.record({
  column: fc.constantFrom('project', 'state', 'counted', 'parts'),
  limit: fc.constantFrom(1, 2, 10),
});
const facet: fc.Arbitrary<FacetRequest> = fc
  .record(
    {
      column: fc.constantFrom('project', 'state', 'counted', 'parts'),
      limit: fc.constantFrom(1, 2, 3, 10, 1000),
      having: fc.tuple(having, fc.constantFrom(undefined, 'name', 'mail')),
      order: fc.oneof(
        fc.record({ by: fc.constantFrom('count' as const, 'value' as const) }),
        fc.record({ by: fc.constant('lift' as const), minCount: fc.integer({ min: 1, max: 3 }) }),
      ),
      by: splitBy,
    },
    { requiredKeys: ['column', 'limit'] },
  )
  .map(({ having: wish, ...shape }) => {
    if (!wish) return shape;
    const [having, label] = wish;
    const labelled = shape.column === 'project' && label !== undefined;
    return { ...shape, having: { ...having, ...(labelled && { label }) } };
  });

/**
 * Buckets of one length that hold both ends, begun at multiples of it past -4; none for no dates, nor of no
 * length, as where too many are refused.
 */
const bucketsOf =
  (length: number, from?: number, to?: number) =>
  (first?: number, last?: number): number[] => {
    if (length === 0) return [];
    const begin = from ?? first;
    const end = to === undefined ? last : to - 1;
    if (begin === undefined || end === undefined) return [];
    const start = Math.floor((begin + 4) / length) * length - 4;
    const count = Math.floor((Math.max(begin, end) - start) / length) + 1;
    return Array.from({ length: count + 1 }, (_, i) => start + i * length);
  };

const histogram: fc.Arbitrary<HistogramRequest> = fc
  .record(
    {
      column: fc.constantFrom('date', 'dates'),
      length: fc.constantFrom(0, 1, 2, 5, 8),
      bounds: fc.record(
        { from: fc.integer({ min: -4, max: 0 }), to: fc.integer({ min: 1, max: 5 }) },
        { requiredKeys: [] },
      ),
      by: splitBy,
    },
    { requiredKeys: ['column', 'length', 'bounds'] },
  )
  .map(({ column, length, bounds, by }) => ({
    column,
    ...bounds,
    boundaries: bucketsOf(length, bounds.from, bounds.to),
    ...(by && { by }),
  }));

const LABELS: readonly Scalar[] = ['a', 'b', null, 'b', 'ab', '😀'];
/** Labels for some of the values, the same for several of them. */
const labelOf = (value: Scalar): Scalar => LABELS[scalarKey(value).length % LABELS.length]!;
const sortKey: fc.Arbitrary<SortKey> = fc.oneof(
  fc.record({
    column: fc.constantFrom(
      'id',
      ...definition.columns.map(({ name }) => name).filter((name) => name !== 'idle'),
    ),
    descending: fc.boolean(),
  }),
  fc
    .record({ column: fc.constantFrom('project', 'labelled', 'parts'), descending: fc.boolean() })
    .map((key) => ({ ...key, labelOf })),
);
const stats: fc.Arbitrary<StatsRequest> = fc.record({
  column: fc.constantFrom('id', 'date', 'dates', 'number', 'tries'),
  ranks: fc.constant((count: number) => [
    0,
    Math.floor(count / 3),
    Math.floor(count / 2),
    count - 1,
  ]),
});

const explore: fc.Arbitrary<ExploreRequest> = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: request }, request.map(everywhere)),
    fc.record(
      {
        conditions: fc.array(condition, { maxLength: 3 }),
        baseline: fc.array(condition, { maxLength: 2 }),
        facets: fc.array(facet, { maxLength: 3 }),
        histogram,
        order: fc.array(sortKey, { minLength: 1, maxLength: 3 }),
        stats: fc.array(stats, { maxLength: 2 }),
      },
      { requiredKeys: ['conditions', 'facets'] },
    ),
  )
  .map(([page, more]) => ({ ...page, ...more }));

function everywhere(page: PageRequest): PageRequest {
  return { ...page, where: { op: 'all' }, within: { op: 'all' } };
}

export type Step =
  | { readonly do: 'put'; readonly rows: readonly Row[] }
  | { readonly do: 'remove'; readonly ids: readonly RowId[] }
  | {
      readonly do: 'relate';
      readonly to: readonly [column: string, label: string];
      value: Scalar;
      texts: string[];
    }
  | { readonly do: 'search'; readonly requests: readonly PageRequest[] }
  | { readonly do: 'explore'; readonly requests: readonly ExploreRequest[] }
  | { readonly do: 'read'; readonly ids: readonly RowId[]; readonly columns: readonly string[] }
  | { readonly do: 'maintain'; readonly budget: number };

/** A step of this kind, drawn so often. */
const often = <Kind extends string, Drawn>(
  weight: number,
  kind: Kind,
  members: { [Name in keyof Drawn]: fc.Arbitrary<Drawn[Name]> },
) => ({ weight, arbitrary: fc.record(members).map((drawn) => ({ do: kind, ...drawn })) });

export const step: fc.Arbitrary<Step> = fc.oneof(
  often(1, 'read', {
    ids: fc.array(id, { maxLength: 20, size: 'max' }),
    columns: fc.shuffledSubarray(definition.columns.map(({ name }) => name)),
  }),
  often(4, 'put', { rows: fc.array(row, { maxLength: 60, size: 'max' }) }),
  often(2, 'remove', { ids: fc.array(id, { maxLength: 60, size: 'max' }) }),
  often(2, 'relate', {
    to: fc.constantFrom<readonly [string, string]>(
      ['project', 'name'],
      ['project', 'mail'],
      ['labelled', 'name'],
    ),
    value,
    texts: fc.array(text, { maxLength: 3 }),
  }),
  often(5, 'search', { requests: fc.array(request, { minLength: 1, maxLength: 12 }) }),
  often(3, 'explore', { requests: fc.array(explore, { minLength: 1, maxLength: 6 }) }),
  often(2, 'maintain', { budget: fc.constantFrom(0, 1000) }),
);
