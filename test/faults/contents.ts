/** Faults of the stored data: documents and collections as no reader expects them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoServerError } from 'mongodb';
import { until } from '../support/until.ts';
import type { Fault } from './fault.ts';
import { PAD } from './history.ts';
import { KINDS } from './writers.ts';

/** Waits while database indexes are built, by an instance that found the collection new. */
async function whenFree(change: () => Promise<unknown>): Promise<void> {
  const tried = () =>
    change().then(
      () => true as const,
      (error: unknown) => {
        if (error instanceof MongoServerError && error.code === INDEX_BUILDS) return false;
        throw error;
      },
    );
  await until(tried, 'indexes are being built', 180_000);
}

const INDEX_BUILDS = 12587;

export const drop: Fault = {
  name: 'drop',
  what: 'tasks and schedules are dropped; writers fill them anew',
  removes: true,
  async inject(stage) {
    for (const name of ['tasks', 'schedules']) {
      await whenFree(() => stage.db.collection(name).drop());
      await stage.wait(0.4);
    }
  },
};

const RENAMES = 4;

export const placeByRename: Fault = {
  name: 'rename',
  what: 'users and projects are renamed into the place of what was there, again and again',
  clouds: true,
  async inject(stage) {
    const { db } = stage;
    for (let n = 0; n < RENAMES; n++) {
      for (const name of ['projects', 'users']) {
        const documents = await db.collection(name).find({}, { promoteValues: false }).toArray();
        const next = db.collection(`${name}_next`);
        await next.insertMany(documents, { writeConcern: { w: 'majority' } });
        await whenFree(() => next.rename(name, { dropTarget: true }));
        await stage.wait(0.5 / RENAMES);
      }
    }
  },
};

/** A little less than a document may have. */
const PAD_BYTES = 16 * 2 ** 20 - 200_000;
const HUGE = 400;
const MEMBERS = 600;

export const hugeDocuments: Fault = {
  name: 'huge',
  what: 'documents of 16 MB, one of them a project with many members, come, change and go',
  async inject(stage) {
    const { db } = stage;
    const pad = { [PAD]: 'x'.repeat(PAD_BYTES) };
    const members = Array.from({ length: MEMBERS }, (_, i) => ({ user_id: (i % 14) + 1 }));
    const project = { name: 'huge', type: 'custom', config: { n: HUGE }, members };
    const task = { scope: 'system', name: 'huge', traceback: 'line\n'.repeat(10_000) };
    const filter = { _id: HUGE as never };
    await db.collection('projects').insertOne({ ...filter, ...project, ...pad });
    await db.collection('tasks').insertOne({ ...filter, ...task, ...pad });
    await stage.wait(0.5);
    await db.collection('projects').updateOne(filter, { $set: { name: 'HUGE' } });
    await db.collection('tasks').updateOne(filter, { $set: { status: 'SUCCESS' } });
    await stage.wait(0.5);
  },
  async heal({ db }) {
    const filter = { _id: HUGE as never };
    await db.collection('projects').deleteOne(filter);
    await db.collection('tasks').deleteOne(filter);
  },
};

export const wrongTypes: Fault = {
  name: 'wrong-types',
  what: 'values of every kind come into members where none is expected',
  async inject(stage) {
    const end = performance.now() + stage.seconds * 1_000;
    while (performance.now() < end) {
      const kind = stage.documents.pick(KINDS);
      const { _id, ...members } = stage.documents.jumbled(kind);
      await stage.db
        .collection(kind)
        .replaceOne({ _id }, members, { upsert: true })
        // Two arrays in the members of one index.
        .catch(() => undefined);
      await sleep(5);
    }
  },
};
