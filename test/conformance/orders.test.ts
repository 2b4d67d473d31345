/** Explore: orders that the contract does not name, of several fields and of labels, and statistics. */
import { Decimal128, Long } from 'mongodb';
import { type Case, conform, type ViewName } from './conform.ts';
import { project, schedule, task, uuid } from './documents.ts';
import { explored, facet, SCOPES } from './exploreCases.ts';

/** A case of sorts: `-worker` descends. */
const sorted = (
  name: string,
  sorts: string,
  ids: readonly unknown[],
  view: ViewName = 'admin tasks',
): Case => {
  const all = sorts.split(' ').map((one) => {
    return { sort_by: one.replace('-', ''), sort_order: one.startsWith('-') ? 'desc' : 'asc' };
  });
  return explored(`${name}: ${sorts}`, view, { sorting: all }, { ids, sorts: all });
};

const refused = (name: string, body: object, pointers: readonly string[]): Case => ({
  ...{ name, view: 'admin tasks', explore: true, body },
  expect: { status: 422, code: 'ValidationFailed', pointers },
});

/** The same by fields of which the index has no column. */
const byStore = (...given: Parameters<typeof sorted>): Case => ({
  ...sorted(...given),
  byStore: true,
});

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);

const TASKS = [
  task(1, { worker: 'b', name: 'x', status: ['b', 'a'], retries: 1 }),
  task(2, { worker: 'a', name: 'x', status: ['c'], retries: 2.5 }),
  task(3, { worker: 'b', name: 'y', status: [], retries: Number.NaN }),
  task(4, { worker: 'a', name: 'y', status: null, retries: [7, 7, 3] }),
  task(5, { worker: undefined, name: ['x', 'z'], status: 'b', retries: Number.POSITIVE_INFINITY }),
  task(6, { worker: 7, name: ['a', 'y'], status: ['a', 'd'], retries: Long.fromNumber(4) }),
  task(7, { worker: true, name: 'x', status: [[], null], retries: Decimal128.fromString('0.5') }),
  task(8, { worker: '\u{ffff}', name: 'x', status: [7], retries: [] }),
  task(9, { worker: '😀', name: 'x', status: false, retries: 'many' }),
].map((one, i) => ({
  ...one,
  date_started: i === 8 ? [at(0)] : at(0),
  date_done: i < 4 ? at(8 - i) : at(6.5),
}));

const PROJECTS = [
  project(1, { name: 'Zebra' }),
  project(2, { name: 'Apollo' }),
  project(3, { name: 7 }),
  project(4, { identifier: uuid(2), name: 'after' }),
  project(5, { identifier: [uuid(9)], name: 'never' }),
];

const ORDERS: readonly Case[] = [
  sorted('ties go by id', 'worker', [5, 6, 2, 4, 1, 3, 8, 9, 7]),
  sorted('ties go by id, descending', '-worker', [7, 9, 8, 3, 1, 4, 2, 6, 5]),
  sorted('two', 'worker -name', [5, 6, 4, 2, 3, 1, 8, 9, 7]),
  sorted('ties in the direction of the last', '-worker name', [7, 9, 8, 1, 3, 2, 4, 6, 5]),
  sorted('arrays by the least element', 'status', [3, 4, 7, 8, 1, 6, 5, 2, 9]),
  sorted('arrays by the greatest element', '-status', [9, 7, 6, 2, 5, 1, 8, 4, 3]),
  sorted('two arrays in one document', 'name -status', [6, 9, 7, 2, 5, 1, 8, 4, 3]),
  sorted('three', 'name worker -id', [6, 5, 2, 1, 8, 9, 7, 4, 3]),
  sorted('seconds', '-execution_time worker', [1, 2, 5, 6, 8, 7, 3, 4, 9]),
  sorted('nothing after the id', '-id', [9, 8, 7, 6, 5, 4, 3, 2, 1]),
  explored(
    'one sort of any field, pages',
    'admin tasks',
    { sorting: { sort_by: 'worker' }, pagination: { page: 2, per_page: 4 } },
    { ids: [1, 4, 2, 6], total: 9, sorting: { sort_by: 'worker', sort_order: 'desc' } },
  ),
  explored(
    'a range of seconds',
    'admin tasks',
    { select: [{ field: 'execution_time', from: 6.5, to: 8 }], sorting: { sort_by: 'id' } },
    { ids: [8, 7, 6, 5, 2] },
  ),
  refused('a field twice', { sorting: [{ sort_by: 'name' }, { sort_by: 'name' }] }, [
    '/sorting/1/sort_by',
  ]),
  refused('no sort', { sorting: [] }, ['/sorting']),
  refused(
    'four sorts',
    { sorting: ['id', 'name', 'worker', 'status'].map((sort_by) => ({ sort_by })) },
    ['/sorting'],
  ),
  refused('unknown fields', { sorting: [{ sort_by: 'artifacts' }, { sort_order: 'up' }] }, [
    '/sorting/0/sort_by',
    '/sorting/1/sort_by',
    '/sorting/1/sort_order',
  ]),
  refused('an order that is none', { sorting: 'name' }, ['/sorting']),
];

