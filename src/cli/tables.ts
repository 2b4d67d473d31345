/** The tables by the words of the command line, with the columns and counts shown by default. */
import {
  type OwnTable,
  type OwnTables,
  VIEWS,
  type ViewDescription,
  type ViewName,
  viewOf,
} from 'table-search/client';
import { unknownName } from './asked/names.ts';
import { type CliError, usage } from './failure.ts';

interface NamedTable {
  readonly view: ViewName;
  /** The same within a project. */
  readonly ofProject?: ViewName;
  /** The default columns of a terminal and a pipe. */
  readonly columns: readonly string[];
  /** The default facets of `explore`. */
  readonly facets: readonly string[];
}

export const TABLES: Readonly<Record<string, NamedTable>> = {
  tasks: {
    view: 'adminTasks',
    ofProject: 'projectTasks',
    columns: [
      ...['task_id', 'status', 'task_type', 'date_queued', 'project_name'],
      ...['worker', 'execution_time'],
    ],
    facets: ['status', 'task_type', 'worker'],
  },
  schedules: {
    view: 'adminSchedules',
    ofProject: 'projectSchedules',
    columns: [
      ...['schedule_id', 'enabled', 'task_type', 'crontab', 'project_name'],
      ...['date_last_run_at', 'total_run_count'],
    ],
    facets: ['enabled', 'task_type'],
  },
  users: {
    view: 'users',
    columns: ['id', 'email', 'first_name', 'last_name', 'language', 'active', 'tc_creation'],
    facets: ['active', 'language'],
  },
  projects: {
    view: 'ownProjects',
    columns: ['identifier', 'name', 'type', 'users'],
    facets: ['type'],
  },
  audit: {
    view: 'audit',
    columns: ['at', 'actor', 'action', 'target_type', 'target_id'],
    facets: ['actor', 'action'],
  },
};

/** A table as command lines ask for it; a table of a file also has its `fields`. */
export interface TableDescription extends ViewDescription {
  readonly fields?: OwnTable['fields'];
}

/** Facets of a table of a file that `explore` counts by default. */
const COUNTED = 5;

/** The table of a command line, at its path. */
export interface AskedTable {
  readonly word: string;
  /** The client's name for it. */
  readonly view: string;
  readonly path: { readonly project_id?: string };
  readonly description: TableDescription;
  readonly columns: readonly string[];
  readonly facets: readonly string[];
}

/** All names of tables, the built-in ones first. */
export const tableNames = ({ data, meta }: OwnTables): readonly string[] => [
  ...(meta.built_in_tables ? Object.keys(TABLES) : []),
  ...data.map(({ name }) => name),
];

/** The table of the service's file that has this name. */
export const ownTable = (word: string, { data }: OwnTables): OwnTable | undefined =>
  data.find(({ name }) => name === word);

/** The service's own table of this name: one of the file may have the name, and comes first. */
export const builtInTable = (word: string, listed: OwnTables): NamedTable | undefined =>
  listed.meta.built_in_tables && Object.hasOwn(TABLES, word) && !ownTable(word, listed)
    ? TABLES[word]
    : undefined;

export const noTable = (word: string, names: readonly string[], advice = ''): CliError =>
  usage(`Table ${unknownName(word, names, 'Tables')}${advice}`);

/**
 * @param listed the tables of the service's file
 * @throws CliError for an unknown table, and for a project where rows belong to none
 */
export function tableOf(word: string, project: string | undefined, listed: OwnTables): AskedTable {
  const own = ownTable(word, listed);
  const named = builtInTable(word, listed);
  if (!own && !named) throw noTable(word, tableNames(listed), TEXT_ELSEWHERE);
  const ofProject = named?.ofProject;
  if (project !== undefined && ofProject === undefined) {
    const those = Object.keys(TABLES).filter((name) => TABLES[name]?.ofProject !== undefined);
    throw usage(`Rows of ${word} belong to no project; only ${those.join(' and ')} do.`);
  }
  if (own) {
    const { columns, facets, fields } = own;
    const shown = { columns, facets: facets.slice(0, COUNTED) };
    return { word, view: word, path: {}, ...shown, description: { ...viewOf(own), fields } };
  }
  const { columns, facets, view } = named!;
  const at = (ofProject && project !== undefined && ofProject) || view;
  const path = project === undefined ? {} : { project_id: project.toLowerCase() };
  return { word, view: at, path, description: VIEWS[at], columns, facets };
}

const TEXT_ELSEWHERE = ' Text to search for goes after -q.';
