/** Subjects of the questions: ids, people and projects that are in the store. */

import type { Db, Document } from 'mongodb';
import { GENERATED_FROM } from '../src/dev/fixtures/generate/plan.ts';

export interface Sample {
  /** Rows in the table of tasks. */
  readonly taskCount: number;
  /** Evenly taken from all tasks, project tasks only. */
  readonly tasks: readonly {
    readonly task_id: string;
    readonly project_id: string;
    readonly user_email: string;
  }[];
  readonly scheduleIds: readonly string[];
  readonly people: readonly {
    readonly email: string;
    readonly first_name: string;
    readonly last_name: string;
  }[];
  readonly projects: readonly {
    readonly identifier: string;
    readonly name: string;
    /** The first member: who asks for the project's own tasks and schedules. */
    readonly member: number;
  }[];
}

const SIZE = 2_000;

export async function takeSample(db: Db, taskCount: number): Promise<Sample> {
  const step = Math.max(1, Math.floor(taskCount / SIZE));
  const ids = Array.from(
    { length: Math.min(SIZE, taskCount) },
    (_, n) => GENERATED_FROM + n * step,
  );
  const read = (name: string, filter: Document, projection: Document) =>
    db
      .collection<Document>(name)
      .find(filter, { projection, sort: { _id: 1 }, limit: SIZE })
      .toArray();
  const text = { $type: 'string' };
  const [tasks, schedules, users, projects] = await Promise.all([
    read(
      'tasks',
      { _id: { $in: ids }, task_id: text, project_id: text, user_email: text },
      { task_id: 1, project_id: 1, user_email: 1 },
    ),
    read('schedules', {}, { _id: 1 }),
    read(
      'users',
      {
        _id: { $gte: GENERATED_FROM },
        active: true,
        email: text,
        first_name: text,
        last_name: text,
      },
      { email: 1, first_name: 1, last_name: 1 },
    ),
    read(
      'projects',
      { _id: { $gte: GENERATED_FROM }, name: text, 'members.0.user_id': { $type: 'number' } },
      { identifier: 1, name: 1, members: 1 },
    ),
  ]);
  const active = new Set(users.map((user) => user._id));
  const known = new Map(
    projects.flatMap(({ identifier, name, members }) => {
      const member = members.find((one: Document) => active.has(one.user_id));
      return member ? [[identifier, { identifier, name, member: member.user_id }]] : [];
    }),
  );
  return {
    taskCount,
    tasks: tasks.filter(({ project_id }) => known.has(project_id)) as unknown as Sample['tasks'],
    scheduleIds: schedules.map(({ _id }) => String(_id)),
    people: users as unknown as Sample['people'],
    projects: [...known.values()],
  };
}
