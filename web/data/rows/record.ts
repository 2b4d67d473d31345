/** One record by its key, wherever the table's filters would leave it. */

import { exactly, isNumber, numberOf } from '../../../clients/typescript/viewAddress.ts';
import type { Changes, Metadata, Row } from '../../present/answer.ts';
import { placeOf } from '../../query/question.ts';
import { audit } from '../../tables/audit.ts';
import { fieldOf } from '../../tables/tables.ts';
import { tasks } from '../../tables/tasks.ts';
import { firstOf, isMissing, rowsAt, service } from '../service/service.ts';
import { isAdmin } from '../service/session.ts';
import { namesOf } from '../service/who.ts';
import { table, view } from '../store.ts';

export async function recordOf(key: string, signal: AbortSignal): Promise<Row | undefined> {
  const place = placeOf(table.peek(), view.peek().project, isAdmin.peek());
  if (!place) return undefined;
  const { key: member, numericKey, apart, views, description } = table.peek();
  const field = fieldOf(table.peek(), member);
  const value = numericKey && isNumber(key) ? numberOf(key) : key;
  const isListed = !numericKey || description.values.includes(field);
  const select = [{ field, ...(isListed ? { in: [value] } : exactly(value)) }];
  const { row } = await firstOf(place, { select }, signal);
  if (row || !apart || place.view !== views.admin) return row;
  const filters = { [apart.field]: apart.value };
  return (await firstOf(place, { select, filters }, signal)).row;
}

/** Changes of a record that show. */
const CHANGES = 20;

/** The latest changes that people made to a record, the latest first, and the names of these people. */
export async function changesOf(key: string, signal: AbortSignal): Promise<Changes> {
  const body = { filters: { target_id: key }, pagination: { per_page: CHANGES } };
  const { data } = await rowsAt({ view: audit.views.admin, path: {} }).explore(body, { signal });
  return { changes: data, names: await namesOf(data.map(({ actor }) => String(actor))) };
}

const NOTHING: Metadata = { artifacts: [], snapshot: null };

/** The output of a task: all of it where its path means this task, else the artifacts, which admins' searches tell. */
export async function metadataOf(row: Row, signal: AbortSignal): Promise<Metadata | undefined> {
  const isOfProject = row.scope === 'project' && typeof row.project_id === 'string';
  const isMember = !isAdmin.peek();
  if (isOfProject && (isMember || (await isMeant(row, signal)))) {
    const found = await atItsPath(row, signal);
    if (found || isMember) return found ?? NOTHING;
  }
  const artifacts = await artifactsOf(row, signal);
  if (artifacts) return { ...NOTHING, artifacts };
  return isOfProject ? NOTHING : undefined;
}

async function atItsPath(
  { project_id, task_id }: Row,
  signal: AbortSignal,
): Promise<Metadata | undefined> {
  const of = { project_id: String(project_id), task_id: String(task_id) };
  try {
    return (await service.tasks.metadata(of, { signal })) as Metadata;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const ALL_TASKS = { view: tasks.views.admin, path: {} };

/** Whether a task's path means it: if several tasks have one id (dirty data), the one with the least number. */
async function isMeant({ id, task_id }: Row, signal: AbortSignal): Promise<boolean> {
  const body = {
    select: [{ field: 'task_id', in: [task_id] }],
    sorting: { sort_by: 'id', sort_order: 'asc' },
  };
  const { row } = await firstOf(ALL_TASKS, body, signal);
  return row === undefined || row.id === id;
}

async function artifactsOf(
  row: Row,
  signal: AbortSignal,
): Promise<Metadata['artifacts'] | undefined> {
  const scope = row.scope === tasks.apart?.value ? { scope: row.scope } : {};
  const body = {
    filters: { get_artifacts_metadata: true, ...scope },
    select: [{ field: 'id', in: [row.id] }],
  };
  const artifacts = (await firstOf(ALL_TASKS, body, signal)).row?.artifacts;
  return Array.isArray(artifacts) ? artifacts : undefined;
}
