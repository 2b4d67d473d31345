/**
 * Explore, the rest of its forms: more values than are listed, bounds without dates, numbers of all types,
 * all resources.
 */
import { Decimal128, Double, Long } from 'mongodb';
import { type Case, conform } from './conform.ts';
import { ADMIN, ANA, BO, day, project, schedule, task, user, uuid } from './documents.ts';
import { at, bucketsTo, explored, facet } from './exploreCases.ts';

const refused = (name: string, body: object, expect: Case['expect']): Case => ({
  ...{ name, view: 'admin tasks', explore: true, body, expect },
});

const noon = at('2026-01-01T12:00:00Z');
const worker = (n: number) => `w${String(n).padStart(2, '0')}`;
const MANY = [
  ...Array.from({ length: 12 }, (_, i) => task(i + 1, { date_done: noon, worker: worker(i + 1) })),
  task(13, { date_done: noon, worker: Number.NaN }),
  task(14, { date_done: noon, worker: ['w01', 'w12', 'w01'] }),
  task(15, { date_done: noon, worker: [] }),
  task(16, { date_done: noon, worker: null }),
];
const MANY_IDS = MANY.map(({ _id }) => _id).reverse();
const PAGE = { pagination: { per_page: 20 } };
const timed = (name: string, histogram: object, shown: object): Case =>
  explored(
    name,
    'admin tasks',
    { histogram: { field: 'date_done', ...histogram }, ...PAGE },
    {
      ids: MANY_IDS,
      histogram: { field: 'date_done', time_zone: 'UTC', missing: 0, ...shown },
    },
  );

conform('explore: more values than are listed', { tasks: MANY }, [
  explored(
    'by: ten values, and those that have none of them',
    'admin tasks',
    { histogram: { field: 'date_done', interval: 'P1D', by: 'worker' }, ...PAGE },
    {
      ids: MANY_IDS,
      histogram: {
        ...{ field: 'date_done', interval: 'P1D', time_zone: 'UTC', missing: 0 },
        by: { field: 'worker', values: ['w01', 'w12', null, ...[2, 3, 4, 5, 6, 7, 8].map(worker)] },
        buckets: [
          {
            ...bucketsTo('2026-01-02', ['2026-01-01', 16])[0],
            counts: [2, 2, 1, 1, 1, 1, 1, 1, 1, 1],
            rest: 5,
          },
        ],
      },
    },
  ),
  explored(
    'a facet: ties in the order of values, null first',
    'admin tasks',
    { facets: [{ field: 'worker', limit: 4 }], ...PAGE },
    {
      ids: MANY_IDS,
      facets: [
        {
          ...facet('worker', ['w01', 2], ['w12', 2], [null, 1], ['w02', 1]),
          distinct: 13,
          rest: 10,
        },
      ],
    },
  ),
  explored(
    'contains, beside conditions on the same field and on another',
    'admin tasks',
    {
      select: [
        { field: 'worker', in: ['w02'] },
        { field: 'id', in: [1, 2, 10, 11, 12, 14] },
      ],
      facets: [{ field: 'worker', contains: ' W1 ', limit: 2 }],
    },
    {
      ids: [2],
      facets: [{ ...facet('worker', ['w12', 2], ['w10', 1]), distinct: 3, rest: 1 }],
    },
  ),
  explored(
    'a page past the end is the last one; counts are of all',
    'admin tasks',
    { facets: [{ field: 'status' }], pagination: { page: 9, per_page: 15 } },
    {
      ids: [1],
      total: 16,
      pagination: { per_page: 15, current_page: 2, total_pages: 2, prev_page_num: 1 },
      facets: [facet('status', ['PENDING', 16])],
    },
  ),
  timed(
    'auto: a moment is a minute',
    {},
    {
      interval: 'PT1M',
      buckets: bucketsTo('2026-01-01T12:01Z', ['2026-01-01T12:00Z', 16]),
    },
  ),
  timed(
    'bounds within a millisecond: dates from the next one on, in buckets from that of the moment',
    { interval: 'PT1M', from: '2026-01-01T11:59:59.9995Z', to: '2026-01-01T12:00:00.0005Z' },
    {
      interval: 'PT1M',
      buckets: bucketsTo('2026-01-01T12:01Z', ['2026-01-01T11:59Z', 0], ['2026-01-01T12:00Z', 16]),
    },
  ),
  timed(
    'a beginning within the millisecond of all dates, which are before it',
    { interval: 'PT1M', from: '2026-01-01T12:00:00.0005Z', to: '2026-01-01T12:00:30Z' },
    { interval: 'PT1M', buckets: bucketsTo('2026-01-01T12:01Z', ['2026-01-01T12:00Z', 0]) },
  ),
  timed(
    'bounds that hold no date',
    {
      ...{ interval: 'P1D', from: '2026-02-01T00:00:00Z', to: '2026-02-03T00:00:00Z' },
    },
    {
      interval: 'P1D',
      buckets: bucketsTo('2026-02-03', ['2026-02-01', 0], ['2026-02-02', 0]),
    },
  ),
  timed(
    'from alone',
    { interval: 'P1D', from: '2025-12-31T18:00:00Z' },
    {
      interval: 'P1D',
      buckets: bucketsTo('2026-01-02', ['2025-12-31', 0], ['2026-01-01', 16]),
    },
  ),
  timed(
    'to alone: the last bucket ends at it or after',
    { interval: 'P1D', to: '2026-01-02T06:00:00Z' },
    {
      interval: 'P1D',
      buckets: bucketsTo('2026-01-03', ['2026-01-01', 16], ['2026-01-02', 0]),
    },
  ),
  timed(
    'to is exclusive',
    { interval: 'P1D', to: '2026-01-01T12:00:00Z' },
    {
      interval: 'P1D',
      buckets: [],
    },
  ),
]);

