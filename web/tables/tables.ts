/**
 * The tables of the web UI. What can be asked of each comes from the contract; here stands what only
 * the UI knows: names for people, widths, which columns show at first, how a value looks.
 */
import { VIEWS, type ViewDescription, type ViewName } from '../../clients/typescript/index.ts';
import { type BuiltIn, isOwn, type TableName } from '../state/view.ts';
import { say } from '../words/words.ts';
import { COLUMNS, type ColumnLook } from './columns.ts';
import { ownTable } from './ownTables.ts';
import type { Table } from './table.ts';

export type { ColumnLook, Look } from './columns.ts';
export type { Place, Table } from './table.ts';

const TABLE: Readonly<Record<BuiltIn, Table>> = {
  tasks: {
    ...{ name: 'tasks', title: 'Tasks', one: 'task', many: 'tasks', key: 'task_id' },
    views: { admin: 'adminTasks', project: 'projectTasks' },
    columns: [
      ...['status', 'routing_key', 'project_name', 'exception_type', 'user_email'],
      ...['date_queued', 'execution_time', 'worker', 'task_id'],
    ],
    open: ['status', 'task_type', 'project_id', 'worker', 'exception_type'],
    by: 'status',
    time: 'date_queued',
    aliases: {
      ...{ type: 'task_type', project: 'project_id', person: 'user_email', user: 'user_email' },
      ...{ error: 'exception_type', queued: 'date_queued', started: 'date_started' },
      ...{ done: 'date_done', kept: 'preserve', key: 'routing_key' },
    },
  },
  schedules: {
    ...{ name: 'schedules', title: 'Schedules', one: 'schedule', many: 'schedules' },
    key: 'schedule_id',
    views: { admin: 'adminSchedules', project: 'projectSchedules' },
    columns: [
      ...['enabled', 'task_type', 'project_name', 'user_email', 'crontab'],
      ...['date_last_run_at', 'total_run_count', 'folder', 'schedule_id'],
    ],
    open: ['enabled', 'task_type', 'scope', 'project_id'],
    by: 'enabled',
    aliases: {
      ...{ type: 'task_type', project: 'project_id', person: 'user_email', user: 'user_email' },
      ...{ runs: 'total_run_count', last: 'date_last_run_at' },
    },
  },
  projects: {
    ...{ name: 'projects', title: 'Projects', one: 'project', many: 'projects' },
    key: 'identifier',
    views: { admin: 'adminProjects', member: 'ownProjects' },
    columns: ['name', 'type', 'users', 'identifier'],
    open: ['type'],
    by: 'type',
    aliases: { created: 'tc_creation', changed: 'tc_update' },
  },
  users: {
    ...{ name: 'users', title: 'Users', one: 'user', many: 'users', key: 'id', numericKey: true },
    views: { admin: 'users', member: 'users' },
    columns: ['id', 'email', 'first_name', 'last_name', 'language', 'active', 'auth_groups'],
    open: ['active', 'language', 'auth_groups'],
    by: 'active',
    aliases: { group: 'auth_groups', created: 'tc_creation', changed: 'tc_update' },
  },
  audit: {
    ...{ name: 'audit', title: 'Audit log', one: 'event', many: 'events', key: 'id' },
    views: { admin: 'audit' },
    columns: ['at', 'action', 'actor', 'target_type', 'target_id', 'request_id'],
    open: ['action', 'actor', 'target_type'],
    by: 'action',
    aliases: { who: 'actor', target: 'target_id' },
  },
};

export const tableOf = (name: TableName): Table => (isOwn(name) ? ownTable(name) : TABLE[name]);

/** The filters, orders and columns of the table; the same fields on each of its paths. */
export const describedBy = (table: Table): ViewDescription =>
  table.description ?? VIEWS[table.views.admin as ViewName];

/** The fields with conditions, and those of them with ranges. */
export function addressFields(name: TableName) {
  const { conditions, facets, ranges } = describedBy(tableOf(name));
  // Numbers that are counted by value are selected by value.
  const isRange = (field: string) => ranges[field] !== undefined && !facets.includes(field);
  return { conditions, ranges: conditions.filter(isRange) };
}

const searched = new Map<TableName, ReadonlySet<string>>();

/** Members of a record that its text search looks into. */
export function searchedFields(name: TableName): ReadonlySet<string> {
  if (isOwn(name)) return new Set(tableOf(name).searched);
  const known = searched.get(name);
  if (known) return known;
  const { q } = describedBy(TABLE[name]).filters;
  const [, listed = ''] = /^Contained in any of ([\w, ]+);/.exec(q?.meaning ?? '') ?? [];
  const fields = new Set(listed.split(', ').map((field) => SHOWN_AS[name]?.[field] ?? field));
  searched.set(name, fields);
  return fields;
}

/** Fields that a record shows under another name. */
const SHOWN_AS: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>> = {
  tasks: { routing_label: 'routing_key' },
  users: { id_text: 'id' },
  projects: { project_id: 'identifier', project_name: 'name', member_email: 'users' },
};

const looksOf = (name: TableName): Readonly<Record<string, ColumnLook>> =>
  isOwn(name) ? (tableOf(name).looks ?? {}) : COLUMNS[name];

/** How a column looks; one that nobody described shows as text. */
export function columnOf(name: TableName, column: string): ColumnLook {
  const known = looksOf(name)[column];
  if (known) return known;
  return { title: titleOf(column), look: 'text', width: 160 };
}

/** The column's head. */
export const columnTitle = (name: TableName, column: string): string =>
  say(columnOf(name, column).title);

/** The columns in the order in which they are described: what matters most comes first. */
export const columnsOf = (name: TableName): readonly string[] => Object.keys(looksOf(name));

/** `exception_type` → `Exception type` */
function titleOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A field as facets and chips name it. */
export const fieldTitle = (name: TableName, field: string): string =>
  say(
    (isOwn(name) ? undefined : FIELD_TITLES[field]) ??
      looksOf(name)[field]?.title ??
      titleOf(field),
  );

const FIELD_TITLES: Readonly<Record<string, string>> = {
  project_id: 'Project',
  task_type: 'Type',
  routing_key: 'Routing key',
  user_email: 'User',
  exception_type: 'Exception',
  auth_groups: 'Group',
  preserve: 'Preserved',
  name: 'Task name',
  tc_creation: 'Created',
  tc_update: 'Updated',
};
