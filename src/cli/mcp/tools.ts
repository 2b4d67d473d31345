/**
 * The tools of the Model Context Protocol: one for all tables, and one a kind of operation.
 *
 *     search {table: "tasks", project_id, facets, …}  ──►  POST …/projects/<id>/tasks/search/explore
 *     read_log {task_id}                              ──►  GET …/tasks/<id>/logs
 *
 * An assistant reads all definitions before each conversation, so they are few and short: a tool a
 * route took 58 kB. The service checks the arguments, and its errors name valid ones.
 */
import {
  keyInPath,
  OPERATIONS,
  type OperationId,
  type OwnTables,
  type ViewDescription,
} from 'table-search/client';
import { usage } from '../failure.ts';
import { noTable, tableNames, tableOf } from '../tables.ts';
import { catalogue } from './catalogue.ts';
import { checkGiven } from './refusals.ts';
import type { Given, Schema, Tool } from './tool.ts';

export interface Rights {
  readonly admin: boolean;
  readonly changes: boolean;
}

/**
 * The tools for a caller with these rights.
 *
 * @param listed the tables of the service's file that the caller may see
 */
export function toolsOf(rights: Rights, listed: OwnTables): readonly Tool[] {
  const hasBuiltIn = listed.meta.built_in_tables;
  const offered = OPERATION_TOOLS.filter(
    (one) => hasBuiltIn && (rights.changes || isRead(one)) && (rights.admin || !one.forAdmins),
  );
  const documents = listed.data.filter((table) => table.documents);
  return [
    searchTool(rights, listed),
    ...(documents.length > 0 ? [documentTool(documents)] : []),
    ...offered.map((definition) => toolOf(definition, rights)),
  ];
}

function searchTool({ admin }: Rights, listed: OwnTables): Tool {
  const hasBuiltIn = listed.meta.built_in_tables;
  const words = tableNames(listed).filter((word) => admin || !hasBuiltIn || word !== 'audit');
  const ofProject = hasBuiltIn ? { project_id: { type: 'string' } } : {};
  return {
    name: 'search',
    title: 'Search and count rows of a table',
    description: catalogue(words, admin, listed),
    inputSchema: objectOf({ table: { enum: words }, ...ofProject, ...SEARCH_INPUT }, ['table']),
    isRead: true,
    isDestructive: false,
    request({ table, project_id, ...body }) {
      if (table === undefined) {
        throw usage(`table is missing. Tables: ${words.join(', ')}.`);
      }
      if (typeof table !== 'string' || !words.includes(table)) {
        throw noTable(String(table), words);
      }
      const project = project_id === undefined ? undefined : String(project_id);
      const { description, path } = tableOf(table, project, listed);
      checkFilters(body.filters, description);
      const route = isOfSearches(body, description.sorts) ? '' : '/explore';
      return { method: 'POST', path: filled(description.path, path) + route, body };
    },
  };
}

/** @throws CliError for a field that only conditions are on: a natural mistake */
function checkFilters(given: unknown, { filters, conditions }: ViewDescription): void {
  if (given === null || typeof given !== 'object') return;
  const field = Object.keys(given).find((one) => !(one in filters) && conditions.includes(one));
  if (field === undefined) return;
  const said = `${field} is no filter; put {"field": "${field}", …} into select.`;
  throw usage(`/filters/${field}: ${said}`);
}

/** Whether the search of the contract takes this: filters, and few orders. The explore beside it takes all. */
function isOfSearches(body: Given, sorts: readonly string[]): boolean {
  const { filters: _filters, pagination: _pagination, sorting, ...more } = body;
  const { sort_by } = (sorting ?? {}) as { readonly sort_by?: unknown };
  const isUsual = sort_by === undefined ? !Array.isArray(sorting) : sorts.includes(String(sort_by));
  return isUsual && Object.keys(more).length === 0;
}

