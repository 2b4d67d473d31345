/**
 * The mongod's own log: one file for each start, bounded in size and in number.
 *
 *     log/mongod-2026-05-01T10-00-00-000Z.log      the current one
 *     log/mongod-2026-05-01T10-00-00-000Z.log.1    what it held before it grew too large
 *     log/mongod-2026-04-30T…                      earlier starts
 *
 * A file a start, because two mongods that reach for one folder must not write into one another's
 * log, and because the reason why a start failed is then simply the end of its file.
 */

import fs from 'node:fs/promises';
import path from 'node:path';

/** A log is set aside when it is larger than this, in bytes. */
const MAX_SIZE = 16 * 1024 * 1024;
/** How often a running log's size is looked at, in milliseconds. */
const CHECK_EVERY = 30_000;
/** Files of earlier starts that are kept. */
const KEPT = 4;

/** The path of a log file for a new start; older ones beyond the few that are kept are removed. */
export async function newLogFile(folder: string): Promise<string> {
  const logs = (await fs.readdir(folder)).filter((name) => name.startsWith('mongod-')).sort();
  for (const name of logs.slice(0, Math.max(0, logs.length - KEPT))) {
    await fs.rm(path.join(folder, name), { force: true });
  }
  const now = new Date().toISOString().replaceAll(/[:.]/g, '-');
  return path.join(folder, `mongod-${now}-${process.pid}.log`);
}

/**
 * Keeps a running mongod's log bounded: past `MAX_SIZE` the file is renamed and the mongod, which
 * runs with `--logRotate reopen`, is told by SIGUSR1 to open a new one.
 *
 * @returns stops looking.
 */
export function boundLogFile(file: string, pid: number): () => void {
  const timer = setInterval(async () => {
    try {
      if ((await fs.stat(file)).size > MAX_SIZE) await rotate(file, pid);
    } catch {
      // The file or the mongod has gone: its exit is handled where it is awaited.
    }
  }, CHECK_EVERY).unref();
  return () => clearInterval(timer);
}

/** Sets the log aside as `<file>.1` and lets the mongod open a new one. */
export async function rotate(file: string, pid: number): Promise<void> {
  await fs.rename(file, `${file}.1`);
  process.kill(pid, 'SIGUSR1');
}

/** The errors and fatal messages at the end of a log file, oldest first, one line each. */
export async function lastErrors(file: string): Promise<string[]> {
  const text = await fs.readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line.includes('"s":"E"') || line.includes('"s":"F"'))
    .slice(-3)
    .map(describe);
}

function describe(line: string): string {
  try {
    const { msg, attr } = JSON.parse(line);
    return attr === undefined ? msg : `${msg} ${JSON.stringify(attr)}`;
  } catch {
    return line;
  }
}
