/**
 * Refusals of a search, with their codes and places: every problem of a body at once, the 400s of
 * ids and keys, and contradictions of the path. A refusal of several faults names one of them.
 */
import { type Case, conform, type ViewName, type World } from './conform.ts';
import { ANA, BO, INACTIVE, project, schedule, task, uuid } from './documents.ts';
import { INDEX } from './executors.ts';

const P = uuid(1);
const OTHER = uuid(2);
const world: World = {
  projects: [project(1), project(2, { members: [{ user_id: BO, role: 'owner' }] })],
  schedules: [schedule(1, { scope: 'project', project_id: P })],
  tasks: [task(1)],
};

const ALL_VIEWS: readonly ViewName[] = [
  'admin schedules',
  'project schedules',
  'admin tasks',
  'project tasks',
  'users',
  'own projects',
  'admin projects',
];

/** The filters of each view by type. */
const FILTERS: Readonly<Record<ViewName, Readonly<Record<string, readonly string[]>>>> = {
  'admin schedules': {
    text: ['q', 'user_email'],
    id: ['project_id', 'schedule_id'],
    boolean: ['enabled'],
    enum: ['scope'],
  },
  'project schedules': {
    text: ['q', 'user_email'],
    id: ['project_id', 'schedule_id'],
    boolean: ['enabled'],
    enum: ['scope'],
  },
  'admin tasks': {
    text: ['q', 'task_id', 'project_name', 'user_email'],
    id: ['project_id'],
    enum: ['scope'],
    list: ['routing_keys'],
    option: ['get_artifacts_metadata'],
  },
  'project tasks': { text: ['q', 'user_email'], list: ['routing_keys'] },
  users: {
    text: ['q', 'email', 'first_name', 'last_name', 'language'],
    integer: ['id'],
    boolean: ['active'],
    choice: ['match_type'],
  },
  'own projects': { text: ['q', 'project_id', 'project_name', 'user_email'], enum: ['type'] },
  'admin projects': { text: ['q', 'project_id', 'project_name', 'user_email'], enum: ['type'] },
};

/** Values that none of the filters of a type takes. */
const objects = [{ $ne: 1 }, { $where: 'true' }, { $regex: '.' }, {}, { length: 3 }];
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  text: [5, true, ['a'], [], ...objects],
  id: [5, false, [P], ...objects],
  boolean: ['true', 0, 1, [true], ...objects],
  enum: ['', 'Project', ' demo', 'exact', 7, ['project'], ...objects],
  list: ['service.housekeeping', 7, true, ...objects],
  option: [null, 'true', 1, [true], ...objects],
  choice: [null, 'LIKE', '', 1, ['like'], ...objects],
  integer: ['7', 1.5, 2 ** 53, -(2 ** 53), true, [1], ...objects],
};

const invalid = (view: ViewName, name: string, body: unknown, pointers: string[]): Case => ({
  name,
  view,
  within: P,
  body,
  expect: { status: 422, code: 'ValidationFailed', pointers },
});

/** For each view and each way to be wrong: all filters wrong at once, all named. */
const wrongTypes = ALL_VIEWS.flatMap((view) => {
  const byType = Object.entries(FILTERS[view]);
  const rounds = Math.max(...byType.map(([type]) => WRONG[type]!.length));
  return Array.from({ length: rounds }, (_, round) => {
    const filters = Object.fromEntries(
      byType.flatMap(([type, names]) =>
        names.map((name) => [name, WRONG[type]![round % WRONG[type]!.length]]),
      ),
    );
    const pointers = Object.keys(filters).map((name) => `/filters/${name}`);
    return invalid(view, `wrong types ${round + 1}`, { filters }, pointers);
  });
});

