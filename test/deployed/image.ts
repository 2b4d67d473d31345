/**
 * The steps of deploy/Dockerfile in plain folders, stage by stage: each COPY copies, and a shell
 * runs each RUN.
 *
 *     the repository as git has it ──► folder of the stage `build` ──► folder of the image, with its command and environment
 *
 * Base images, users and exposed ports stay out: they belong to containers alone. Node is the one
 * that runs this.
 */
import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Image {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** `folder` is empty, and takes both stages. @throws with the output of a step that fails */
export async function buildImage(folder: string, say: (text: string) => void): Promise<Image> {
  const text = await readFile(path.join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const lines = text.replace(/\\\n\s*/g, '').split('\n');
  const env: Record<string, string> = {};
  let stage = '';
  let [command, healthCheck]: string[][] = [[], []];
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const words = rest.split(/\s+/);
    if (instruction === 'FROM') {
      stage = path.join(folder, / AS build$/.test(rest) ? 'build' : 'image');
      await mkdir(stage);
    } else if (instruction === 'RUN') {
      say(`RUN ${rest}`);
      await run('sh', ['-euc', rest], { cwd: stage, maxBuffer: 2 ** 26 });
    } else if (instruction === 'COPY') await copy(words, stage, path.join(folder, 'build'));
    else if (instruction === 'ENV') {
      for (const word of words) env[word.split('=')[0]!] = word.slice(word.indexOf('=') + 1);
    } else if (instruction === 'CMD') command = JSON.parse(rest);
    else if (instruction === 'HEALTHCHECK')
      healthCheck = JSON.parse(/CMD (\[.*\])/.exec(rest)![1]!);
  }
  return { folder: path.join(folder, 'image'), env, command: command!, healthCheck: healthCheck! };
}

async function copy(words: readonly string[], stage: string, built: string): Promise<void> {
  const isFromBuild = words[0] === '--from=build';
  const [sources, to] = [words.slice(0, -1).filter((one) => !/^--/.test(one)), words.at(-1)!];
  for (const source of sources) {
    // Node itself, which is here already.
    if (source.startsWith('/usr/')) continue;
    if (isFromBuild) {
      const name = source.replace(/^\/app\//, '');
      const target = to === './' ? path.join(stage, name) : path.join(stage, to);
      await cp(path.join(built, name), target, { recursive: true, verbatimSymlinks: true });
    } else if (source === '.') await copyTracked(stage);
    else await cp(path.join(ROOT, source), path.join(stage, source));
  }
}

/** Copies the files of git that `.dockerignore` lets in, as they are in the work tree. */
async function copyTracked(to: string): Promise<void> {
  const ignored = await readFile(path.join(ROOT, '.dockerignore'), 'utf8');
  const letIn = [...ignored.matchAll(/^!(.+)$/gm)].map(
    ([, pattern]) =>
      new RegExp(`^${pattern!.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`),
  );
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  for (const name of names.split('\0').filter((one) => letIn.some((fits) => fits.test(one)))) {
    await cp(path.join(ROOT, name), path.join(to, name));
  }
}
