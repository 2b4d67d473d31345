/**
 * Dirty data: members that are missing, of another type, dangling, doubled or unknown. No search
 * breaks, and a reference that leads nowhere shows as null.
 */
import { Decimal128, Double, Long } from 'mongodb';
import { asGiven, filtered, nulls } from './cases.ts';
import { conform, type World } from './conform.ts';
import { ANA, BO, day, PEOPLE, project, schedule, task, user, uuid } from './documents.ts';
import { EXECUTORS } from './executors.ts';

const WORKERS = { scope: ['system', 'project'] };
const P = uuid(0xa1);
const TWIN = uuid(0xb2);

const nothing = (id: unknown) => ({ _id: id });
const wrong = { a: 1 };

const tasks = asGiven(filtered('admin tasks', { own: WORKERS }));
const schedules = asGiven(filtered('admin schedules'));
const projects = asGiven(filtered('admin projects'));

const unresolved = nulls(
  'task_id project_id project_name folder user_email args status datamimic_status date_queued ' +
    'date_started date_done eta exception_type traceback worker retries preserve execution_time ' +
    'name routing_key',
);

conform(
  'documents with nothing but an id',
  {
    users: [...PEOPLE, nothing(10)],
    projects: [nothing(10)],
    schedules: [nothing('not a uuid')],
    tasks: [nothing(10), { _id: 11, scope: 'system' }],
  },
  [
    tasks({}, [11], { records: [unresolved] }),
    { ...tasks({ scope: 'project' }, []), name: 'a task without scope is in none' },
    tasks({ q: 'x' }, []),
    tasks({ get_artifacts_metadata: true }, [11], { records: [{ artifacts: undefined }] }),
    asGiven(filtered('users'))({ q: '10' }, [10], {
      records: [
        {
          id: 10,
          ...nulls('email first_name last_name language active tc_creation tc_update auth_groups'),
          preferences: null,
        },
      ],
    }),
    projects({}, [null], {
      records: [{ ...nulls('identifier name type config'), users: [] }],
    }),
    schedules({}, ['not a uuid'], {
      records: [
        {
          ...nulls('project_id project_name folder user_email enabled crontab date_last_run_at'),
          ...nulls('total_run_count task_name task_type scope'),
          task_args: undefined,
        },
      ],
    }),
  ],
);

conform(
  'members of another type',
  {
    projects: [project(1, { identifier: P, name: 'Right' })],
    tasks: [
      task(1, {
        ...Object.fromEntries(Object.keys(unresolved).map((name) => [name, wrong])),
        task_type: wrong,
      }),
      task(2, {
        task_id: [uuid(0xc1), uuid(0xc2)],
        project_id: [P, uuid(0xc3)],
        user_email: ['one@x', 'two@x'],
        status: ['SUCCESS'],
        task_type: ['system_backup'],
        routing_key: ['service.system_backup'],
        artifacts: 'text',
      }),
      task(3, {
        task_type: 'unheard_of',
        routing_key: 'raw.key',
        name: 'service.tasks.unheard_of',
      }),
      task(4, { task_type: 7, routing_key: 7 }),
      task(5, { status: 'SUCCESS', artifacts: 'text' }),
      task(6, { retries: Long.fromString('9007199254740993'), args: [1, Long.fromNumber(2)] }),
      task(7, { retries: Decimal128.fromString('1.50'), date_done: day(2), date_started: 5 }),
      task(8, { retries: Number.NaN, args: { nan: Number.NaN, '': 1, 'a.b': 2 } }),
      task(9, { date_started: day(2), date_done: day(1) }),
    ],
  },
  [
    tasks({ get_artifacts_metadata: true }, [9, 8, 7, 6, 5, 4, 3, 2, 1], {
      records: [
        { execution_time: -86_400 },
        { retries: null, args: { nan: null, '': 1, 'a.b': 2 } },
        { retries: '1.50', execution_time: null, date_started: null },
        { retries: '9007199254740993', args: [1, 2] },
        { artifacts: 'text' },
        { routing_key: null },
        { routing_key: 'raw.key', name: 'service.tasks.unheard_of' },
        { task_id: null, user_email: null, status: null, routing_key: null, artifacts: undefined },
        { ...unresolved, args: wrong },
      ],
    }),
    tasks({ q: 'unheard' }, [3]),
    tasks({ q: 'RAW.key' }, [3]),
    tasks({ task_id: uuid(0xc2) }, [2]),
    tasks({ project_id: uuid(0xc3) }, [2]),
    tasks({ user_email: 'TWO@' }, [2]),
    tasks({ q: 'right' }, [2]),
    tasks({ routing_keys: ['service.system_backup'] }, [2]),
    tasks({ q: 'System backup' }, [2]),
  ],
);

