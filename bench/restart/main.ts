/**
 * A start from a checkpoint against a first load, of the service as it is built:
 *
 *     start ─► first load ─► live ─► checkpoint ─► totals ─► end
 *     a user and some tasks are written, while no service runs
 *     start ─► checkpoint ─► changes since then ─► live ─► the same totals, and the written user
 *
 * Times run from the start of the process to the first `/readyz` that tells a live index.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import { takeJob } from '../job.ts';
import { type ServiceProcess, startServiceProcess } from '../serviceProcess.ts';
import type { Place } from '../store.ts';

export interface RestartJob {
  readonly place: Place;
  /** The bench's folder; the checkpoint gets a folder of its own in it. */
  readonly folder: string;
}

export interface RestartResult {
  /** From the start of the process to a live index, milliseconds: by a first load, by a checkpoint. */
  readonly firstMs: number;
  readonly againMs: number;
  /** From the live index to the file, milliseconds. */
  readonly writtenMs: number;
  /** How long the end took, with the last checkpoint, milliseconds. */
  readonly endMs: number;
  /** The size of the checkpoint's file. */
  readonly fileBytes: number;
  /** The most that was resident, of either process. */
  readonly firstPeak: number;
  readonly againPeak: number;
  /** Answers of the second process that are not those of the first, or not the store's. */
  readonly differing: number;
}

const TASKS = '/api/v2/admin/tasks/search';
const USERS = '/api/v2/users/search';
const TEXTS = ['backup', 'worker-1', 'example', '7c', 'error'];
/** Tasks that change while no service runs; none of their searched fields does. */
const CHANGED = 1_000;
const USER = 900_000_001;
const EMAIL = 'written.between@restart.example';

takeJob(async ({ place, folder }: RestartJob): Promise<RestartResult> => {
  const checkpoints = path.join(folder, 'checkpoints');
  rmSync(checkpoints, { recursive: true, force: true });
  mkdirSync(checkpoints);
  const client = await MongoClient.connect(place.uri);
  try {
    return await measure(place, client.db(place.dbName), checkpoints);
  } finally {
    await client.db(place.dbName).collection('users').deleteOne({ email: EMAIL });
    await client.close();
    rmSync(checkpoints, { recursive: true, force: true });
  }
});

async function measure(place: Place, db: Db, folder: string): Promise<RestartResult> {
  const first = await life(place, folder, async (service) => {
    const began = performance.now();
    while (bytesOf(folder) === undefined) await sleep(50);
    return { ms: performance.now() - began, totals: await totalsOf(service, TASKS, TEXTS) };
  });
  const users = await write(db);
  const again = await life(place, folder, async (service) => [
    ...(await totalsOf(service, TASKS, TEXTS)),
    ...(await totalsOf(service, USERS, [EMAIL])),
  ]);
  const expected = [...first.seen.totals, users];
  return {
    ...{ firstMs: first.liveAfterMs, againMs: again.liveAfterMs },
    ...{ writtenMs: first.seen.ms, endMs: first.endMs },
    fileBytes: bytesOf(folder) ?? Number.NaN,
    ...{ firstPeak: first.peak, againPeak: again.peak },
    differing: again.seen.filter((total, n) => total !== expected[n]).length,
  };
}

/** A process from its start to its orderly end; looked at while it is live. */
async function life<T>(
  place: Place,
  folder: string,
  look: (service: ServiceProcess) => Promise<T>,
) {
  const service = await startServiceProcess(place, { CHECKPOINT_DIR: folder });
  let began: number | undefined;
  try {
    const seen = await look(service);
    const { liveAfterMs } = service;
    const peak = service.peakMemory();
    began = performance.now();
    await service.stop();
    return { seen, liveAfterMs, peak, endMs: performance.now() - began };
  } finally {
    if (began === undefined) await service.stop();
  }
}

/** Writes a user and some tasks; returns how many users there are with its address. */
async function write(db: Db): Promise<number> {
  const users = db.collection<{ _id: number; email: string }>('users');
  const like = await users.findOne({}, { projection: { _id: 0 } });
  await users.insertOne({ ...like, _id: USER, email: EMAIL });
  const tasks = await db
    .collection('tasks')
    .find({}, { projection: { _id: 1 } })
    .limit(CHANGED);
  const ids = (await tasks.toArray()).map(({ _id }) => _id);
  await db.collection('tasks').updateMany({ _id: { $in: ids } }, { $inc: { retries: 1 } });
  return users.countDocuments({ email: EMAIL });
}

/** The size of the checkpoint; undefined while there is none. */
function bytesOf(folder: string): number | undefined {
  const name = readdirSync(folder).find((one) => one.endsWith('.checkpoint'));
  return name === undefined ? undefined : statSync(path.join(folder, name)).size;
}

/** Total matches of each text, which are exact. */
async function totalsOf(
  { url, token }: ServiceProcess,
  path: string,
  texts: readonly string[],
): Promise<number[]> {
  const totals: number[] = [];
  for (const q of texts) {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ filters: { q } }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
    if (answer.headers.get('search-route') !== 'index') throw new Error('not from the index');
    const { meta } = JSON.parse(text) as { meta: { pagination: { total_items: number } } };
    totals.push(meta.pagination.total_items);
  }
  return totals;
}
