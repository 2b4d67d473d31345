import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

describe('the index without WebAssembly', function () {
  this.timeout(240_000);

  it('says what it lacks', () => {
    const script = `
      import { createIndex, standardFold } from './src/textindex/index.ts';
      createIndex({ name: 't', columns: [] }, { fold: standardFold() });
    `;
    const flags = ['--jitless', '--import', 'tsx', '--input-type=module', '--eval', script];
    const { status, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
    expect(status).to.equal(1);
    expect(stderr).to.include('the text index needs WebAssembly, which is switched off');
  });
});
