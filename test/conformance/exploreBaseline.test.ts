/** Explore: facets split by a field, in other orders, and counted against a baseline. */
import { type Case, conform } from './conform.ts';
import { task } from './documents.ts';
import { SCOPES } from './exploreCases.ts';

/** Workers, and how many of their tasks fail and succeed. */
const RUNS: readonly (readonly [worker: unknown, failed: number, done: number])[] = [
  ['gpu-1', 3, 0],
  ['gpu-2', 2, 1],
  ['gpu-3', 2, 1],
  ['cpu', 1, 6],
  [null, 1, 1],
  [['cpu', 'gpu-1'], 1, 0],
  [[], 1, 1],
  [{ a: 1 }, 1, 0],
];
const TASKS = RUNS.flatMap(([worker, failed, done]) => [
  ...Array<object>(failed).fill({ worker, status: 'FAILURE' }),
  ...Array<object>(done).fill({ worker, status: 'SUCCESS' }),
]).map((changes, i) => task(i + 1, changes));

interface Asked {
  readonly select?: readonly object[];
  readonly baseline?: readonly object[];
  readonly facets: readonly object[];
}

const idsOf = (...statuses: readonly string[]) =>
  TASKS.filter(({ status }) => statuses.includes(status))
    .map(({ _id }) => _id)
    .reverse();
const ALL = idsOf('FAILURE', 'SUCCESS');

const counted = (name: string, body: Asked, facets: readonly object[], ids = ALL): Case => ({
  ...{ name, view: 'admin tasks', explore: true },
  body: { ...body, pagination: { per_page: 30 } },
  expect: {
    ...{ ids, applied: { scope: SCOPES }, facets },
    ...(body.select && { select: body.select }),
  },
});

/** Against a baseline: the failed tasks. */
const compared = (
  name: string,
  body: Pick<Asked, 'baseline' | 'facets'>,
  facets: readonly object[],
): Case =>
  counted(
    name,
    { ...body, select: [{ field: 'status', in: ['FAILURE'] }] },
    facets,
    idsOf('FAILURE'),
  );

const refused = (name: string, body: object, pointer: string): Case => ({
  ...{ name, view: 'admin tasks', explore: true, body },
  expect: { status: 422, code: 'ValidationFailed', pointers: [pointer] },
});

const one = (value: unknown, count: number, more: object = {}) => ({ value, count, ...more });

conform('explore: facets by a field, in other orders, against a baseline', { tasks: TASKS }, [
  counted(
    'by: counts of each value by the most frequent ones',
    { facets: [{ field: 'worker', by: 'status', limit: 3 }] },
    [
      {
        ...{ field: 'worker', by: { field: 'status', values: ['FAILURE', 'SUCCESS'] } },
        values: [
          one('cpu', 8, { counts: [2, 6] }),
          one('gpu-1', 4, { counts: [4, 0] }),
          one('gpu-2', 3, { counts: [2, 1] }),
        ],
        ...{ distinct: 5, rest: 6 },
      },
    ],
  ),
  counted(
    'by itself: a row of two values has both',
    { facets: [{ field: 'worker', by: 'worker', limit: 1 }] },
    [
      {
        field: 'worker',
        by: { field: 'worker', values: ['cpu', 'gpu-1', 'gpu-2', 'gpu-3', null] },
        values: [one('cpu', 8, { counts: [8, 1, 0, 0, 0] })],
        ...{ distinct: 5, rest: 13 },
      },
    ],
  ),
  counted('the order of values', { facets: [{ field: 'worker', order: 'value', limit: 2 }] }, [
    { field: 'worker', values: [one(null, 2), one('cpu', 8)], ...{ distinct: 5, rest: 11 } },
  ]),
  refused(
    'lift without a baseline',
    { facets: [{ field: 'worker', order: 'lift' }] },
    '/facets/0/order',
  ),
  refused(
    'a least count without lift',
    { facets: [{ field: 'worker', min_count: 2 }], baseline: [] },
    '/facets/0/min_count',
  ),
  refused(
    'a baseline that cannot be',
    {
      baseline: [
        { field: 'worker', in: [1] },
        { field: 'retries', from: 'x' },
      ],
    },
    '/baseline/1/from',
  ),
  compared(
    'lift: ties by value, at least so many each',
    { baseline: [], facets: [{ field: 'worker', order: 'lift', min_count: 2 }] },
    [
      {
        field: 'worker',
        values: [
          one('gpu-1', 4, { baseline: 4 }),
          one('gpu-2', 2, { baseline: 3 }),
          one('gpu-3', 2, { baseline: 3 }),
        ],
        ...{ distinct: 5, rest: 4, total: 12, baseline_total: 22 },
      },
    ],
  ),
  compared(
    'lift against other rows: a share of nothing counts as of one',
    {
      baseline: [{ field: 'status', in: ['SUCCESS'] }],
      facets: [{ field: 'worker', order: 'lift', min_count: 1, limit: 2, contains: 'GPU' }],
    },
    [
      {
        field: 'worker',
        values: [one('gpu-1', 4, { baseline: 0 }), one('gpu-2', 2, { baseline: 1 })],
        ...{ distinct: 3, rest: 2, total: 12, baseline_total: 10 },
      },
    ],
  ),
  compared(
    'five each, unless said',
    { baseline: [], facets: [{ field: 'worker', order: 'lift' }] },
    [{ field: 'worker', values: [], ...{ distinct: 5, rest: 12, total: 12, baseline_total: 22 } }],
  ),
  compared(
    'against nothing: no value is over-represented',
    {
      baseline: [{ text: 'nothing has this' }],
      facets: [{ field: 'worker', order: 'lift', min_count: 1 }],
    },
    [{ field: 'worker', values: [], ...{ distinct: 5, rest: 12, total: 12, baseline_total: 0 } }],
  ),
  compared(
    'conditions on its own field count on neither side; by and other orders',
    {
      baseline: [
        { field: 'status', in: ['SUCCESS'] },
        { field: 'worker', contains: 'gpu' },
      ],
      facets: [
        { field: 'status', order: 'value', by: 'worker' },
        { field: 'worker', limit: 1 },
      ],
    },
    [
      {
        field: 'status',
        by: { field: 'worker', values: ['cpu', 'gpu-1', 'gpu-2', 'gpu-3', null] },
        values: [
          one('FAILURE', 12, { baseline: 8, counts: [2, 4, 2, 2, 1] }),
          one('SUCCESS', 10, { baseline: 2, counts: [6, 0, 1, 1, 1] }),
        ],
        ...{ distinct: 2, rest: 0, total: 22, baseline_total: 10 },
      },
      {
        field: 'worker',
        values: [one('gpu-1', 4, { baseline: 0 })],
        ...{ distinct: 5, rest: 8, total: 12, baseline_total: 10 },
      },
    ],
  ),
]);