conform(
  'explore: orders by labels',
  {
    projects: PROJECTS,
    tasks: [
      task(1, { project_id: uuid(1) }),
      task(2, { project_id: uuid(2) }),
      task(3, { project_id: uuid(3) }),
      task(4, { project_id: [uuid(1), uuid(2)] }),
      task(5, { project_id: null }),
      task(6, { project_id: uuid(2) }),
      task(7, { project_id: uuid(9) }),
    ],
    schedules: [
      schedule('a', { task_args: { user_email: 'b@x' } }),
      schedule('b', { task_args: [{ user_email: 'c@x' }, 5, { user_email: 'a@x' }] }),
      schedule('c', { task_args: [5] }),
      schedule('d', { task_args: {} }),
    ],
  },
  [
    sorted('as records show them, ties by id', 'project_name', [3, 4, 5, 7, 2, 6, 1]),
    sorted('descending', '-project_name', [1, 6, 2, 7, 5, 4, 3]),
    sorted('and another field', '-project_name id', [1, 2, 6, 3, 4, 5, 7]),
    sorted('a path through arrays', 'user_email', ['c', 'd', 'b', 'a'], 'admin schedules'),
    sorted('the same, descending', '-user_email', ['b', 'a', 'd', 'c'], 'admin schedules'),
  ],
);

const ARGS = [
  task(1, { args: { a: 2 }, eta: at(1) }),
  task(2, { args: { b: 1 }, eta: at(0) }),
  task(3, { args: [{ a: 3 }, { a: 1 }], eta: null }),
  task(4, { args: null, eta: at(1) }),
  task(5, { args: [], eta: 'soon' }),
  task(6, { args: { a: 1, b: 2 }, eta: [at(2), at(0)] }),
  task(7, { args: { a: 'x' } }),
  task(8, { args: 'text' }),
  task(9, { args: { a: 2 } }),
].map((one, i) => ({ ...one, status: i % 2 === 0 ? 'SUCCESS' : 'FAILURE', date_queued: at(i) }));

conform('explore: orders by what the index has no column of', { tasks: ARGS }, [
  byStore('objects by type, name and value', 'args', [5, 4, 8, 3, 6, 1, 9, 2, 7]),
  byStore('arrays by the greatest element, descending', '-args', [7, 2, 3, 9, 1, 6, 8, 4, 5]),
  sorted('dates beside other types', 'eta -id', [9, 8, 7, 3, 5, 6, 2, 4, 1]),
  byStore('behind a field with a column', 'status args', [4, 8, 6, 2, 5, 3, 1, 9, 7]),
  explored(
    'counts beside it, page by page',
    'admin tasks',
    {
      sorting: { sort_by: 'args', sort_order: 'asc' },
      pagination: { page: 2, per_page: 3 },
      select: [{ field: 'id', in: [1, 2, 3, 4, 5, 6] }],
      facets: [{ field: 'status' }],
      histogram: { field: 'date_queued', interval: 'P1D' },
    },
    {
      ids: [6, 1, 2],
      total: 6,
      sorting: { sort_by: 'args', sort_order: 'asc' },
      facets: [facet('status', ['FAILURE', 3], ['SUCCESS', 3])],
      histogram: {
        ...{ field: 'date_queued', interval: 'P1D', time_zone: 'UTC', missing: 0 },
        buckets: [{ start: at(0).toISOString(), end: at(86_400).toISOString(), count: 6 }],
      },
    },
    { byStore: true },
  ),
]);

const stats = (field: string, counts: readonly number[], quantiles: readonly unknown[]) => {
  const [count, missing] = counts;
  const [min, p50, p90, p95, p99, max] = quantiles;
  return { field, count, missing, min, p50, p90, p95, p99, max };
};

const STATISTICS: readonly Case[] = [
  explored(
    'numbers, seconds and dates',
    'admin tasks',
    { stats: [{ field: 'retries' }, { field: 'execution_time' }, { field: 'date_started' }] },
    {
      ids: [9, 8, 7, 6, 5, 4, 3, 2, 1],
      stats: [
        stats('retries', [6, 3], [0.5, 2.5, 7, 7, 7, 7]),
        stats('execution_time', [8, 1], [5, 6.5, 8, 8, 8, 8]),
        stats('date_started', [9, 0], Array(6).fill(at(0).toISOString())),
      ],
    },
  ),
  explored(
    'of the rows that meet the conditions',
    'admin tasks',
    { select: [{ field: 'retries', from: 2, to: 3 }], stats: [{ field: 'retries' }] },
    { ids: [2], stats: [stats('retries', [1, 0], Array(6).fill(2.5))] },
  ),
  explored(
    'of no rows',
    'admin tasks',
    { filters: { q: 'nowhere' }, stats: [{ field: 'date_done' }] },
    {
      applied: { scope: SCOPES, q: 'nowhere' },
      stats: [stats('date_done', [0, 0], Array(6).fill(null))],
    },
  ),
  refused('a field twice', { stats: [{ field: 'retries' }, { field: 'retries' }] }, [
    '/stats/1/field',
  ]),
  refused('a field without numbers', { stats: [{ field: 'worker' }] }, ['/stats/0/field']),
];

conform('explore: orders by several fields, and statistics', { tasks: TASKS }, [
  ...ORDERS,
  ...STATISTICS,
]);
