/**
 * `npx tsx bench/sizing/main.ts [--keep <folder>]`: how much memory an instance takes, by the number of
 * tasks; docs/operations.md sizes by it. Each in a process of its own: right after its first load, and
 * after the rows of 30,000 tasks were shown, without rows in memory and with the default.
 */
import { parseArgs } from 'node:util';
import { startServiceProcess } from '../serviceProcess.ts';
import { openBenchStore } from '../store.ts';

const SIZES = [1_000, 100_000, 1_000_000];
const MEMORIES = ['0', '256mb'];
const PAGES = 300;
const MB = 2 ** 20;

const { values } = parseArgs({ options: { keep: { type: 'string' } } });
const store = await openBenchStore(values.keep);
try {
  console.log('tasks      rows    index MB   loaded MB   peak MB   worked MB   peak MB');
  for (const [tasks, memory] of SIZES.flatMap((tasks) =>
    MEMORIES.map((memory) => [tasks, memory] as const),
  )) {
    const place = await store.place(tasks);
    const service = await startServiceProcess(place, { ROWS_MEMORY_BYTES: memory });
    const figures = [service.memory(), service.peakMemory()];
    for (let page = 1; page <= PAGES; page++)
      await show(service, 1 + ((page * 37) % (tasks / 100)));
    figures.push(service.memory(), service.peakMemory());
    const cells = [await indexBytes(service.url), ...figures].map((n) => (n / MB).toFixed(0));
    console.log(
      `${tasks}`.padEnd(11) + memory.padEnd(8) + cells.map((cell) => cell.padEnd(11)).join(''),
    );
    await service.stop();
  }
} finally {
  await store.stop();
}

async function show({ url, token }: { url: string; token: string }, page: number): Promise<void> {
  const answer = await fetch(`${url}/api/v2/admin/tasks/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ pagination: { page, per_page: 100 } }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function indexBytes(url: string): Promise<number> {
  const figures = await (await fetch(`${url}/metrics`)).text();
  const lines = figures.matchAll(/^table_search_index_bytes(?:\{[^}]*\})? (\S+)$/gm);
  return [...lines].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}
