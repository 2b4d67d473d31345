/** Explore: conditions, counts by value and counts by time, over clean and dirty documents. */
import { Decimal128, Long } from 'mongodb';
import { type Case, conform, type Hits, type ViewName } from './conform.ts';
import { ANA, BO, project, schedule, task, user, uuid } from './documents.ts';
import { at, bucketsTo, type Counted, explored, facet, SCOPES } from './exploreCases.ts';

/** Cases of conditions, one each. */
const selected = (name: string, view: ViewName, select: object, ids: readonly unknown[]): Case =>
  explored(name, view, { select: [select] }, { ids });

/** Cases of one facet over every document; `answered` has the ids, and what is not listed. */
const counted = (
  name: string,
  view: ViewName,
  asked: { readonly field: string; readonly limit?: number; readonly contains?: string },
  { ids, ...answered }: { ids: Hits['ids']; distinct?: number; rest?: number },
  ...values: readonly Counted[]
): Case => {
  const facets = [{ ...facet(asked.field, ...values), ...answered }];
  return explored(name, view, { facets: [asked] }, { ids, facets });
};

const DIRTY = [
  task(1, { status: 'FAILURE', retries: 2, worker: 'w1', preserve: true }),
  task(2, { status: ['FAILURE', 'SUCCESS', 'FAILURE'], retries: [1, 9], worker: 'W2' }),
  task(3, { status: null, retries: Number.NaN, worker: null }),
  task(4, { status: undefined, retries: '3', worker: 'w1' }),
  task(5, { status: [], retries: [], worker: [] }),
  task(6, { status: [null, 'SUCCESS'], retries: Long.fromString('9007199254740993') }),
  task(7, { status: 7, retries: Decimal128.fromString('2.5'), worker: Number.NaN }),
  task(8, { status: { a: 1 }, retries: Number.POSITIVE_INFINITY, worker: [['w1']] }),
  task(9, { status: true, retries: 0, worker: new Date(0) }),
];
const ALL_DIRTY = [9, 8, 7, 6, 5, 4, 3, 2, 1];

conform('explore: conditions', { tasks: DIRTY }, [
  selected('in', 'admin tasks', { field: 'status', in: ['FAILURE'] }, [2, 1]),
  selected('in, of any element', 'admin tasks', { field: 'status', in: ['SUCCESS', 7] }, [7, 6, 2]),
  selected('in null: null and missing', 'admin tasks', { field: 'status', in: [null] }, [6, 4, 3]),
  selected('in a boolean', 'admin tasks', { field: 'preserve', in: [true] }, [1]),
  selected('no trimming, no folding', 'admin tasks', { field: 'worker', in: ['w2', ' w1'] }, []),
  selected(
    'not_in: [] has no value',
    'admin tasks',
    { field: 'status', not_in: ['FAILURE', null] },
    [...[9, 8, 7, 5]],
  ),
  selected('not_in what nothing is', 'admin tasks', { field: 'status', not_in: ['x'] }, ALL_DIRTY),
  selected('from', 'admin tasks', { field: 'retries', from: 2 }, [8, 7, 6, 2, 1]),
  selected('to: numbers alone', 'admin tasks', { field: 'retries', to: 2.5 }, [9, 2, 1]),
  selected(
    'from and to of one element',
    'admin tasks',
    { field: 'retries', from: 2, to: 9 },
    [7, 1],
  ),
  selected('from past 2^53', 'admin tasks', { field: 'retries', from: 9007199254740994 }, [8]),
  selected('ids', 'admin tasks', { field: 'id', in: [3, 5, 99, '1'] }, [5, 3]),
  selected(
    'other ids',
    'admin tasks',
    { field: 'id', not_in: [3, 5, 99, '1'] },
    [9, 8, 7, 6, 4, 2, 1],
  ),
  selected('UUIDs', 'admin tasks', { field: 'task_id', in: [uuid(2), uuid(99)] }, [2]),
  selected(
    'other UUIDs',
    'admin tasks',
    { field: 'task_id', not_in: [uuid(2), uuid(99), null] },
    ALL_DIRTY.filter((id) => id !== 2),
  ),
  explored(
    'two on one field, and another',
    'admin tasks',
    {
      select: [
        { field: 'status', in: ['FAILURE', 'SUCCESS'] },
        { field: 'status', not_in: [null] },
        { field: 'worker', in: ['w1'] },
      ],
    },
    { ids: [1] },
  ),
  explored(
    'with filters',
    'admin tasks',
    { filters: { q: 'FAIL' }, select: [{ field: 'retries', from: 9 }] },
    {
      ids: [2],
      applied: { q: 'FAIL', scope: SCOPES },
    },
  ),
]);

