/**
 * The fingerprint of a table in a checkpoint: one text for all that its bytes depend on, except for its
 * documents. A start reads no table of another fingerprint.
 *
 *     the program's files │ kernel, driver │ Node │ definitions and settings │ how letters fold
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { endianness } from 'node:os';
import type { Fold } from '../../textindex/index.ts';

/** The folder of the program, as source or compiled, and the kernel's file. */
const PROGRAM = new URL('../../', import.meta.url);
const KERNEL = new URL('../build/kernel.wasm', PROGRAM);

/** The driver's version, and the module that decodes values: it has a version of its own. */
function driverFiles(): readonly string[] {
  const { resolve } = createRequire(import.meta.url);
  return [resolve('mongodb/package.json'), createRequire(resolve('mongodb')).resolve('bson')];
}

let program: Promise<string> | undefined;

/** The program's hash, read once: any change of it may lay out tables in another way. */
export function programHash(): Promise<string> {
  program ??= hashOfFiles();
  return program;
}

async function hashOfFiles(): Promise<string> {
  const names = (await readdir(PROGRAM, { recursive: true })).filter((one) => /\.[jt]s$/.test(one));
  const files = [KERNEL, ...driverFiles(), ...names.sort().map((name) => new URL(name, PROGRAM))];
  const hash = createHash('sha256');
  for (const bytes of await Promise.all(files.map((file) => readFile(file)))) {
    hash.update(`${bytes.length} `).update(bytes);
  }
  return hash.digest('hex');
}

/** @param decides all definitions and settings that decide on the table's contents, as plain data */
export async function fingerprint(decides: unknown, fold: Fold): Promise<string> {
  const parts = [await programHash(), process.version, endianness(), decides, fold.written];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