function documentTool(tables: OwnTables['data']): Tool {
  const names = tables.map(({ name }) => name);
  const name = 'read_document';
  const from = { type: 'integer', minimum: 0 };
  const inputSchema = objectOf({ table: { enum: names }, id: KEY, from }, ['table', 'id']);
  return {
    name,
    title: 'Read the whole document of a row',
    description:
      'Everything that is stored, as Extended JSON; id is the key that the row shows. A document past ' +
      '200,000 characters comes in parts of so many, each from the character that from counts to. If two ' +
      'parts name different versions, it has changed: begin again.',
    inputSchema,
    isRead: true,
    isDestructive: false,
    request: (given) => {
      checkGiven({ name, inputSchema }, given);
      const { table, id } = given;
      const asked = tables.find((one) => one.name === String(table));
      if (!asked) throw noTable(String(table), names);
      const key = keyInPath(id, asked.fields[asked.key]?.type === 'mixed');
      const path = filled('/api/v2/tables/{table}/documents/{id}', { table, id: key });
      return { method: 'GET', path };
    },
  };
}

const KEY: Schema = { type: ['string', 'number', 'boolean', 'object'] };

const ID: Schema = { type: 'string', format: 'uuid' };

interface Definition extends Pick<Tool, 'name' | 'title' | 'description'> {
  /** The operation; another one where a project is given, and for admins. */
  readonly operation: OperationId;
  readonly ofProject?: OperationId;
  readonly ofAdmins?: OperationId;
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly isDestructive?: boolean;
  readonly forAdmins?: boolean;
}

/** Log lines by default: an assistant reads every one of them. */
const LOG_LINES = 200;

const OPERATION_TOOLS: readonly Definition[] = [
  {
    name: 'read_log',
    title: "Read a task's log",
    description: `Lines by seq, ${LOG_LINES} by default; next_after is the after of the next page. last reads the end.`,
    operation: 'readLog',
    ofProject: 'readLogOfProject',
    ofAdmins: 'readAnyLog',
    properties: {
      task_id: ID,
      project_id: ID,
      // Text past 2^53.
      after: { type: ['number', 'string'] },
      last: { type: 'integer', minimum: 1, maximum: 5_000 },
      limit: { type: 'integer', minimum: 1, maximum: 5_000 },
    },
    required: ['task_id'],
  },
  {
    name: 'read_task',
    title: "Read a task's metadata",
    description: 'Artifacts, snapshot and number of log lines of a task of a project.',
    operation: 'readTaskMetadata',
    properties: { project_id: ID, task_id: ID },
    required: ['project_id', 'task_id'],
  },
  {
    name: 'list_routing_keys',
    title: 'List routing keys',
    description: 'The routing keys of the routing_keys filter, with their task types and labels.',
    operation: 'listRoutingKeys',
    properties: {},
    required: [],
  },
  {
    name: 'cancel_task',
    title: 'Cancel a task',
    description: 'Revokes a task that has not ended.',
    operation: 'cancelTask',
    properties: { task_id: ID },
    required: ['task_id'],
    isDestructive: true,
  },
  {
    name: 'preserve_task',
    title: 'Preserve a task',
    description: 'Protects a task of a project from cleanups, or stops protecting it.',
    operation: 'preserveTask',
    properties: { project_id: ID, task_id: ID, preserve: { type: 'boolean' } },
    required: ['project_id', 'task_id', 'preserve'],
  },
  {
    name: 'switch_schedule',
    title: 'Switch a schedule on or off',
    description: 'Members give the project of the schedule; admins may leave it out.',
    operation: 'switchAnySchedule',
    ofProject: 'switchScheduleOfProject',
    properties: { schedule_id: ID, project_id: ID, enabled: { type: 'boolean' } },
    required: ['schedule_id', 'enabled'],
  },
  {
    name: 'delete_schedule',
    title: 'Delete a schedule',
    description: 'Members give the project of the schedule; admins may leave it out.',
    operation: 'deleteAnySchedule',
    ofProject: 'deleteScheduleOfProject',
    properties: { schedule_id: ID, project_id: ID },
    required: ['schedule_id'],
    isDestructive: true,
  },
  {
    name: 'clean_up_tasks',
    title: 'Clean up tasks',
    description: 'Revokes every unfinished system and backup task that is not preserved.',
    operation: 'cleanUpTasks',
    properties: {},
    required: [],
    isDestructive: true,
    forAdmins: true,
  },
];

