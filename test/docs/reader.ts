/** A reader of the documents, who pastes their blocks into a folder where `npx table-search` works. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { before } from 'mocha';
import { useFolder } from '../support/folder.ts';
import { TABLE_SEARCH, TSX } from '../support/tableSearch.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The blocks of a page in a language, with the words that stand behind it. */
export function blocksOf(page: string, language: string, words = ''): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}${words}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block]) => block!);
}

export interface Reader {
  readonly folder: string;
  /** It leads to `npx`. */
  readonly PATH: string;
  /** Compiles a program by the rules of this repository, and returns its output. */
  compiled(program: string, env: NodeJS.ProcessEnv, options?: object): Promise<string>;
}

/** Call it inside a `describe`. */
export function useReader(): Reader {
  const folder = useFolder('reader');
  const put = (name: string, text: string) => writeFile(path.join(folder, name), text);
  before(async () => {
    // `npx table-search` runs the build; a test runs the same from its source.
    const quoted = TABLE_SEARCH.map((word) => `'${word}'`).join(' ');
    await put('npx', `#!/bin/sh\n[ "$1" = table-search ] && shift && exec ${quoted} "$@"\n`);
    await chmod(path.join(folder, 'npx'), 0o755);
  });
  return {
    folder,
    PATH: `${folder}:${process.env.PATH}`,
    async compiled(program, env, options = {}) {
      await put('program.ts', program);
      await put('package.json', '{"type": "module"}');
      const compilerOptions = {
        ...{ types: ['node'], typeRoots: [path.join(ROOT, 'node_modules/@types')] },
        // A path that is not relative is none that a build would rewrite.
        ...{ rewriteRelativeImportExtensions: false, ...options },
      };
      const config = { extends: path.join(ROOT, 'tsconfig.json'), compilerOptions };
      await put(
        'tsconfig.json',
        JSON.stringify({ ...config, include: ['program.ts'], exclude: [] }),
      );
      await run(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]);
      const { stdout } = await run(process.execPath, ['--import', TSX, 'program.ts'], {
        cwd: folder,
        env: { ...process.env, ...env },
      });
      return stdout;
    },
  };
}
