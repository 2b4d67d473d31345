/** A mongod that is installed: the one `MONGOMS_SYSTEM_BINARY` names, or one on the `PATH`. */

import fs from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from './cache.ts';
import { type Mongod, probe } from './probe.ts';

/** @throws Error when the setting is absent or names nothing that runs. */
export async function fromSetting(env: Environment): Promise<Mongod> {
  const given = env.MONGOMS_SYSTEM_BINARY ?? '';
  if (given === '') throw new Error('not set');
  return probe(path.resolve(given));
}

/** @throws Error when no folder on the PATH has one that runs and is new enough. */
export async function fromPath(env: Environment): Promise<Mongod> {
  const whyNot: string[] = [];
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, 'mongod');
    if (!path.isAbsolute(file) || !(await isExecutable(file))) continue;
    try {
      return await probe(file);
    } catch (error) {
      whyNot.push((error as Error).message);
    }
  }
  throw new Error(whyNot.join('; ') || 'no mongod on it');
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await fs.access(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
