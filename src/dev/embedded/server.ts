/**
 * An embedded mongod: a replica set of one, on a data folder that is kept, for this process alone.
 *
 *     findMongod ─▶ launch ─▶ supervise
 *     (binary.ts)   (launch.ts)  └─ ended unasked: launch again on the same port
 *
 * It listens on the loopback address only, and it ends when this process ends, however that ends
 * (guard.ts). The port of the last start is used again when it is free, so an address that was
 * noted down stays right. A mongod that crashes is started again on the same port, and clients
 * reconnect by themselves.
 *
 * Until it is writable, 2 cores: 0.5 s on an empty folder, 0.8 s on a kept one; to stop: 1 s.
 */

import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logger.ts';
import { findMongod } from './binary.ts';
import { DataFolder } from './dataFolder.ts';
import { type Launcher, launch, type Running } from './launch.ts';
import { boundLogFile } from './logFiles.ts';
import { uriOf } from './replicaSet.ts';

/** Crashes in a row, each less than `STABLE_AFTER` ms after a start, before it is left down. */
const MAX_CRASHES = 5;
const STABLE_AFTER = 60_000;

export interface EphemeralOptions {
  readonly log: Logger;
  /** The mongod binary; otherwise `findMongod` looks for one. */
  readonly mongod?: string;
  /** Further server parameters, given at start. */
  readonly setParameters?: Readonly<Record<string, string | number | boolean>>;
}

export interface EmbeddedOptions extends EphemeralOptions {
  /** The folder that holds everything; made when it is missing. */
  readonly dataDir: string;
  /** A fixed port; otherwise the last one again, or a free one. */
  readonly port?: number;
}

export interface Embedded {
  /** Connection string, without a database. It stays the same when the mongod is restarted. */
  readonly uri: string;
  readonly port: number;
  /** Process id of the mongod that runs at the moment. */
  readonly pid: number;
  /** Shuts the mongod down cleanly and waits for its end. May be called twice. */
  stop(): Promise<void>;
}

/**
 * Starts a mongod on `dataDir` and waits until writes to it succeed.
 *
 * @throws EmbeddedError: `NoMongod`, `FolderInUse`, `PortInUse` or `StartFailed`.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const launcher = await prepare(options, options.dataDir, false);
  return supervise(launcher, await launch(launcher, options.port));
}

/**
 * Starts a mongod on a new temporary folder, which is removed when the mongod has ended,
 * however it ended. It is ended the quick way, and it is not started again after a crash.
 *
 * @throws EmbeddedError: `NoMongod` or `StartFailed`.
 */
export async function startEphemeral(options: EphemeralOptions): Promise<Embedded> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-'));
  const launcher = await prepare(options, dataDir, true);
  return supervise(launcher, await launch(launcher, undefined));
}

/**
 * The embedded mongod that another process runs on `dataDir` right now, for a command that wants to
 * work on the data of a running service.
 */
export async function runningEmbedded(
  dataDir: string,
): Promise<{ uri: string; pid: number } | undefined> {
  const holder = await new DataFolder(path.resolve(dataDir)).livingHolder();
  return holder && { uri: uriOf(holder.port), pid: holder.pid };
}

async function prepare(
  options: EphemeralOptions,
  dataDir: string,
  ephemeral: boolean,
): Promise<Launcher> {
  const { log, setParameters = {} } = options;
  const mongod = options.mongod ?? (await findMongod({ log })).path;
  const folder = new DataFolder(path.resolve(dataDir));
  await folder.create();
  return { log, mongod, folder, setParameters, ephemeral };
}

/** Watches the running mongod, starts it again when it ends unasked, and can stop it. */
function supervise(launcher: Launcher, first: Running): Embedded {
  const { log } = launcher;
  let running = first;
  let stopping = false;
  const watching = watch();

  async function watch(): Promise<void> {
    for (let crashes = 0; ; ) {
      const since = Date.now();
      const { guarded, logFile } = running;
      const unbound = boundLogFile(logFile, guarded.pid);
      const code = await guarded.exited;
      unbound();
      if (stopping) return;
      log.error({ code, pid: guarded.pid, logFile }, 'the embedded mongod ended unasked');
      crashes = Date.now() - since > STABLE_AFTER ? 1 : crashes + 1;
      if (launcher.ephemeral || crashes > MAX_CRASHES) return;
      await sleep(100 * 2 ** crashes);
      if (stopping || !(await restart())) return;
    }
  }

  async function restart(): Promise<boolean> {
    try {
      running = await launch(launcher, first.port);
    } catch (error) {
      log.error({ error: String(error) }, 'the embedded mongod could not be started again');
      return false;
    }
    // The stop may have come while it was starting.
    if (stopping) await running.guarded.end();
    return !stopping;
  }

  return {
    uri: uriOf(first.port),
    port: first.port,
    get pid() {
      return running.guarded.pid;
    },
    async stop() {
      stopping = true;
      await running.guarded.end();
      await watching;
    },
  };
}
