/** Tasks: every filter, sort and record member of the contract's section 2.4, on both views. */
import { asGiven, filtered, nulls, sortedIn } from './cases.ts';
import { type Case, conform, type World } from './conform.ts';
import { ANA, BO, day, project, task, uuid } from './documents.ts';

const APOLLO = '7d0a1c3e-0000-4000-8000-00000000a901';
const BOREAS = 'b0eea5e1-0000-4000-8000-00000000b0e5';
const TASK_ID = 'aaaa1111-2222-4333-8444-55556666777f';

const artifact = { name: 'rows.csv', size: 12, content_type: 'text/csv', created_at: day(9) };
const typed = (value: string) => ({
  task_type: value,
  name: `service.tasks.${value}`,
  routing_key: `service.${value}`,
});

const world: World = {
  projects: [
    project(1, { identifier: APOLLO, name: 'Apollo Launch' }),
    project(2, { identifier: BOREAS, name: 'Boreas', members: [{ user_id: BO, role: 'owner' }] }),
  ],
  tasks: [
    task(1, {
      ...typed('generate_data'),
      task_id: TASK_ID,
      scope: 'project',
      project_id: APOLLO,
      user_email: 'ana@mail.test',
      folder: 'Folder/Alpha',
      status: 'SUCCESS',
      datamimic_status: 'done',
      args: { seed: 7, when: day(3), nested: { list: [1, 'two', null] } },
      worker: 'worker-north-1',
      date_queued: day(1),
      date_started: new Date('2026-01-05T10:00:00.000Z'),
      date_done: new Date('2026-01-05T10:01:01.234Z'),
      eta: day(6),
      retries: 2,
      preserve: true,
      artifacts: [artifact],
    }),
    task(2, {
      ...typed('anonymize_data'),
      scope: 'project',
      project_id: APOLLO,
      user_email: 'bo@mail.test',
      status: 'FAILURE',
      exception_type: 'ValueError',
      traceback: 'Traceback: line 1',
      worker: 'worker-south-2',
      date_queued: day(3),
      date_started: day(4),
      date_done: day(8),
      artifacts: [artifact],
    }),
    task(3, {
      ...typed('import_schema'),
      scope: 'project',
      project_id: BOREAS,
      user_email: 'Ana@Mail.Test',
      status: 'SUCCESS',
      date_queued: day(2),
      date_started: day(6),
      date_done: day(7),
    }),
    task(4, {
      ...typed('system_backup'),
      user_email: 'ops@mail.test',
      status: 'SUCCESS',
      date_queued: day(4),
      date_started: day(2),
      artifacts: undefined,
    }),
    task(5, { status: 'STARTED', date_started: day(3) }),
    task(6, { ...typed('system_backup'), scope: 'backup_infrastructure', status: 'SUCCESS' }),
    task(7, {
      ...typed('project_backup'),
      scope: 'backup_infrastructure',
      project_id: APOLLO,
      user_email: 'ana@mail.test',
    }),
    // A task of the project that is not of scope project stays out of the project's own view.
    task(8, { ...typed('send_report'), project_id: APOLLO, user_email: 'ops@mail.test' }),
  ],
};

const WORKERS = { scope: ['system', 'project'] };
const WITHIN = { project_id: APOLLO, scope: 'project' };
const admin = filtered('admin tasks', { own: WORKERS });
const given = asGiven(admin);
const within = filtered('project tasks', { own: WITHIN, within: APOLLO });
const givenWithin = asGiven(within);
const q = (text: string, ids: number[]): Case =>
  admin(`q ${JSON.stringify(text)}`, { q: text }, ids, { q: text.trim() });
const withoutName = (scope: string, ids: number[]): Case =>
  admin(`project_name is ignored for ${scope}`, { project_name: 'zeus', scope }, ids, { scope });
const sorted = sortedIn('admin tasks', WORKERS);

const all = [8, 5, 4, 3, 2, 1];