conform('explore: facets', { tasks: DIRTY }, [
  counted(
    'arrays once for each element, ties in the order of values',
    'admin tasks',
    { field: 'status' },
    { ids: ALL_DIRTY, rest: 1 },
    [null, 3],
    ['FAILURE', 2],
    ['SUCCESS', 2],
    [7, 1],
    [true, 1],
  ),
  counted(
    'the most frequent',
    'admin tasks',
    { field: 'status', limit: 2 },
    { ids: ALL_DIRTY, distinct: 5, rest: 5 },
    [null, 3],
    ['FAILURE', 2],
  ),
  counted(
    'what cannot be listed',
    'admin tasks',
    { field: 'worker' },
    { ids: ALL_DIRTY, rest: 3 },
    [null, 2],
    ['w1', 2],
    ['W2', 1],
  ),
  counted(
    'text, by the letters of searches',
    'admin tasks',
    { field: 'worker', contains: 'w' },
    { ids: ALL_DIRTY },
    ['w1', 2],
    ['W2', 1],
  ),
  counted(
    'text that none has',
    'admin tasks',
    { field: 'worker', contains: 'zz' },
    { ids: ALL_DIRTY },
  ),
  counted(
    'labels of task types',
    'admin tasks',
    { field: 'task_type', contains: 'keep' },
    { ids: ALL_DIRTY },
    ['housekeeping', 9, 'Housekeeping'],
  ),
  explored(
    'leave out the conditions on their own field',
    'admin tasks',
    {
      select: [
        { field: 'status', in: ['FAILURE'] },
        { field: 'worker', in: ['w1'] },
      ],
      facets: [{ field: 'status' }, { field: 'worker' }, { field: 'preserve' }],
    },
    {
      ids: [1],
      facets: [
        facet('status', [null, 1], ['FAILURE', 1]),
        facet('worker', ['W2', 1], ['w1', 1]),
        facet('preserve', [true, 1]),
      ],
    },
  ),
  explored(
    'of nothing',
    'admin tasks',
    {
      filters: { q: 'nothing has this' },
      facets: [{ field: 'status' }],
      histogram: { field: 'date_done', by: 'status', interval: 'P1D' },
    },
    {
      applied: { q: 'nothing has this', scope: SCOPES },
      facets: [facet('status')],
      histogram: {
        ...{ field: 'date_done', interval: 'P1D', time_zone: 'UTC', buckets: [], missing: 0 },
        by: { field: 'status', values: [] },
      },
    },
  ),
]);

const PROJECTS = [
  project(1, { name: 'Apollo' }),
  project(2, { name: 'Borealis', identifier: uuid(1), members: [{ user_id: BO }] }),
  project(3, { name: ['Cygnus'], members: [{ user_id: ANA }, { user_id: BO }] }),
  project(4, { name: 'Draco', type: 'demo', members: [{ user_id: BO }] }),
];
const of = (n: number, changes = {}) => ({ scope: 'project', project_id: uuid(n), ...changes });

