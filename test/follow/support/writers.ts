/**
 * Writers that do to a few documents what real ones do, as fast as they can or with pauses, from a seed.
 *
 * They keep to ids 0…59, so that most documents change many times and delete-then-insert of the
 * same `_id` is common. Every write changes `v`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Db, Document, MongoClient } from 'mongodb';
import { PAUSE_MS } from './effort.ts';

const IDS = 60;

type Random = () => number;
type Write = (db: Db, client: MongoClient, random: Random) => Promise<unknown>;

const idOf = (random: Random): number => Math.floor(random() * IDS);
const someOf = (db: Db, random: Random): Collection<Document> =>
  db.collection(random() < 0.5 ? 'users' : 'tasks');
let serial = 0;
const body = (random: Random) => ({
  v: serial++,
  text: 'x'.repeat(Math.floor(random() * 20)),
  inner: [{ list: [serial, 'y'] }, { list: null }],
});
const document = (_id: number, random: Random): Document => ({ _id, ...body(random) });

export const WRITES: Readonly<Record<string, Write>> = {
  insert: (db, _client, random) => someOf(db, random).insertOne(document(idOf(random), random)),
  update: (db, _client, random) =>
    someOf(db, random).updateOne({ _id: idOf(random) as never }, { $set: body(random) }),
  replace: (db, _client, random) =>
    someOf(db, random).replaceOne({ _id: idOf(random) as never }, body(random)),
  upsert: (db, _client, random) =>
    someOf(db, random).updateOne(
      { _id: idOf(random) as never },
      { $set: body(random) },
      { upsert: true },
    ),
  remove: (db, _client, random) => someOf(db, random).deleteOne({ _id: idOf(random) as never }),
  async swap(db, _client, random) {
    const collection = someOf(db, random);
    const _id = idOf(random);
    await collection.deleteOne({ _id: _id as never });
    await collection.insertOne(document(_id, random));
  },
  updateMany: (db, _client, random) =>
    someOf(db, random).updateMany(
      { v: { $mod: [3, 1] } },
      { $set: { text: 'many' }, $inc: { v: 1 } },
    ),
  bulk: (db, _client, random) =>
    someOf(db, random).bulkWrite(
      [
        { deleteOne: { filter: { _id: 1 as never } } },
        { insertOne: { document: document(1, random) } },
        { updateMany: { filter: { v: { $gt: 0 } }, update: { $set: { text: 'bulk' } } } },
        { replaceOne: { filter: { _id: 2 as never }, replacement: body(random), upsert: true } },
        { deleteOne: { filter: { _id: idOf(random) as never } } },
      ],
      { ordered: random() < 0.5 },
    ),
  async transaction(db, client, random) {
    await client.withSession((session) =>
      session.withTransaction(async () => {
        const { v } = body(random);
        for (const name of ['users', 'tasks']) {
          const filter = { _id: { $lt: idOf(random) as never } };
          await db.collection(name).updateMany(filter, { $set: { v } }, { session });
        }
        const _id = idOf(random) as never;
        await db.collection('users').deleteOne({ _id }, { session });
        await db.collection('tasks').replaceOne({ _id }, body(random), { upsert: true, session });
      }),
    );
  },
};

export interface Writing {
  /** Writes done so far that the server accepted. */
  readonly done: () => number;
  /** Stops after the writes under way. */
  stop(): Promise<void>;
}

/**
 * Lets `count` writers loose. Duplicate keys, conflicts and lost connections are part of it.
 *
 * @param pauseMs between two writes of one writer, at most
 */
export function startWriters(
  client: MongoClient,
  db: Db,
  count: number,
  random: Random,
  names: readonly string[] = Object.keys(WRITES),
  pauseMs = PAUSE_MS,
): Writing {
  let stopped = false;
  let done = 0;
  const write = async () => {
    while (!stopped) {
      const name = names[Math.floor(random() * names.length)]!;
      await WRITES[name]!(db, client, random).then(
        () => done++,
        () => sleep(2),
      );
      if (pauseMs > 0) await sleep(pauseMs * random());
    }
  };
  const writers = Array.from({ length: count }, write);
  return {
    done: () => done,
    async stop() {
      stopped = true;
      await Promise.all(writers);
    },
  };
}