function toolOf(definition: Definition, { admin }: Rights): Tool {
  const { name, title, description, operation, ofProject, ofAdmins } = definition;
  const { isDestructive = false, properties, required } = definition;
  const inputSchema = objectOf(properties, required);
  return {
    name,
    title,
    description,
    inputSchema,
    isRead: isRead(definition),
    isDestructive,
    request(given) {
      checkGiven({ name, inputSchema }, given);
      const inProject = given.project_id === undefined ? undefined : ofProject;
      const { method, path } = OPERATIONS[inProject ?? (admin ? ofAdmins : undefined) ?? operation];
      // The service checks the rest.
      const rest = Object.fromEntries(
        Object.entries(given).filter(([member]) => !path.includes(`{${member}}`)),
      );
      const query = {
        ...(name === 'read_log' && !('last' in rest) && { limit: LOG_LINES }),
        ...rest,
      };
      const hasBody = method === 'PUT' || method === 'PATCH';
      return {
        method,
        path: filled(path, given),
        ...(hasBody ? { body: rest } : { query: query as Record<string, string | number> }),
      };
    },
  };
}

const isRead = ({ operation }: Definition) => OPERATIONS[operation].method === 'GET';

const objectOf = (properties: Readonly<Record<string, Schema>>, required: readonly string[]) => ({
  type: 'object' as const,
  properties,
  required,
  additionalProperties: false as const,
});

/** A missing parameter becomes `-`, which no id is: the service answers that nothing is there. */
const filled = (path: string, given: Given): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(keyInPath(given[name] ?? '-')),
  );

const objects = (description: string): Schema => ({
  ...{ type: 'array', items: { type: 'object' } },
  description,
});
const object = (description: string): Schema => ({ type: 'object', description });

/**
 * The input of `search` besides its table: the members of a body. Words describe
 * the contents, since tables differ. The service checks them, and its errors name fitting ones.
 */
const SEARCH_INPUT: Readonly<Record<string, Schema>> = {
  filters: object('The filters of the table by name.'),
  select: objects(
    'Conditions: {field, in: [values]}, {field, not_in: [values]}, {field, contains: text}, ' +
      '{field, not_contains: text}, {field, from, to} (from included, to excluded), {text} or {not_text}, ' +
      'which look where q does, or {any: [conditions]}, of which one holds.',
  ),
  baseline: objects('Conditions: facets are counted once more with these in place of select.'),
  facets: objects(
    'Counts by value: {field, limit (1 to 1000), contains, by, order, min_count}. contains keeps values with ' +
      'this text; by splits them by another facet field; order is count, value or, with a baseline, lift, ' +
      'which lists what is over-represented first.',
  ),
  histogram: object(
    'Counts by time: {field, interval, time_zone, from, to, until, by, min_buckets, max_buckets (1 to 500)}. interval is ' +
      'auto or a length such as PT1M, PT1H, P1D, P4D, P1W, P1M or P1Y; time_zone an IANA name, UTC by default; by ' +
      'splits counts by a facet field.',
  ),
  stats: objects(
    'Statistics of a number, date or length of time, {field}: count, missing, min, p50, p90, p95, p99, max.',
  ),
  sorting: {
    type: ['object', 'array'],
    items: { type: 'object' },
    description:
      '{sort_by, sort_order: asc or desc}, or a list of up to three. A list counts by its least value, or by its greatest in descending order.',
  },
  pagination: object('{page, per_page}: page 1 of 10 rows by default.'),
};
