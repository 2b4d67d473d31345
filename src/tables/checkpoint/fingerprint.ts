/**
 * What the bytes of a table depend on besides its documents, as one text: a checkpoint of another
 * fingerprint is not read.
 *
 *     the program's files │ the kernel │ definitions and settings │ how letters fold
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import type { Fold } from '../../textindex/index.ts';

/** The folder of the program, as source or compiled, and the kernel's file. */
const PROGRAM = new URL('../../', import.meta.url);
const KERNEL = new URL('../build/kernel.wasm', PROGRAM);

/** @param decides definitions, and settings that decide what tables hold, as plain data */
export async function fingerprint(decides: unknown, fold: Fold): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(PROGRAM, { recursive: true })).filter((one) => /\.[jt]s$/.test(one));
  names.sort();
  const files = [KERNEL, ...names.map((name) => new URL(name, PROGRAM))];
  for (const bytes of await Promise.all(files.map((file) => readFile(file)))) {
    hash.update(`${bytes.length} `).update(bytes);
  }
  hash.update(JSON.stringify([endianness(), decides, fold.written]));
  return hash.digest('hex');
}
