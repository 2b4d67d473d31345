/**
 * Runs a program that downloads into a folder, shows how far it is, and gives it up when it stands
 * still. The bytes in the folder are the measure: neither pip nor mongodb-memory-server has to be
 * asked, and a server that accepts and then says nothing is noticed like one that is not there.
 */

import { spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from './cache.ts';
import type { Progress } from './progress.ts';

/** How long a source may stand still before the next one is tried, in milliseconds. */
export const STALL_MS = 10_000;
/** How often the folder is measured, in milliseconds. */
const LOOK_EVERY = 250;

export interface Fetch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  /** Everything the program writes goes here, unfinished files too. */
  readonly folder: string;
  readonly progress: Progress;
  /** How many bytes will come, judged by what the program has printed so far. */
  readonly total: (printed: string) => number | undefined;
  /** Milliseconds without a byte or a line before it is given up. */
  readonly stallMs: number;
}

/**
 * @returns what the program printed on stdout, when it exits with 0.
 * @throws Error with the program's last words, or saying that nothing came.
 */
export async function fetchInto(fetch: Fetch): Promise<string> {
  const { command, args, env, folder, progress, stallMs } = fetch;
  const child = spawn(command, args, {
    env: env as NodeJS.ProcessEnv,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let complaints = '';
  let lastSign = Date.now();
  let bytes = 0;
  let stalled = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    lastSign = Date.now();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-8000);
  });

  const look = setInterval(async () => {
    const now = await folderSize(folder);
    if (now !== bytes) lastSign = Date.now();
    bytes = now;
    progress.update(bytes, fetch.total(printed));
    if (Date.now() - lastSign < stallMs) return;
    stalled = true;
    child.kill('SIGKILL');
  }, LOOK_EVERY);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) =>
        reject(new Error(`${command} does not start: ${error.message}`)),
      );
      child.once('close', resolve);
    });
    if (stalled) throw new Error(`no progress for ${stallMs / 1000} s`);
    if (code !== 0) throw new Error(lastWords(complaints) ?? `${command} ended with code ${code}`);
    return printed;
  } finally {
    clearInterval(look);
    progress.stop();
  }
}

/** Bytes in all files under a folder; files that vanish while it is walked count as nothing. */
async function folderSize(folder: string): Promise<number> {
  const entries = await fs.readdir(folder, { recursive: true }).catch(() => []);
  const sizes = entries.map((name) =>
    fs.stat(path.join(folder, name)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function lastWords(complaints: string): string | undefined {
  return complaints.trim().split('\n').at(-1)?.trim() || undefined;
}
