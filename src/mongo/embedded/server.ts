/**
 * An embedded mongod: a replica set of one, on a data folder that is kept, for this process alone.
 *
 *     <dataDir>/db/           what mongod stores
 *     <dataDir>/log/          its log files
 *     <dataDir>/mongod.json   port and process id of the last one that came up
 *
 * A start is a loop, because two things may stand in its way for a moment: the port may be taken
 * between choosing it and binding it, and the mongod of a service that was just killed may still be
 * closing the folder. mongod's own file lock decides whether the folder is free; mongod.json only
 * tells a living holder (its port answers: an error at once) from one on its way out (wait).
 *
 * The port of the last start is used again when it is free, so an address that was noted down
 * stays right. A mongod that crashes is started again on the same port, and clients reconnect.
 *
 * Timings, 2 cores: first start 0.5 s, on kept data 0.8 s.
 */

import { mkdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMongod } from './binary.ts';
import { commandLine } from './commandLine.ts';
import { EmbeddedError, type EmbeddedLog } from './errors.ts';
import { type Guarded, runGuarded } from './guard.ts';
import { boundLogFile, lastErrors, newLogFile } from './logFiles.ts';
import { freePort, isListening, tryPort } from './port.ts';
import { becomePrimary, uriOf } from './replicaSet.ts';

/** Recovery after a crash replays the journal before the port opens; large data takes its time. */
const READY_WITHIN = 120_000;
/** How long a folder whose holder does not answer may stay locked, in milliseconds. */
const LOCK_WAIT = 30_000;
/** Crashes in a row, each less than `STABLE_AFTER` ms after a start, before it is left down. */
const MAX_CRASHES = 5;
const STABLE_AFTER = 60_000;

export interface EmbeddedOptions {
  /** The folder that holds everything; made when it is missing. */
  readonly dataDir: string;
  readonly log: EmbeddedLog;
  /** A fixed port; otherwise the last one again, or a free one. */
  readonly port?: number;
  /** The mongod binary; otherwise `findMongod` looks for one. */
  readonly mongod?: string;
  /** Further server parameters, given at start. */
  readonly setParameters?: Readonly<Record<string, string | number | boolean>>;
  /** The data serves no one afterwards: end the mongod the quick way and remove `dataDir`. */
  readonly ephemeral?: boolean;
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
  const mongod = options.mongod ?? (await findMongod({ log: options.log })).path;
  const folder = new DataFolder(path.resolve(options.dataDir));
  const launcher: Launcher = { ...options, mongod, folder };
  const first = await launch(launcher, options.port);
  return supervise(launcher, first);
}

/** Where things lie in `dataDir`, and the note about the mongod that last came up. */
class DataFolder {
  readonly root: string;
  readonly db: string;
  readonly logs: string;
  readonly #note: string;

  constructor(root: string) {
    this.root = root;
    this.db = path.join(root, 'db');
    this.logs = path.join(root, 'log');
    this.#note = path.join(root, 'mongod.json');
    mkdirSync(this.db, { recursive: true, mode: 0o700 });
  }

