/**
 * Brings a mongod up on a data folder: primary, writable, or a reason why not.
 *
 *     choose port ─▶ spawn ─▶ port answers ─▶ primary
 *          ▲           │ ended before it was ready:
 *          ├── wait ───┤   folder locked, and its holder does not answer (it is closing)
 *          └───────────┤   port lost between choosing and binding it
 *                      └─▶ anything else: an error with mongod's own reason
 *
 * A service that is killed leaves a mongod behind for the second or so that its clean shutdown
 * takes; waiting for it makes "kill it and start again" work at once.
 */

import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logger.ts';
import { commandLine } from './commandLine.ts';
import type { DataFolder } from './dataFolder.ts';
import { EmbeddedError } from './errors.ts';
import { type Guarded, runGuarded } from './guard.ts';
import { lastErrors, newLogFile } from './logFiles.ts';
import { freePort, isListening, tryPort } from './port.ts';
import { becomePrimary } from './replicaSet.ts';

/** Recovery after a crash replays the journal before the port opens; large data takes its time. */
const READY_WITHIN = 120_000;
/** How long a folder whose holder does not answer may stay locked, in milliseconds. */
const LOCK_WAIT = 30_000;

/** What every start on a folder has in common. */
export interface Launcher {
  readonly log: Logger;
  /** The binary. */
  readonly mongod: string;
  readonly folder: DataFolder;
  /** Further `--setParameter` pairs. */
  readonly setParameters: Readonly<Record<string, string | number | boolean>>;
  /** The data is of no use afterwards: end by SIGKILL, then remove the folder. */
  readonly ephemeral: boolean;
}

/** A mongod that is up, primary and writable. */
export interface Running {
  readonly port: number;
  readonly guarded: Guarded;
  readonly logFile: string;
}

/**
 * Starts until it works, the folder turns out to be in use, or the reason is a lasting one.
 *
 * @param fixedPort the only port that will do; otherwise the last one again, or a free one.
 * @throws EmbeddedError `FolderInUse`, `PortInUse` or `StartFailed`.
 */
export async function launch(launcher: Launcher, fixedPort: number | undefined): Promise<Running> {
  const { folder, log } = launcher;
  const deadline = Date.now() + LOCK_WAIT;
  for (let tries = 1; ; tries++) {
    const port = fixedPort ?? (await choosePort(folder));
    try {
      const started = Date.now();
      const running = await startOnce(launcher, port);
      const { pid } = running.guarded;
      log.info({ pid, port, ms: Date.now() - started }, 'the embedded mongod is ready');
      return running;
    } catch (error) {
      if (Date.now() > deadline || !(await mayPass(error, folder, fixedPort))) throw error;
    }
    if (tries === 1)
      log.info({ folder: folder.root }, 'waiting until the folder and a port are free');
    await sleep(200);
  }
}

/** Whether the reason is one that goes away. A living holder of the folder is named in an error. */
async function mayPass(error: unknown, folder: DataFolder, fixedPort?: number): Promise<boolean> {
  if (!(error instanceof EmbeddedError)) return false;
  if (error.code === 'PortInUse') return fixedPort === undefined;
  if (error.code !== 'FolderInUse') return false;
  const holder = await folder.livingHolder();
  if (holder === undefined) return true;
  const where = `process ${holder.pid}, port ${holder.port}`;
  throw new EmbeddedError('FolderInUse', `${error.message} (${where})`);
}

async function choosePort(folder: DataFolder): Promise<number> {
  const note = await folder.note();
  return (note && (await tryPort(note.port))) ?? (await freePort());
}

/** One try: spawns, waits for the port, makes the node primary. Leaves nothing behind on failure. */
async function startOnce(launcher: Launcher, port: number): Promise<Running> {
  const { folder, ephemeral, setParameters } = launcher;
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
    await Promise.race([untilPrimary(port, guarded.pid, giveUp.signal), ended]);
  } catch (error) {
    giveUp.abort();
    await guarded.end();
    throw error;
  }
  ended.catch(() => {});
  await folder.writeNote({ port, pid: guarded.pid, owner: process.pid });
  return { port, guarded, logFile };
}

async function untilPrimary(port: number, pid: number, gaveUp: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([gaveUp, AbortSignal.timeout(READY_WITHIN)]);
  try {
    while (!(await isListening(port))) await sleep(15, undefined, { signal });
    await becomePrimary(port, pid, signal);
  } catch (error) {
    if (gaveUp.aborted) return;
    if (error instanceof EmbeddedError) throw error;
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
  if (/address already in use/i.test(reason)) {
    return new EmbeddedError('PortInUse', `port ${run.port} is taken`);
  }
  const what = `mongod ended with code ${code} before it was ready (log: ${run.logFile})`;
  return new EmbeddedError('StartFailed', `${what}\n${reason}`);
}
