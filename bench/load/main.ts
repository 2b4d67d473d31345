/**
 * The first load and what it leaves in memory: the whole service is started, with its index or
 * without, and looked at when it is live.
 *
 *     no rounds   start ─► ready ─► collect ─► bytes held
 *     rounds      bare scan ─► start ─► live ─► collect ─► bytes held ─► stop, and load once more
 */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareScanOfTasks } from '../bareScan.ts';
import { takeJob } from '../job.ts';
import { heldBytes } from '../measure.ts';
import { product } from '../product.ts';
import type { Place } from '../store.ts';

const { startService } = await product<typeof import('../../src/service.ts')>('service');
const { readConfig } = await product<typeof import('../../src/config.ts')>('config');
const { createLog } = await product<typeof import('../../src/log.ts')>('log');

export interface LoadJob {
  readonly place: Place;
  readonly index: 'on' | 'off';
  readonly rounds: number;
  /** Settings of the service. */
  readonly settings?: Settings;
}

type Settings = Readonly<Record<string, string>>;

export interface LoadResult {
  /** Held after a collection, with everything loaded. */
  readonly bytes: number;
  readonly rounds: readonly LoadRound[];
}

export interface LoadRound {
  /** Tasks a second. */
  readonly bare: number;
  readonly load: number;
  /** How long the event loop was blocked while all collections were loaded, milliseconds. */
  readonly heldP999: number;
  readonly heldMax: number;
}

takeJob(async ({ place, index, rounds, settings = {} }: LoadJob): Promise<LoadResult> => {
  if (rounds === 0) return { bytes: await bytesOf(place, index, settings), rounds: [] };
  const measured: LoadRound[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const bare = await bareScanOfTasks(place);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const service = await start(place, index, settings);
    delay.disable();
    measured.push({
      bare,
      load: service.tasksPerSecond,
      heldP999: delay.percentile(99.9) / 1e6,
      heldMax: delay.max / 1e6,
    });
    if (round === 0) bytes = await settledBytes();
    await service.stop();
  }
  return { bytes, rounds: measured };
});

async function bytesOf(place: Place, index: 'on' | 'off', settings: Settings): Promise<number> {
  const service = await start(place, index, settings);
  const bytes = await settledBytes();
  await service.stop();
  return bytes;
}

/** Maintenance goes on for a while after the load, and connections let go of their buffers. */
async function settledBytes(): Promise<number> {
  await sleep(2_000);
  return heldBytes();
}

/** Starts the service and waits until it answers as it is meant to. */
async function start(place: Place, index: 'on' | 'off', settings: Settings) {
  let tasksPerSecond = 0;
  let live = index === 'off';
  const log = createLog('info', {
    write(line) {
      const { msg, collection, documents, ms, phase } = JSON.parse(line);
      if (msg === 'collection loaded' && collection === 'tasks') {
        tasksPerSecond = (documents / ms) * 1000;
      }
      if (msg === 'index state' && phase === 'live') live = true;
    },
  });
  const config = readConfig({
    MONGODB_URI: place.uri,
    MONGODB_DB: place.dbName,
    AUTH_JWT_SECRET: 'a secret for benches only, longer than 32 bytes',
    PORT: '0',
    SEARCH_INDEX: index,
    ...settings,
  });
  const service = await startService({ config, uri: place.uri, log });
  while (!live) await sleep(5);
  const ready = await fetch(`${service.url}/readyz`);
  if (ready.status !== 200) throw new Error(`not ready: ${await ready.text()}`);
  await ready.arrayBuffer();
  return { tasksPerSecond, stop: () => service.stop() };
}
