/** Tasks: job runs, the largest table. */
import { defineResource, stored, valueLabel } from '../../../tables/definition/definition.ts';
import { TEXT_OR_NULL } from '../../../tables/definition/jsonSchema.ts';
import {
  asText,
  boolean,
  date,
  id,
  type JoinedRow,
  json,
  jsonOr,
  number,
  type RecordContext,
  shown,
  shownWhen,
  text,
} from '../../../tables/definition/record.ts';
import { secondsMember } from '../../../tables/definition/storedMembers.ts';
import { projectName, projectNameField } from './projectName.ts';
import { SCOPES } from './scope.ts';
import { ROUTING_KEYS, TYPES } from './taskTypes.ts';

const invalid = 'InvalidTaskSearchRequest';

/** The label of a known task type, else the stored key. */
export const routingKey = shown(
  { ...TEXT_OR_NULL, description: 'The label of a known task type, else the stored key.' },
  ['task_type', 'routing_key'],
  ({ document }, { labels }) =>
    labels[TYPES]!.labelOf(document.task_type) ?? asText(document.routing_key),
  { needsContext: true },
);

export const tasks = defineResource({
  name: 'tasks',
  collection: 'tasks',
  key: 'id',
  fields: {
    id: stored('_id', 'number', 'sort', 'select', 'range'),
    task_id: stored('task_id', 'uuid', 'contains', 'equals', 'select'),
    project_id: stored('project_id', 'many', 'contains', 'equals', 'facet'),
    project_name: projectNameField,
    user_email: stored('user_email', 'many', 'contains', 'facet'),
    name: stored('name', 'few', 'contains', 'facet'),
    routing_key: stored('routing_key', 'few', 'contains', 'equals', 'facet'),
    task_type: stored('task_type', 'few', 'equals', 'facet'),
    routing_label: valueLabel('task_type', TYPES),
    folder: stored('folder', 'many', 'contains', 'facet'),
    worker: stored('worker', 'many', 'contains', 'facet'),
    status: stored('status', 'few', 'contains', 'facet'),
    datamimic_status: stored('datamimic_status', 'few', 'select'),
    exception_type: stored('exception_type', 'few', 'contains', 'facet'),
    scope: stored('scope', 'few', 'equals', 'facet'),
    preserve: stored('preserve', 'few', 'facet'),
    retries: stored('retries', 'number', 'range'),
    date_started: stored('date_started', 'date', 'sort', 'range'),
    date_queued: stored('date_queued', 'date', 'sort', 'range'),
    date_done: stored('date_done', 'date', 'sort', 'range'),
    eta: stored('eta', 'date', 'sort', 'range'),
    args: stored('args', 'unique'),
    traceback: stored('traceback', 'unique'),
    execution_time: {
      kind: 'seconds',
      from: 'date_started',
      to: 'date_done',
      uses: ['sort', 'range'],
    },
  },
  filters: {
    q: {
      kind: 'text',
      fields: [
        'task_id',
        'project_id',
        'project_name',
        'user_email',
        'name',
        'routing_key',
        'routing_label',
        'folder',
        'worker',
        'status',
        'exception_type',
      ],
      shown: { routing_label: 'routing_key' },
    },
    task_id: { kind: 'id', field: 'task_id' },
    project_id: { kind: 'id', field: 'project_id', invalid },
    project_name: { kind: 'contains', field: 'project_name' },
    user_email: { kind: 'contains', field: 'user_email' },
    scope: { kind: 'enum', field: 'scope', values: SCOPES },
    routing_keys: {
      kind: 'labelled',
      field: 'routing_key',
      labels: ROUTING_KEYS,
      invalid,
      wrong: 'This is neither a canonical routing key nor the label of a task type.',
      meaning: 'Equal to one of these routing keys, each canonical or a label.',
    },
    get_artifacts_metadata: { kind: 'option' },
  },
  sorts: ['id', 'date_started', 'date_queued', 'date_done'],
  indexes: [
    // For the paths of a task and of a project.
    { key: { task_id: 1, _id: 1 }, selective: true },
    { key: { project_id: 1, _id: 1 }, selective: true },
    // For the clean-up of running tasks. Not with `scope`: the store would refuse a document in which
    // both were arrays.
    { key: { status: 1, _id: 1 } },
  ],
  record: {
    id: id('_id'),
    task_id: text('task_id'),
    project_id: text('project_id'),
    project_name: projectName,
    folder: text('folder'),
    user_email: text('user_email'),
    args: json('args'),
    status: text('status'),
    datamimic_status: text('datamimic_status'),
    date_queued: date('date_queued'),
    date_started: date('date_started'),
    date_done: date('date_done'),
    eta: date('eta'),
    exception_type: text('exception_type'),
    traceback: text('traceback'),
    worker: text('worker'),
    retries: number('retries'),
    preserve: boolean('preserve'),
    execution_time: secondsMember('date_started', 'date_done', 'Seconds from start to end.'),
    name: text('name'),
    routing_key: routingKey,
    scope: text('scope'),
    task_type: text('task_type'),
    artifacts: shownWhen(
      ['status'],
      hasArtifacts,
      jsonOr('artifacts', [], {
        description: 'With `get_artifacts_metadata`, of tasks that succeeded.',
      }),
    ),
  },
});

/** Shown on request, for tasks that succeeded. */
function hasArtifacts(
  { document }: Pick<JoinedRow, 'document'>,
  { options }: RecordContext,
): boolean {
  return options.has('get_artifacts_metadata') && document.status === 'SUCCESS';
}
