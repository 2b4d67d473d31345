/**
 * A thread for each half of a table, measured: the same rows in one index, and in two of which a worker
 * has one.
 *
 *     one index  ──► search ──► page
 *     halves     ──► message ──► worker searches its half ──► message ──► both totals
 *                └─► this thread searches its half ───────────────────┘
 *
 *     node --import tsx bench/threads/main.ts --rows 10000000 [--draws 60] [--seed 7]
 *
 * Pages are not put together, so a product would take longer than this. Each question is asked of each
 * for the first time, and the totals must be equal.
 */
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { standardFold } from '../../src/textindex/caseFold.ts';
import type { PageRequest, TextTable } from '../../src/textindex/index.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { randomFrom } from '../../test/worlds/random.ts';
import { TASKS, tasks, world } from '../../test/worlds/tasks.ts';
import { fill } from '../filled.ts';
import { percentile } from '../measure.ts';
import { queryClasses } from '../textindex/queries.ts';

interface Size {
  readonly rows: number;
  readonly seed: number;
}

function filled({ rows, seed }: Size, part: 'all' | 'even' | 'odd'): TextTable {
  const from = world(seed);
  const expectedRows = part === 'all' ? rows : Math.ceil(rows / 2);
  const table = createIndex(TASKS, { fold: standardFold(), expectedRows });
  const all = tasks(rows, seed, from);
  fill(table, from, part === 'all' ? all : everyOther(all, part === 'even' ? 0 : 1));
  return table;
}

function* everyOther<T>(all: Iterable<T>, first: 0 | 1): Generator<T> {
  let at = 0;
  for (const one of all) if (at++ % 2 === first) yield one;
}

/** A worker of Node 20 does not get the loader of its parent. */
const BOOT = `import('tsx/esm/api').then(({ register }) => (register(), import('${import.meta.url}')));`;

/** Nothing, to time the messages alone. */
type Asked = PageRequest | null;

function answer(size: Size): void {
  const table = filled(size, 'odd');
  parentPort!.on('message', (asked: Asked) => {
    parentPort!.postMessage(asked ? table.search(asked).total : 0);
  });
  parentPort!.postMessage('ready');
}

async function compare(size: Size, draws: number): Promise<void> {
  const worker = new Worker(BOOT, { eval: true, workerData: size });
  const one = filled(size, 'all');
  const ours = filled(size, 'even');
  await once(worker, 'message');
  const ask = async (asked: Asked): Promise<number> => {
    const reply = once(worker, 'message');
    worker.postMessage(asked);
    const own = asked ? ours.search(asked).total : 0;
    return own + ((await reply)[0] as number);
  };
  const timed = async <T>(work: () => T | Promise<T>): Promise<{ ms: number; result: T }> => {
    await turn();
    const began = performance.now();
    const result = await work();
    return { ms: performance.now() - began, result };
  };
  const { seed } = size;
  const from = world(seed);
  const ids = [...tasks(20_000, seed, from)].map(({ cells }) => cells[0] as string);
  const next = randomFrom(5);
  const classes = queryClasses(from, () => ids[Math.floor(next() * ids.length)]!, 11);
  const nothing: number[] = [];
  for (let i = 0; i < 1_000; i++) nothing.push((await timed(() => ask(null))).ms);
  console.log(`two messages: ${percentile(nothing, 0.5).toFixed(3)} ms`);
  for (const { name, draw } of classes) {
    const times: [number[], number[]] = [[], []];
    for (let i = 0; i < draws * 1.3; i++) {
      const request = draw();
      const alone = await timed(() => one.search(request).total);
      const beside = await timed(() => ask(request));
      if (alone.result !== beside.result) throw new Error(JSON.stringify([name, request]));
      if (i < draws * 0.3) continue;
      times[0].push(alone.ms);
      times[1].push(beside.ms);
    }
    const [alone, beside] = times.map((all) => percentile(all, 0.5)) as [number, number];
    const ratio = (beside / alone).toFixed(2);
    console.log(`${name.padEnd(44)} ${alone.toFixed(3)} ms → ${beside.toFixed(3)} ms, × ${ratio}`);
  }
  await worker.terminate();
}

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    draws: { type: 'string', default: '60' },
    seed: { type: 'string', default: '7' },
  },
});
if (isMainThread) {
  const { rows, draws, seed } = options;
  await compare({ rows: Number(rows), seed: Number(seed) }, Number(draws));
} else {
  answer(workerData as Size);
}
