/**
 * An embedded mongod: a replica set of one, on a data folder that is kept, for this process alone.
 *
 *     findMongod ─▶ choose port ─▶ Mongod ─▶ becomePrimary
 *     (binary.ts)        ▲           │ ended before it was ready:
 *                        ├── wait ───┤   folder locked, and its holder is closing
 *                        └───────────┤   port lost between choosing and binding it
 *                                    └─▶ anything else: an error with mongod's own reason
 *
 * It listens on the loopback address only, and it ends when this process ends, however that ends
 * (mongod.ts). A service that is killed leaves a mongod behind for some seconds; waiting for it
 * makes "kill it and start again" work at once. The port of the last start is used again when it is
 * free.
 */
import { randomInt } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import type { Logger } from '../../logger.ts';
import { EmbeddedError, findMongod } from './binary.ts';
import type { Mongod } from './mongod.ts';
import { lastRunning, noteRunning, type Running, runningEmbedded } from './running.ts';

/** How long a folder whose holder does not answer may stay locked, in milliseconds. */
const LOCK_WAIT = 30_000;

export interface EmbeddedOptions {
  /** The folder that holds everything; made when it is missing. */
  readonly dataDir: string;
  readonly log: Logger;
  /** Further server parameters, such as `enableTestCommands=true`. */
  readonly parameters?: readonly string[];
  /** How often its journal is written, milliseconds: 10 unless said. */
  readonly journalMs?: number;
}

export interface Embedded extends Running {
  /** Shuts the mongod down cleanly and waits for its end. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a mongod on `dataDir` and waits until writes to it succeed.
 *
 * @throws EmbeddedError when there is no binary, another mongod works on the folder, or it fails.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log } = options;
  const since = Date.now();
  const mongod = await launched(options);
  const { port } = mongod;
  const uri = `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`;
  const running = { uri, port, pid: mongod.pid! };
  await noteRunning(dataDir, running);
  log.info({ ...running, ms: Date.now() - since }, 'the embedded mongod is ready');
  let stopping = false;
  mongod.ended().then(() => {
    const { errors } = mongod;
    if (!stopping) log.error({ ...running, errors }, 'the embedded mongod ended unasked');
  });
  return {
    ...running,
    async stop() {
      stopping = true;
      await mongod.stop();
    },
  };
}

async function launched(options: EmbeddedOptions): Promise<Mongod> {
  const { dataDir, log } = options;
  const { Mongod } = await import('./mongod.ts').catch(() => {
    throw new EmbeddedError(NO_PACKAGE);
  });
  const dbPath = path.resolve(dataDir, 'db');
  // Only the owner may look inside.
  await fs.mkdir(dbPath, { recursive: true, mode: 0o700 });
  const binary = await findMongod(log);
  const args = argsFor(options);
  const deadline = Date.now() + LOCK_WAIT;
  let port = (await lastRunning(dataDir))?.port ?? anyPort();
  for (;;) {
    const mongod = new Mongod({ ...binary, port, dbPath, replSet: REPLICA_SET, args });
    const error = await startOnce(mongod);
    if (error === undefined) return mongod;
    const isTaken = /address already in use/i.test(error.message);
    if (Date.now() > deadline || !(isTaken || error.message.includes('DBPathInUse'))) throw error;
    if (isTaken) port = anyPort();
    else await refuseSecond(dataDir);
    await sleep(200);
  }
}

/** Why it did not come up, if so; nothing of it is left then. */
async function startOnce(mongod: Mongod): Promise<EmbeddedError | undefined> {
  let reason: unknown = 'it ended';
  try {
    await mongod.start();
    await becomePrimary(mongod);
    if (mongod.pid !== undefined) return undefined;
  } catch (error) {
    reason = error;
  }
  await mongod.kill();
  return new EmbeddedError(`mongod is not ready: ${mongod.errors || reason}`);
}

/** @throws EmbeddedError for a folder whose mongod goes on. */
async function refuseSecond(dataDir: string): Promise<void> {
  const { pid, port } = (await runningEmbedded(dataDir)) ?? {};
  if (pid === undefined) return;
  const where = `process ${pid}, port ${port}`;
  throw new EmbeddedError(`another mongod works on ${path.resolve(dataDir)} (${where})`);
}

/** Below the ports that systems give to connections; one that is taken is found out by the mongod. */
const anyPort = (): number => randomInt(20_000, 32_000);

function argsFor({ parameters = [], journalMs = 10 }: EmbeddedOptions): string[] {
  return [
    // A w:1 write reaches a change stream once it is journaled: after 8 ms instead of 60.
    ['--journalCommitInterval', String(journalMs)],
    // No $where, $function or mapReduce: the service sends no JavaScript, so none is run.
    ['--noscripting'],
    ['--wiredTigerCacheSizeGB', cacheGiB().toFixed(2)],
    // In MB. The default is 5 % of the free disk; a change stream needs minutes of history.
    ['--oplogSize', '1024'],
    ['--quiet'],
    // Its diagnostics file grows by 10 MB an hour and serves MongoDB's support staff.
    ['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // There is no other member to hand over to: the default waits up to 15 s for one.
    ['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
    ...parameters.map((parameter) => ['--setParameter', parameter]),
  ].flat();
}

/** An eighth of the machine, between 0.25 and 2 GiB: the index lives beside it in the same memory. */
function cacheGiB(): number {
  return Math.min(2, Math.max(0.25, os.totalmem() / GIB / 8));
}

const GIB = 1024 ** 3;

const NO_PACKAGE =
  'An embedded mongod needs the package mongodb-memory-server-core, which is optional: ' +
  'npm install mongodb-memory-server-core, or set MONGODB_URI.';

const REPLICA_SET = 'table-search';

/** Its configuration is being loaded or changed: NotYetInitialized, ConfigurationInProgress, … */
const PASSING = new Set<unknown>([94, 109, 11602]);
const ALREADY_INITIALIZED = 23;

/**
 * Makes a mongod the writable primary of a replica set of one. Returns when writes succeed, or when
 * the mongod has ended.
 *
 *     no configuration yet        -> replSetInitiate
 *     configured for another port -> the node does not find itself (state REMOVED):
 *                                    replSetReconfig by force, naming this port
 *     configured for this port    -> it elects itself
 *
 * mongodb-memory-server's own replica sets stop at the second case, which a kept folder meets.
 * Change streams, transactions and snapshot reads need a replica set; one node is enough for them.
 */
async function becomePrimary(mongod: Mongod): Promise<void> {
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
