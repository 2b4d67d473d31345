/**
 * The course of a measurement: something is done at a steady rate, on an idle store and then while
 * others write.
 *
 *     warm up ──► idle ──► the writer gets ready ──► writing ──► what it has left ──► a second more
 *                                                   └ the time that is measured
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import { inOwnProcess } from '../job.ts';
import type { Place } from '../store.ts';
import { clock, type RestoreJob, type WriterJob, type Written } from './changes.ts';
import { type SearchTimes, searchFor, warmUp } from './searching.ts';

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
  readonly cores: Cores;
}

/** Cores that were busy with each, on average, while others wrote. */
export interface Cores {
  readonly own: number;
  /** Undefined where mongod does not tell: it does on Linux. */
  readonly store: number | undefined;
}

const IDLE_SHARE = 0.5;
/** The writer's time to start and to read the tasks that it copies, milliseconds. */
const LEAD_MS = 10_000;

export async function runCourse(
  { place, rate, together, seconds }: WritesJob,
  client: MongoClient,
  search: (n: number) => void,
): Promise<Course> {
  await warmUp(search);
  const idle = await searchFor(search, Math.max(3, seconds * IDLE_SHARE) * 1_000);
  const startAt = clock() + LEAD_MS;
  const count = rate * seconds;
  const job: WriterJob = { task: 'write', place, rate, count, together, startAt };
  const write = inOwnProcess<Written>('writes/writer/main.ts', job);
  await Promise.race([write, sleep(startAt - clock())]);
  const before = await usedMs(client);
  const writing = await searchFor(search, seconds * 1_000);
  const after = await usedMs(client);
  const written = await write;
  await sleep(1_000);
  return { idle, writing, written, cores: coresBetween(before, after) };
}

interface Used {
  readonly at: number;
  readonly own: number;
  readonly store: number | undefined;
}

/** Processor time since they were started, milliseconds. */
async function usedMs(client: MongoClient): Promise<Used> {
  const { user, system } = process.cpuUsage();
  const { extra_info: told } = await client.db('admin').command({ serverStatus: 1 });
  const micros: number | undefined = told?.user_time_us && told.user_time_us + told.system_time_us;
  return { at: clock(), own: (user + system) / 1_000, store: micros && micros / 1_000 };
}

function coresBetween(before: Used, after: Used): Cores {
  const ms = after.at - before.at;
  const store = before.store && after.store && (after.store - before.store) / ms;
  return { own: (after.own - before.own) / ms, store };
}

/** Puts the store back as it was. */
export async function restore(place: Place): Promise<void> {
  const job: RestoreJob = { task: 'restore', place };
  await inOwnProcess<Written>('writes/writer/main.ts', job);
}
