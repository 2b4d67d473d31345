/** The store for Schemathesis: the demo's data in small, with ids that its requests can use. */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { buildIndexes } from '../../src/apps/admin/databaseIndexes.ts';
import { loadDemo } from '../../src/dev/fixtures/load/load.ts';
import { startService, type TestService } from '../support/service.ts';
import type { Asked } from './run.ts';

const ADMIN = 1;
/** In the hand-made set: a project with tasks in every state, schedules, logs and a snapshot. */
const PROJECT = '0993998b-42f5-49de-a4db-b30aa9798041';
/** So many that some are left when others were deleted. */
const MANY = 150;
/** Half of the views that one owner may have. */
const VIEWS = 50;

export interface Stage extends Pick<Asked, 'url' | 'token' | 'ids'> {
  readonly service: TestService;
}

export async function stageOf(database: {
  readonly db: Db;
  readonly name: string;
  readonly uri: string;
}): Promise<Stage> {
  const { db, uri, name } = database;
  await loadDemo(db, { tasks: 3_000, seed: 1, buildIndexes });
  const service = await startService(uri, name, { LOG_LEVEL: 'error' });
  const schedules = db.collection<{ _id: unknown }>('schedules');
  const one = await schedules.findOne({ project_id: PROJECT });
  const copies = Array.from({ length: MANY }, () => ({ ...one, _id: randomUUID() }));
  await schedules.insertMany(copies);
  // Their logs have lines, and one has a snapshot.
  const logged = await db.collection('task_logs').distinct('task_id');
  const tasks = await db
    .collection('tasks')
    .find({
      project_id: PROJECT,
      $or: [{ task_id: { $in: logged } }, { snapshot_file_id: { $ne: null } }],
    })
    .toArray();
  const running = await db
    .collection('tasks')
    .find({ project_id: PROJECT, status: { $nin: ['SUCCESS', 'FAILURE', 'REVOKED'] } })
    .toArray();
  const token = await service.token(ADMIN, true);
  return {
    service,
    url: service.url,
    token,
    ids: {
      view_id: await savedViews(service.url, token),
      project_id: [PROJECT],
      schedule_id: copies.map(({ _id }) => _id),
      task_id: [...tasks, ...running].slice(0, MANY).map(({ task_id: id }) => String(id)),
    },
  };
}

/** Saves views as a caller does, and gives their ids. */
async function savedViews(url: string, token: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const ids: string[] = [];
  for (let n = 1; n <= VIEWS; n++) {
    const body = JSON.stringify({ table: 'tasks', name: `View ${n}`, address: 'status=FAILURE' });
    const answer = await fetch(`${url}/api/v2/views`, { method: 'POST', headers, body });
    const { view_id: id } = (await answer.json()) as { view_id: string };
    ids.push(id);
  }
  return ids;
}
