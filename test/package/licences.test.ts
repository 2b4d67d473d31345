/** The licences of the packages that are installed with this one. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('npm run licences', function licences() {
  this.timeout(60_000);

  it('knows the licence of every package', async () => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['tools/licences.mjs'], { cwd: ROOT });
    expect(stdout).match(/^mongodb \d+\.\d+\.\d+ +Apache-2\.0$/m);
    expect(stdout).not.match(/^typescript /m);
  });
});
