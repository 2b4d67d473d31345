/**
 * The one place where a fetched mongod is kept: `$XDG_CACHE_HOME/table-search/`, or
 * `~/.cache/table-search/`, outside the repository, so that a fresh clone finds it again.
 *
 * A binary enters by a rename of a finished file: whoever looks sees a whole mongod or none, and
 * of two processes that fetch at once both succeed and the later rename stays.
 */

import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Age in milliseconds after which a work folder is one that a killed process left behind. */
const ABANDONED_AFTER = 3_600_000;

export class BinaryCache {
  readonly #folder: string;
  /** Where a cached mongod is, if there is one. */
  readonly mongod: string;

  constructor(env: Environment) {
    // The XDG specification: a path that is not absolute is to be ignored.
    const given = env.XDG_CACHE_HOME ?? '';
    const root = path.isAbsolute(given) ? given : path.join(env.HOME ?? os.homedir(), '.cache');
    this.#folder = path.join(root, 'table-search');
    this.mongod = path.join(this.#folder, `mongod-${process.platform}-${process.arch}`);
  }

  /** Runs `work` with an empty folder on the cache's file system, which is gone afterwards. */
  async withWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await this.#removeAbandoned();
    const name = `fetch-${process.pid}-${randomBytes(4).toString('hex')}`;
    const folder = path.join(this.#folder, name);
    await fs.mkdir(folder, { recursive: true });
    try {
      return await work(folder);
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }

  /** Moves a finished binary, which lies in a work folder, into its place. */
  async adopt(file: string): Promise<string> {
    await fs.chmod(file, 0o755);
    await fs.rename(file, this.mongod);
    return this.mongod;
  }

  async #removeAbandoned(): Promise<void> {
    for (const name of await fs.readdir(this.#folder).catch(() => [])) {
      if (!name.startsWith('fetch-')) continue;
      const folder = path.join(this.#folder, name);
      const since = (await fs.stat(folder).catch(() => undefined))?.mtimeMs ?? Date.now();
      if (Date.now() - since < ABANDONED_AFTER) continue;
      await fs.rm(folder, { recursive: true, force: true });
    }
  }
}
