/**
 * `npm run demo` as a newcomer meets it: its commands work, it ends whole, and it keeps its data.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { runningEmbedded } from '../../src/dev/embedded/running.ts';
import { useFolder } from '../support/folder.ts';
import { pasted } from '../support/shell.ts';
import { start as tableSearch } from '../support/tableSearch.ts';
import { until } from '../support/until.ts';

const READY = /Ready after .*\n/;

interface Demo {
  readonly child: ChildProcess;
  /** All it printed until it was ready. */
  readonly printed: string;
  /** All it has printed by now. */
  text(): string;
  /** Milliseconds from its start until it was ready. */
  readonly tookMs: number;
  /** The lines of its log so far. */
  log(): readonly Readonly<Record<string, unknown>>[];
  /** Process id of its mongod. */
  readonly mongod: number;
}

describe('npm run demo', function demo() {
  this.timeout(120_000);
  let running: ChildProcess | undefined;

  after(async () => {
    running?.kill('SIGKILL');
    const left = await runningEmbedded(dataDir);
    if (left !== undefined) await gone(left.pid);
  });
  const dataDir = useFolder('demo');

  /** Runs a command and waits until it has printed `ready`, or has ended. */
  async function run(command: string, args: readonly string[], ready: RegExp | null) {
    const env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info' };
    const child = tableSearch([command, ...args], env);
    let printed = '';
    const ended = once(child, 'close').then(() => true);
    const seen = new Promise<boolean>((resolve) => {
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
          if (ready?.test(printed)) resolve(false);
        });
      }
    });
    const over = await Promise.race([ended, seen]);
    expect(over && ready !== null, `it ended: ${printed}`).equal(false);
    return { child, printed, text: () => printed };
  }

  async function start(attempt = run('demo', [], READY)): Promise<Demo> {
    const began = performance.now();
    const { child, printed, text } = await attempt;
    const log = () =>
      text()
        .split('\n')
        .flatMap((line) => (/^\{.*\}$/.test(line) ? [JSON.parse(line)] : []));
    running = child;
    const tookMs = performance.now() - began;
    const mongod = (await runningEmbedded(dataDir))?.pid;
    expect(mongod, 'its mongod runs').a('number');
    return { child, printed, text, log, tookMs, mongod: mongod! };
  }

  async function end({ child, mongod, text }: Demo): Promise<void> {
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).equal(0);
    expect(text()).include(`\nStopping. The data stays in ${dataDir}.\n`);
    expect(lives(mongod), 'the mongod ended first').equal(false);
  }

  const linesOf = ({ printed }: Demo) =>
    printed.split('\n').filter((line) => line.startsWith('curl '));

  async function totalOf(demo: Demo, line: string): Promise<number> {
    const answer = JSON.parse(await pasted(line));
    const told = () => `${JSON.stringify(answer)}\n${JSON.stringify(demo.log(), null, 1)}`;
    expect(answer.data, answer.data ? '' : told()).instanceOf(Array).not.empty;
    return answer.meta.pagination.total_items;
  }

  it('prints an address, tokens and lines that work as pasted; Ctrl-C ends all of it', async () => {
    const first = await startTwice();
    const address = /^Listening on (http:\S+)$/m.exec(first.printed)?.[1];
    expect((await fetch(`${address}/livez`)).status).equal(200);
    for (const who of ['Admin', 'Member']) {
      expect(first.printed).match(new RegExp(`^${who}'s token \\(user \\d+\\): +eyJ\\S+$`, 'm'));
    }
    expect(linesOf(first).length).equal(3);
    for (const line of linesOf(first)) expect(await totalOf(first, line)).greaterThan(0);
    const requests = () =>
      first.log().filter(({ msg, status }) => msg === 'request' && status === 200);
    await until(() => requests().length >= 3, 'each request has a line in the log');
    toldOfFirst(await run('demo', [], null));
    await end(first);
    await expectNobody(address!);
  });

  /** Starts two demos at once: one is ready, and the other ends. */
  async function startTwice(): Promise<Demo> {
    const isOver = new RegExp(`${READY.source}|^table-search: .*\\n`, 'm');
    const both = await Promise.all([run('demo', [], isOver), run('demo', [], isOver)]);
    const [ready, ended] = both.toSorted((a) => (READY.test(a.printed) ? -1 : 1));
    if (ended!.child.exitCode === null) await once(ended!.child, 'exit');
    toldOfFirst({ child: ended!.child, printed: ended!.printed.replace(/^found a mongod\n/, '') });
    return await start(Promise.resolve(ready!));
  }

  /** A second demo on the folder says how to be another. */
  function toldOfFirst(again: Pick<Demo, 'child' | 'printed'>): void {
    expect(again.child.exitCode).equal(1);
    expect(again.printed).equal(
      `table-search: A demo or a service runs already on ${dataDir}. ` +
        `Another one beside it: table-search demo --port 0 --data-dir ${dataDir}-2\n`,
    );
  }

  /** Goes on from a test to the next. */
  let second: Demo;

  it('keeps its data, and is sooner there the second time', async function again() {
    second = await start();
    this.test!.title += `: ready after ${(second.tookMs / 1_000).toFixed(1)} s`;
    // Five seconds where nothing else runs; the machine of a test run is busy.
    expect(second.tookMs).lessThan(30_000);
    expect(second.printed).include('The demo data is there already.');
    expect(second.printed).not.include('loaded in');
    for (const line of linesOf(second)) expect(await totalOf(second, line)).greaterThan(0);
  });

  it('takes fixtures while it runs, and leaves no mongod behind when it is killed', async () => {
    const load = ['--db', 'beside', '--tasks', '100'];
    const { child, printed } = await run('fixtures', load, null);
    expect(child.exitCode, printed).equal(0);
    expect(printed).match(/^Loaded: .*tasks/m);
    expect(lives(second.mongod), 'the mongod is not the command’s to end').equal(true);
    for (const line of linesOf(second)) expect(await totalOf(second, line)).greaterThan(0);

    second.child.kill('SIGKILL');
    await gone(second.mongod);
  });
});

async function expectNobody(address: string): Promise<void> {
  const answer = await fetch(`${address}/livez`).catch(() => undefined);
  expect(answer, 'the port is free again').equal(undefined);
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Waits for the end of a process: seconds at most. */
async function gone(pid: number): Promise<void> {
  await until(() => !lives(pid), `process ${pid} lives on`, 15_000);
}
