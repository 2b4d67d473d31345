/**
 * The folder an embedded mongod works in.
 *
 *     <dataDir>/db/           what mongod stores, and its lock
 *     <dataDir>/mongod.json   the last one that came up: port, process id, owner's process id
 *
 * mongod's own file lock decides whether the folder is free. mongod.json only tells a holder that
 * goes on from one on its way out, and which port to use again.
 */

import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { uriOf } from './replicaSet.ts';

/** The mongod that last came up on a folder. */
export interface Note {
  readonly port: number;
  /** The mongod's process id. */
  readonly pid: number;
  /** The process id of the service it belongs to. */
  readonly owner: number;
}

export class DataFolder {
  readonly root: string;
  readonly db: string;
  readonly #note: string;

  constructor(dataDir: string) {
    this.root = path.resolve(dataDir);
    this.db = path.join(this.root, 'db');
    this.#note = path.join(this.root, 'mongod.json');
  }

  /** What mongod.json says, if it is there and whole. */
  async note(): Promise<Note | undefined> {
    try {
      return JSON.parse(await fs.readFile(this.#note, 'utf8'));
    } catch {
      return undefined;
    }
  }

  async writeNote(note: Note): Promise<void> {
    const draft = `${this.#note}.${process.pid}`;
    await fs.writeFile(draft, `${JSON.stringify(note)}\n`);
    await fs.rename(draft, this.#note);
  }

  /** The mongod that works on the folder now and goes on: its owner lives and its port answers. */
  async holder(): Promise<Note | undefined> {
    const note = await this.note();
    if (note === undefined || !isAlive(note.owner)) return undefined;
    return (await isListening(note.port)) ? note : undefined;
  }
}

/**
 * The embedded mongod that another process runs on `dataDir` right now, for a command that wants to
 * work on the data of a running service.
 */
export async function runningEmbedded(
  dataDir: string,
): Promise<{ uri: string; pid: number } | undefined> {
  const holder = await new DataFolder(dataDir).holder();
  return holder && { uri: uriOf(holder.port), pid: holder.pid };
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
