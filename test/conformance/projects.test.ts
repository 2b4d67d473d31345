/**
 * Projects: every filter, sort and record member of section 2.6, and the projects that a caller
 * sees.
 */
import { asGiven, filtered, nulls, sortedIn } from './cases.ts';
import { type Case, conform, type World } from './conform.ts';
import { ADMIN, ANA, BO, day, INACTIVE, PEOPLE, project, uuid } from './documents.ts';

const APOLLO = '7d0a1c3e-0000-4000-8000-00000000a901';
const BOREAS = 'b0eea5e1-0000-4000-8000-00000000b0e5';
const CERES = 'ce4e5000-0000-4000-8000-00000000ce4e';
const owner = (user_id: unknown) => ({ user_id, role: 'owner' });
const member = (user_id: unknown) => ({ user_id, role: 'member' });

const world: World = {
  projects: [
    project(1, {
      identifier: APOLLO,
      name: 'Apollo Launch',
      type: 'demo',
      config: { rows: 5, from: day(1) },
      members: [member(BO), owner(ANA), member(777)],
      tc_creation: day(3),
      tc_update: day(3),
    }),
    project(2, {
      identifier: BOREAS,
      name: 'Boreas',
      members: [owner(BO), member(INACTIVE)],
      tc_creation: day(1),
      tc_update: day(5),
    }),
    project(3, {
      identifier: CERES,
      name: 'Ana notes',
      type: 'template',
      members: [],
      tc_creation: day(1),
      tc_update: day(4),
    }),
  ],
};

const all = [CERES, BOREAS, APOLLO];
const admin = filtered('admin projects');
const given = asGiven(admin);
const own = (as: 'admin' | number, filters: object, ids: unknown[]): Case =>
  filtered('own projects', { as })(`as ${as}: ${JSON.stringify(filters)}`, filters, ids, filters);
const sorted = sortedIn('admin projects');

const FILTERS: readonly Case[] = [
  admin('without filters', {}, all),
  admin('null is not provided', nulls('q project_id project_name user_email type'), all),
  admin(
    'blank is not provided',
    { q: '', project_id: ' ', project_name: '\n', user_email: ' ' },
    all,
  ),

  given({ q: '7D0A1' }, [APOLLO]),
  given({ q: '0000-4000' }, all),
  given({ q: 'launch' }, [APOLLO]),
  given({ q: 'ana' }, [CERES, APOLLO]),
  given({ q: 'gone@' }, [BOREAS]),
  given({ q: 'root@mail' }, []),
  given({ q: 'Kovač' }, []),
  given({ q: 'demo' }, []),

  given({ project_id: BOREAS }, [BOREAS]),
  admin('project_id in capitals', { project_id: ` ${CERES.toUpperCase()} ` }, [CERES], {
    project_id: CERES,
  }),
  given({ project_id: 'no uuid' }, []),
  given({ project_id: BOREAS.slice(0, 8) }, []),
  given({ project_name: 'BOREAS' }, [BOREAS]),
  given({ project_name: 'a' }, all),
  given({ user_email: 'BO@mail' }, [BOREAS, APOLLO]),
  given({ user_email: 'ana@' }, [APOLLO]),
  given({ user_email: 'mail.test' }, [BOREAS, APOLLO]),
  given({ user_email: 'nobody' }, []),
  given({ type: 'custom' }, [BOREAS]),
  given({ q: 'ana', user_email: 'bo@', project_name: 'o', type: 'demo' }, [APOLLO]),
];

const VISIBLE: readonly Case[] = [
  own('admin', {}, all),
  own(ANA, {}, [APOLLO]),
  own(BO, {}, [BOREAS, APOLLO]),
  own(BO, { project_name: 'o' }, [BOREAS, APOLLO]),
  own(BO, { q: 'ana' }, [APOLLO]),
  own(ANA, { user_email: 'bo@' }, [APOLLO]),
  own(ANA, { q: 'boreas' }, []),
  own(ANA, { project_id: BOREAS }, []),
  own(ANA, { project_id: CERES }, []),
  own(ANA, { type: 'custom' }, []),
  {
    name: 'sorted, paged',
    view: 'own projects',
    as: BO,
    body: {
      sorting: { sort_by: 'tc_creation', sort_order: 'asc' },
      pagination: { page: 2, per_page: 1 },
    },
    expect: {
      ids: [APOLLO],
      total: 2,
      applied: {},
      sorting: { sort_by: 'tc_creation', sort_order: 'asc' },
    },
  },
];

