/** Schedules: every filter, sort and record member of the contract's section 2.3, on both views. */
import { asGiven, filtered, nulls, sortedIn } from './cases.ts';
import { type Case, conform, type World } from './conform.ts';
import { ANA, BO, day, project, schedule, uuid } from './documents.ts';

const APOLLO = '7d0a1c3e-0000-4000-8000-00000000a901';
const BOREAS = 'b0eea5e1-0000-4000-8000-00000000b0e5';
const [S1, S2, S3, S4, S5] = [
  '11111111-aaaa-4000-8000-0000000000f1',
  '22222222-bbbb-4000-8000-0000000000f2',
  '33333333-cccc-4000-8000-0000000000f3',
  '44444444-dddd-4000-8000-0000000000f4',
  '55555555-eeee-4000-8000-0000000000f5',
];

const typed = (value: string) => ({ task_type: value, task_name: `service.tasks.${value}` });

const world: World = {
  projects: [
    project(1, { identifier: APOLLO, name: 'Apollo Launch' }),
    project(2, { identifier: BOREAS, name: 'Boreas', members: [{ user_id: BO, role: 'owner' }] }),
  ],
  schedules: [
    schedule(S1, {
      ...typed('generate_data'),
      scope: 'project',
      project_id: APOLLO,
      folder: 'nightly',
      task_args: { user_email: 'ana@mail.test', other: { kept: 1 }, password: 'canary-1' },
      date_last_run_at: day(3),
      total_run_count: 10,
    }),
    schedule(S2, {
      ...typed('anonymize_data'),
      scope: 'project',
      project_id: APOLLO,
      enabled: false,
      task_args: { user_email: 'bo@mail.test', other: { password: 'canary-2' } },
      date_last_run_at: day(1),
      total_run_count: 9,
    }),
    schedule(S3, {
      ...typed('import_schema'),
      scope: 'project',
      project_id: BOREAS,
      task_args: { user_email: 'Ana@Mail.Test' },
      total_run_count: 100,
    }),
    schedule(S4, {
      ...typed('housekeeping'),
      enabled: false,
      task_args: {
        user_email: 'ops@mail.test',
        other: { keep_days: 30, since: day(1) },
        token: 't',
      },
      date_last_run_at: day(2),
      total_run_count: 0,
    }),
    schedule(S5, {
      ...typed('system_backup'),
      scope: 'backup_infrastructure',
      task_args: { user_email: null },
      date_last_run_at: day(4),
      total_run_count: 2,
    }),
  ],
};

const all = [S5, S4, S3, S2, S1];
const WITHIN = { project_id: APOLLO, scope: 'project' };
const admin = filtered('admin schedules');
const given = asGiven(admin);
const q = (text: string, ids: unknown[], type?: string): Case =>
  admin(`q ${JSON.stringify(text)}`, { q: text }, ids, {
    q: text.trim(),
    ...(type !== undefined && { task_type: type }),
  });
const within = filtered('project schedules', { own: WITHIN, within: APOLLO, as: ANA });
const givenWithin = asGiven(within);
const sorted = sortedIn('admin schedules');

const FILTERS: readonly Case[] = [
  admin('without filters: by schedule_id, descending', {}, all),
  { name: '{}', view: 'admin schedules', body: {}, expect: { ids: all, applied: {} } },
  admin('null is not provided', nulls('q project_id schedule_id user_email enabled scope'), all),
  admin('blank q and user_email are not provided', { q: '\n', user_email: '  ' }, all),

  q('7d0a1c3e', [S2, S1]),
  q('2222-bbbb', [S2]),
  q(' DDDD-4000 ', [S4]),
  q('launch', [S2, S1]),
  q('BOREAS', [S3]),
  q('ana@', [S3, S1]),
  q('tasks.gener', [S1]),
  q('canary', []),
  q('keep_days', []),
  q('nightly', []),
  q('* * *', []),
  q('service.tasks.', all),

  q('system_backup', [S5]),
  q('System backup', [S5], 'system_backup'),
  q('  SYSTEM BACKUP ', [S5], 'system_backup'),
  q('system backu', []),
  q('service.tasks.system_backup', [S5], 'system_backup'),
  q('Service.Tasks.HOUSEKEEPING', [S4], 'housekeeping'),
  q('housekeeping', [S4], 'housekeeping'),
  q('service.housekeeping', []),
  q('Sync LDAP', [], 'sync_ldap'),

  given({ project_id: APOLLO }, [S2, S1]),
  given({ project_id: uuid(77) }, []),
  admin('project_id in capitals', { project_id: ` ${BOREAS.toUpperCase()}\n` }, [S3], {
    project_id: BOREAS,
  }),
  given({ schedule_id: uuid(77) }, []),
  admin('schedule_id in capitals', { schedule_id: S5.toUpperCase() }, [S5], { schedule_id: S5 }),
  given({ user_email: 'ANA@mail' }, [S3, S1]),
  admin('user_email is trimmed', { user_email: '\u2003ops ' }, [S4], { user_email: 'ops' }),
  given({ enabled: true }, [S5, S3, S1]),
  given({ enabled: false }, [S4, S2]),
  given({ scope: 'project' }, [S3, S2, S1]),
  given({ scope: 'system' }, [S4]),
  given({ scope: 'backup_infrastructure' }, [S5]),
  given({ q: 'mail', enabled: false, scope: 'project' }, [S2]),
];

