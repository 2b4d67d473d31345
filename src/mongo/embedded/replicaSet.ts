/**
 * Makes the mongod on a port the writable primary of a replica set of one.
 *
 *     no configuration yet        -> replSetInitiate
 *     configured for another port -> the node does not find itself (state REMOVED):
 *                                    replSetReconfig by force, naming this port
 *     configured for this port    -> it elects itself
 *
 * Change streams, transactions and snapshot reads need a replica set; one node is enough for them.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import { LOOPBACK } from './port.ts';

export const REPLICA_SET = 'table-search';

/** The server's error code for "no replica set configuration has been received". */
const NOT_YET_INITIALIZED = 94;

/** The connection string of the replica set on a port. */
export function uriOf(port: number): string {
  return `mongodb://${LOOPBACK}:${port}/?replicaSet=${REPLICA_SET}`;
}

/**
 * @param port where the mongod listens.
 * @param signal gives up when it aborts, for example because the mongod has ended.
 * @returns when writes succeed.
 */
export async function becomePrimary(port: number, signal: AbortSignal): Promise<void> {
  const client = new MongoClient(`mongodb://${LOOPBACK}:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    const admin = client.db('admin');
    await configure(admin, `${LOOPBACK}:${port}`);
    while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
      await sleep(10, undefined, { signal });
    }
  } finally {
    await client.close();
  }
}

async function configure(admin: Db, host: string): Promise<void> {
  const config = await currentConfig(admin);
  if (config === undefined) {
    const members = [{ _id: 0, host }];
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
  } else if (config.members.length !== 1 || config.members[0]!.host !== host) {
    const members = [{ ...config.members[0], host }];
    const version = config.version + 1;
    await admin.command({ replSetReconfig: { ...config, members, version }, force: true });
  }
}

interface ReplicaSetConfig {
  readonly version: number;
  readonly members: readonly { readonly host: string }[];
}

async function currentConfig(admin: Db): Promise<ReplicaSetConfig | undefined> {
  try {
    return (await admin.command({ replSetGetConfig: 1 })).config;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_YET_INITIALIZED) return undefined;
    throw error;
  }
}
