import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

/** Prints which kernel runs and what a search by it gives. */
const SCRIPT = `
  import { standardFold } from './src/textindex/caseFold.ts';
  import { createIndex } from './src/textindex/index.ts';
  import { kernelKind } from './src/textindex/kernel/load.ts';
  const definition = { name: 't', columns: [{ name: 'c', expect: 'few', contains: true }] };
  const index = createIndex(definition, { fold: standardFold() });
  for (let id = 0; id < 30000; id++) index.put({ id, cells: ['Value ' + id] });
  const where = { op: 'contains', column: 'c', text: 'VALUE 2999' };
  const page = { where, sortBy: 'id', descending: false, page: 1, perPage: 3 };
  console.log(JSON.stringify([kernelKind(), index.search(page)]));
`;

function run(...flags: string[]): unknown {
  const out = execFileSync(
    process.execPath,
    [...flags, '--import', 'tsx', '--input-type=module', '--eval', SCRIPT],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return JSON.parse(out);
}

const found = { total: 11, page: 1, ids: [2999, 29990, 29991] };

describe('index without WebAssembly', function () {
  this.timeout(60_000);

  it('says so and answers the same from the plain kernel', () => {
    const plain = { kind: 'plain', reason: 'WebAssembly is switched off' };
    expect(run('--no-expose-wasm')).to.deep.equal([plain, found]);
  });

  it('runs on WebAssembly where that is there', () => {
    expect(run()).to.deep.equal([{ kind: 'wasm' }, found]);
  });
});
