/** Tasks that run in a folder of their own, which no other row of the demo is in. */
import type { Stage } from './stage.ts';

const HARBOUR = '0993998b-42f5-49de-a4db-b30aa9798041';
export const FOLDER = 'only/here';

let next = 900_000;

/** Stores running tasks, each newer than the ones before, and returns their ids. */
export async function storeTasks(
  { database }: Stage,
  count: number,
  more: object = {},
): Promise<string[]> {
  const tasks = Array.from({ length: count }, () => {
    next += 1;
    return {
      ...{ _id: next, task_id: `aaaaaaaa-0000-4000-8000-${String(next).padStart(12, '0')}` },
      ...{ scope: 'project', project_id: HARBOUR, folder: FOLDER, status: 'STARTED' },
      ...{ user_email: 'tomas.nunez@pharos.example', worker: 'worker-1', preserve: false },
      ...{ task_type: 'generate_data', routing_key: 'service.generate_data', retries: 0 },
      ...{ name: 'service.tasks.generate_data', date_queued: new Date(), date_done: null },
      ...more,
    };
  });
  await database.db.collection<(typeof tasks)[number]>('tasks').insertMany(tasks);
  return tasks.map(({ task_id }) => task_id);
}

export const removeTasks = ({ database }: Stage) =>
  database.db.collection('tasks').deleteMany({ folder: FOLDER });
