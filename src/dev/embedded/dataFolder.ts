/**
 * The folder an embedded mongod works in.
 *
 *     <dataDir>/db/           what mongod stores, and its lock
 *     <dataDir>/log/          its log files
 *     <dataDir>/mongod.json   the last one that came up: port, process id, owner's process id
 *
 * mongod's own file lock decides whether the folder is free. mongod.json only tells a holder that
 * goes on from one on its way out, and which port to use again.
 */

import fs from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from './guard.ts';
import { isListening } from './port.ts';

/** The mongod that last came up on a folder. */
export interface Note {
  readonly port: number;
  /** The mongod's process id. */
  readonly pid: number;
  /** The process id of the service it belongs to. */
  readonly owner: number;
}

/** Where things lie in `dataDir`, and the note about the mongod that last came up. */
export class DataFolder {
  readonly root: string;
  readonly db: string;
  readonly logs: string;
  readonly #note: string;

  constructor(root: string) {
    this.root = root;
    this.db = path.join(root, 'db');
    this.logs = path.join(root, 'log');
    this.#note = path.join(root, 'mongod.json');
  }

  /** Makes what is missing. Only the owner may look inside: logs can hold what was searched for. */
  async create(): Promise<void> {
    await fs.mkdir(this.db, { recursive: true, mode: 0o700 });
    await fs.mkdir(this.logs, { recursive: true, mode: 0o700 });
  }

  /** What mongod.json says, if it is there and whole. */
  async note(): Promise<Note | undefined> {
    try {
      const note = JSON.parse(await fs.readFile(this.#note, 'utf8'));
      return [note.port, note.pid, note.owner].every(Number.isInteger) ? note : undefined;
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
  async livingHolder(): Promise<Note | undefined> {
    const lock = await fs.readFile(path.join(this.db, 'mongod.lock'), 'utf8').catch(() => '');
    const note = await this.note();
    if (note === undefined || note.pid !== Number(lock) || !isAlive(note.owner)) return undefined;
    return (await isListening(note.port)) ? note : undefined;
  }
}