conform(
  'schedules: a label selects the type beside the text',
  {
    schedules: [
      schedule(1, typed('system_backup')),
      schedule(2, {
        ...typed('housekeeping'),
        task_args: { user_email: 'SYSTEM BACKUP@mail.test' },
      }),
      schedule(3, { ...typed('housekeeping'), task_name: 'service.tasks.system_backup.v2' }),
      schedule(4, { task_type: 'system_backup', task_name: null }),
    ],
  },
  [
    q('system backup', [uuid(4), uuid(2), uuid(1)], 'system_backup'),
    q('service.tasks.system_backup', [uuid(4), uuid(3), uuid(1)], 'system_backup'),
  ],
);

const IN_PROJECT: readonly Case[] = [
  within('the project and the scope are implied', {}, [S2, S1]),
  { ...within('an admin may ask too', {}, [S2, S1]), as: 'admin' },
  within('project_id that repeats the path', { project_id: ` ${APOLLO.toUpperCase()}` }, [S2, S1]),
  within('scope that repeats the path', { scope: 'project' }, [S2, S1]),
  within('scope and project_id null', nulls('scope project_id'), [S2, S1]),
  givenWithin({ q: 'bo@' }, [S2]),
  within('q with a label', { q: 'generate DATA' }, [S1], {
    q: 'generate DATA',
    task_type: 'generate_data',
  }),
  // The name of another project, and a schedule in it.
  givenWithin({ q: 'boreas' }, []),
  givenWithin({ schedule_id: S3 }, []),
  givenWithin({ schedule_id: S1 }, [S1]),
  givenWithin({ enabled: false }, [S2]),
  givenWithin({ user_email: 'mail' }, [S2, S1]),
];

const SORTS: readonly Case[] = [
  sorted('schedule_id', 'asc', [S1, S2, S3, S4, S5]),
  sorted('schedule_id', 'desc', all),
  sorted('project_id', 'asc', [S4, S5, S1, S2, S3]),
  sorted('project_id', 'desc', [S3, S2, S1, S5, S4]),
  sorted('date_last_run_at', 'asc', [S3, S2, S4, S1, S5]),
  sorted('date_last_run_at', 'desc', [S5, S1, S4, S2, S3]),
  sorted('total_run_count', 'asc', [S4, S5, S2, S1, S3]),
  sorted('total_run_count', 'desc', [S3, S1, S2, S5, S4]),
  sorted('enabled', 'asc', [S2, S4, S1, S3, S5]),
  sorted('enabled', 'desc', [S5, S3, S1, S4, S2]),
  {
    name: 'sort_order alone: by schedule_id',
    view: 'admin schedules',
    body: { sorting: { sort_order: 'asc' } },
    expect: {
      ids: [S1, S2, S3, S4, S5],
      applied: {},
      sorting: { sort_by: 'schedule_id', sort_order: 'asc' },
    },
  },
];

const MEMBERS = [
  ...['schedule_id', 'project_id', 'project_name', 'folder', 'user_email', 'enabled', 'crontab'],
  ...['date_last_run_at', 'total_run_count', 'task_name', 'task_type', 'scope'],
];
const withArgs = [...MEMBERS.slice(0, -1), 'task_args', 'scope'];

const RECORDS: readonly Case[] = [
  // A project's: no task_args.
  given({ schedule_id: S1 }, [S1], {
    members: MEMBERS,
    records: [
      {
        schedule_id: S1,
        project_id: APOLLO,
        project_name: 'Apollo Launch',
        folder: 'nightly',
        user_email: 'ana@mail.test',
        enabled: true,
        crontab: '0 3 * * *',
        date_last_run_at: '2026-01-03T00:00:00.000Z',
        total_run_count: 10,
        task_name: 'service.tasks.generate_data',
        task_type: 'generate_data',
        scope: 'project',
      },
    ],
  }),
  // The system's: the other part of task_args.
  given({ schedule_id: S4 }, [S4], {
    members: withArgs,
    records: [
      {
        project_id: null,
        project_name: null,
        user_email: 'ops@mail.test',
        task_args: { keep_days: 30, since: '2026-01-01T00:00:00.000Z' },
      },
    ],
  }),
  // A backup: null where there is no other part.
  given({ schedule_id: S5 }, [S5], {
    members: withArgs,
    records: [{ task_args: null, user_email: null }],
  }),
  {
    ...within('no task_args within a project', {}, [S2, S1]),
    expect: { ids: [S2, S1], applied: WITHIN, members: MEMBERS },
  },
];

conform(
  'schedules: arguments stay inside where the scope is not clear',
  {
    schedules: [
      schedule(1, { scope: undefined }),
      schedule(2, { scope: 'unheard of' }),
      schedule(3, { scope: ['system'] }),
      schedule(4, { scope: null }),
      schedule(5, { task_args: undefined }),
      schedule(6, { task_args: 'text' }),
    ],
  },
  [
    admin(
      'task_args',
      {},
      [6, 5, 4, 3, 2, 1].map(uuid),
      {},
      {
        records: [
          { task_args: null, scope: 'system', user_email: null },
          { task_args: null, scope: 'system', user_email: null },
          { task_args: undefined, scope: null },
          { task_args: undefined, scope: null },
          { task_args: undefined, scope: 'unheard of' },
          { task_args: undefined, scope: null },
        ],
      },
    ),
    // An array that holds it is found by it.
    given({ scope: 'system' }, [6, 5, 3].map(uuid)),
  ],
);

conform('schedules', world, [...FILTERS, ...IN_PROJECT, ...SORTS, ...RECORDS]);