conform(
  'projects that are missing, nameless or there twice',
  {
    projects: [
      project(1, { identifier: TWIN, name: 'First twin' }),
      project(2, { identifier: TWIN, name: 'Second twin' }),
      project(3, { identifier: undefined, name: 'Keyless' }),
      project(4, { identifier: null, name: 'Keyless too' }),
      project(5, { identifier: [P, uuid(0xef)], name: 'Listed' }),
      project(6, { identifier: uuid(0xd1), name: ['Alias one', 'Alias two'] }),
      project(7, { identifier: 7, name: 'Seven' }),
    ],
    schedules: [
      schedule(1, { project_id: undefined }),
      schedule(2, { project_id: TWIN, scope: 'project' }),
      schedule(3, { project_id: uuid(0xee), scope: 'project' }),
    ],
    tasks: [
      task(1, { project_id: undefined }),
      task(2, { project_id: null }),
      task(3, { project_id: TWIN, scope: 'project' }),
      task(4, { project_id: uuid(0xee), scope: 'project' }),
      task(5, { project_id: P, scope: 'project' }),
      task(6, { project_id: uuid(0xd1), scope: 'project' }),
      task(7, { project_id: 7, scope: 'project' }),
      task(8, { project_id: [], scope: 'project' }),
    ],
  },
  [
    tasks({}, [8, 7, 6, 5, 4, 3, 2, 1], {
      records: [
        { project_id: null, project_name: null },
        { project_id: null, project_name: null },
        { project_id: uuid(0xd1), project_name: null },
        { project_id: P, project_name: null },
        { project_id: uuid(0xee), project_name: null },
        { project_id: TWIN, project_name: 'First twin' },
        { project_id: null, project_name: null },
        { project_id: null, project_name: null },
      ],
    }),
    tasks({ q: 'keyless' }, []),
    tasks({ q: 'listed' }, []),
    tasks({ q: 'seven' }, []),
    tasks({ q: 'ALIAS two' }, [6]),
    tasks({ project_name: 'first' }, [3]),
    tasks({ project_name: 'second' }, [3]),
    tasks({ project_name: 'keyless' }, []),
    schedules({ q: 'twin' }, [uuid(2)], { records: [{ project_name: 'First twin' }] }),
    schedules({}, [3, 2, 1].map(uuid), {
      records: [{ project_name: null }, { project_name: 'First twin' }, { project_name: null }],
    }),
  ],
);

const doubled: World = {
  tasks: [task(1, { task_id: P }), task(2, { task_id: P }), task(3, { task_id: 'no uuid' })],
};
conform(
  'two tasks with one task_id',
  doubled,
  [
    tasks({ task_id: P }, [2, 1]),
    tasks({ q: P }, [2, 1]),
    tasks({ task_id: 'no uuid' }, [3]),
    { ...tasks({ task_id: 'NO uuid' }, []), name: 'what is no UUID is compared as it is' },
  ],
  EXECUTORS,
);

conform(
  'members by lists of numbers',
  {
    users: PEOPLE,
    projects: [
      project(1, { members: [{ user_id: [ANA, BO] }] }),
      project(2, { members: [{ user_id: ANA }] }),
      project(3, { members: [{ user_id: [BO] }] }),
    ],
  },
  ([ANA, BO] as const).map((as) => ({
    name: `the one of both, as ${as}`,
    view: 'own projects',
    as,
    body: { filters: { user_email: as === ANA ? 'bo@' : 'ana@' } },
    expect: { ids: [uuid(1)], applied: { user_email: as === ANA ? 'bo@' : 'ana@' } },
  })),
  EXECUTORS,
);

conform(
  'members by numbers of every type',
  {
    users: [
      ...PEOPLE,
      user(new Double(20), { email: 'double@x' }),
      user(Long.fromNumber(21), { email: 'long@x' }),
    ],
    projects: [
      project(1, { members: [{ user_id: Long.fromNumber(ANA), role: 'owner' }] }),
      project(2, { members: [{ user_id: new Double(ANA), role: 'owner' }] }),
      project(3, { members: [{ user_id: 20 }, { user_id: new Double(21) }] }),
      project(4, { members: [{ user_id: String(ANA) }] }),
    ],
  },
  [
    filtered('own projects', { as: ANA })('own', {}, [2, 1].map(uuid)),
    filtered('own projects', { as: BO })('not own', {}, []),
    projects({ user_email: '@x' }, [uuid(3)], {
      records: [
        {
          users: [
            { id: 20, email: 'double@x', first_name: 'First', last_name: 'Last', role: null },
            { id: 21, email: 'long@x', first_name: 'First', last_name: 'Last', role: null },
          ],
        },
      ],
    }),
  ],
);

conform(
  'values that look like something else',
  {
    schedules: [
      schedule(1, { task_args: { user_email: '$where', other: { $ne: 1, __proto__x: { y: 1 } } } }),
      schedule(2, { task_args: [{ user_email: 'in a list', other: 1 }] }),
      schedule(3, { task_args: { user_email: ['first@x', 'second@x'], other: [1, [2]] } }),
    ],
  },
  [
    schedules({ q: 'SERVICE' }, [3, 2, 1].map(uuid), {
      records: [
        { user_email: null, task_args: [1, [2]] },
        { user_email: null, task_args: null },
        { user_email: '$where', task_args: { $ne: 1, __proto__x: { y: 1 } } },
      ],
    }),
    schedules({ user_email: '$WHERE' }, [uuid(1)]),
    schedules({ q: 'second@' }, [uuid(3)]),
  ],
);