const FILTERS: readonly Case[] = [
  admin('without filters: workers, newest first', {}, all),
  { name: '{}', view: 'admin tasks', body: {}, expect: { ids: all, applied: WORKERS } },
  admin(
    'null is not provided',
    nulls('q task_id project_id project_name user_email scope routing_keys'),
    all,
  ),
  admin(
    'blank is not provided',
    {
      ...{ q: ' ', task_id: '\t', project_name: '\u00a0\ufeff' },
      ...{ user_email: '', routing_keys: ['', ' '] },
    },
    all,
  ),

  q('aaaa1111', [1]),
  q('2222-4333-8444', [1]),
  q(' 6666777F ', [1]),
  q(TASK_ID.toUpperCase(), [1]),
  q('7d0a1c3e', [8, 2, 1]),
  q('b0eea5e1', [3]),
  q('apollo lau', [8, 2, 1]),
  q('APOLLO', [8, 2, 1]),
  q('ana@mail', [3, 1]),
  q('service.tasks.import', [3]),
  q('service.import', [3]),
  q('import schema', [3]),
  q('Generate', [1]),
  q('folder/alpha', [1]),
  q('NORTH', [1]),
  q('worker-', [2, 1]),
  q('success', [4, 3, 1]),
  q('valueerror', [2]),
  q('Traceback', []),
  q('done', []),
  q('no such text', []),

  admin('task_id in capitals, with blanks', { task_id: ` ${TASK_ID.toUpperCase()} ` }, [1], {
    task_id: TASK_ID,
  }),
  // A task_id is exact, and tasks of backups are not searched.
  given({ task_id: TASK_ID.slice(0, 8) }, []),
  given({ task_id: uuid(6) }, []),
  given({ project_id: APOLLO }, [8, 2, 1]),
  admin('project_id in capitals', { project_id: `\t${APOLLO.toUpperCase()}` }, [8, 2, 1], {
    project_id: APOLLO,
  }),
  given({ project_id: uuid(99) }, []),
  // It keeps tasks of projects alone.
  given({ project_name: 'POLLO l' }, [2, 1]),
  given({ project_name: 'zeus' }, []),
  given({ project_name: 'o', scope: 'project' }, [3, 2, 1]),
  withoutName('system', [8, 5, 4]),
  withoutName('backup_infrastructure', [7, 6]),
  given({ user_email: 'ANA@' }, [3, 1]),
  given({ scope: 'project' }, [3, 2, 1]),
  given({ scope: 'system' }, [8, 5, 4]),
  given({ scope: 'backup_infrastructure' }, [7, 6]),
  given({ q: 'apollo', scope: 'backup_infrastructure' }, [7]),

  given({ routing_keys: ['service.system_backup'] }, [4]),
  admin(
    'routing_keys by key and label, trimmed, deduplicated',
    { routing_keys: [' service.import_schema', 'IMPORT schema ', '', 'Generate data'] },
    [3, 1],
    { routing_keys: ['service.import_schema', 'service.generate_data'] },
  ),
  admin('routing_keys of a known type without tasks', { routing_keys: ['Sync LDAP'] }, [], {
    routing_keys: ['service.sync_ldap'],
  }),
  admin('routing_keys []', { routing_keys: [] }, all),
  admin('100 routing_keys', { routing_keys: Array(100).fill('Housekeeping') }, [5], {
    routing_keys: ['service.housekeeping'],
  }),

  // Only tasks that succeeded have them.
  given({ get_artifacts_metadata: true }, all, {
    records: [
      { id: 8, artifacts: undefined },
      { id: 5, artifacts: undefined },
      { id: 4, artifacts: [] },
      { id: 3, artifacts: [] },
      { id: 2, artifacts: undefined },
      { id: 1, artifacts: [{ ...artifact, created_at: '2026-01-09T00:00:00.000Z' }] },
    ],
  }),
  admin(
    'get_artifacts_metadata false',
    { get_artifacts_metadata: false, q: 'alpha' },
    [1],
    { q: 'alpha' },
    { records: [{ artifacts: undefined }] },
  ),

  given({ q: 'mail', user_email: 'ana', project_name: 'boreas' }, [3]),
];

