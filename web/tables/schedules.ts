/** Schedules: tasks that run by a crontab. */
import { type ScheduleAddress, VIEWS } from '../../clients/typescript/index.ts';
import { say } from '../words/words.ts';
import type { Action, Actor, Skip } from './action.ts';
import { column, date, FOLDER, PERSON, PROJECT, PROJECT_ID, type Row, SCOPE } from './columns.ts';
import { changesTo, is, linksWithin, projectOrUser } from './links.ts';
import { BARE, type Table } from './table.ts';

const ALREADY_ENABLED: Skip = {
  words: '{n} already enabled',
  select: [{ field: 'enabled', in: [true] }],
  reason: ({ enabled }) => (enabled === true ? say('already enabled') : undefined),
};

const ALREADY_DISABLED: Skip = {
  words: '{n} already disabled',
  select: [{ field: 'enabled', in: [false] }],
  reason: ({ enabled }) => (enabled === false ? say('already disabled') : undefined),
};

const NEEDED = [
  ...['schedule_id', 'enabled', 'project_id', 'scope'],
  ...['task_type', 'project_name'],
];

/** Members reach a schedule by its project's path. */
function addressOf(row: Row, { admin }: Actor): ScheduleAddress {
  const schedule_id = String(row.schedule_id);
  return admin ? { schedule_id } : { schedule_id, project_id: String(row.project_id) };
}

const ACTIONS: readonly Action[] = [
  {
    ...{ id: 'enable', table: 'schedules', title: 'Enable', done: 'enabled', dangerous: false },
    about: 'These schedules will run on their crontab again.',
    aboutOne: 'This schedule will run on its crontab again.',
    skips: [ALREADY_ENABLED],
    select: [{ field: 'enabled', not_in: [true] }],
    columns: NEEDED,
    run: (row, by) => by.service.schedules.enable(addressOf(row, by), { signal: by.signal }),
    undo: 'disable',
  },
  {
    ...{ id: 'disable', table: 'schedules', title: 'Disable', done: 'disabled', dangerous: false },
    about: 'These schedules will not run until you enable them again.',
    aboutOne: 'This schedule will not run until you enable it again.',
    skips: [ALREADY_DISABLED],
    select: [{ field: 'enabled', not_in: [false] }],
    columns: NEEDED,
    run: (row, by) => by.service.schedules.disable(addressOf(row, by), { signal: by.signal }),
    undo: 'enable',
  },
  {
    ...{ id: 'remove', table: 'schedules', title: 'Delete', done: 'deleted', dangerous: true },
    about: 'These schedules will be deleted permanently. Disable them to stop them for a while.',
    aboutOne: 'This schedule will be deleted permanently. Disable it to stop it for a while.',
    skips: [],
    select: [],
    columns: NEEDED,
    run: async (row, by) => {
      await by.service.schedules.delete(addressOf(row, by), { signal: by.signal });
    },
  },
];

export const schedules: Table = {
  ...BARE,
  ...{ name: 'schedules', title: 'Schedules', icon: 'clock', one: 'schedule', many: 'schedules' },
  key: 'schedule_id',
  names: ['task_type', 'task_name'],
  views: { admin: 'adminSchedules', project: 'projectSchedules' },
  description: VIEWS.adminSchedules,
  looks: {
    enabled: column('Enabled', 'truth', 92),
    task_type: column('Type', 'type', 160),
    project_name: PROJECT,
    user_email: PERSON,
    crontab: column('Crontab', 'code', 130),
    date_last_run_at: date('Last run'),
    total_run_count: column('Total runs', 'number', 110),
    folder: FOLDER,
    schedule_id: column('Schedule ID', 'id', 300),
    project_id: PROJECT_ID,
    task_name: column('Task name', 'code', 220),
    task_args: column('Arguments', 'json', 220),
    scope: SCOPE,
  },
  sort: [{ by: 'date_last_run_at', order: 'desc' }],
  columns: [
    ...['enabled', 'task_type', 'project_name', 'user_email', 'crontab'],
    ...['date_last_run_at', 'total_run_count', 'folder', 'schedule_id'],
  ],
  open: ['enabled', 'task_type', 'scope', 'project_id'],
  by: 'enabled',
  titles: { project_id: 'Project' },
  aliases: {
    ...{ type: 'task_type', project: 'project_id', person: 'user_email', user: 'user_email' },
    ...{ runs: 'total_run_count', last: 'date_last_run_at' },
  },
  example: 'enabled:no type:…',
  parts: ['history'],
  lead: projectOrUser,
  related(row, admin) {
    const { inProject, to } = linksWithin(row.project_id, admin);
    return [
      to('Tasks of this type', 'tasks', ...inProject, is('task_type', row.task_type)),
      ...(admin ? [changesTo('Changes to this schedule', row.schedule_id)] : []),
    ];
  },
  actions: ACTIONS,
};
