/** The examples of docs/cli.md and of the client's README, run as written, against demo data. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { buildIndexes } from '../../src/apps/admin/databaseIndexes.ts';
import { loadDemo } from '../../src/dev/fixtures/load/load.ts';
import { blocksOf, ROOT, useReader } from '../docs/reader.ts';
import { useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { pasted } from '../support/shell.ts';

describe('the documents of the command line and the client', function documents() {
  this.timeout(120_000);
  const database = useDatabase();
  const { folder, PATH, compiled } = useReader();
  let service: TestService;
  let env: Record<string, string>;

  before(async () => {
    await loadDemo(database.db, { tasks: 2_000, seed: 1, buildIndexes });
    service = await startService(database.uri, database.name);
    const view = { table: 'tasks', name: 'What failed', address: 'status=FAILURE&sort=-date_done' };
    const token = await service.token(1, true);
    await service.post('/api/v2/views', view, token);
    env = { PATH, TABLE_SEARCH_URL: service.url, TABLE_SEARCH_TOKEN: token, TOKEN: token };
  });
  after(() => service.stop());

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
    const stdout = await compiled(source, env);
    expect(stdout).match(/^\d+ [0-9a-f-]{36} \d+\.\d+ (index|pipeline) \{ plan:/);
    expect(stdout)
      .include('tasks-')
      .match(/\n\d+\.\d+ \d+\n/);
  });
});
