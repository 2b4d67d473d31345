/**
 * The one place where a fetched mongod is kept, and what tests fetch: `$XDG_CACHE_HOME/table-search/`, or
 * `~/.cache/table-search/`, outside the repository, so that a fresh clone finds it again.
 *
 * A binary enters by a rename of a finished file: readers see a whole mongod or none, and
 * of two processes that fetch at once both succeed and the later rename stays.
 */

import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Age in milliseconds after which a work folder is one that a killed process left behind. */
const ABANDONED_AFTER = 3_600_000;

/** The mongod inside the wheel for x86_64 (wheel.ts). */
const WHEELS_MONGOD = '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8';

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

export class BinaryCache {
  readonly folder: string;
  /** Where a cached mongod is, if there is one. */
  readonly mongod: string;

  constructor(env: Environment) {
    // The XDG specification: a path that is not absolute is to be ignored.
    const given = env.XDG_CACHE_HOME ?? '';
    const root = path.isAbsolute(given) ? given : path.join(env.HOME ?? os.homedir(), '.cache');
    this.folder = path.join(root, 'table-search');
    this.mongod = path.join(this.folder, `mongod-${process.platform}-${process.arch}`);
  }

  /** Runs `work` with an empty folder on the cache's file system, which is gone afterwards. */
  async withWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    await this.#removeAbandoned();
    const name = `fetch-${process.pid}-${randomBytes(4).toString('hex')}`;
    const folder = path.join(this.folder, name);
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
    await fs.writeFile(`${file}.sha256`, `${await sha256Of(file)}\n`);
    await fs.rename(file, this.mongod);
    await fs.rename(`${file}.sha256`, `${this.mongod}.sha256`);
    return this.mongod;
  }

  /**
   * Checks that the cached mongod is what was fetched, byte for byte: by the hash noted then, or, from
   * before hashes were noted, by that of the wheel's. 0.5 s for its 140 MB.
   *
   * @throws Error when it is something else
   */
  async verify(): Promise<void> {
    const noted = await fs.readFile(`${this.mongod}.sha256`, 'utf8').catch(() => WHEELS_MONGOD);
    if ((await sha256Of(this.mongod)) === noted.trim()) return;
    throw new Error(`${this.mongod} is not what was fetched: refused`);
  }

  async #removeAbandoned(): Promise<void> {
    for (const name of await fs.readdir(this.folder).catch(() => [])) {
      if (!name.startsWith('fetch-')) continue;
      const folder = path.join(this.folder, name);
      const since = (await fs.stat(folder).catch(() => undefined))?.mtimeMs ?? Date.now();
      if (Date.now() - since < ABANDONED_AFTER) continue;
      await fs.rm(folder, { recursive: true, force: true });
    }
  }
}
