/** A connected database for a suite, under a name of its own, gone when the suite ends. */

import { randomBytes } from 'node:crypto';
import { after, before } from 'mocha';
import { type Db, type Document, MongoClient } from 'mongodb';
import { testMongoUri } from './mongod.ts';

/** The database of a suite; its members can be read once the suite runs (in hooks and tests). */
export interface TestDatabase {
  readonly client: MongoClient;
  readonly db: Db;
  readonly name: string;
  readonly uri: string;
}

/**
 * Call it inside a `describe`. The first suite of a run that does starts the mongod.
 *
 * @example
 *     describe('projects', () => {
 *       const database = useDatabase();
 *       it('are stored', async () => {
 *         await database.db.collection('projects').insertOne({ name: 'Aurora' });
 *       });
 *     });
 */
export function useDatabase(): TestDatabase {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  let uri: string | undefined;
  let client: MongoClient | undefined;

  before(async function connect() {
    // The first suite may have to wait for a download of the binary.
    this.timeout(300_000);
    uri = await testMongoUri();
    client = await MongoClient.connect(uri);
  });
  after(async function drop() {
    // A transaction whose end got lost keeps its locks for the minute that the server allows it.
    this.timeout(150_000);
    await client?.db(name).dropDatabase();
    await client?.close();
  });

  const connected = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('useDatabase(): read it in a hook or a test');
    return value;
  };
  return {
    name,
    get uri() {
      return connected(uri);
    },
    get client() {
      return connected(client);
    },
    get db() {
      return connected(client).db(name);
    },
  };
}

/** Stores documents, whatever their ids are, by the names of their collections. */
export async function put(
  db: Db,
  documents: Readonly<Record<string, readonly Document[]>>,
): Promise<void> {
  for (const [name, all] of Object.entries(documents)) {
    await db.collection(name).insertMany([...all]);
  }
}
