/**
 * mongodb-memory-server's own download, from MongoDB's site or the mirror that its settings
 * (`MONGOMS_*`) name. It knows which build belongs to which system.
 *
 * It runs in a process of its own, because a download that hangs can be ended only there, and with
 * certificate checks on: unless npm says `strict-ssl`, it would accept any certificate for a
 * program that is about to be run.
 */

import { createRequire } from 'node:module';
import path from 'node:path';
import type { BinaryCache, Environment } from './cache.ts';
import { fetchInto } from './fetch.ts';
import { type Mongod, probe } from './probe.ts';
import { type ProgressStream, showProgress } from './progress.ts';

/** Without the install script of mongodb-memory-server, and the same in all else. */
const PACKAGE = 'mongodb-memory-server-core';

/** Prints the binary's path on a line of its own; a failure is one line on stderr. */
const SCRIPT = `
const { MongoBinary } = require(process.argv[1]);
MongoBinary.getPath().then(
  (path) => console.log('\\n' + JSON.stringify({ path })),
  (error) => {
    console.error(String(error.message).split('\\n').join(' '));
    // The connection may still be open, and would keep the process waiting.
    process.exit(1);
  },
);`;

export interface FetchedFrom {
  readonly env: Environment;
  readonly cache: BinaryCache;
  readonly stream: ProgressStream;
  /** Milliseconds without progress before it is given up. */
  readonly stallMs: number;
}

/** @throws Error that says why nothing came. */
export async function fromMemoryServer(from: FetchedFrom): Promise<Mongod> {
  const { env, cache, stream, stallMs } = from;
  return cache.withWorkFolder(async (folder) => {
    const printed = await fetchInto({
      command: process.execPath,
      args: ['-e', SCRIPT, resolved()],
      env: {
        // One try: the next source is nearer than a repetition.
        MONGOMS_MAX_RETRIES: '1',
        ...env,
        MONGOMS_SYSTEM_BINARY: '',
        MONGOMS_DOWNLOAD_DIR: folder,
        npm_config_strict_ssl: 'true',
        NODE_OPTIONS: '',
      },
      folder,
      progress: showProgress('mongod from mongodb-memory-server', stream),
      total: announcedSize,
      stallMs,
    });
    const { path: found } = JSON.parse(printed.trim().split('\n').at(-1)!);
    const mongod = await probe(found);
    // It may have known one in a cache of its own; that one stays where it is.
    if (path.dirname(found) !== folder) return mongod;
    return { ...mongod, path: await cache.adopt(found) };
  });
}

/** It is an optional dependency: installations that have a store of their own leave it out. */
function resolved(): string {
  try {
    return createRequire(import.meta.url).resolve(PACKAGE);
  } catch {
    throw new Error(`not installed: npm install ${PACKAGE}`);
  }
}

/** Its own progress line ends in `(12.3mb / 80.1mb)`; the mb are of 1,048,576 bytes. */
function announcedSize(printed: string): number | undefined {
  const size = /\/ ([\d.]+)mb\)/.exec(printed)?.[1];
  return size === undefined ? undefined : Number(size) * 1_048_576;
}
