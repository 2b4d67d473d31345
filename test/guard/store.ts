/** The store of the attacked service: people, and tasks whose logs and snapshots are large. */
import type { Db } from 'mongodb';
import { type Any, taskDocument } from '../apps/admin/scene.ts';
import { PROJECT_A, storePeople } from '../serve/edge.ts';

const MB = 2 ** 20;
const task = (n: number) => `11111111-0000-4000-8000-00000000000${n}`;

/** Lines of 1 MB. */
export const LARGE = task(1);
/** Lines of 1 kB. */
export const LONG = task(2);
/** Very many short lines. */
export const MANY = task(3);
/** A snapshot of 16 MB. */
export const SNAPSHOT = task(4);
/** A snapshot of no bytes whose name has 50,000 dots. */
export const DOTS = task(5);

/** A project with many tasks of 2 kB, and one with tasks of 1 MB. */
export const MANY_ROWS = 'cccccccc-0000-4000-8000-000000000003';
export const LARGE_ROWS = 'cccccccc-0000-4000-8000-000000000004';

/** The light caller. */
export const LIGHT = 3;
/** The attackers: members of the project, all alike. */
export const ATTACKERS = Array.from({ length: 10 }, (_, n) => 10 + n);

export interface Sizes {
  readonly large: number;
  readonly long: number;
  readonly many: number;
  /** Tasks. */
  readonly rows: number;
  readonly largeRows: number;
}

export async function fillStore(db: Db, sizes: Sizes): Promise<void> {
  await storePeople(db);
  const people = ATTACKERS.map((_id) => ({ _id, email: `p${_id}@example.org`, active: true }));
  await db.collection<Any>('users').insertMany(people);
  const members = { $each: ATTACKERS.map((user_id) => ({ user_id, role: 'member' })) };
  await db.collection<Any>('projects').updateOne({ _id: 1 }, { $push: { members } } as Any);
  const tasks = [LARGE, LONG, MANY, SNAPSHOT, DOTS].map((task_id, _id) =>
    taskDocument({
      _id,
      task_id,
      project_id: PROJECT_A,
      snapshot_file_id: task_id === DOTS ? 8 : 7,
    }),
  );
  await db.collection<Any>('tasks').insertMany(tasks);
  const project = (_id: number, identifier: string) => ({
    ...{ _id, identifier, name: `Project ${_id}` },
    members: ATTACKERS.map((user_id) => ({ user_id, role: 'member' })),
  });
  const projects = [project(3, MANY_ROWS), project(4, LARGE_ROWS)];
  await db.collection<Any>('projects').insertMany(projects);
  await storeRows(db, MANY_ROWS, 1_000, sizes.rows, 't'.repeat(2_000));
  await storeRows(db, LARGE_ROWS, 900_000, sizes.largeRows, 't'.repeat(MB));
  await storeFiles(db);
  await storeLines(db, LARGE, sizes.large, 'x'.repeat(MB));
  await storeLines(db, LONG, sizes.long, 'y'.repeat(1_000));
  await storeLines(db, MANY, sizes.many, 'z');
}

async function storeRows(
  db: Db,
  project_id: string,
  from: number,
  count: number,
  traceback: string,
) {
  const tasks = db.collection<Any>('tasks');
  const atOnce = Math.max(1, Math.floor((8 * MB) / traceback.length));
  for (let first = from; first < from + count; first += atOnce) {
    const length = Math.min(atOnce, from + count - first);
    const rows = Array.from({ length }, (_, i) => {
      const n = first + i;
      const task_id = `22222222-0000-4000-8000-${String(n).padStart(12, '0')}`;
      const worker = `worker-${n % 500}`;
      return taskDocument({ _id: n, task_id, project_id, traceback, worker });
    });
    await tasks.insertMany(rows, { ordered: false });
  }
}

/** Changes the first of many rows. */
export async function stir(db: Db): Promise<unknown> {
  return await db.collection<Any>('tasks').updateOne({ _id: 1_000 }, { $inc: { retries: 1 } });
}

async function storeLines(db: Db, task_id: string, count: number, message: string) {
  const logs = db.collection('task_logs');
  const atOnce = Math.max(1, Math.min(10_000, Math.floor((8 * MB) / message.length)));
  for (let from = 0; from < count; from += atOnce) {
    const lines = Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => ({
      task_id,
      seq: from + i,
      ts: new Date(0),
      level: 'INFO',
      message,
    }));
    await logs.insertMany(lines, { ordered: false });
  }
}

async function storeFiles(db: Db): Promise<void> {
  const file = { _id: 7, length: 16 * MB, chunkSize: 261_120, uploadDate: new Date(0) };
  const dots = `x${'.'.repeat(50_000)}/`;
  await db.collection<Any>('snapshots.files').insertMany([
    { ...file, filename: 'x' },
    { ...file, _id: 8, length: 0, filename: dots },
  ]);
  const zeros = Buffer.alloc(file.chunkSize);
  const chunks = Array.from({ length: Math.ceil(file.length / zeros.length) }, (_, n) => ({
    files_id: 7,
    n,
    data: zeros.subarray(0, Math.min(zeros.length, file.length - n * zeros.length)),
  }));
  await db.collection<Any>('snapshots.chunks').insertMany(chunks);
  await db.collection('snapshots.chunks').createIndex({ files_id: 1, n: 1 });
}