const envelopes = ALL_VIEWS.flatMap((view) => [
  ...[null, [], 'text', 7, true].map((body) =>
    invalid(view, `body ${JSON.stringify(body)}`, JSON.stringify(body), ['']),
  ),
  invalid(view, 'null parts', { filters: null, pagination: null, sorting: null }, [
    '/filters',
    '/pagination',
    '/sorting',
  ]),
  invalid(view, 'parts of another type', { filters: [], pagination: 'x', sorting: 7 }, [
    '/filters',
    '/pagination',
    '/sorting',
  ]),
  invalid(
    view,
    'unknown members at every level',
    { nope: 1, filters: { nope: 1, $or: [] }, pagination: { size: 1 }, sorting: { by: 1 }, '': 0 },
    ['/nope', '/', '/filters/nope', '/filters/$or', '/pagination/size', '/sorting/by'],
  ),
  invalid(
    view,
    'prototypes',
    '{"__proto__":{},"constructor":1,"filters":{"__proto__":{"q":1},"toString":1,"\\u005f_proto__":2},' +
      '"pagination":{"__proto__":null},"sorting":{"hasOwnProperty":1}}',
    [
      '/__proto__',
      '/constructor',
      '/filters/__proto__',
      '/filters/toString',
      '/pagination/__proto__',
      '/sorting/hasOwnProperty',
    ],
  ),
  invalid(view, 'names are escaped in pointers', { filters: { 'a/b~c': 1, '~1': 2 } }, [
    '/filters/a~1b~0c',
    '/filters/~01',
  ]),
  invalid(view, 'page and per_page null', { pagination: { page: null, per_page: null } }, [
    '/pagination/page',
    '/pagination/per_page',
  ]),
  ...['1', 1.5, true, [], {}, 2 ** 53, -(2 ** 53), 1e300].map((value) =>
    invalid(
      view,
      `page ${JSON.stringify(value)}`,
      { pagination: { page: value, per_page: value } },
      ['/pagination/page', '/pagination/per_page'],
    ),
  ),
  invalid(view, 'numbers that are infinite', '{"pagination":{"page":1e999,"per_page":-1e999}}', [
    '/pagination/page',
    '/pagination/per_page',
  ]),
  ...[null, 'name', '_id', '', 7, ['id'], { $meta: 'x' }].map((value) =>
    invalid(
      view,
      `sorting ${JSON.stringify(value)}`,
      { sorting: { sort_by: value, sort_order: value } },
      ['/sorting/sort_by', '/sorting/sort_order'],
    ),
  ),
  invalid(view, 'sort_order in capitals', { sorting: { sort_order: 'DESC' } }, [
    '/sorting/sort_order',
  ]),
]);

const texts = ALL_VIEWS.flatMap((view) => {
  const names = FILTERS[view].text!;
  const each = (text: string) => ({ filters: Object.fromEntries(names.map((n) => [n, text])) });
  const pointers = names.map((name) => `/filters/${name}`);
  return [
    invalid(view, '257 code points', each('😀'.repeat(257)), pointers),
    invalid(view, '257 blanks', each(' '.repeat(257)), pointers),
    invalid(view, 'NUL', each('a\0'), pointers),
    invalid(view, 'half an emoji', each('\ud83d'), pointers),
    invalid(view, 'the other half', each('a\ude00b'), pointers),
    invalid(view, 'halves in the wrong order', each('\ude00\ud83d'), pointers),
  ];
});

const lists = (['admin tasks', 'project tasks'] as const).flatMap((view) => [
  invalid(
    view,
    'entries of another type',
    { filters: { routing_keys: [null, 'service.housekeeping', 5, { $ne: 1 }, ['x']] } },
    [0, 2, 3, 4].map((i) => `/filters/routing_keys/${i}`),
  ),
  invalid(view, '101 entries', { filters: { routing_keys: Array(101).fill(' ') } }, [
    '/filters/routing_keys',
  ]),
  invalid(
    view,
    'entries that are too long, hold a NUL, or half a character',
    { filters: { routing_keys: ['x'.repeat(257), '\0', '\ud83d'] } },
    [0, 1, 2].map((i) => `/filters/routing_keys/${i}`),
  ),
]);

const foreign = [
  invalid(
    'project tasks',
    'filters of the admin search',
    {
      filters: {
        task_id: P,
        project_id: P,
        project_name: 'x',
        scope: 'project',
        get_artifacts_metadata: true,
      },
    },
    ['task_id', 'project_id', 'project_name', 'scope', 'get_artifacts_metadata'].map(
      (n) => `/filters/${n}`,
    ),
  ),
  invalid('users', 'sorts of another resource', { sorting: { sort_by: 'date_done' } }, [
    '/sorting/sort_by',
  ]),
  invalid('admin tasks', 'sorts of another resource', { sorting: { sort_by: 'email' } }, [
    '/sorting/sort_by',
  ]),
];

const INVALID: readonly Case[] = [...envelopes, ...wrongTypes, ...texts, ...lists, ...foreign];

const bad = (view: ViewName, filters: object, code: string, pointers: string[] = []): Case => ({
  name: `${JSON.stringify(filters)} is ${code}`.slice(0, 120),
  view,
  within: P,
  body: { filters },
  expect: { status: 400, code, pointers },
});
const NO_IDS = [
  '',
  ' ',
  'x',
  P.slice(1),
  `${P}0`,
  `{${P}}`,
  P.replaceAll('-', ''),
  `${P}\0`,
  '\ud83d',
  'g'.repeat(36),
  '0'.repeat(5_000),
  `${P}\n${P}`,
  '00000000-0000-4000-8000-00000000000１',
];

