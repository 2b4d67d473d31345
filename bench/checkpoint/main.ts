/**
 * A checkpoint of the service as it is built, while tasks change:
 *
 *     start ─► live ─► maintained ─► changes and searches at a steady rate ──────────────────► end
 *                                    └─ a checkpoint is written ─┴─ for as long again, none is ─┴─ the rest
 *
 * Both spans have the same changes, so their difference is the checkpoint's. After the last change, pages of
 * tasks are compared with the store: those of this process, and of one that starts from its checkpoint.
 */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Db, MongoClient } from 'mongodb';
import { changing } from '../changing.ts';
import { takeJob } from '../job.ts';
import { product } from '../product.ts';
import { type ServiceProcess, startServiceProcess, whileSearching } from '../serviceProcess.ts';
import type { Place } from '../store.ts';

const { printTime } =
  await product<typeof import('../../src/store/clusterTime.ts')>('store/clusterTime');

export interface CheckpointJob {
  readonly place: Place;
  /** The bench's folder; the checkpoint gets one of its own in it. */
  readonly folder: string;
  /** From the live index to the end. */
  readonly seconds: number;
}

interface Span {
  /** How long the event loop was held, milliseconds, p99.9. */
  readonly heldP999: number;
  /** The p99 of searches, milliseconds. */
  readonly p99: number;
}

export interface CheckpointResult {
  readonly writing: Span;
  readonly after: Span;
  /** From the live index to the beginning of the file, and to its end, milliseconds. */
  readonly begunMs: number;
  readonly writtenMs: number;
  /** From the live index to the beginning of the file. */
  readonly maintaining: Span;
  readonly fileBytes: number;
  /** Bytes that the process gave to the disk from the live index to the end. */
  readonly diskBytes: number;
  readonly seconds: number;
  /** Pages that are not the store's, before the process ended or after a start from its checkpoint. */
  readonly differing: number;
}

const CHANGES_A_SECOND = 200;
const SEARCHES_A_SECOND = 100;
/** The least length of a span: p99 needs so many searches. */
const LEAST_MS = 20_000;

const HOOK = fileURLToPath(new URL('loopDelay.mjs', import.meta.url));

takeJob(async ({ place, folder, seconds }: CheckpointJob): Promise<CheckpointResult> => {
  const checkpoints = path.join(folder, 'checkpoints-changed');
  rmSync(checkpoints, { recursive: true, force: true });
  mkdirSync(checkpoints);
  const client = await MongoClient.connect(place.uri);
  const db = client.db(place.dbName);
  const stop = changing(place, CHANGES_A_SECOND);
  try {
    return await measure(place, checkpoints, seconds, async (service) => {
      await stop();
      return await differing(service, db);
    });
  } finally {
    await stop();
    await client.close();
    rmSync(checkpoints, { recursive: true, force: true });
  }
});

type Compare = (service: ServiceProcess) => Promise<number>;

async function measure(
  place: Place,
  folder: string,
  seconds: number,
  compare: Compare,
): Promise<CheckpointResult> {
  const { differing, ...measured } = await changed(place, folder, seconds, compare);
  const settings = { CHECKPOINT_DIR: folder, LOG_LEVEL: 'info' };
  const again = await startServiceProcess(place, settings);
  try {
    if (!again.said('checkpoint read')) throw new Error('it did not start from the checkpoint');
    return { ...measured, differing: differing + (await compare(again)) };
  } finally {
    await again.stop();
  }
}

/** From the start of the process to its orderly end. */
async function changed(
  place: Place,
  folder: string,
  seconds: number,
  compare: Compare,
): Promise<CheckpointResult> {
  const delays = path.join(folder, 'delays.json');
  const service = await startServiceProcess(place, {
    CHECKPOINT_DIR: folder,
    NODE_OPTIONS: `--import=${HOOK}`,
    LOOP_DELAYS: delays,
  });
  try {
    const began = performance.now();
    const before = service.diskBytes();
    const file = path.join(folder, `${place.dbName}.checkpoint`);
    const isBegun = async () => (await bytesOf(`${file}.new`)) ?? (await bytesOf(file));
    const isWritten = () => bytesOf(file);
    const until = async (isSo: () => Promise<number | undefined>) => {
      while ((await isSo()) === undefined) await sleep(5);
      return performance.now() - began;
    };
    const maintaining = await span(service, delays, () => until(isBegun));
    const writing = await span(service, delays, () => until(isWritten));
    const length = Math.max(LEAST_MS, writing.result - maintaining.result);
    const after = await span(service, delays, () => sleep(length));
    await sleep(Math.max(0, seconds * 1_000 - (performance.now() - began)));
    const diskBytes = service.diskBytes() - before;
    return {
      ...{ maintaining, begunMs: maintaining.result, writing, writtenMs: writing.result },
      ...{ after, fileBytes: (await bytesOf(file))! },
      ...{ diskBytes, seconds, differing: await compare(service) },
    };
  } finally {
    await service.stop();
  }
}

/** A call that waits takes half a second while the file goes to the disk, and times no search meanwhile. */
const bytesOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    },
  );

const PAGES = 20;
const PER_PAGE = 100;

/**
 * Compares pages of tasks, spread over all of them, with the store, after the last change. Returns how
 * many differ in total, ids or retries.
 */
async function differing({ url, token }: ServiceProcess, db: Db): Promise<number> {
  const { operationTime } = await db.command({ ping: 1 });
  const tasks = db.collection<{ _id: number; retries?: number | null }>('tasks');
  const where = { scope: { $in: ['system', 'project'] } };
  const total = await tasks.countDocuments(where);
  const last = Math.ceil(total / PER_PAGE);
  let different = 0;
  for (let n = 0; n < PAGES; n++) {
    const page = 1 + Math.floor((n * (last - 1)) / (PAGES - 1));
    const stored = await tasks
      .find(where, { projection: { retries: 1 } })
      .sort({ _id: -1 })
      .skip((page - 1) * PER_PAGE)
      .limit(PER_PAGE)
      .toArray();
    const answer = await fetch(`${url}/api/v2/admin/tasks/search`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', authorization: `Bearer ${token}` },
        'search-not-before': printTime(operationTime),
      },
      body: JSON.stringify({ pagination: { page, per_page: PER_PAGE }, sorting: SORTING }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
    if (answer.headers.get('search-route') !== 'index') throw new Error('not from the index');
    const { data, meta } = JSON.parse(text) as Answer;
    const shown = data.map(({ id, retries }) => `${id} ${retries}`).join();
    const expected = stored.map(({ _id, retries = null }) => `${_id} ${retries}`).join();
    if (meta.pagination.total_items !== total || shown !== expected) different += 1;
  }
  return different;
}

const SORTING = { sort_by: 'id', sort_order: 'desc' };

interface Answer {
  readonly data: readonly { readonly id: number; readonly retries: number }[];
  readonly meta: { readonly pagination: { readonly total_items: number } };
}

async function span<T>(
  service: ServiceProcess,
  delays: string,
  work: () => Promise<T>,
): Promise<Span & { readonly result: T }> {
  await delayOf(service, delays);
  const { result, p99 } = await whileSearching(service, SEARCHES_A_SECOND, work);
  return { result, p99, heldP999: await delayOf(service, delays) };
}

/** The event loop's delay since the last time, p99.9 in milliseconds. */
async function delayOf({ pid }: ServiceProcess, delays: string): Promise<number> {
  rmSync(delays, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!statSync(delays, { throwIfNoEntry: false })?.size) await sleep(5);
  return Number(readFileSync(delays, 'utf8'));
}
