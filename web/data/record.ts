/** One record by its key, wherever the table's filters would leave it. */
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

/** What a task has made. Those of no project have artifacts alone, which a search tells of them. */
export async function metadataOf(row: Row, signal: AbortSignal): Promise<Metadata | undefined> {
  const { project_id, task_id } = row;
  if (typeof project_id !== 'string') {
    const scope = row.scope === 'backup_infrastructure' ? { scope: row.scope } : {};
    const { data } = await rowsAt({ view: 'adminTasks', path: {} }).explore(
      {
        filters: { get_artifacts_metadata: true, ...scope },
        select: [{ field: 'id', in: [row.id] }],
        pagination: { per_page: 1 },
      },
      { signal },
    );
    const artifacts = data[0]?.artifacts;
    return Array.isArray(artifacts) ? { artifacts, snapshot: null } : undefined;
  }
  const of = { project_id, task_id: String(task_id) };
  return (await service.tasks.metadata(of, { signal })) as unknown as Metadata;
}
