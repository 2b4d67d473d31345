/** The tables by the words of the command line, and which columns are shown of each. */
import { VIEWS, type ViewDescription, type ViewName } from 'table-search/client';
import { CliError, EXIT } from './failure.ts';

interface NamedTable {
  readonly view: ViewName;
  /** The same within a project. */
  readonly ofProject?: ViewName;
  /** What a terminal shows where nothing else is asked for. */
  readonly columns: readonly string[];
  /** What is counted then. */
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

/** A table that was asked for, at its path. */
export interface AskedTable {
  readonly view: ViewName;
  readonly path: { readonly project_id?: string };
  readonly description: ViewDescription;
  readonly columns: readonly string[];
  readonly facets: readonly string[];
}

/** @throws CliError for a word that names no table, and a project where there are none */
export function tableOf(word: string, project: string | undefined): AskedTable {
  const named = TABLES[word];
  if (named === undefined) {
    throw new CliError(`There is no table ${word}: ${Object.keys(TABLES).join(', ')}.`, EXIT.usage);
  }
  const { ofProject, ...shown } = named;
  if (project === undefined) {
    return { ...shown, path: {}, description: VIEWS[named.view] };
  }
  if (ofProject === undefined) {
    const those = Object.keys(TABLES).filter((name) => TABLES[name]?.ofProject !== undefined);
    throw new CliError(`--project is for ${those.join(' and ')}.`, EXIT.usage);
  }
  const path = { project_id: project };
  return { ...shown, view: ofProject, path, description: VIEWS[ofProject] };
}
