/**
 * The packages as users get them: packed from git's files, and installed into an empty folder from
 * the tarball alone.
 *
 *     tracked files ──copy──► source ──npm pack──► two tarballs ──npm install──► a folder each
 */
import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of a build. */
const MADE = ['dist', 'build'];

/**
 * The environment without npm's variables, which name this repository, and Node's for this process.
 */
export const ENV: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_(OPTIONS|ENV)$)/.test(name)),
);

export interface Packed {
  readonly name: string;
  readonly files: readonly string[];
  /** An otherwise empty folder with the package in its `node_modules`. */
  readonly folder: string;
}

export interface Packages {
  readonly service: Packed;
  readonly client: Packed;
  remove(): Promise<void>;
}

/** @throws with npm's output when a step fails */
export async function installPackages(): Promise<Packages> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'package-'));
  const source = path.join(base, 'source');
  const tarballs = path.join(base, 'tarballs');
  await mkdir(tarballs);
  await copyTracked(source);
  // `npm test` has just built the folders that the package's own script would build once more.
  const isBuilt = process.env.TEST_BUILT === '1';
  if (isBuilt) for (const made of MADE) await copy(made, source);
  // `.npmrc` keeps the scripts of packages from running.
  const pack = async (folder: string, runsScripts: boolean): Promise<Described> => {
    const options = [
      '--json',
      `--ignore-scripts=${!runsScripts}`,
      `--pack-destination=${tarballs}`,
    ];
    return described((await run('npm', ['pack', ...options, folder], source)).stdout);
  };
  const service = await pack('.', !isBuilt);
  const client = await pack('./clients/typescript', true);
  const install = async (one: Described): Promise<Packed> => {
    const { name, filename, files } = one;
    const folder = path.join(base, filename.replace(/-[\d.]+tgz$/, ''));
    await mkdir(folder);
    await writeFile(path.join(folder, 'package.json'), '{"type": "module"}');
    const tarball = path.join(tarballs, filename);
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
    await run('npm', ['install', ...quiet, tarball], folder);
    return { name, folder, files: files.map((file) => file.path) };
  };
  return {
    service: await install(service),
    client: await install(client),
    remove: () => rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

export const run = (command: string, args: readonly string[], cwd: string) =>
  exec(command, args, { cwd, env: ENV, maxBuffer: 2 ** 26 });

interface Described {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** The output of `npm pack --json`, below the build's on the same stream. */
const described = (printed: string): Described =>
  JSON.parse(printed.slice(printed.search(/^\[$/m)))[0];

const copy = (name: string, to: string): Promise<void> =>
  cp(path.join(ROOT, name), path.join(to, name), { recursive: true });

async function copyTracked(to: string): Promise<void> {
  const list = ['ls-files', '-z', '-co', '--exclude-standard', '--deduplicate'];
  const names = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const deleted = execFileSync('git', ['ls-files', '-z', '-d'], { cwd: ROOT, encoding: 'utf8' });
  const gone = new Set(deleted.split('\0'));
  for (const name of names.filter((one) => !gone.has(one))) {
    await copy(name, to);
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(to, 'node_modules'));
}
