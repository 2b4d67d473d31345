/**
 * The embedded mongod that last came up on a data folder, in `<dataDir>/mongod.json`. Starts use its
 * port again; commands find the store of a running demo by it.
 */

import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';

export interface Running {
  /** Connection string, without a database. */
  readonly uri: string;
  readonly port: number;
  /** The mongod's process id. */
  readonly pid: number;
}

const noteIn = (dataDir: string): string => path.join(dataDir, 'mongod.json');

/** Notes the mongod as this process's own. */
export async function noteRunning(dataDir: string, running: Running): Promise<void> {
  await fs.writeFile(noteIn(dataDir), JSON.stringify({ ...running, owner: process.pid }));
}

/** The last one, if the note about it is whole; `owner` is the process that started it. */
export async function lastRunning(
  dataDir: string,
): Promise<(Running & { readonly owner: number }) | undefined> {
  try {
    return JSON.parse(await fs.readFile(noteIn(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The mongod that works on the folder now and goes on: its owner lives and its port answers. */
export async function runningEmbedded(dataDir: string): Promise<Running | undefined> {
  const last = await lastRunning(dataDir);
  return last && isAlive(last.owner) && (await isListening(last.port)) ? last : undefined;
}

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
