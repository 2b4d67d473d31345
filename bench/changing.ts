/** Changes of tasks at a steady rate, while something else is measured. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { GENERATED_FROM } from '../src/dev/fixtures/generate/plan.ts';
import type { Place } from './store.ts';

/** Tasks that one write changes. */
const TOGETHER = 20;
/** Neighbours in time lie apart in the store. */
const APART = 7_919 * TOGETHER;

/**
 * Changes so many tasks a second, all over the store; only `retries` gets another value.
 *
 * @returns a function that stops it, and tells how many it came to a second
 */
export function changing({ uri, dbName, tasks }: Place, perSecond: number): () => Promise<number> {
  const stop = new AbortController();
  const began = performance.now();
  let changed = 0;
  const course = (async () => {
    const client = await MongoClient.connect(uri);
    const collection = client.db(dbName).collection<{ _id: number }>('tasks');
    for (let turn = 0; !stop.signal.aborted; turn++) {
      const due = began + (turn * TOGETHER * 1_000) / perSecond;
      await sleep(Math.max(0, due - performance.now()));
      const first = GENERATED_FROM + ((turn * APART) % (tasks - TOGETHER));
      const _id = { $gte: first, $lt: first + TOGETHER };
      changed += (await collection.updateMany({ _id }, { $inc: { retries: 1 } })).modifiedCount;
    }
    await client.close();
  })();
  return async () => {
    stop.abort();
    await course;
    return (changed * 1_000) / (performance.now() - began);
  };
}
