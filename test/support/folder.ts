/** A folder of a suite's own among the system's temporary files: there before its tests, gone after them. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before } from 'mocha';

/**
 * Call it inside a `describe`, after the `after` that ends what works in the folder.
 *
 * @returns its path
 */
export function useFolder(name: string): string {
  const folder = path.join(tmpdir(), `table-search-${name}-${randomBytes(4).toString('hex')}`);
  before(() => mkdir(folder, { mode: 0o700 }));
  // A program that has just ended may still write a last file.
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }));
  return folder;
}
