/**
 * The course of a measurement: something is done at a steady rate, on an idle store and then while
 * others write.
 *
 *     warm up ──► idle ──► writing, beside the writer's process ──► a second for what is on its way
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { inOwnProcess } from '../job.ts';
import type { Place } from '../store.ts';
import type { WriterJob, Written } from './changes.ts';
import { type SearchTimes, searchFor } from './searching.ts';

export interface WritesJob {
  readonly place: Place;
  /** Changed documents a second. */
  readonly rate: number;
  /** Documents that are changed by one write. */
  readonly together: number;
  readonly seconds: number;
}

export interface Course {
  readonly idle: SearchTimes;
  readonly writing: SearchTimes;
  readonly written: Written;
  /** Cores that this process and the store kept busy while others wrote. */
  readonly cores: Cores;
}

export interface Cores {
  readonly own: number;
  readonly store: number;
}

const IDLE_SHARE = 0.5;

export async function runCourse(
  { place, rate, together, seconds }: WritesJob,
  client: MongoClient,
  search: (n: number) => void,
): Promise<Course> {
  await searchFor(search, 2_000);
  const idle = await searchFor(search, Math.max(3, seconds * IDLE_SHARE) * 1_000);
  const job: WriterJob = { place, rate, count: rate * seconds, together };
  const before = await usedMs(client);
  const began = performance.now();
  const write = inOwnProcess<Written>('writes/writer/main.ts', { ...job, task: 'write' });
  const writing = await searchFor(search, seconds * 1_000);
  const written = await write;
  const ms = performance.now() - began;
  const after = await usedMs(client);
  await sleep(1_000);
  const own = (after.own - before.own) / ms;
  return { idle, writing, written, cores: { own, store: (after.store - before.store) / ms } };
}

/** Processor time since they were started, milliseconds. */
async function usedMs(client: MongoClient): Promise<Cores> {
  const { user, system } = process.cpuUsage();
  const { extra_info: store } = await client.db('admin').command({ serverStatus: 1 });
  return {
    own: (user + system) / 1_000,
    store: (store.user_time_us + store.system_time_us) / 1_000,
  };
}

/** Puts the store back as it was. */
export async function restore(place: Place): Promise<void> {
  await inOwnProcess<Written>('writes/writer/main.ts', {
    place,
    rate: 0,
    count: 0,
    together: 1,
    task: 'restore',
  });
}
