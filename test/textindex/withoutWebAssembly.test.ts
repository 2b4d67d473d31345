import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** Runs `createIndex` in a process of its own, started with these flags. */
function run(...flags: string[]) {
  const script = `
    import { createIndex, standardFold } from './src/textindex/index.ts';
    createIndex({ name: 't', columns: [] }, { fold: standardFold() });
    console.log('runs');
  `;
  return spawnSync(
    process.execPath,
    [...flags, '--import', 'tsx', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
}

describe('the index without WebAssembly', function () {
  this.timeout(240_000);

  it('says what it lacks', () => {
    const { status, stderr } = run('--jitless');
    expect(status).to.equal(1);
    expect(stderr).to.include('the text index needs WebAssembly, which is switched off');
  });

  it('runs where there is WebAssembly', () => {
    expect(run().stdout.trim()).to.equal('runs');
  });
});