const UNUSABLE: readonly Case[] = [
  ...NO_IDS.flatMap((text) => [
    bad('admin schedules', { project_id: text }, 'InvalidScheduleSearchRequest', [
      '/filters/project_id',
    ]),
    bad(
      'admin schedules',
      { project_id: text, schedule_id: text },
      'InvalidScheduleSearchRequest',
      ['/filters/project_id', '/filters/schedule_id'],
    ),
    bad('project schedules', { schedule_id: text }, 'InvalidScheduleSearchRequest', [
      '/filters/schedule_id',
    ]),
    bad('project schedules', { project_id: text }, 'InvalidScheduleSearchRequest', [
      '/filters/project_id',
    ]),
    bad('admin tasks', { project_id: text }, 'InvalidTaskSearchRequest', ['/filters/project_id']),
  ]),
  ...(['admin tasks', 'project tasks'] as const).flatMap((view) => [
    ...[
      'system_backup',
      'service.nope',
      'SERVICE.system_backup',
      'service.',
      'service.tasks.housekeeping',
      'Systembackup',
      'service.system_backup.x',
      '$ne',
    ].map((key) =>
      bad(view, { routing_keys: [key] }, 'InvalidTaskSearchRequest', ['/filters/routing_keys/0']),
    ),
    bad(
      view,
      { routing_keys: ['', 'nope', 'service.housekeeping', ' also '] },
      'InvalidTaskSearchRequest',
      ['/filters/routing_keys/1', '/filters/routing_keys/3'],
    ),
  ]),
  bad('admin tasks', { project_id: 'x', routing_keys: ['nope'] }, 'InvalidTaskSearchRequest', [
    '/filters/project_id',
    '/filters/routing_keys/0',
  ]),
];

const CONTRADICTORY: readonly Case[] = [
  bad('project schedules', { project_id: OTHER }, 'ProjectMismatch'),
  bad('project schedules', { project_id: uuid(99) }, 'ProjectMismatch'),
  bad('project schedules', { scope: 'system' }, 'ScopeMismatch'),
  bad('project schedules', { scope: 'backup_infrastructure', project_id: P }, 'ScopeMismatch'),
  bad('project schedules', { scope: 'system', project_id: OTHER }, 'ProjectMismatch'),
  { ...bad('project schedules', { project_id: OTHER }, 'ProjectMismatch'), as: ANA },
];

const refused = (
  name: string,
  one: Partial<Case>,
  status: number,
  code: string,
  pointers: string[] = [],
): Case => ({
  name,
  view: 'project schedules',
  within: P,
  body: {},
  ...one,
  expect: { status, code, pointers },
});

const SEVERAL: readonly Case[] = [
  refused('no token before the body', { as: null, body: '{' }, 401, 'Unauthenticated'),
  refused('a user who is not active', { as: INACTIVE, body: '{' }, 401, 'Unauthenticated'),
  refused('a user who does not exist', { as: 999 }, 401, 'Unauthenticated'),
  refused('a foreign project before the body', { as: BO, body: '{' }, 404, 'NotFound'),
  refused('a missing project, for admins too', { within: uuid(99), body: '{' }, 404, 'NotFound'),
  refused(
    'a project in capitals',
    { within: 'ABCDEF00-0000-4000-8000-000000000000' },
    404,
    'NotFound',
  ),
  refused('a project that is no UUID', { within: 'x', as: null }, 404, 'NotFound'),
  refused('not an admin', { view: 'admin tasks', as: ANA, body: '{' }, 403, 'Forbidden'),
  refused('not an admin', { view: 'admin schedules', as: ANA, body: [] }, 403, 'Forbidden'),
  refused('not an admin', { view: 'admin projects', as: ANA, body: { nope: 1 } }, 403, 'Forbidden'),
  refused('malformed', { body: '{"filters":{"scope":"nope"' }, 400, 'MalformedBody'),
  refused('empty', { body: '' }, 400, 'MalformedBody'),
  refused(
    'the schema before the ids',
    { body: { filters: { project_id: 'x', nope: 1 } } },
    422,
    'ValidationFailed',
    ['/filters/nope'],
  ),
  refused(
    'the schema before the keys',
    {
      view: 'admin tasks',
      body: { filters: { routing_keys: ['nope'], project_id: '' }, pagination: { page: 'x' } },
    },
    422,
    'ValidationFailed',
    ['/pagination/page'],
  ),
  refused(
    'the ids before the path',
    { body: { filters: { project_id: OTHER, schedule_id: 'x' } } },
    400,
    'InvalidScheduleSearchRequest',
    ['/filters/schedule_id'],
  ),
  refused(
    'the ids before the scope',
    { body: { filters: { scope: 'system', schedule_id: '' } } },
    400,
    'InvalidScheduleSearchRequest',
    ['/filters/schedule_id'],
  ),
];

// A search is refused before an executor is chosen.
conform('refusals', world, [...INVALID, ...UNUSABLE, ...CONTRADICTORY, ...SEVERAL], [INDEX]);