const SORTS: readonly Case[] = [
  sorted('id', 'asc', [APOLLO, BOREAS, CERES]),
  sorted('id', 'desc', all),
  sorted('tc_creation', 'asc', [BOREAS, CERES, APOLLO]),
  sorted('tc_creation', 'desc', [APOLLO, CERES, BOREAS]),
  sorted('tc_update', 'asc', [APOLLO, CERES, BOREAS]),
  sorted('tc_update', 'desc', [BOREAS, CERES, APOLLO]),
];

const MEMBERS = ['identifier', 'name', 'type', 'config', 'users'];
const ana = { id: ANA, email: 'ana@mail.test', first_name: 'Ana', last_name: 'Kovač' };
const bo = { id: BO, email: 'bo@mail.test', first_name: 'Bo', last_name: 'Li' };

const RECORDS: readonly Case[] = [
  // Dangling members are left out.
  given({ type: 'demo' }, [APOLLO], {
    members: MEMBERS,
    records: [
      {
        identifier: APOLLO,
        name: 'Apollo Launch',
        type: 'demo',
        config: { rows: 5, from: '2026-01-01T00:00:00.000Z' },
        users: [
          { ...bo, role: 'member' },
          { ...ana, role: 'owner' },
        ],
      },
    ],
  }),
  given({ type: 'template' }, [CERES], { records: [{ users: [] }] }),
];

conform(
  'projects: members of every kind',
  {
    users: [
      ...PEOPLE,
      { _id: 'text', email: 'text@mail.test' },
      { _id: null, email: 'null@mail.test' },
      { _id: 9, email: ['nine@mail.test', 'neuf@mail.test'] },
      { _id: 10 },
    ],
    projects: [
      project(1, { members: undefined }),
      project(2, { members: null }),
      project(3, { members: [{ role: 'owner' }, null, 'text', 7] }),
      project(4, { members: [{ user_id: null }] }),
      project(5, {
        members: [{ user_id: 'text' }, { user_id: { $date: 'text' } }, { user_id: ANA }],
      }),
      project(6, {
        members: [
          { user_id: 9, role: 5 },
          { user_id: 10, role: 'owner' },
        ],
      }),
      project(7, {
        members: [
          { user_id: BO, role: 'owner' },
          { user_id: BO, role: 'member' },
        ],
      }),
    ],
  },
  [
    admin(
      'nothing breaks',
      {},
      [7, 6, 5, 4, 3, 2, 1].map(uuid),
      {},
      {
        records: [
          {
            users: [
              { ...bo, role: 'owner' },
              { ...bo, role: 'member' },
            ],
          },
          {
            users: [
              { id: 9, email: null, first_name: null, last_name: null, role: null },
              { id: 10, email: null, first_name: null, last_name: null, role: 'owner' },
            ],
          },
          { users: [{ ...ana, role: null }] },
          { users: [] },
          { users: [] },
          { users: [] },
          { users: [] },
        ],
      },
    ),
    given({ user_email: 'null@' }, []),
    given({ user_email: 'text@' }, []),
    given({ user_email: 'NEUF' }, [uuid(6)]),
    given({ q: '@mail' }, [7, 6, 5].map(uuid)),
    own(ANA, {}, [uuid(5)]),
    own(BO, {}, [uuid(7)]),
    own(ADMIN, {}, [7, 6, 5, 4, 3, 2, 1].map(uuid)),
  ],
);

conform('projects', world, [...FILTERS, ...VISIBLE, ...SORTS, ...RECORDS]);
