/** Tasks: one run of work each, with its state, its log and its output. */
import { VIEWS } from '../../clients/typescript/index.ts';
import type { Condition } from '../state/view.ts';
import { say } from '../words/words.ts';
import type { Action, Actor, Skip, Sweep } from './action.ts';
import { column, date, FOLDER, PERSON, PROJECT, PROJECT_ID, type Row, SCOPE } from './columns.ts';
import { changesTo, is, linksWithin, projectOrUser } from './links.ts';
import type { Table } from './table.ts';
import { ENDED, RUNNING, STATUS_WORDS, type Status } from './taskStates.ts';

const stateIn = (values: readonly string[]): Condition => ({
  ...{ kind: 'values', field: 'status', not: false },
  values,
});

const ENDED_ALREADY: Skip = {
  words: '{n} already ended',
  select: [{ field: 'status', in: ENDED }],
  reason: ({ status }) =>
    ENDED.includes(String(status))
      ? say('already ended: {state}', { state: say(STATUS_WORDS[status as Status]) })
      : undefined,
};

const IN_A_PROJECT = { field: 'scope', in: ['project'] };

const IN_NO_PROJECT: Skip = {
  words: '{n} not in a project',
  select: [{ field: 'scope', not_in: ['project'] }],
  reason: ({ project_id }) =>
    project_id === null ? say('not in a project; only project tasks can be preserved') : undefined,
};

const ALREADY_PRESERVED: Skip = {
  words: '{n} already preserved',
  select: [IN_A_PROJECT, { field: 'preserve', in: [true] }],
  reason: ({ preserve }) => (preserve === true ? say('already preserved') : undefined),
};

const NOT_PRESERVED: Skip = {
  words: '{n} not preserved',
  select: [IN_A_PROJECT, { field: 'preserve', not_in: [true] }],
  reason: ({ preserve }) => (preserve === true ? undefined : say('not preserved')),
};

const keep =
  (preserve: boolean) =>
  ({ project_id, task_id }: Row, { service, signal }: Actor) =>
    service.tasks.preserve({ project_id: String(project_id), task_id: String(task_id) }, preserve, {
      signal,
    });

const NEEDED = ['task_id', 'status', 'project_id', 'preserve', 'routing_key', 'project_name'];

const ACTIONS: readonly Action[] = [
  {
    ...{ id: 'cancel', table: 'tasks', title: 'Cancel', done: 'cancelled', dangerous: true },
    about: 'These tasks will be revoked. Running tasks are told to stop.',
    aboutOne: 'This task will be revoked. If it is running, it is told to stop.',
    leave: 'Keep tasks',
    key: { keys: 'c', title: 'Cancel tasks' },
    skips: [ENDED_ALREADY],
    select: [{ field: 'status', not_in: ENDED }],
    columns: NEEDED,
    run: ({ task_id }, { service, signal }) => service.tasks.cancel(String(task_id), { signal }),
  },
  {
    ...{ id: 'preserve', table: 'tasks', title: 'Preserve', done: 'preserved', dangerous: false },
    about: 'Cleanup will keep these tasks.',
    aboutOne: 'Cleanup will keep this task.',
    key: { keys: 's', title: 'Preserve tasks' },
    skips: [IN_NO_PROJECT, ALREADY_PRESERVED],
    select: NOT_PRESERVED.select,
    columns: NEEDED,
    run: keep(true),
    undo: 'release',
  },
  {
    ...{ id: 'release', table: 'tasks', title: 'Stop preserving', done: 'no longer preserved' },
    dangerous: false,
    about: 'Cleanup may delete these tasks again.',
    aboutOne: 'Cleanup may delete this task again.',
    skips: [IN_NO_PROJECT, NOT_PRESERVED],
    select: ALREADY_PRESERVED.select,
    columns: NEEDED,
    run: keep(false),
    undo: 'preserve',
  },
];

const UNFINISHED = [
  { field: 'status', not_in: ENDED },
  { field: 'preserve', not_in: [true] },
];

const CLEAN_UP: Sweep = {
  title: 'Clean up',
  heading: 'Clean up system tasks?',
  about: 'Revokes every unfinished system and backup task that is not preserved.',
  leave: 'Keep tasks',
  warning: '{what} will be revoked. You cannot undo this.',
  button: 'Revoke {what}',
  done: '{what} revoked',
  finds: ['system', 'backup_infrastructure'].map((scope) => ({
    filters: { scope },
    select: UNFINISHED,
  })),
  run: async (service) => (await service.tasks.cleanUp()).revoked,
};