const IN_PROJECT: readonly Case[] = [
  within('the project implies the filter and the scope', {}, [2, 1]),
  { ...within('a member may ask', {}, [2, 1]), as: ANA },
  givenWithin({ q: 'ana@' }, [1]),
  givenWithin({ q: 'AAAA1111' }, [1]),
  // The name of another project, and its own.
  givenWithin({ q: 'boreas' }, []),
  givenWithin({ q: 'apollo' }, [2, 1]),
  within('user_email', { user_email: ' BO@ ' }, [2], { user_email: 'BO@' }),
  within('routing_keys', { routing_keys: ['service.generate_data', 'Import schema'] }, [1], {
    routing_keys: ['service.generate_data', 'service.import_schema'],
  }),
  within('null is not provided', nulls('q user_email routing_keys'), [2, 1]),
  {
    name: 'sorts',
    view: 'project tasks',
    within: APOLLO,
    body: { sorting: { sort_by: 'date_done', sort_order: 'asc' } },
    expect: {
      ids: [1, 2],
      applied: WITHIN,
      sorting: { sort_by: 'date_done', sort_order: 'asc' },
    },
  },
];

const SORTS: readonly Case[] = [
  sorted('id', 'asc', [1, 2, 3, 4, 5, 8]),
  sorted('id', 'desc', [8, 5, 4, 3, 2, 1]),
  sorted('date_queued', 'asc', [5, 8, 1, 3, 2, 4]),
  sorted('date_queued', 'desc', [4, 2, 3, 1, 8, 5]),
  sorted('date_started', 'asc', [8, 4, 5, 2, 1, 3]),
  sorted('date_started', 'desc', [3, 1, 2, 5, 4, 8]),
  sorted('date_done', 'asc', [4, 5, 8, 1, 3, 2]),
  sorted('date_done', 'desc', [2, 3, 1, 8, 5, 4]),
  {
    name: 'sort_by alone: descending',
    view: 'admin tasks',
    body: { sorting: { sort_by: 'date_done' } },
    expect: {
      ids: [2, 3, 1, 8, 5, 4],
      applied: WORKERS,
      sorting: { sort_by: 'date_done', sort_order: 'desc' },
    },
  },
  {
    name: 'sort_order alone: by id',
    view: 'admin tasks',
    body: { sorting: { sort_order: 'asc' } },
    expect: {
      ids: [1, 2, 3, 4, 5, 8],
      applied: WORKERS,
      sorting: { sort_by: 'id', sort_order: 'asc' },
    },
  },
];

const RECORDS: readonly Case[] = [
  given({ task_id: TASK_ID }, [1], {
    records: [
      {
        id: 1,
        task_id: TASK_ID,
        project_id: APOLLO,
        project_name: 'Apollo Launch',
        folder: 'Folder/Alpha',
        user_email: 'ana@mail.test',
        args: { seed: 7, when: '2026-01-03T00:00:00.000Z', nested: { list: [1, 'two', null] } },
        status: 'SUCCESS',
        datamimic_status: 'done',
        date_queued: '2026-01-01T00:00:00.000Z',
        date_started: '2026-01-05T10:00:00.000Z',
        date_done: '2026-01-05T10:01:01.234Z',
        eta: '2026-01-06T00:00:00.000Z',
        exception_type: null,
        traceback: null,
        worker: 'worker-north-1',
        retries: 2,
        preserve: true,
        execution_time: 61.234,
        name: 'service.tasks.generate_data',
        routing_key: 'Generate data',
      },
    ],
  }),
  // Null where there is nothing.
  given({ task_id: uuid(4) }, [4], {
    records: [
      {
        project_id: null,
        project_name: null,
        date_done: null,
        execution_time: null,
        routing_key: 'System backup',
      },
    ],
  }),
];

conform('tasks', world, [...FILTERS, ...IN_PROJECT, ...SORTS, ...RECORDS]);
