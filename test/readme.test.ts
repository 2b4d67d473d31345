/** The README's examples, run as they are written: by a shell, against a service with demo data. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { loadDemo } from '../src/dev/fixtures/load/load.ts';
import { ensureIndexes } from '../src/mongo/indexes.ts';
import type { Use } from '../src/resources/definition.ts';
import { RESOURCES } from '../src/resources/index.ts';
import { useDatabase } from './support/database.ts';
import { startService, type TestService } from './support/service.ts';
import { pasted } from './support/shell.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const ADDRESS = 'http://127.0.0.1:8080';

const [, examples = ''] = /<!-- examples.*?-->(.*?)<!-- \/examples -->/s.exec(README) ?? [];
const blocks = [...examples.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);

describe('an example of the README', () => {
  const database = useDatabase();
  let service: TestService;
  let token: string;

  before(async function load() {
    this.timeout(60_000);
    await loadDemo(database.db, { tasks: 2_000, seed: 1, buildIndexes: ensureIndexes });
    service = await startService(database.uri, database.name);
    token = await service.token(1, true);
  });
  after(() => service.stop());

  it('is there to be run', () => {
    expect(blocks.length).greaterThanOrEqual(3);
    for (const block of blocks) expect(block).include(ADDRESS).include('$TOKEN');
  });

  for (const block of blocks) {
    const [title] = block.split('\n');
    it(`works as written: ${title!.replace('# ', '')}`, async () => {
      const printed = await pasted(block.replaceAll(ADDRESS, service.url), { TOKEN: token });
      if (block.includes('/export')) {
        expect(printed.split('\r\n')[0]).to.equal('task_id,status,date_queued');
        expect(printed.split('\r\n').length).to.be.above(3);
        return;
      }
      const answer = JSON.parse(printed);
      if (/wrong/.test(title!)) {
        expect(answer).to.include({ status: 422, code: 'ValidationFailed' });
        expect(answer.errors.map(({ pointer }: { pointer: string }) => pointer)).members([
          '/filters/nope',
          '/filters/active',
          '/pagination/page',
        ]);
      } else {
        expect(answer.data, printed).instanceOf(Array).not.empty;
        expect(answer.meta.pagination.total_items).greaterThanOrEqual(answer.data.length);
      }
    });
  }
});

describe("the README's table of what can be counted", () => {
  for (const [name, { fields }] of Object.entries(RESOURCES)) {
    it(`names the fields of ${name}`, () => {
      const using = (use: Use) =>
        Object.entries(fields).flatMap(([field, one]) =>
          one.kind === 'stored' && one.uses.includes(use) ? [field] : [],
        );
      const [, values = '', ranges = ''] =
        new RegExp(`^\\| ${name} \\| (.*?) \\| (.*?) \\|$`, 'm').exec(README) ?? [];
      const named = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, field]) => field!);
      expect(named(values)).to.have.members(using('facet'));
      expect(named(ranges)).to.have.members(using('range'));
    });
  }
});