conform(
  'explore: too many buckets',
  { tasks: [task(1, { date_done: at('0001-01-01') }), task(2, { date_done: at('9999-01-01') })] },
  [
    explored(
      'not by auto, where years would be too many',
      'admin tasks',
      { histogram: { field: 'date_done' } },
      {
        ids: [2, 1],
        histogram: {
          ...{ field: 'date_done', time_zone: 'UTC', interval: 'P1000Y', missing: 0 },
          buckets: bucketsTo(
            '+010000-01-01T00:00Z',
            ...Array.from(
              { length: 10 },
              (_, n) => [`${n}000-01-01T00:00Z`, n % 9 === 0 ? 1 : 0] as const,
            ),
          ),
        },
      },
    ),
    refused(
      'of its own bounds',
      {
        histogram: {
          ...{ field: 'date_done', interval: 'PT1H' },
          ...{ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
        },
      },
      { status: 400, code: 'TooManyBuckets' },
    ),
    explored(
      'five hundred are not',
      'admin tasks',
      {
        select: [{ field: 'id', in: [1] }],
        histogram: {
          ...{ field: 'date_started', interval: 'PT1M' },
          ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T08:20:00Z' },
        },
      },
      {
        ids: [1],
        histogram: {
          ...{ field: 'date_started', interval: 'PT1M', time_zone: 'UTC', missing: 1 },
          buckets: Array.from({ length: 500 }, (_, i) => ({
            start: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
            end: new Date(Date.UTC(2026, 0, 1, 0, i + 1)).toISOString(),
            count: 0,
          })),
        },
      },
    ),
  ],
);

conform(
  'explore: numbers of all types',
  {
    tasks: [
      task(1, { status: 7, retries: 7 }),
      task(2, { status: new Double(7), retries: new Double(7) }),
      task(3, { status: Long.fromNumber(7), retries: Long.fromNumber(8) }),
      task(4, { status: Decimal128.fromString('7.0'), retries: Decimal128.fromString('7.5') }),
      task(5, { status: Long.fromString('9007199254740993'), retries: [6, 9] }),
      task(6, { status: '7', retries: '7' }),
      task(7, { status: -1.5, retries: Number.NEGATIVE_INFINITY }),
    ],
  },
  [
    explored(
      'are one value where they are equal',
      'admin tasks',
      { select: [{ field: 'status', in: [7] }], facets: [{ field: 'status' }] },
      {
        ids: [4, 3, 2, 1],
        facets: [facet('status', [7, 4], [-1.5, 1], ['9007199254740993', 1], ['7', 1])],
      },
    ),
    explored(
      'of a range: one element lies within, not two around it',
      'admin tasks',
      { select: [{ field: 'retries', from: 7, to: 8 }] },
      { ids: [4, 2, 1] },
    ),
    explored(
      'without a beginning',
      'admin tasks',
      { select: [{ field: 'retries', to: 7 }] },
      { ids: [7, 5] },
    ),
  ],
);

conform(
  'explore: other resources',
  {
    users: [
      user(ADMIN, { tc_creation: day(1), language: 'en' }),
      user(ANA, { tc_creation: day(3), language: 'de', active: null }),
      user(BO, { tc_creation: [day(1), day(3)], language: ['de', 'en'] }),
    ],
    projects: [
      project(1, { type: 'demo', tc_update: day(9) }),
      project(2, { type: undefined, tc_update: null }),
    ],
    schedules: [
      schedule(1, { total_run_count: 5, date_last_run_at: day(1), folder: 'a' }),
      schedule(2, { total_run_count: 50, enabled: false, date_last_run_at: day(2) }),
      schedule(3, { total_run_count: null, enabled: null, folder: 'a' }),
    ],
  },
  [
    explored(
      'users by language and by day',
      'users',
      {
        select: [{ field: 'tc_creation', from: '2026-01-03T00:00:00.000Z' }],
        facets: [{ field: 'language' }, { field: 'active' }],
        histogram: { field: 'tc_creation', interval: 'P1D', by: 'language' },
      },
      {
        ids: [BO, ANA],
        facets: [facet('language', ['de', 2], ['en', 1]), facet('active', [null, 1], [true, 1])],
        histogram: {
          ...{ field: 'tc_creation', interval: 'P1D', time_zone: 'UTC', missing: 0 },
          by: { field: 'language', values: ['de', 'en'] },
          buckets: bucketsTo(
            '2026-01-04',
            ['2026-01-01', 2],
            ['2026-01-02', 0],
            ['2026-01-03', 2],
          ).map((one, i) => ({
            ...one,
            counts: [
              [1, 2],
              [0, 0],
              [2, 1],
            ][i],
            rest: 0,
          })),
        },
      },
    ),
    explored(
      'projects by type, one of them without',
      'admin projects',
      {
        select: [{ field: 'type', in: [null, 'demo'] }],
        facets: [{ field: 'type' }],
        histogram: { field: 'tc_update', interval: 'P1M' },
      },
      {
        ids: [uuid(2), uuid(1)],
        facets: [facet('type', [null, 1], ['demo', 1])],
        histogram: {
          ...{ field: 'tc_update', interval: 'P1M', time_zone: 'UTC', missing: 1 },
          buckets: bucketsTo('2026-02-01', ['2026-01-01', 1]),
        },
      },
    ),
    explored(
      'schedules by a range of numbers, by what is on and by folder',
      'admin schedules',
      {
        select: [
          { field: 'total_run_count', from: 5, to: 50 },
          { field: 'enabled', not_in: [false] },
        ],
        facets: [{ field: 'enabled' }, { field: 'folder', contains: 'A' }, { field: 'task_type' }],
        histogram: { field: 'date_last_run_at', interval: 'P1D' },
      },
      {
        ids: [uuid(1)],
        facets: [
          facet('enabled', [true, 1]),
          facet('folder', ['a', 1]),
          facet('task_type', ['housekeeping', 1, 'Housekeeping']),
        ],
        histogram: {
          ...{ field: 'date_last_run_at', interval: 'P1D', time_zone: 'UTC', missing: 0 },
          buckets: bucketsTo('2026-01-02', ['2026-01-01', 1]),
        },
      },
    ),
  ],
);
