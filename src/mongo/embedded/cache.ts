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

export class BinaryCache {
  readonly folder: string;
  /** Where a cached mongod is, if there is one. */
  readonly mongod: string;

  constructor(env: Environment) {
    // The XDG specification: a path that is not absolute is to be ignored.
    const given = env.XDG_CACHE_HOME ?? '';
    const home = env.HOME ?? os.homedir();
    const root = path.isAbsolute(given) ? given : path.join(home, '.cache');
    this.folder = path.join(root, 'table-search');
    this.mongod = path.join(this.folder, `mongod-${process.platform}-${process.arch}`);
  }

  /** An empty folder on the cache's file system for a fetch to work in; its owner removes it. */
  async workFolder(): Promise<string> {
    const folder = path.join(this.folder, `fetch-${process.pid}-${randomBytes(4).toString('hex')}`);
    await fs.mkdir(folder, { recursive: true });
    return folder;
  }

  /** Moves a finished binary, which lies in a `workFolder`, into its place. */
  async adopt(file: string): Promise<string> {
    await fs.chmod(file, 0o755);
    await fs.rename(file, this.mongod);
    return this.mongod;
  }
}