export const tasks: Table = {
  ...{ name: 'tasks', title: 'Tasks', icon: 'lines', one: 'task', many: 'tasks', key: 'task_id' },
  names: ['routing_key', 'task_type', 'name'],
  views: { admin: 'adminTasks', project: 'projectTasks' },
  apart: { field: 'scope', value: 'backup_infrastructure', many: 'backup tasks' },
  description: VIEWS.adminTasks,
  onRequest: { column: 'artifacts', filter: 'get_artifacts_metadata' },
  looks: {
    status: { ...column('Status', 'status', 146), words: STATUS_WORDS },
    // It shows the label of the task type.
    routing_key: { ...column('Type', 'text', 122), of: 'task_type' },
    project_name: PROJECT,
    user_email: PERSON,
    worker: column('Worker', 'text', 180),
    date_queued: date('Queued'),
    date_started: date('Started'),
    date_done: date('Done'),
    eta: date('Scheduled for'),
    execution_time: column('Duration', 'seconds', 96),
    exception_type: column('Exception', 'exception', 140),
    task_id: column('Task ID', 'id', 300),
    project_id: PROJECT_ID,
    id: column('Number', 'number', 90),
    folder: FOLDER,
    scope: SCOPE,
    name: column('Task name', 'code', 220),
    task_type: column('Task type', 'code', 150),
    datamimic_status: column('Reported status', 'text', 150),
    retries: column('Retries', 'number', 136),
    preserve: column('Preserved', 'flag', 112),
    args: column('Arguments', 'json', 220),
    traceback: column('Traceback', 'json', 220),
    artifacts: column('Artifacts', 'json', 160),
  },
  columns: [
    ...['status', 'routing_key', 'project_name', 'exception_type', 'user_email'],
    ...['date_queued', 'execution_time', 'worker', 'task_id'],
  ],
  open: ['status', 'task_type', 'project_id', 'worker', 'exception_type'],
  ...{ by: 'status', time: 'date_queued' },
  titles: { project_id: 'Project', task_type: 'Type', routing_key: 'Routing key' },
  titled: {
    status: {
      SUCCESS: 'Successful tasks',
      FAILURE: 'Failed tasks',
      REVOKED: 'Revoked tasks',
      STARTED: 'Running tasks',
      RETRY: 'Retrying tasks',
      RECEIVED: 'Received tasks',
      PENDING: 'Pending tasks',
    },
  },
  aliases: {
    ...{ type: 'task_type', project: 'project_id', person: 'user_email', user: 'user_email' },
    ...{ error: 'exception_type', queued: 'date_queued', started: 'date_started' },
    ...{ done: 'date_done', took: 'execution_time', kept: 'preserve', key: 'routing_key' },
    reported: 'datamimic_status',
  },
  example: 'status:failure date:today worker:…',
  shortcuts: [
    { title: 'Failures only', condition: stateIn(['FAILURE']) },
    { title: 'Active only', condition: stateIn(RUNNING) },
  ],
  hidden: ['status', 'artifacts'],
  failure: { kind: 'exception_type', text: 'traceback' },
  parts: ['output', 'history'],
  tabs: ['log'],
  lead: projectOrUser,
  related(row, admin) {
    const { inProject, to } = linksWithin(row.project_id, admin);
    const { exception_type: exception, task_type: type, worker } = row;
    return [
      ...(typeof exception === 'string'
        ? [to('Tasks with this exception', 'tasks', ...inProject, is('exception_type', exception))]
        : []),
      ...(typeof type === 'string'
        ? [to('Schedules of this type', 'schedules', ...inProject, is('task_type', type))]
        : []),
      ...(typeof worker === 'string'
        ? [to('Tasks on this worker', 'tasks', is('worker', worker))]
        : []),
      ...(admin ? [changesTo('Changes to this task', row.task_id)] : []),
    ];
  },
  precedent(row, admin) {
    if (row.status !== 'FAILURE' || typeof row.task_type !== 'string') return undefined;
    const { inProject, to } = linksWithin(row.project_id, admin);
    const wanted = [is('status', 'SUCCESS'), is('task_type', row.task_type), ...inProject];
    const found = to('Latest success of this type', 'tasks', ...wanted);
    return {
      ...{ ...found, to: { ...found.to, sort: [{ by: 'date_done', order: 'desc' }] } },
      members: ['date_done', 'execution_time', 'worker', 'retries', 'folder'],
    };
  },
  actions: ACTIONS,
  sweep: CLEAN_UP,
};
