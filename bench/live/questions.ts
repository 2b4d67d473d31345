/**
 * The explores that are watched while others write: a project's tasks, a person's tasks, and the
 * web UI's own question over everything, each with conditions of its own.
 *
 * The writer ends tasks and queues others (`../writes/writer/main.ts`). A change's number is the task's
 * `date_done`, by which all of these are sorted: the first row tells which changes an answer shows.
 */
import type { Collection, Document } from 'mongodb';

export interface Watched {
  readonly body: object;
  /** Numbers of the changes that it shows, ascending. */
  readonly concerned: readonly number[];
}

/** A changed task, by the number of its change. */
type Changed = Document & { readonly project_id: unknown; readonly user_email: unknown };

const FIRST = { sorting: { sort_by: 'date_done' }, pagination: { per_page: 25 } };

/** Explores of a project's and a person's rows, in turns: of those where most will change. */
export function ownQuestions(changed: readonly Changed[], count: number): Watched[] {
  const projects = byValue(changed, 'project_id');
  const people = byValue(changed, 'user_email');
  return Array.from({ length: count }, (_, n) => {
    const values = n % 2 === 0 ? projects : people;
    const [value, concerned] = values[Math.floor(n / 2) % values.length]!;
    const filters = n % 2 === 0 ? { project_id: value } : {};
    const select = n % 2 === 0 ? [] : [{ field: 'user_email', in: [value] }];
    return { body: { ...FIRST, filters, select, facets: [{ field: 'status' }] }, concerned };
  });
}

/** Admins see these where they ask for no others. */
const isShown = ({ scope }: Changed) => scope === 'system' || scope === 'project';

/** Values of the changed tasks, the most changed first, each with the numbers of its changes. */
function byValue(changed: readonly Changed[], name: 'project_id' | 'user_email') {
  const numbers = new Map<string, number[]>();
  for (const [number, task] of changed.entries()) {
    const value = task[name];
    if (typeof value !== 'string' || !isShown(task)) continue;
    const known = numbers.get(value);
    if (known) known.push(number);
    else numbers.set(value, [number]);
  }
  return [...numbers].sort(([, a], [, b]) => b.length - a.length);
}

const ENDED = 'success';

/** 25 rows, six facets, a histogram by status, two conditions and a text that changed tasks hold. */
export function pageQuestions(changed: readonly Changed[], count: number): Watched[] {
  const workers = [...new Set(changed.map(({ worker }) => worker))].filter(
    (one) => typeof one === 'string',
  );
  return Array.from({ length: count }, (_, n) => {
    const worker = workers[n % workers.length];
    const length = n % (ENDED.length + 1);
    const from = n % (ENDED.length + 1 - length);
    return {
      body: {
        ...FIRST,
        filters: { q: ENDED.slice(from, from + length) },
        select: [
          { field: 'status', in: ['SUCCESS', ['FAILURE', 'REVOKED', 'STARTED'][n % 3]] },
          { field: 'worker', not_in: [worker] },
        ],
        facets: ['status', 'worker', 'task_type', 'scope', 'project_id', 'user_email'].map(
          (field) => ({ field }),
        ),
        histogram: { field: 'date_queued', by: 'status' },
      },
      concerned: [...changed.keys()].filter(
        (number) => isShown(changed[number]!) && changed[number]!.worker !== worker,
      ),
    };
  });
}

/** The tasks that will be changed, by the number of the change. */
export async function changedTasks(
  tasks: Collection<Document & { _id: number }>,
  ids: readonly number[],
): Promise<Changed[]> {
  const projection = { project_id: 1, user_email: 1, worker: 1, scope: 1 };
  const found = await tasks.find({ _id: { $in: [...ids] } }, { projection }).toArray();
  const byId = new Map(found.map((task) => [task._id, task as unknown as Changed]));
  return ids.map((id) => byId.get(id)!);
}
