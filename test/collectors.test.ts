/** V8's helpers have less priority than the event loop's thread, where the system tells of threads. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const COLLECTORS = fileURLToPath(new URL('../src/collectors.ts', import.meta.url));

/** Priorities of all threads, the main one first, before and after; in a process of its own, which they stay with. */
const PROGRAM = `
  import { readdirSync } from 'node:fs';
  import { getPriority } from 'node:os';
  const all = () => readdirSync('/proc/self/task').map(Number).map((id) => getPriority(id));
  const before = all();
  const { giveWayToEventLoop } = await import(process.argv.at(-1));
  giveWayToEventLoop();
  console.log(JSON.stringify([before, all()]));
`;

describe('collectors of garbage', () => {
  it('give way to the event loop', async function giveWay() {
    if (process.platform !== 'linux') this.skip();
    this.timeout(30_000);
    const args = ['--import', 'tsx', '--input-type=module', '-e', PROGRAM, COLLECTORS];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [before, after] = JSON.parse(stdout) as [number[], number[]];
    expect(after[0]).to.equal(before[0]);
    const lower = after.slice(1).filter((nice) => nice === 19);
    expect(before.length).to.be.at.least(6);
    // The threads of libuv, which the loader of this test has started, are not among them.
    expect(lower).to.have.length(5);
    expect(after.slice(1, 6)).to.deep.equal(lower);
  });
});