  async note(): Promise<{ port: number; pid: number } | undefined> {
    try {
      const note = JSON.parse(await fs.readFile(this.#note, 'utf8'));
      return Number.isInteger(note.port) && Number.isInteger(note.pid) ? note : undefined;
    } catch {
      return undefined;
    }
  }

  async writeNote(port: number, pid: number): Promise<void> {
    const draft = `${this.#note}.${process.pid}`;
    await fs.writeFile(draft, `${JSON.stringify({ port, pid })}\n`);
    await fs.rename(draft, this.#note);
  }

  /** The mongod that works on the folder right now, if it answers. */
  async livingHolder(): Promise<{ port: number; pid: number } | undefined> {
    const lock = await fs.readFile(path.join(this.db, 'mongod.lock'), 'utf8').catch(() => '');
    const note = await this.note();
    if (note === undefined || note.pid !== Number(lock)) return undefined;
    return (await isListening(note.port)) ? note : undefined;
  }
}

interface Launcher extends EmbeddedOptions {
  readonly mongod: string;
  readonly folder: DataFolder;
}

/** A mongod that is up, primary and writable. */
interface Running {
  readonly port: number;
  readonly guarded: Guarded;
  readonly logFile: string;
}

/** Starts until it works, the folder turns out to be in use, or the reason is a lasting one. */
async function launch(launcher: Launcher, fixedPort: number | undefined): Promise<Running> {
  const { folder, log } = launcher;
  const deadline = Date.now() + LOCK_WAIT;
  let told = false;
  for (;;) {
    const port = fixedPort ?? (await choosePort(folder));
    try {
      return await startOnce(launcher, port);
    } catch (error) {
      if (!(error instanceof EmbeddedError) || Date.now() > deadline) throw error;
      if (error.code === 'PortInUse' && fixedPort === undefined) continue;
      if (error.code !== 'FolderInUse') throw error;
      const holder = await folder.livingHolder();
      if (holder !== undefined) {
        const where = `process ${holder.pid}, port ${holder.port}`;
        throw new EmbeddedError('FolderInUse', `${error.message} (${where})`);
      }
    }
    if (!told)
      log.info({ dataDir: folder.root }, 'waiting for the last mongod to close the folder');
    told = true;
    await sleep(200);
  }
}

async function choosePort(folder: DataFolder): Promise<number> {
  const note = await folder.note();
  return (note && (await tryPort(note.port))) ?? (await freePort());
}

/** One try: spawns, waits for the port, makes the node primary. Leaves nothing behind on failure. */
async function startOnce(launcher: Launcher, port: number): Promise<Running> {
  const { folder, ephemeral = false, setParameters = {} } = launcher;
  const logFile = await newLogFile(folder.logs);
  const guarded = await runGuarded({
    command: launcher.mongod,
    args: commandLine({ dbPath: folder.db, logPath: logFile, port, setParameters }),
    endSignal: ephemeral ? 'KILL' : 'TERM',
    ...(ephemeral && { removeAfter: folder.root }),
  });
  const giveUp = new AbortController();
  const ended = guarded.exited.then(async (code) => {
    throw await failure(code, { port, guarded, logFile }, folder);
  });
  try {
    await Promise.race([untilPrimary(port, giveUp.signal), ended]);
  } catch (error) {
    giveUp.abort();
    await guarded.end();
    throw error;
  }
  ended.catch(() => {});
  await folder.writeNote(port, guarded.pid);
  return { port, guarded, logFile };
}

async function untilPrimary(port: number, gaveUp: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([gaveUp, AbortSignal.timeout(READY_WITHIN)]);
  try {
    while (!(await isListening(port))) await sleep(15, undefined, { signal });
    await becomePrimary(port, signal);
  } catch (error) {
    if (gaveUp.aborted) return;
    throw new EmbeddedError('StartFailed', `mongod on port ${port} is not ready: ${error}`);
  }
}

/** What the end of a mongod before it was ready means. */
async function failure(code: number, run: Running, folder: DataFolder): Promise<EmbeddedError> {
  const errors = await lastErrors(run.logFile);
  const reason = [...errors, run.guarded.output()].filter(Boolean).join('\n') || 'no reason given';
  if (reason.includes('DBPathInUse')) {
    await fs.rm(run.logFile, { force: true });
    return new EmbeddedError('FolderInUse', `another mongod works on ${folder.root}`);
  }
  if (/address already in use|AddressInUse/i.test(reason)) {
    return new EmbeddedError('PortInUse', `port ${run.port} is taken`);
  }
  const what = `mongod ended with code ${code} before it was ready (log: ${run.logFile})`;
  return new EmbeddedError('StartFailed', `${what}\n${reason}`);
}

/** Watches the running mongod, starts it again when it ends unasked, and can stop it. */
function supervise(launcher: Launcher, first: Running): Embedded {
  const { log } = launcher;
  let running = first;
  let stopping = false;
  let unbound = boundLogFile(running.logFile, running.guarded.pid);
  let crashes = 0;

  async function watch(): Promise<void> {
    for (;;) {
      const since = Date.now();
      const code = await running.guarded.exited;
      unbound();
      if (stopping) return;
      crashes = Date.now() - since > STABLE_AFTER ? 1 : crashes + 1;
      const pid = running.guarded.pid;
      log.error({ code, pid, logFile: running.logFile }, 'the embedded mongod ended unasked');
      if (crashes > MAX_CRASHES || !(await restart())) return;
    }
  }

  async function restart(): Promise<boolean> {
    // The guard, not the mongod, may be what ended: then the mongod is still there.
    endByPid(running.guarded.pid);
    await sleep(100 * 2 ** crashes);
    if (stopping) return false;
    try {
      running = await launch(launcher, first.port);
    } catch (error) {
      log.error({ error: String(error) }, 'the embedded mongod could not be started again');
      return false;
    }
    unbound = boundLogFile(running.logFile, running.guarded.pid);
    log.warn({ pid: running.guarded.pid }, 'the embedded mongod was started again');
    return true;
  }

  const watching = watch();
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
      // A restart that was under way when the stop came has brought up one more.
      await running.guarded.end();
    },
  };
}

function endByPid(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has gone already.
  }
}
