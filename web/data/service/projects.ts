/** Names for people: of task types, of the projects that a member may look into, and of those in chips. */
import { effect, signal } from '@preact/signals';
import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import { typeLabels } from '../../state/surroundings.ts';
import { isOwn } from '../../state/view.ts';
import { hasBuiltIn } from '../../tables/ownTables.ts';
import { projects } from '../../tables/projects.ts';
import { facetsShown, project, shown, table } from '../store.ts';
import { firstOf, persistently, rowsAt, service } from './service.ts';
import { isAdmin, person } from './session.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
}

/** All projects of a member. Undefined while they are not known. */
export const ownProjects = signal<readonly Project[] | undefined>(undefined);

const known = signal<ReadonlyMap<string, string>>(new Map());

const asked = new Set<string>();

/** Another person may see other projects. */
effect(() => {
  person.value;
  ownProjects.value = undefined;
  known.value = new Map();
  asked.clear();
});

let asking = new AbortController();

/** Gives up what it asked for before: somebody may ask again since no answer has come. */
export async function learnProjects(): Promise<void> {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  if (isAdmin.peek() || !hasBuiltIn.peek()) return;
  // Without them a member cannot go on to any table of a project.
  const found = await persistently(() => allOwn(signal)).catch(() => undefined);
  if (!found) return;
  ownProjects.value = found;
  learn(found);
}

async function allOwn(signal: AbortSignal): Promise<readonly Project[]> {
  const found: Project[] = [];
  const rows = rowsAt({ view: projects.views.member!, path: {} });
  const asked = await rows.export({ columns: ['identifier', 'name'] }, { signal });
  for await (const { identifier, name } of asked) {
    found.push({ id: String(identifier), name: String(name ?? identifier) });
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

/** Asks for the labels of task types. */
export async function learnTypes(): Promise<void> {
  if (!hasBuiltIn.peek()) return;
  const types = await persistently(() => service.tasks.routingKeys()).catch(() => undefined);
  if (types) typeLabels.value = new Map(types.map(({ task_type, label }) => [task_type, label]));
}

/** Remembers names, for chips of projects that no facet shows any more. */
function learn(projects: readonly Project[]): void {
  const next = new Map(known.peek());
  let isNew = false;
  for (const { id, name } of projects) {
    if (next.get(id) !== name) isNew = true;
    next.set(id, name);
  }
  if (isNew) known.value = next;
}

/** The name for people of a value: from facets, rows and earlier names. */
export function labelOf(field: string, value: ViewValue): string | undefined {
  const facets = facetsShown.value ?? [];
  for (const facet of facets) {
    if (facet.field !== field) continue;
    const found = facet.values.find((one) => one.value === value);
    if (found?.label !== undefined) return found.label;
  }
  const beside = labelInRows(field, value);
  if (beside !== undefined || isOwn(table.value.name)) return beside;
  if (field === 'task_type') return typeLabels.value.get(String(value));
  if (field !== 'project_id') return undefined;
  const id = String(value);
  return known.value.get(id) ?? askFor(id);
}

/** The name that a row shows for the value in a column of its own. */
function labelInRows(field: string, value: ViewValue): string | undefined {
  const [column] = Object.entries(table.value.looks).find(([, { of }]) => of === field) ?? [];
  if (column === undefined) return undefined;
  const label = shown.value?.rows.find((one) => one[field] === value)?.[column];
  return typeof label === 'string' ? label : undefined;
}

/** Asks once for the name of a project that only the address names. */
function askFor(id: string): undefined {
  if (asked.has(id) || !/^[0-9a-f-]{36}$/.test(id)) return undefined;
  asked.add(id);
  const asker = person.peek();
  const isForAsker = () => asker === person.peek();
  const { admin, member } = projects.views;
  const body = { select: [{ field: 'project_id', in: [id] }] };
  firstOf({ view: isAdmin.peek() ? admin : member!, path: {} }, body)
    .then(({ row }) => row && isForAsker() && learn([{ id, name: String(row.name) }]))
    .catch(() => isForAsker() && asked.delete(id));
  return undefined;
}

/** Whether the table shows nothing until a project is chosen. */
export const needsProject = () =>
  hasBuiltIn.value &&
  !isAdmin.value &&
  project.value === null &&
  table.value.views.member === undefined &&
  table.value.views.project !== undefined;