conform(
  'explore: projects',
  {
    projects: PROJECTS,
    tasks: [
      task(1, of(1, { user_email: 'ana@mail.test' })),
      task(2, of(1, { status: 'FAILURE' })),
      task(3, of(3)),
      task(4, of(4, { user_email: 'bo@mail.test', status: 'SECRET' })),
      task(5, { scope: 'backup_infrastructure', status: 'SECRET' }),
      task(6, of(9)),
    ],
    schedules: [
      schedule(1, of(1, { task_args: { user_email: 'ana@mail.test', other: { key: 'SECRET' } } })),
      schedule(2, of(4, { task_args: [{ user_email: 'bo@mail.test' }, { user_email: [] }, {}] })),
    ],
    users: [
      user(1),
      user(ANA, { auth_groups: ['staff', 'ops', 'staff'] }),
      user(BO, { auth_groups: ['ops', null] }),
    ],
  },
  [
    counted(
      'the name of the project with the least id',
      'admin tasks',
      { field: 'project_id' },
      { ids: [6, 4, 3, 2, 1] },
      [uuid(1), 2, 'Apollo'],
      [uuid(3), 1],
      [uuid(4), 1, 'Draco'],
      [uuid(9), 1],
    ),
    counted(
      'any of their names',
      'admin tasks',
      { field: 'project_id', contains: 'BOREA' },
      { ids: [6, 4, 3, 2, 1] },
      [uuid(1), 2, 'Apollo'],
    ),
    counted(
      'a name in an array is looked through',
      'admin tasks',
      { field: 'project_id', contains: 'cyg' },
      { ids: [6, 4, 3, 2, 1] },
      [uuid(3), 1],
    ),
    explored(
      'of a path: what others hold is not counted',
      'project tasks',
      {
        select: [{ field: 'status', not_in: ['FAILURE'] }],
        facets: [{ field: 'status' }, { field: 'project_id' }, { field: 'user_email' }],
      },
      {
        ids: [1],
        applied: { project_id: uuid(1), scope: 'project' },
        facets: [
          facet('status', ['FAILURE', 1], ['PENDING', 1]),
          facet('project_id', [uuid(1), 1, 'Apollo']),
          facet('user_email', ['ana@mail.test', 1]),
        ],
      },
      { within: uuid(1), as: ANA },
    ),
    explored(
      'of own projects',
      'own projects',
      { facets: [{ field: 'type' }] },
      {
        ids: [uuid(3), uuid(1)],
        facets: [facet('type', ['custom', 2])],
      },
      { as: ANA },
    ),
    explored(
      'not of a foreign path',
      'project tasks',
      { facets: [{ field: 'status' }] },
      {},
      {
        ...{ within: uuid(4), as: ANA },
        expect: { status: 404, code: 'NotFound' },
      },
    ),
    counted(
      'emails in a list of arguments',
      'admin schedules',
      { field: 'user_email' },
      { ids: [uuid(2), uuid(1)] },
      [null, 1],
      ['ana@mail.test', 1],
      ['bo@mail.test', 1],
    ),
    counted(
      'elements of arrays',
      'users',
      { field: 'auth_groups' },
      { ids: [BO, ANA, 1] },
      ['ops', 2],
      [null, 1],
      ['staff', 1],
    ),
    explored(
      'the arguments of a schedule are no field',
      'admin schedules',
      {
        facets: [{ field: 'task_args' }],
      },
      {},
      { expect: { status: 422, code: 'ValidationFailed', pointers: ['/facets/0/field'] } },
    ),
  ],
);

const ARGS = [
  undefined,
  null,
  5,
  'x',
  {},
  { user_email: null },
  { user_email: [] },
  { user_email: [null, 'a'] },
  [],
  [5],
  [{}],
  [{ user_email: 'a' }],
  [{ user_email: 'a' }, {}],
  [5, { user_email: 'a' }],
  [5, {}],
  [[{ user_email: 'a' }]],
  [[], { user_email: 'a' }],
];

