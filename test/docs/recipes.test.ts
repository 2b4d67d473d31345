/** docs/recipes.md, run as it is written: against demo data of today, and on data of one's own. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { loadDemo } from '../../src/dev/fixtures/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { startService, type TestService } from '../support/service.ts';
import { pasted } from '../support/shell.ts';
import { TABLE_SEARCH, TSX } from '../support/tableSearch.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEXT = readFileSync(path.join(ROOT, 'docs/recipes.md'), 'utf8');
const run = promisify(execFile);

/** Blocks of a language, with the words that stand behind it. */
const blocks = (language: string, words = '') =>
  [...TEXT.matchAll(new RegExp(`^\`\`\`${language}${words}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block]) => block!,
  );

describe('docs/recipes.md', function recipes() {
  this.timeout(120_000);
  const database = useDatabase();
  let service: TestService;
  let folder: string;
  let env: { readonly PATH: string; readonly [name: string]: string };

  before(async () => {
    const now = new Date();
    await loadDemo(database.db, { tasks: 5_000, seed: 1, now });
    service = await startService(database.uri, database.name);
    folder = mkdtempSync(path.join(tmpdir(), 'table-search-recipes-'));
    // `npx table-search` runs the build; a test runs the same from its source.
    const npx = path.join(folder, 'npx');
    const quoted = TABLE_SEARCH.map((word) => `'${word}'`).join(' ');
    writeFileSync(npx, `#!/bin/sh\n[ "$1" = table-search ] && shift && exec ${quoted} "$@"\n`);
    chmodSync(npx, 0o755);
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    env = {
      PATH: `${folder}:${process.env.PATH}`,
      TABLE_SEARCH_URL: service.url,
      TABLE_SEARCH_TOKEN: await service.token(1, true),
    };
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const block of blocks('sh')) {
    const [title] = block.split('\n');
    it(`works as written: ${title!.replace('# ', '')}`, async () => {
      const printed = await pasted(`cd '${folder}'\n${block}`, env);
      const [, file] = /-o (\S+)\n/.exec(block) ?? [];
      const said = file ? readFileSync(path.join(folder, file), 'utf8') : printed;
      expect(said.split('\n').length, said).greaterThan(3);
      if (block.includes('FAILURE')) expect(said).match(/Error|Mismatch|Exception|Timeout/);
      if (block.includes('tail "')) expect(said).match(/^\S+Z [A-Z]+ \S/m);
    });
  }

  it('works as written, and compiles: pages without drift', async () => {
    const [block] = blocks('ts');
    const index = path.join(ROOT, 'clients/typescript/index.ts');
    writeFileSync(
      path.join(folder, 'pages.ts'),
      block!.replace('./clients/typescript/index.ts', index),
    );
    writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
    const typeRoots = [path.join(ROOT, 'node_modules/@types')];
    const compilerOptions = {
      ...{ types: ['node'], typeRoots },
      ...{ rewriteRelativeImportExtensions: false, noUnusedLocals: false },
    };
    const config = { extends: path.join(ROOT, 'tsconfig.json'), compilerOptions };
    const files = { include: ['pages.ts'], exclude: [] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ ...config, ...files }));
    await run(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]);
    const args = ['--import', TSX, 'pages.ts'];
    const { stdout } = await run(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const lines = stdout.trim().split('\n');
    const [, pages, seen] = /^(\d+) null (\d+)$/.exec(lines.at(-2)!) ?? [];
    expect(Number(pages))
      .equal(lines.length - 1)
      .greaterThan(10);
    // Nothing came meanwhile: both ways show the same rows.
    expect(lines.at(-1)).match(new RegExp(`^exported ${seen} of ${seen} as of \\d+\\.\\d+$`));
  });

  it('works as written: your own data, from nothing to an answer', async () => {
    const [script] = blocks('js', ' own-data.mjs');
    const [shell] = blocks('sh', ' own');
    writeFileSync(path.join(folder, 'own-data.mjs'), script!);
    const { PATH } = env;
    const own = { PATH, MONGODB_URI: database.uri, MONGODB_DB: `${database.name}_own` };
    const port = String(await freePort());
    const lines = `cd '${folder}'\nnode own-data.mjs\n${shell!.replaceAll('8081', port).replace('node dist/cli/main.js', 'npx table-search')}`;
    try {
      const printed = await pasted(lines, own);
      expect(printed)
        .include('me@example.org')
        .match(/\tFirst\tSUCCESS\n/);
      expect(printed).match(/^\S+Z INFO Hello$/m);
    } finally {
      await database.db.client.db(own.MONGODB_DB).dropDatabase();
    }
  });
});
