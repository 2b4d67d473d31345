/**
 * Makes the mongod on a port the writable primary of a replica set of one.
 *
 *     no configuration yet        -> replSetInitiate
 *     configured for another port -> the node does not find itself (state REMOVED):
 *                                    replSetReconfig by force, naming this port
 *     configured for this port    -> it elects itself
 *
 * Before that the node asks the process that has the old port now whether it is itself. One that
 * accepts and stays silent delays the start by mongod's own 30 s.
 *
 * Change streams, transactions and snapshot reads need a replica set; one node is enough for them.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Db,
  MongoClient,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { EmbeddedError } from './errors.ts';
import { LOOPBACK } from './port.ts';

export const REPLICA_SET = 'table-search';

/** The server's error code for "no configuration": there is none, or it is not loaded yet. */
const NOT_YET_INITIALIZED = 94;
/** AlreadyInitialized (it was not loaded yet), ConfigurationInProgress, a change of state. */
const PASSING = new Set<unknown>([23, 109, 11602]);

/** The connection string of the replica set on a port. */
export function uriOf(port: number): string {
  return `mongodb://${LOOPBACK}:${port}/?replicaSet=${REPLICA_SET}`;
}

/**
 * @param port where the mongod listens.
 * @param pid its process id: a stranger on the port is left alone.
 * @param signal gives up when it aborts, for example because the mongod has ended.
 * @returns when writes succeed.
 */
export async function becomePrimary(port: number, pid: number, signal: AbortSignal): Promise<void> {
  const client = new MongoClient(`mongodb://${LOOPBACK}:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 10_000,
    // A stranger on the port may accept and stay silent.
    connectTimeoutMS: 2_000,
  });
  const close = () => client.close();
  signal.addEventListener('abort', close);
  try {
    const admin = client.db('admin');
    while (!(await isPrimary(admin, pid, `${LOOPBACK}:${port}`))) {
      await sleep(10, undefined, { signal });
    }
  } finally {
    signal.removeEventListener('abort', close);
    await client.close();
  }
}

/** Configures the node if need be. A change of its state may close connections: then not yet. */
async function isPrimary(admin: Db, pid: number, host: string): Promise<boolean> {
  try {
    const { isWritablePrimary } = await admin.command({ hello: 1 });
    const found = Number((await admin.command({ serverStatus: 1 })).pid);
    if (found !== pid) throw new EmbeddedError('PortInUse', `${host} is taken by process ${found}`);
    if (!isWritablePrimary) await configure(admin, host);
    return isWritablePrimary;
  } catch (error) {
    if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) {
      return false;
    }
    if (error instanceof MongoServerError && PASSING.has(error.code)) return false;
    throw error;
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
