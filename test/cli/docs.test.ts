/** The examples of docs/cli.md and of the client's README, run as written, against demo data. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { buildIndexes } from '../../src/apps/admin/databaseIndexes.ts';
import { loadDemo } from '../../src/dev/fixtures/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { pasted } from '../support/shell.ts';
import { TABLE_SEARCH, TSX } from '../support/tableSearch.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const blocksOf = (file: string, language: string) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block]) => block!);
};

describe('the documents of the command line and the client', function documents() {
  this.timeout(120_000);
  const database = useDatabase();
  let service: TestService;
  let folder: string;
  let env: Record<string, string>;

  before(async () => {
    await loadDemo(database.db, { tasks: 2_000, seed: 1, buildIndexes });
    service = await startService(database.uri, database.name);
    const view = { table: 'tasks', name: 'What failed', address: 'status=FAILURE&sort=-date_done' };
    await service.post('/api/v2/views', view, await service.token(1, true));
    folder = mkdtempSync(path.join(tmpdir(), 'table-search-docs-'));
    // `npx table-search` runs the build; a test runs the same from its source.
    const npx = path.join(folder, 'npx');
    const quoted = TABLE_SEARCH.map((word) => `'${word}'`).join(' ');
    writeFileSync(npx, `#!/bin/sh\n[ "$1" = table-search ] && shift && exec ${quoted} "$@"\n`);
    chmodSync(npx, 0o755);
    env = {
      PATH: `${folder}:${process.env.PATH}`,
      TABLE_SEARCH_URL: service.url,
      TABLE_SEARCH_TOKEN: await service.token(1, true),
      TOKEN: await service.token(1, true),
    };
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const shell = blocksOf('docs/cli.md', 'sh');

  it('have blocks to run', () => expect(shell.length).greaterThan(7));

  for (const block of shell) {
    const [title] = block.split('\n');
    it(`work as written: ${title!.replace('# ', '')}`, async () => {
      const printed = await pasted(`cd '${folder}'\n${block}`, env);
      const [, file] = /(?:-o|>) (\S+)\n/.exec(block) ?? [];
      const said = file ? readFileSync(path.join(folder, file), 'utf8') : printed;
      expect(said.split('\n').length, said).greaterThan(3);
      if (block.includes('--json')) expect(JSON.parse(said).data.length).greaterThan(0);
      if (block.includes('tail ')) expect(said).match(/^\S+Z [A-Z]+ \S/m);
    });
  }

  it('work as written, and compile: the blocks of the client', async () => {
    const index = path.join(ROOT, 'clients/typescript/index.ts');
    const source = blocksOf('clients/typescript/README.md', 'ts')
      .join('\n')
      .replace('@table-search/client', index)
      .replace('http://127.0.0.1:8080', service.url);
    writeFileSync(path.join(folder, 'readme.ts'), source);
    writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
    const typeRoots = [path.join(ROOT, 'node_modules/@types')];
    // A path that is not relative is none that a build would rewrite.
    const compilerOptions = { types: ['node'], typeRoots, rewriteRelativeImportExtensions: false };
    const config = { extends: path.join(ROOT, 'tsconfig.json'), compilerOptions };
    const include = { include: ['readme.ts'], exclude: [] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ ...config, ...include }));
    await run(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]);
    const tsx = ['--import', TSX, 'readme.ts'];
    const { stdout } = await run(process.execPath, tsx, {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    expect(stdout).match(/^\d+ [0-9a-f-]{36} \d+\.\d+ (index|pipeline) \{ plan:/);
    expect(stdout)
      .include('tasks-')
      .match(/\n\d+\.\d+ \d+\n/);
  });
});
