/** V8's helpers have less priority than the event loop's thread, where the system tells of threads. */
import { execFile } from 'node:child_process';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { buffersLetGo } from '../src/collectors.ts';

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
    // Those of libuv, which the loader of this test has begun, are not among them.
    expect(lower).to.have.length(5);
    expect(after.slice(1, 6)).to.deep.equal(lower);
  });

  it('are asked once for some megabytes of buffers that were let go', () => {
    let asked = 0;
    const letGo = buffersLetGo(() => {
      asked += 1;
    });
    for (let mb = 0; mb < 20; mb++) letGo(2 ** 20);
    expect(asked).to.equal(5);
    letGo(2 ** 30);
    expect(asked).to.equal(6);
  });

  it('collect young garbage then', async () => {
    const kinds: number[] = [];
    const seen = new PerformanceObserver((list) => {
      const all = list.getEntries() as (PerformanceEntry & { detail: Record<string, number> })[];
      const forced = constants.NODE_PERFORMANCE_GC_FLAGS_FORCED;
      for (const { detail } of all) if ((detail.flags! & forced) !== 0) kinds.push(detail.kind!);
    });
    seen.observe({ entryTypes: ['gc'] });
    buffersLetGo()(2 ** 30);
    // Entries come with a turn of the event loop, and begin none.
    while (!kinds.includes(constants.NODE_PERFORMANCE_GC_MINOR)) await nextTurn();
    seen.disconnect();
  });
});
