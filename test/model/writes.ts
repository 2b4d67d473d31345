/** Makes a step's writes in the store, and returns the time by which they are done. */
import {
  type ClientSession,
  type Db,
  type Document,
  MongoBulkWriteError,
  type MongoClient,
  MongoServerError,
  type Timestamp,
} from 'mongodb';
import type { Ddl, Write } from './steps.ts';
import { FOLLOWED } from './values.ts';

export async function perform(
  client: MongoClient,
  db: Db,
  write: Write,
): Promise<Timestamp | undefined> {
  return await client.withSession(async (session) => {
    try {
      if (write.kind === 'transaction') await transaction(db, session, write);
      else await one(db, session, write);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return session.operationTime;
  });
}

/** Duplicate keys, conflicts of writers, ids that cannot be, a path through a value that is none. */
const REFUSALS = new Set<unknown>([11000, 112, 251, 28, 2]);

const isRefusal = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError ||
  error instanceof Aborted ||
  (error instanceof MongoServerError && REFUSALS.has(error.code));

class Aborted extends Error {}

async function one(db: Db, session: ClientSession, write: Write): Promise<void> {
  if (write.kind === 'transaction') return; // not within another one
  if (write.kind === 'bulk') {
    for (const name of FOLLOWED) {
      const parts = write.of.filter((part) => 'collection' in part && part.collection === name);
      if (parts.length === 0) continue;
      const operations = parts.flatMap(bulkOperations);
      await db.collection(name).bulkWrite(operations as never, { session, ordered: write.ordered });
    }
    return;
  }
  const collection = db.collection(write.collection);
  const filter = 'id' in write ? { _id: write.id as never } : {};
  switch (write.kind) {
    case 'insert':
      await collection.insertOne({ ...filter, ...write.document }, { session });
      break;
    case 'replace':
      await collection.replaceOne(filter, write.document, { session });
      break;
    case 'upsert':
      await collection.updateOne(filter, setOf(write.document), { session, upsert: true });
      break;
    case 'swap':
      await collection.deleteOne(filter, { session });
      await collection.insertOne({ ...filter, ...write.document }, { session });
      break;
    case 'remove':
      await collection.deleteOne(filter, { session });
      break;
    case 'update':
      await collection.updateOne(filter, write.update, { session });
      break;
    case 'updateMany':
      await collection.updateMany(filter, write.update, { session });
  }
}

const setOf = (document: Document): Document =>
  Object.keys(document).length > 0 ? { $set: document } : { $setOnInsert: { worker: 'none' } };

async function transaction(
  db: Db,
  session: ClientSession,
  write: Write & { kind: 'transaction' },
): Promise<void> {
  await session.withTransaction(async () => {
    for (const part of write.of) await one(db, session, part);
    if (write.abort) throw new Aborted();
  });
}

function bulkOperations(write: Write): Document[] {
  switch (write.kind) {
    case 'insert':
    case 'swap': {
      const document = { _id: write.id, ...write.document };
      const remove = { deleteOne: { filter: { _id: write.id } } };
      return [...(write.kind === 'swap' ? [remove] : []), { insertOne: { document } }];
    }
    case 'replace': {
      const { id, document } = write;
      return [{ replaceOne: { filter: { _id: id }, replacement: document, upsert: true } }];
    }
    case 'upsert': {
      const { id, document } = write;
      return [{ updateOne: { filter: { _id: id }, update: setOf(document), upsert: true } }];
    }
    case 'remove':
      return [{ deleteOne: { filter: { _id: write.id } } }];
    case 'update':
      return [{ updateOne: { filter: { _id: write.id }, update: write.update } }];
    case 'updateMany':
      return [{ updateMany: { filter: {}, update: write.update } }];
    default:
      return [];
  }
}

/** Where collections are renamed to, and come back from. */
const parked = (name: string) => `${name}_parked`;

export async function change(db: Db, { kind, collection }: Ddl): Promise<void> {
  try {
    switch (kind) {
      case 'drop':
        await db.collection(collection).drop();
        break;
      case 'rename away':
        await db.collection(collection).rename(parked(collection), { dropTarget: true });
        break;
      case 'rename over':
        await db.collection(parked(collection)).rename(collection, { dropTarget: true });
        break;
      case '$out':
        await db
          .collection(parked(collection))
          .aggregate([{ $out: collection }])
          .toArray();
        break;
      case 'dropDatabase':
        await db.dropDatabase();
        break;
      case 'create':
        await db.createCollection(collection);
        break;
      case 'createIndex':
        await db.collection(collection).createIndex({ folder: 1, name: -1 });
    }
  } catch (error) {
    // There is no such collection, or there is one already.
    if (!(error instanceof MongoServerError && [26, 48].includes(Number(error.code)))) throw error;
  }
}
