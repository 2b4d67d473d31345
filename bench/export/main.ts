/**
 * An export of all tasks against a bare scan of the same documents in the same order by the driver:
 *
 *     tsx bench/export/main.ts [tasks] [folder]     rates, their ratio, memory, searches meanwhile
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { startServiceProcess, whileSearching } from '../serviceProcess.ts';
import { openBenchStore } from '../store.ts';

const [tasks = '100000', folder] = process.argv.slice(2);
const SEARCHES = 20;

const store = await openBenchStore(folder);
const place = await store.place(Number(tasks));
const service = await startServiceProcess(place);
try {
  const client = await MongoClient.connect(place.uri);
  const scope = { $in: ['system', 'project'] };
  const scan = async () => {
    const began = performance.now();
    let rows = 0;
    const found = client.db(place.dbName).collection('tasks').find({ scope }).sort({ _id: -1 });
    for await (const { _id } of found.batchSize(1_000)) rows += _id === undefined ? 0 : 1;
    return { rows, rate: (rows / (performance.now() - began)) * 1_000 };
  };
  const all = async (accept: string) => {
    const began = performance.now();
    const answer = await fetch(`${service.url}/api/v2/admin/tasks/search/export`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', authorization: `Bearer ${service.token}` },
        accept,
      },
      body: '{}',
    });
    let most = 0;
    let lines = 0;
    for await (const piece of answer.body!) {
      for (const byte of piece as Uint8Array) if (byte === 10) lines += 1;
      most = Math.max(most, service.memory());
    }
    return { lines, rate: (lines / (performance.now() - began)) * 1_000, most };
  };
  await all('application/x-ndjson');
  await sleep(1_000);
  const idle = await whileSearching(service, SEARCHES, () => sleep(5_000));
  const before = service.memory();
  for (const accept of ['application/x-ndjson', 'text/csv']) {
    const bare = await scan();
    const alone = await all(accept);
    if (accept !== 'text/csv' && alone.lines !== bare.rows) throw new Error('rows are missing');
    const { result, p50, p99 } = await whileSearching(service, SEARCHES, () => all(accept));
    const most = Math.max(alone.most, result.most);
    console.log(
      `${accept}: ${Math.round(alone.rate)} of ${Math.round(bare.rate)} rows/s of a bare scan, ` +
        `ratio ${(alone.rate / bare.rate).toFixed(2)} (bar 0.5); ` +
        `memory ${((most - before) / 2 ** 20).toFixed(0)} MB above idle (bar 64); ` +
        `searches p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms, ` +
        `${(p99 / idle.p99).toFixed(1)} times idle's ${idle.p99.toFixed(1)} (bar 3)`,
    );
  }
  await client.close();
} finally {
  await service.stop();
  await store.stop();
}
