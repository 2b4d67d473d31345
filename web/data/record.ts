/** One record by its key, wherever the table's filters would leave it. */
import { ApiError } from '../../clients/typescript/index.ts';
import { placeOf } from '../query/question.ts';
import { type Row, rowsAt, service } from './service.ts';
import { isAdmin } from './session.ts';
import { table, view } from './store.ts';

/** The field that the key of a table is selected by. */
const SELECTED_BY: Readonly<Record<string, string>> = { identifier: 'project_id' };

export async function recordOf(key: string, signal: AbortSignal): Promise<Row | undefined> {
  const place = placeOf(table.peek(), view.peek().project, { admin: isAdmin.peek() });
  if (!place) return undefined;
  const member = table.peek().key;
  const value = table.peek().name === 'users' ? Number(key) : key;
  const select = [{ field: SELECTED_BY[member] ?? member, in: [value] }];
  const rows = rowsAt(place);
  const body = { select, pagination: { per_page: 1 } };
  const found = (await rows.explore(body, { signal })).data[0];
  if (found || place.view !== 'adminTasks') return found;
  // Backups are apart from other tasks.
  const filters = { scope: 'backup_infrastructure' };
  return (await rows.explore({ ...body, filters }, { signal })).data[0];
}

export interface Metadata {
  readonly artifacts: readonly {
    readonly name?: string;
    readonly size?: number;
    readonly content_type?: string;
    readonly created_at?: string;
  }[];
  readonly snapshot: {
    readonly file_name: string;
    readonly size: number;
    readonly content_type: string | null;
  } | null;
  readonly log_lines?: number;
}

/** What a task has made: all of it where its path means it, else the artifacts, which a search tells of. */
export async function metadataOf(row: Row, signal: AbortSignal): Promise<Metadata | undefined> {
  const { project_id, task_id } = row;
  if (typeof project_id !== 'string' || !(await isMeant(row, signal))) {
    return await artifactsOf(row, signal);
  }
  const of = { project_id, task_id: String(task_id) };
  try {
    return (await service.tasks.metadata(of, { signal })) as unknown as Metadata;
  } catch (error) {
    // Of a member, the one that is meant may be another project's.
    if (error instanceof ApiError && error.status === 404) return await artifactsOf(row, signal);
    throw error;
  }
}

const tasksOf = (project_id: unknown) =>
  rowsAt(
    isAdmin.peek() || typeof project_id !== 'string'
      ? { view: 'adminTasks', path: {} }
      : { view: 'projectTasks', path: { project_id } },
  );

/** Of tasks with one id, which is dirty data, a path means the one with the least number. */
async function isMeant({ id, task_id, project_id }: Row, signal: AbortSignal): Promise<boolean> {
  const body = {
    select: [{ field: 'task_id', in: [task_id] }],
    sorting: { sort_by: 'id', sort_order: 'asc' },
    pagination: { per_page: 1 },
  };
  const [first] = (await tasksOf(project_id).explore(body, { signal })).data;
  return first === undefined || first.id === id;
}

async function artifactsOf(row: Row, signal: AbortSignal): Promise<Metadata | undefined> {
  const scope = row.scope === 'backup_infrastructure' ? { scope: row.scope } : {};
  const body = {
    filters: { get_artifacts_metadata: true, ...scope },
    select: [{ field: 'id', in: [row.id] }],
    pagination: { per_page: 1 },
  };
  const [found] = (await tasksOf(row.project_id).explore(body, { signal })).data;
  const artifacts = found?.artifacts;
  return Array.isArray(artifacts) ? { artifacts, snapshot: null } : undefined;
}
