/**
 * Finds a mongod that runs here. The sources are tried in order; the first that gives one wins, and
 * when none does the error says what each of them said.
 *
 *     MONGOMS_SYSTEM_BINARY, PATH -> cached earlier
 */

import fs from 'node:fs/promises';
import path from 'node:path';
import { BinaryCache, type Environment } from './cache.ts';
import { EmbeddedError, type EmbeddedLog } from './errors.ts';
import { type Mongod, probe } from './probe.ts';

export interface FindOptions {
  readonly log: EmbeddedLog;
  /** Defaults to the process's. */
  readonly env?: Environment;
}

/** A place a mongod may come from. */
interface Source {
  readonly name: string;
  /** @throws Error that says why this source has none. */
  find(): Promise<Mongod>;
}

/** @throws EmbeddedError `NoMongod`, naming each source and why it failed. */
export async function findMongod(options: FindOptions): Promise<Mongod> {
  const { env = process.env } = options;
  const cache = new BinaryCache(env);
  const sources: Source[] = [
    { name: 'MONGOMS_SYSTEM_BINARY', find: () => fromSetting(env) },
    { name: 'PATH', find: () => fromPath(env) },
    { name: 'cache', find: () => fromCache(cache) },
  ];
  const failures: string[] = [];
  for (const source of sources) {
    try {
      return await source.find();
    } catch (error) {
      failures.push(`${source.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  throw new EmbeddedError('NoMongod', `no mongod was found\n${failures.join('\n')}`);
}

async function fromSetting(env: Environment): Promise<Mongod> {
  const given = env.MONGOMS_SYSTEM_BINARY ?? '';
  if (given === '') throw new Error('not set');
  return probe(path.resolve(given));
}

async function fromPath(env: Environment): Promise<Mongod> {
  let why = new Error('no mongod on it');
  for (const folder of (env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute)) {
    const file = path.join(folder, 'mongod');
    if (!(await exists(file))) continue;
    try {
      return await probe(file);
    } catch (error) {
      why = error as Error;
    }
  }
  throw why;
}

async function fromCache(cache: BinaryCache): Promise<Mongod> {
  if (!(await exists(cache.mongod))) throw new Error(`nothing at ${cache.mongod}`);
  return probe(cache.mongod);
}

const exists = (file: string): Promise<boolean> =>
  fs.access(file, fs.constants.X_OK).then(
    () => true,
    () => false,
  );
