/**
 * Watched explores while others write: how soon a change is shown, and what it costs searches.
 *
 *     tsx bench/live/main.ts [tasks] [seconds] [folder]
 *
 *     900 watch a project's or a person's tasks, 100 the page's own question over everything;
 *     200 documents a second change, each with a number in its folder that the next event shows
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { type Watching, watch } from '../../test/support/eventStream.ts';
import { percentile } from '../measure.ts';
import { startServiceProcess, whileSearching } from '../serviceProcess.ts';
import { openBenchStore } from '../store.ts';

const [tasks = '100000', seconds = '20', folder] = process.argv.slice(2);
const FEW = 900;
const ALL = 100;
const CHANGES = 200;
const SEARCHES = 20;

const store = await openBenchStore(folder);
const place = await store.place(Number(tasks));
const limits = { MAX_WATCHES_PER_USER: '2000', MAX_REQUESTS_PER_USER: '2000', MAX_WATCHES: '4000' };
const service = await startServiceProcess(place, { ...limits, MAX_UNSENT_BYTES: '512mb' });
try {
  const client = await MongoClient.connect(place.uri);
  const collection = client.db(place.dbName).collection<{ _id: number }>('tasks');
  const last = { pagination: { per_page: 1 }, sorting: { sort_by: 'date_queued' } };
  const known = await collection
    .find({ scope: 'project' as never })
    .limit(5_000)
    .toArray();
  const of = (name: string) => [...new Set(known.map((one) => Reflect.get(one, name)))];
  const [projects, people] = [of('project_id'), of('user_email').filter((one) => one !== null)];
  const own = (n: number) =>
    n % 2 === 0
      ? { ...last, filters: { project_id: projects[(n / 2) % projects.length] } }
      : { ...last, filters: { user_email: people[((n - 1) / 2) % people.length] } };
  const page = (n: number) => ({
    ...{ pagination: { per_page: 25 }, sorting: last.sorting, filters: { q: 'aeiorstn'[n % 8] } },
    select: [{ field: 'status', not_in: ['REVOKED'] }],
    facets: ['status', 'scope', 'worker', 'project_id', 'user_email', 'name'].map((field) => ({
      field,
    })),
    histogram: { field: 'date_queued', by: 'status' },
  });
  const url = `${service.url}/api/v2/admin/tasks/search/explore`;
  const open = (body: object) => watch(url, { body, token: service.token });
  const few: Watching[] = [];
  for (let n = 0; n < FEW; n++) few.push(await open(own(n)));
  const all: Watching[] = [];
  for (let n = 0; n < ALL; n++) all.push(await open(page(n)));
  const idle = await whileSearching(service, SEARCHES, () => sleep(5_000));
  const before = service.memory();
  // A date that no other task has, and the greatest: the first row of whoever is shown it.
  const changed = new Map<string, number>();
  const start = Date.UTC(2040, 0, 1);
  const write = async () => {
    const until = performance.now() + Number(seconds) * 1_000;
    let n = 0;
    for (let due = performance.now(); due < until; due += 1_000 / CHANGES, n++) {
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      const at = new Date(start + n);
      const { _id } = known[(n * 37) % known.length]!;
      await collection.updateOne({ _id }, { $set: { date_queued: at } } as never);
      changed.set(at.toISOString(), performance.now());
    }
    return n;
  };
  const { result: count, p50, p99 } = await whileSearching(service, SEARCHES, write);
  await sleep(4_000);
  /** From the change to the event that shows it or a later one. */
  const delays = (watching: readonly Watching[]) =>
    watching.flatMap(({ events }) =>
      events.flatMap(({ data, at }) => {
        const [first] = (data.data ?? []) as { date_queued: string | null }[];
        const since = changed.get(first?.date_queued ?? '');
        return since === undefined ? [] : [Math.max(0, at - since)];
      }),
    );
  const [ofFew, ofAll] = [delays(few), delays(all)];
  const grown = (service.memory() - before) / 2 ** 20;
  console.log(
    `${count} changes in ${seconds} s: ` +
      `${FEW} watchers: ${ofFew.length} shown, p99 ${percentile(ofFew, 0.99).toFixed(0)} ms (bar 1000); ` +
      `${ALL} of the page: ${ofAll.length} shown, p99 ${percentile(ofAll, 0.99).toFixed(0)} ms (bar 3000); ` +
      `searches p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ` +
      `${(p99 / idle.p99).toFixed(1)} times idle's ${idle.p99.toFixed(1)} (bar 3); ` +
      `memory ${grown.toFixed(0)} MB above before`,
  );
  for (const one of [...few, ...all]) one.leave();
  await client.close();
} finally {
  await service.stop();
  await store.stop();
}
