/**
 * Makes a mongod the writable primary of a replica set of one.
 *
 *     no configuration yet        -> replSetInitiate
 *     configured for another port -> the node does not find itself (state REMOVED):
 *                                    replSetReconfig by force, naming this port
 *     configured for this port    -> it elects itself
 *
 * mongodb-memory-server's own replica sets stop at the second case, which a kept folder meets.
 * Change streams, transactions and snapshot reads need a replica set; one node is enough for them.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import type { Mongod } from './mongod.ts';

export const REPLICA_SET = 'table-search';

/** Its configuration is being loaded or changed: NotYetInitialized, ConfigurationInProgress, … */
const PASSING = new Set<unknown>([94, 109, 11602]);
const ALREADY_INITIALIZED = 23;

/** Returns when writes succeed, or when the mongod has ended. */
export async function becomePrimary(mongod: Mongod): Promise<void> {
  const host = `127.0.0.1:${mongod.port}`;
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, {
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    const admin = client.db('admin');
    while (mongod.pid !== undefined && !(await isPrimary(admin, host))) await sleep(10);
  } finally {
    await client.close();
  }
}

/** Configures the node if need be. A change of its state may close connections: then not yet. */
async function isPrimary(admin: Db, host: string): Promise<boolean> {
  try {
    const { isWritablePrimary, setName } = await admin.command({ hello: 1 });
    if (setName === undefined) await configure(admin, host);
    return isWritablePrimary;
  } catch (error) {
    if (error instanceof MongoNetworkError) return false;
    if (error instanceof MongoServerError && PASSING.has(error.code)) return false;
    throw error;
  }
}

async function configure(admin: Db, host: string): Promise<void> {
  const config = { _id: REPLICA_SET, version: 1, members: [{ _id: 0, host }] };
  try {
    await admin.command({ replSetInitiate: config });
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === ALREADY_INITIALIZED)) throw error;
    const { version } = (await admin.command({ replSetGetConfig: 1 })).config;
    await admin.command({ replSetReconfig: { ...config, version: version + 1 }, force: true });
  }
}
