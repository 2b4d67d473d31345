/**
 * A store of projects that have one member each, with texts of their own. Beside each text and id
 * that foreign rows have is one that no row has, so alike that nothing else tells them apart.
 */
import type { Db } from 'mongodb';
import { buildIndexes } from '../../src/apps/admin/databaseIndexes.ts';
import { day, project, schedule, task, user, uuid } from '../conformance/documents.ts';

const PROJECTS = 3_000;
const TASKS = 30_000;
const SCHEDULES = 5_000;

/** The caller who looks for foreign rows: a member of one project. */
export const CURIOUS = 31;

const digits = (n: number) => String(n).padStart(5, '0');
/** A text that one person, one project and some tasks have, for numbers from 1 on, and one that none has. */
export const foreignText = (n: number) => `quokka${digits(n)}`;
export const absentText = (n: number) => `quokkb${digits(n)}`;
/**
 * The id of a project, of a task and of a schedule at once, and one of nothing. They are
 * neighbours: otherwise the place of a look-up in an index would tell as well.
 */
export const foreignId = (n: number) => uuid(2 * n);
export const absentId = (n: number) => uuid(2 * n + 1);

const INSERTED = 5_000;

export async function fillForeign(db: Db): Promise<void> {
  const insert = async (name: string, count: number, documentOf: (n: number) => object) => {
    for (let from = 1; from <= count; from += INSERTED) {
      const length = Math.min(INSERTED, count - from + 1);
      const documents = Array.from({ length }, (_, i) => documentOf(from + i));
      await db.collection(name).insertMany(documents);
    }
  };
  const owner = (n: number) => ({ scope: 'project', project_id: foreignId((n % PROJECTS) + 1) });
  const email = (n: number) => `${foreignText(n)}@mail.test`;
  await buildIndexes(db);
  await insert('users', PROJECTS, (n) => user(n, { email: email(n) }));
  await insert('projects', PROJECTS, (n) =>
    project(n, {
      identifier: foreignId(n),
      name: `Project ${foreignText(n)}`,
      members: [{ user_id: n, role: 'owner' }],
    }),
  );
  await insert('tasks', TASKS, (n) =>
    task(n, {
      task_id: foreignId(n),
      ...owner(n),
      user_email: email(n),
      worker: `worker-${foreignText(n)}`,
      folder: `/in/${n % 100}`,
      date_queued: day(1 + (n % 300)),
    }),
  );
  await insert('schedules', SCHEDULES, (n) =>
    schedule(foreignId(n), { ...owner(n), task_args: { user_email: email(n) } }),
  );
}
