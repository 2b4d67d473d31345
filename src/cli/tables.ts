/** The tables by the words of the command line, with the columns and counts shown by default. */
import { VIEWS, type ViewDescription, type ViewName } from 'table-search/client';
import { unknownName } from './asked/names.ts';
import { CliError, EXIT } from './failure.ts';

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

/** The table of a command line, at its path. */
export interface AskedTable {
  readonly word: string;
  readonly view: ViewName;
  readonly path: { readonly project_id?: string };
  readonly description: ViewDescription;
  readonly columns: readonly string[];
  readonly facets: readonly string[];
}

/** @throws CliError for an unknown table, and for a project where rows belong to none */
export function tableOf(word: string, project: string | undefined): AskedTable {
  const named = TABLES[word];
  if (named === undefined) {
    const unknown = unknownName(word, Object.keys(TABLES), 'Tables');
    throw new CliError(`Table ${unknown} Text to search for goes after -q.`, EXIT.usage);
  }
  const { ofProject, ...shown } = named;
  if (project === undefined) {
    return { ...shown, word, path: {}, description: VIEWS[named.view] };
  }
  if (ofProject === undefined) {
    const those = Object.keys(TABLES).filter((name) => TABLES[name]?.ofProject !== undefined);
    throw new CliError(
      `--project works with ${those.join(' and ')}; ${word} belong to no project.`,
      EXIT.usage,
    );
  }
  const path = { project_id: project.toLowerCase() };
  return { ...shown, word, view: ofProject, path, description: VIEWS[ofProject] };
}
