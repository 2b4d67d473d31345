/**
 * Watched explores while others write: how soon a change is shown, its cost for searches, and
 * whether all watchers show the store's rows in the end.
 *
 *     this process       searches, idle ──────────► searches, writing ──────────────────────► table
 *     service            (as it is built)
 *     watchers process   900 and 100 open ────────────────────────────────► last events right? ──┘
 *     writer process                                200 changed documents a second ──► restored
 *
 * 900 explores are of a project's or a person's tasks, of those where most changes; 100 are the web
 * UI's own question over everything, each with conditions of its own. The first event that has a
 * change, or a later one, shows it to a watcher; its time counts from the majority's
 * acknowledgement.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';
import { inOwnProcess, takeJob } from '../job.ts';
import { percentile } from '../measure.ts';
import { type ServiceProcess, startServiceProcess, whileSearching } from '../serviceProcess.ts';
import type { Place } from '../store.ts';
import { changedId, clock, type WriterJob, type Written } from '../writes/changes.ts';
import { restore } from '../writes/course.ts';
import { changedTasks, ownQuestions, pageQuestions, type Watched } from './questions.ts';
import type { Shown, WatchersResult } from './watchers/main.ts';

export interface LiveJob {
  readonly place: Place;
  readonly seconds: number;
}

/** From the acknowledgement of a change to the event that shows it, milliseconds. */
export interface Delays {
  readonly watchers: number;
  /** Changes times the watchers whom they concern. */
  readonly shown: number;
  /** The part of these that no event showed. */
  readonly lost: number;
  readonly p50: number;
  readonly p99: number;
}

export interface LiveResult {
  readonly perSecond: number;
  readonly own: Delays;
  readonly page: Delays;
  /** Watchers whose last event was not the answer of the same explore. */
  readonly differing: number;
  readonly idle: { readonly p50: number; readonly p99: number };
  readonly writing: { readonly p50: number; readonly p99: number };
  /** Bytes that the service took more at the end than after a fifth of the time. */
  readonly grown: number;
  /** Bytes of events a second. */
  readonly sent: number;
  /** Shares of the time in which the service's event loop ran, and had no processor. */
  readonly ran: number;
  readonly waited: number;
}

const OWN = 900;
const PAGE = 100;
const CHANGES = 200;
/** Searches of others, a second. */
const SEARCHES = 50;
/** The writer's time to start and to read the tasks that it copies, milliseconds. */
const LEAD_MS = 8_000;
const LIMITS = { MAX_WATCHES: '4000', MAX_WATCHES_PER_USER: '2000' };

takeJob(async ({ place, seconds }: LiveJob): Promise<LiveResult> => {
  const count = Math.min(CHANGES * seconds, place.tasks);
  const changed = await changesOf(place, count);
  const watched = [...ownQuestions(changed, OWN), ...pageQuestions(changed, PAGE)];
  const service = await startServiceProcess(place, LIMITS);
  try {
    const measured: Course[] = [];
    const job = {
      url: `${service.url}/api/v2/admin/tasks/search/explore`,
      token: service.token,
      bodies: watched.map(({ body }) => body),
    };
    const meanwhile = async () => {
      measured.push(await course(service, place, { count, seconds }));
    };
    const watchers = await inOwnProcess<WatchersResult>('live/watchers/main.ts', job, meanwhile);
    const { written, ...times } = measured[0]!;
    const at = new Map(written.acknowledged);
    const delays = (from: number, to: number) =>
      delaysOf(watched.slice(from, to), watchers.shown.slice(from, to), at);
    return {
      ...times,
      perSecond: (written.acknowledged.length / written.ms) * 1_000,
      own: delays(0, OWN),
      page: delays(OWN, OWN + PAGE),
      differing: watchers.differing,
      sent: (watchers.bytes / written.ms) * 1_000,
    };
  } finally {
    await service.stop();
    await restore(place);
  }
});

async function changesOf({ uri, dbName, tasks }: Place, count: number) {
  const client = await MongoClient.connect(uri);
  try {
    const collection = client.db(dbName).collection<Document & { _id: number }>('tasks');
    const idOf = changedId(tasks, count);
    return await changedTasks(
      collection,
      Array.from({ length: count }, (_, number) => idOf(number)),
    );
  } finally {
    await client.close();
  }
}

type Course = Pick<LiveResult, 'idle' | 'writing' | 'grown' | 'ran' | 'waited'> & {
  readonly written: Written;
};

/** Searches, first alone and then while the writer writes. */
async function course(
  service: ServiceProcess,
  place: Place,
  { count, seconds }: { count: number; seconds: number },
): Promise<Course> {
  const idle = await whileSearching(service, SEARCHES, () => sleep(seconds * 250));
  const startAt = clock() + LEAD_MS;
  const job: WriterJob = { task: 'write', place, rate: CHANGES, count, together: 1, startAt };
  const write = inOwnProcess<Written>('writes/writer/main.ts', job);
  await Promise.race([write, sleep(startAt - clock())]);
  const began = service.thread();
  let early = 0;
  const { result: written, ...writing } = await whileSearching(service, SEARCHES, async () => {
    await sleep(seconds * 200);
    early = service.memory();
    return await write;
  });
  const grown = service.memory() - early;
  const ended = service.thread();
  const shareOf = (name: 'ran' | 'waited') => (ended[name] - began[name]) / written.ms;
  const thread = { ran: shareOf('ran'), waited: shareOf('waited') };
  return { idle: times(idle), writing: times(writing), written, grown, ...thread };
}

const times = ({ p50, p99 }: { p50: number; p99: number }) => ({ p50, p99 });

/** The time of each change to each watcher whom it concerns. */
function delaysOf(
  watched: readonly Watched[],
  shown: readonly (readonly Shown[])[],
  acknowledged: ReadonlyMap<number, number>,
): Delays {
  const delays: number[] = [];
  let lost = 0;
  for (const [i, { concerned }] of watched.entries()) {
    const events = shown[i]!;
    let next = 0;
    for (const number of concerned) {
      while (next < events.length && events[next]![0] < number) next += 1;
      const event = events[next];
      if (event) delays.push(Math.max(0, event[1] - acknowledged.get(number)!));
      else lost += 1;
    }
  }
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  return { watchers: watched.length, shown: delays.length, lost, p50, p99 };
}
