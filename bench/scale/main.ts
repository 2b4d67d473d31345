/**
 * Tables of tens of millions of tasks through a real store, where a pipeline needs minutes:
 *
 *     bare scan ─► first load ─► maintenance ─► bytes a task ─► every class of search, the web UI's explore
 *                                                           └─► some questions to the pipeline: the same answers
 *
 * Searches are exact as soon as a table is live, and quick once its maintenance has ended.
 * Each question is asked for the first time, and none has been asked before it to warm up.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { bareScanOfTasks } from '../bareScan.ts';
import { storeClasses } from '../explores/questions.ts';
import { type IndexUnderTest, openIndex } from '../indexUnderTest.ts';
import { takeJob } from '../job.ts';
import { percentile, time } from '../measure.ts';
import { product } from '../product.ts';
import { questionClasses } from '../questions.ts';
import { takeSample } from '../sample.ts';
import type { Place } from '../store.ts';

const { RESOURCES } = await product<typeof import('../../src/apps/admin/resources/index.ts')>(
  'apps/admin/resources/index',
);
const { adminTasks } = await product<typeof import('../../src/apps/admin/resources/views.ts')>(
  'apps/admin/resources/views',
);

export interface ScaleJob {
  readonly place: Place;
  /** Questions of each class. */
  readonly draws: number;
}

export interface ScaleTimes {
  readonly name: string;
  /** Median of the totals. */
  readonly hits: number;
  readonly p50: number;
  readonly p95: number;
}

export interface ScaleResult {
  readonly searches: readonly ScaleTimes[];
  readonly explore: ScaleTimes;
  /** Tasks a second. */
  readonly load: { readonly bare: number; readonly rate: number };
  /** The memory of the table of tasks, its rows in memory not included. */
  readonly bytes: number;
  /** Answers that were compared with the pipeline's. */
  readonly compared: number;
}

/** Classes whose pipelines end in time, thanks to a database index. */
const COMPARED = ['project + q', 'three filters', 'page 50,000'];
const SEED = 37;
const ROUNDS = 5;
const CATCH_UP_MS = 2_000;
const PIECE_MS = 4;

takeJob(async ({ place, draws }: ScaleJob): Promise<ScaleResult> => {
  const bare = await bareScanOfTasks(place);
  const index = await openIndex(place);
  try {
    const tasks = index.table(RESOURCES.tasks.name);
    const load = { bare, rate: place.tasks / index.loadSeconds };
    console.error(`live after ${index.loadSeconds.toFixed(0)} s, ${tasks.bytes} bytes`);
    const maintained = await finishMaintenance(index);
    console.error(`maintained after ${maintained.toFixed(0)} s more, ${tasks.bytes} bytes`);
    const sample = await takeSample(index.client.db(place.dbName), place.tasks);
    const drawn = questionClasses(sample, SEED).map(({ name, draw }) => ({
      name,
      questions: Array.from({ length: draws }, draw),
    }));
    const asked = drawn.map(({ name }) => ({ name, ms: [] as number[], hits: [] as number[] }));
    const each = Math.ceil(draws / ROUNDS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, { questions }] of drawn.entries()) {
        for (const question of questions.slice(round * each, (round + 1) * each)) {
          await turn(); // the index follows the store meanwhile
          asked[i]!.ms.push(time(() => asked[i]!.hits.push(index.ask(question).total)));
        }
      }
    }
    // Nothing was followed while searches were timed.
    await sleep(CATCH_UP_MS);
    const page = storeClasses(sample, SEED).find(({ measure }) => measure === 'page')!;
    const bodies = Array.from({ length: draws }, page.draw);
    const explore = await timeExplores(index, page.name, bodies);
    let compared = 0;
    for (const { questions } of drawn.filter(({ name }) => COMPARED.includes(name))) {
      const [question] = questions;
      const [ours, theirs] = [index.ask(question!), await index.askPipeline(question!)];
      if (ours.total !== theirs.total || String(ours.ids) !== String(theirs.ids)) {
        throw new Error(`${JSON.stringify(question)}\n${JSON.stringify([ours, theirs])}`);
      }
      compared++;
    }
    const bytes = tasks.bytes - tasks.restBytes;
    return { searches: asked.map(timesOf), explore, load, bytes, compared };
  } finally {
    await index.close();
  }
});

/** Finishes the maintenance that follows a load, in pieces as the service does; returns seconds. */
async function finishMaintenance(index: IndexUnderTest): Promise<number> {
  const started = performance.now();
  for (const { name } of Object.values(RESOURCES)) {
    while (index.table(name).maintain(PIECE_MS)) await turn();
  }
  return (performance.now() - started) / 1000;
}

async function timeExplores(
  index: IndexUnderTest,
  name: string,
  bodies: readonly object[],
): Promise<ScaleTimes> {
  const ms: number[] = [];
  const hits: number[] = [];
  for (const body of bodies) {
    const { timing, total } = await index.explore(index.explorePlanOf(adminTasks, body));
    ms.push(timing.searchMs);
    hits.push(total);
  }
  return timesOf({ name, ms, hits });
}

function timesOf({ name, ms, hits }: { name: string; ms: number[]; hits: number[] }): ScaleTimes {
  return {
    name,
    hits: percentile(hits, 0.5),
    p50: percentile(ms, 0.5),
    p95: percentile(ms, 0.95),
  };
}
