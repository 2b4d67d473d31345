/**
 * An export of all tasks from the built service, and a bare scan of the same documents in the same
 * order by the driver, in turns. It measures rates, memory, and searches of others meanwhile.
 *
 *     in turns   scan │ NDJSON │ CSV        rates: medians
 *     then       NDJSON, CSV while others search, against the same searches when nothing else goes on
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { takeJob } from '../job.ts';
import { percentile } from '../measure.ts';
import { type ServiceProcess, startServiceProcess, whileSearching } from '../serviceProcess.ts';
import type { Place } from '../store.ts';

export interface ExportJob {
  readonly place: Place;
}

export interface ExportTimes {
  readonly format: string;
  /** Rows a second, of the export and of the bare scan. */
  readonly rate: number;
  readonly bare: number;
  /** Bytes that the service took above idle at most. */
  readonly grown: number;
  /** The p99 of searches meanwhile, milliseconds. */
  readonly p99: number;
}

export interface ExportResult {
  readonly rows: number;
  readonly formats: readonly ExportTimes[];
  /** The p99 of searches when nothing else goes on, milliseconds. */
  readonly idleP99: number;
}

const FORMATS = { NDJSON: 'application/x-ndjson', CSV: 'text/csv' } as const;
const ROUNDS = 2;
/** Searches of others, a second. */
const SEARCHES = 50;
const IDLE_MS = 10_000;
const LOOK_EVERY_MS = 50;
const LINE_FEED = 10;
/** Lines of CSV end with both; in a cell there is a line feed alone. */
const CARRIAGE_RETURN = 13;

interface Streamed {
  readonly rows: number;
  readonly rate: number;
  readonly most: number;
}

takeJob(async ({ place }: ExportJob): Promise<ExportResult> => {
  const service = await startServiceProcess(place);
  const client = await MongoClient.connect(place.uri);
  const formats = Object.entries(FORMATS);
  try {
    const [warm] = [await scan(client, place), await exported(service, FORMATS.NDJSON)];
    await sleep(2_000);
    const memory = service.memory();
    const idle = await whileSearching(service, SEARCHES, () => sleep(IDLE_MS));
    const bare: number[] = [];
    const alone = new Map<string, Streamed[]>();
    for (let round = 0; round < ROUNDS; round++) {
      bare.push((await scan(client, place)).rate);
      for (const [format, accept] of formats) {
        const one = await exported(service, accept);
        const lines = warm.rows + (accept === FORMATS.CSV ? 1 : 0);
        if (one.rows !== lines) throw new Error(`${one.rows} lines of ${lines}`);
        alone.set(format, [...(alone.get(format) ?? []), one]);
      }
    }
    const measured: ExportTimes[] = [];
    for (const [format, accept] of formats) {
      const { result, p99 } = await whileSearching(service, SEARCHES, () => {
        return exported(service, accept);
      });
      const all = [...alone.get(format)!, result];
      const rate = percentile(
        alone.get(format)!.map((one) => one.rate),
        0.5,
      );
      const grown = Math.max(...all.map(({ most }) => most)) - memory;
      measured.push({ format, rate, bare: percentile(bare, 0.5), grown, p99 });
    }
    return { rows: warm.rows, formats: measured, idleP99: idle.p99 };
  } finally {
    await client.close();
    await service.stop();
  }
});

async function scan(client: MongoClient, { dbName }: Place) {
  const began = performance.now();
  let rows = 0;
  const found = client
    .db(dbName)
    .collection('tasks')
    .find({ scope: { $in: ['system', 'project'] } })
    .sort({ _id: -1 });
  for await (const { _id } of found.batchSize(1_000)) rows += _id === undefined ? 0 : 1;
  return { rows, rate: (rows / (performance.now() - began)) * 1_000 };
}

async function exported({ url, token, memory }: ServiceProcess, accept: string): Promise<Streamed> {
  const began = performance.now();
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, memory());
  }, LOOK_EVERY_MS);
  try {
    const answer = await fetch(`${url}/api/v2/admin/tasks/search/export`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, accept },
      body: '{}',
    });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    let rows = 0;
    let last: number | undefined;
    for await (const piece of answer.body!) {
      const bytes = piece as Uint8Array;
      for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
        const before = at > 0 ? bytes[at - 1] : last;
        if (accept === FORMATS.NDJSON || before === CARRIAGE_RETURN) rows += 1;
      }
      last = bytes.at(-1);
    }
    return { rows, rate: (rows / (performance.now() - began)) * 1_000, most };
  } finally {
    clearInterval(looking);
  }
}
