/**
 * The secret of a demo: the demo makes it on first use and keeps it in the data folder, readable by its
 * owner alone. `token` only reads it: a secret that no service checks by would sign useless tokens.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textIn } from '../settings.ts';

/** `DATA_DIR`, for commands that need not read all settings. */
export const dataDirOf = (env: NodeJS.ProcessEnv): string => textIn(env, 'DATA_DIR') ?? '.data';

/** Where the secret of a demo on this folder is. */
export const secretFile = (dataDir: string): string => join(dataDir, 'demo-secret');

/**
 * The secret kept in `dataDir` (64 hexadecimal digits); makes folder and file when missing.
 *
 * @throws as `existingDemoSecret` does
 */
export function demoSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return existingDemoSecret(dataDir) ?? create(dataDir);
}

/**
 * The secret that a demo has left in `dataDir`; undefined where none has run.
 *
 * @throws Error that says what to do where the file holds no secret to rely on
 */
export function existingDemoSecret(dataDir: string): string | undefined {
  const path = secretFile(dataDir);
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (text.length < 32) {
    throw new Error(`${path} holds no secret; remove it to get a new one`);
  }
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new Error(`${path} can be read by others; make it mode 600, or remove it`);
  }
  return text;
}

/** One of two simultaneous starts writes the secret, and both read it. */
function create(dataDir: string): string {
  const secret = randomBytes(32).toString('hex');
  try {
    writeFileSync(secretFile(dataDir), `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const kept = isThere ? existingDemoSecret(dataDir) : undefined;
    if (kept === undefined) throw error;
    return kept;
  }
}
