/**
 * The course of a measurement: something is done at a steady rate, on an idle store and then while
 * others write.
 *
 *     warm up ──► idle ──► writing, beside the writer's process ──► a second for what is on its way
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inOwnProcess } from '../job.ts';
import type { Place } from '../store.ts';
import type { WriterJob, Written } from './changes.ts';
import { type SearchTimes, searchFor } from './searching.ts';

export interface WritesJob {
  readonly place: Place;
  /** Changed documents a second. */
  readonly rate: number;
  readonly seconds: number;
}

export interface Course {
  readonly idle: SearchTimes;
  readonly writing: SearchTimes;
  readonly written: Written;
  /** Share of one core that this process used while others wrote. */
  readonly cpu: number;
}

const IDLE_SHARE = 0.5;

export async function runCourse(
  { place, rate, seconds }: WritesJob,
  search: (n: number) => void,
): Promise<Course> {
  await searchFor(search, 2_000);
  const idle = await searchFor(search, Math.max(3, seconds * IDLE_SHARE) * 1_000);
  const job: WriterJob = { place, rate, count: rate * seconds };
  const cpu = process.cpuUsage();
  const began = performance.now();
  const write = inOwnProcess<Written>('writes/writer/main.ts', { ...job, task: 'write' });
  const writing = await searchFor(search, seconds * 1_000);
  const written = await write;
  const { user, system } = process.cpuUsage(cpu);
  const ms = performance.now() - began;
  await sleep(1_000);
  return { idle, writing, written, cpu: (user + system) / 1_000 / ms };
}

/** Puts the store back as it was. */
export async function restore(place: Place): Promise<void> {
  await inOwnProcess<Written>('writes/writer/main.ts', {
    place,
    rate: 0,
    count: 0,
    task: 'restore',
  });
}
