/** docs/recipes.md, run as it is written: against demo data of today, and on data of one's own. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { loadDemo } from '../../src/dev/fixtures/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { startService, type TestService } from '../support/service.ts';
import { pasted } from '../support/shell.ts';
import { blocksOf, ROOT, useReader } from './reader.ts';

const PAGE = 'docs/recipes.md';

describe(PAGE, function recipes() {
  this.timeout(120_000);
  const database = useDatabase();
  const { folder, PATH, compiled } = useReader();
  let service: TestService;
  let env: Record<string, string>;

  before(async () => {
    const now = new Date();
    await loadDemo(database.db, { tasks: 5_000, seed: 1, now });
    service = await startService(database.uri, database.name);
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    const TABLE_SEARCH_TOKEN = await service.token(1, true);
    env = { PATH, TABLE_SEARCH_URL: service.url, TABLE_SEARCH_TOKEN };
  });
  after(() => service.stop());

  for (const block of blocksOf(PAGE, 'sh')) {
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
    const [block] = blocksOf(PAGE, 'ts');
    const index = path.join(ROOT, 'clients/typescript/index.ts');
    const program = block!.replace('./clients/typescript/index.ts', index);
    const stdout = await compiled(program, env, { noUnusedLocals: false });
    const lines = stdout.trim().split('\n');
    const [, pages, seen] = /^(\d+) null (\d+)$/.exec(lines.at(-2)!) ?? [];
    expect(Number(pages))
      .equal(lines.length - 1)
      .greaterThan(10);
    // Nothing came meanwhile: both ways show the same rows.
    expect(lines.at(-1)).match(new RegExp(`^exported ${seen} of ${seen} as of \\d+\\.\\d+$`));
  });

  it('works as written: your own data, from nothing to an answer', async () => {
    const [script] = blocksOf(PAGE, 'js', ' own-data.mjs');
    const [shell] = blocksOf(PAGE, 'sh', ' own');
    writeFileSync(path.join(folder, 'own-data.mjs'), script!);
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
