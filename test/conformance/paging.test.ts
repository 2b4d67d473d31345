/** Pagination rules 1 to 4, with ties in the sort field, with no hits, and with the page size capped. */
import { type Case, conform, type World } from './conform.ts';
import { day, PEOPLE, task, uuid } from './documents.ts';
import { EXECUTORS } from './executors.ts';

const COUNT = 23;
/** Three values of `date_queued` in turn: many ties, broken by id. */
const world: World = {
  tasks: Array.from({ length: COUNT }, (_, i) => task(i + 1, { date_queued: day(1 + (i % 3)) })),
};
const newest = Array.from({ length: COUNT }, (_, i) => COUNT - i);
const byQueued = [1, 2, 0].flatMap((rest) =>
  Array.from({ length: COUNT }, (_, i) => i + 1).filter((id) => id % 3 === rest),
);
const WORKERS = { scope: ['system', 'project'] };

const page = (pagination: object, ids: unknown[], shown: object, total = COUNT): Case => ({
  name: JSON.stringify(pagination),
  view: 'admin tasks',
  body: { pagination },
  expect: { ids, total, applied: WORKERS, pagination: { ...shown } },
});
const slice = (from: number, to: number) => newest.slice(from, to);

const PAGES: readonly Case[] = [
  page({}, slice(0, 10), { current_page: 1, per_page: 10, total_pages: 3, next_page_num: 2 }),
  page({ page: 1, per_page: 10 }, slice(0, 10), { prev_page_num: null }),
  page({ page: 2 }, slice(10, 20), { current_page: 2, prev_page_num: 1, next_page_num: 3 }),
  page({ page: 3 }, slice(20, 23), { current_page: 3, prev_page_num: 2, next_page_num: null }),
  page({ page: 0 }, slice(0, 10), { current_page: 1 }),
  page({ page: -1 }, slice(0, 10), { current_page: 1 }),
  page({ page: Number.MIN_SAFE_INTEGER }, slice(0, 10), { current_page: 1 }),
  page({ page: 4 }, slice(20, 23), { current_page: 3, next_page_num: null, prev_page_num: 2 }),
  page({ page: Number.MAX_SAFE_INTEGER }, slice(20, 23), { current_page: 3 }),
  page({ page: Number.MAX_SAFE_INTEGER, per_page: 100 }, newest, { current_page: 1 }),
  page({ per_page: 0 }, slice(0, 10), { per_page: 10 }),
  page({ per_page: -5 }, slice(0, 10), { per_page: 10 }),
  page({ per_page: Number.MIN_SAFE_INTEGER }, slice(0, 10), { per_page: 10 }),
  page({ per_page: 1, page: 23 }, [1], { current_page: 23, total_pages: 23, next_page_num: null }),
  page({ per_page: 1, page: 24 }, [1], { current_page: 23 }),
  page({ per_page: 23 }, newest, { total_pages: 1, next_page_num: null, prev_page_num: null }),
  page({ per_page: 22, page: 2 }, [1], { total_pages: 2, current_page: 2 }),
  page({ per_page: 100 }, newest, { per_page: 100 }),
  page({ per_page: 101 }, newest, { per_page: 100 }),
  page({ per_page: Number.MAX_SAFE_INTEGER }, newest, { per_page: 100 }),
  { ...page({ page: 2 }, slice(10, 20), {}), name: '2.0', body: '{"pagination":{"page":2.0}}' },
  ...[1, 4, 9, 1e9].map(
    (asked): Case => ({
      name: `no hits, page ${asked}`,
      view: 'admin tasks',
      body: { filters: { q: 'nothing has this' }, pagination: { page: asked, per_page: 4 } },
      expect: {
        ids: [],
        applied: { ...WORKERS, q: 'nothing has this' },
        pagination: {
          total_items: 0,
          total_pages: 0,
          current_page: 1,
          per_page: 4,
          next_page_num: null,
          prev_page_num: null,
        },
      },
    }),
  ),
];

/** Every page of every size: they partition the whole, in one order. */
const pagesOf = (sort_order: 'asc' | 'desc', perPage: number): Case[] => {
  const whole = sort_order === 'asc' ? byQueued : [...byQueued].reverse();
  const sorting = { sort_by: 'date_queued', sort_order };
  return Array.from({ length: Math.ceil(COUNT / perPage) }, (_, i) => ({
    name: `ties, ${sort_order}, page ${i + 1} of ${perPage}`,
    view: 'admin tasks',
    body: { sorting, pagination: { page: i + 1, per_page: perPage } },
    expect: {
      ids: whole.slice(i * perPage, (i + 1) * perPage),
      total: COUNT,
      applied: WORKERS,
      sorting,
    },
  }));
};

const TIES: readonly Case[] = [
  ...pagesOf('asc', 4),
  ...pagesOf('desc', 4),
  ...pagesOf('asc', 7),
  ...pagesOf('desc', 11),
  ...pagesOf('asc', 1),
];

conform('pages of at most three', { ...world, settings: { DB_ITEM_LIMIT: '3' } }, [
  page({}, slice(0, 3), { per_page: 3, total_pages: 8 }),
  page({ per_page: 0 }, slice(0, 3), { per_page: 3 }),
  page({ per_page: 2, page: 12 }, [1], { per_page: 2, current_page: 12 }),
  page({ per_page: 3, page: 8 }, [2, 1], { per_page: 3 }),
  page({ per_page: 4, page: 2 }, slice(3, 6), { per_page: 3, current_page: 2 }),
  page({ per_page: 10_000, page: 99 }, [2, 1], { per_page: 3, current_page: 8 }),
]);

const MANY = 130;
const manyIds = Array.from({ length: MANY }, (_, i) => MANY - i);
conform(
  'pages of at most a hundred by default',
  {
    users: [...PEOPLE],
    tasks: manyIds.map((id) => task(id)),
  },
  [
    page({ per_page: 130 }, manyIds.slice(0, 100), { per_page: 100, total_pages: 2 }, MANY),
    page({ per_page: 130, page: 2 }, manyIds.slice(100), { per_page: 100 }, MANY),
  ],
);

conform('an empty store', {}, [
  {
    name: 'no schedules',
    view: 'admin schedules',
    body: { pagination: { page: 3 } },
    expect: { ids: [], applied: {}, pagination: { current_page: 1, total_pages: 0 } },
  },
  { name: 'no tasks', view: 'admin tasks', body: {}, expect: { ids: [], applied: WORKERS } },
  { name: 'no projects', view: 'own projects', body: {}, expect: { ids: [], applied: {} } },
  {
    name: 'no projects to have a name',
    view: 'admin tasks',
    body: { filters: { q: 'x', project_name: 'x' } },
    expect: { ids: [], applied: { ...WORKERS, q: 'x', project_name: 'x' } },
  },
  {
    name: 'no such project',
    view: 'project tasks',
    within: uuid(1),
    body: {},
    expect: { status: 404, code: 'NotFound' },
  },
]);

conform('pages', world, [...PAGES, ...TIES], EXECUTORS);
