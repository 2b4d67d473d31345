/** Asks a mongod binary for its version by running it: only that shows whether it runs here. */

import { execFile } from 'node:child_process';

/** The oldest server whose behaviour the service is held to. */
const OLDEST_MAJOR = 6;

/** A binary that runs here, and what it calls itself, such as `6.0.5`. */
export interface Mongod {
  readonly path: string;
  readonly version: string;
}

/**
 * @returns the binary with its version.
 * @throws Error with a message for people: does not start (and why), is no mongod, is too old.
 */
export async function probe(path: string): Promise<Mongod> {
  const printed = await run(path);
  const version = /^db version v(\d+\.\d+\.\d+\S*)/m.exec(printed)?.[1];
  if (version === undefined) throw new Error(`${path} is no mongod`);
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    throw new Error(`${path} is version ${version}; ${OLDEST_MAJOR}.0 or newer is needed`);
  }
  return { path, version };
}

function run(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(path, ['--version'], { timeout: 20_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${path} does not run: ${complaint(stderr) ?? error.message}`));
    });
  });
}

/** The loader says which library is missing; the package that holds the usual one is named too. */
function complaint(stderr: string): string | undefined {
  const line = stderr.trim().split('\n')[0];
  if (line === undefined || line === '') return undefined;
  return line.includes('libcurl') ? `${line} (install the package libcurl4)` : line;
}