conform(
  'explore: nothing in a list of arguments',
  { schedules: ARGS.map((task_args, n) => schedule(n + 1, { task_args })) },
  [
    explored(
      'in null: an object without one, no other element',
      'admin schedules',
      {
        select: [{ field: 'user_email', in: [null] }],
        facets: [{ field: 'user_email' }],
        pagination: { per_page: 20 },
      },
      {
        ids: [15, 13, 11, 8, 6, 5, 4, 3, 2, 1].map(uuid),
        facets: [facet('user_email', [null, 10], ['a', 5])],
      },
    ),
    explored(
      'not_in null',
      'admin schedules',
      { select: [{ field: 'user_email', not_in: [null] }], pagination: { per_page: 20 } },
      { ids: [17, 16, 14, 12, 10, 9, 7].map(uuid) },
    ),
  ],
);

const DAYS = bucketsTo(
  '2026-01-05',
  ['2026-01-01', 2],
  ['2026-01-02', 1],
  ['2026-01-03', 0],
  ['2026-01-04', 2],
);
const timed = (
  name: string,
  histogram: object,
  ids: Hits['ids'],
  shown: object,
  more: object = {},
): Case =>
  explored(
    name,
    'admin tasks',
    { histogram: { field: 'date_done', ...histogram }, ...more },
    {
      ids,
      histogram: { field: 'date_done', time_zone: 'UTC', missing: 0, ...shown },
    },
  );

conform(
  'explore: time',
  {
    tasks: [
      task(1, { date_done: at('2026-01-01T10:00Z'), status: 'A' }),
      task(2, { date_done: [at('2026-01-02T00:00Z'), at('2026-01-02T00:00Z')], status: 'A' }),
      task(3, { date_done: [at('2026-01-01T23:59Z'), at('2026-01-04T01:00Z'), 'x', 5] }),
      task(4, { date_done: null }),
      task(5, { date_done: [], status: 'B' }),
      task(6, { date_done: '2026-01-03', status: ['A', 'B'] }),
      task(7, { date_done: at('2026-01-04T12:00Z'), status: ['A', 'B'] }),
    ],
  },
  [
    timed(
      'days, empty ones too; values that are no dates',
      { interval: 'P1D' },
      [7, 6, 5, 4, 3, 2, 1],
      {
        interval: 'P1D',
        missing: 4,
        buckets: DAYS,
      },
    ),
    timed('auto: the least that is few enough', { max_buckets: 4 }, [7, 6, 5, 4, 3, 2, 1], {
      interval: 'P1D',
      missing: 4,
      buckets: DAYS,
    }),
    timed(
      'bounds of its own: only dates within, buckets around',
      { interval: 'P1D', from: '2026-01-01T12:00:00Z', to: '2026-01-04T10:00:00Z' },
      [7, 6, 5, 4, 3, 2, 1],
      {
        interval: 'P1D',
        missing: 4,
        buckets: bucketsTo(
          '2026-01-05',
          ['2026-01-01', 1],
          ['2026-01-02', 1],
          ['2026-01-03', 0],
          ['2026-01-04', 1],
        ),
      },
    ),
    timed(
      'conditions on its own field are left out, others are not',
      { interval: 'P1Y' },
      [1],
      {
        interval: 'P1Y',
        buckets: bucketsTo('2027-01-01', ['2026-01-01', 3]),
        missing: 1,
      },
      {
        select: [
          { field: 'date_done', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
          { field: 'status', in: ['A'] },
        ],
      },
    ),
    explored(
      'split by values',
      'admin tasks',
      {
        histogram: { field: 'date_done', interval: 'P1D', by: 'status' },
      },
      {
        ids: [7, 6, 5, 4, 3, 2, 1],
        histogram: {
          ...{ field: 'date_done', time_zone: 'UTC', interval: 'P1D', missing: 4 },
          by: { field: 'status', values: ['A', 'PENDING', 'B'] },
          buckets: DAYS.map((bucket, i) => ({
            ...bucket,
            counts: [
              [1, 1, 0],
              [1, 0, 0],
              [0, 0, 0],
              [1, 1, 1],
            ][i],
            rest: 0,
          })),
        },
      },
    ),
    explored(
      'too many buckets',
      'admin tasks',
      {
        histogram: { field: 'date_done', interval: 'PT1M' },
      },
      {},
      { expect: { status: 400, code: 'TooManyBuckets' } },
    ),
  ],
);
