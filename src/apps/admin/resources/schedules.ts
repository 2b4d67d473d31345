/** Schedules: tasks that run by crontab, for a project, the system or the backups. */
import { defineResource, stored, valueLabel } from '../../../tables/definition/definition.ts';
import {
  asJson,
  at,
  boolean,
  date,
  id,
  type JoinedRow,
  type Json,
  number,
  shown,
  text,
} from '../../../tables/definition/record.ts';
import { projectName, projectNameField } from './projectName.ts';
import { SCOPES } from './scope.ts';
import { TYPES } from './taskTypes.ts';

const invalid = 'InvalidScheduleSearchRequest';

export const schedules = defineResource({
  name: 'schedules',
  collection: 'schedules',
  key: 'schedule_id',
  fields: {
    schedule_id: stored('_id', 'uuid', 'contains', 'equals', 'sort', 'select'),
    project_id: stored('project_id', 'many', 'contains', 'equals', 'sort', 'facet'),
    project_name: projectNameField,
    user_email: stored('task_args.user_email', 'many', 'contains', 'facet'),
    task_name: stored('task_name', 'few', 'contains', 'select'),
    task_type: stored('task_type', 'few', 'equals', 'facet'),
    task_label: valueLabel('task_type', TYPES),
    crontab: stored('crontab', 'few', 'select'),
    enabled: stored('enabled', 'few', 'equals', 'sort', 'facet'),
    scope: stored('scope', 'few', 'equals', 'facet'),
    folder: stored('folder', 'many', 'facet'),
    date_last_run_at: stored('date_last_run_at', 'date', 'sort', 'range'),
    total_run_count: stored('total_run_count', 'number', 'sort', 'range'),
  },
  filters: {
    q: {
      kind: 'text',
      fields: ['project_id', 'schedule_id', 'project_name', 'user_email', 'task_name'],
      named: {
        by: 'task_label',
        meaning: 'The label or name of a task type also selects that type.',
      },
    },
    project_id: { kind: 'id', field: 'project_id', invalid },
    schedule_id: { kind: 'id', field: 'schedule_id', invalid },
    user_email: { kind: 'contains', field: 'user_email' },
    enabled: { kind: 'boolean', field: 'enabled' },
    scope: { kind: 'enum', field: 'scope', values: SCOPES },
  },
  sorts: ['schedule_id', 'project_id', 'date_last_run_at', 'total_run_count', 'enabled'],
  indexes: [
    // For the paths of a project.
    { key: { project_id: 1, _id: 1 }, selective: true },
  ],
  record: {
    schedule_id: id('_id'),
    project_id: text('project_id'),
    project_name: projectName,
    folder: text('folder'),
    user_email: text('task_args.user_email'),
    enabled: boolean('enabled'),
    crontab: text('crontab'),
    date_last_run_at: date('date_last_run_at'),
    total_run_count: number('total_run_count'),
    task_name: text('task_name'),
    task_type: text('task_type'),
    task_args: shown(
      { description: 'What the task is called with. Left out for schedules of projects.' },
      ['scope', 'task_args'],
      taskArgs,
      { optional: true },
    ),
    scope: text('scope'),
  },
});

/**
 * The `other` part of the arguments, for system and backup schedules only: a project's arguments
 * hold its secrets. A scope that is missing or unknown is treated as a project's.
 */
function taskArgs({ document }: JoinedRow): Json | undefined {
  const scope = document.scope;
  if (scope !== 'system' && scope !== 'backup_infrastructure') return undefined;
  return asJson(at(document, 'task_args.other'));
}
