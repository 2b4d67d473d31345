/**
 * A caller who asks for little, and a probe of the service's health, in a process of their own: the
 * work of the attackers must not show in these measurements.
 *
 * The first message names the service and the calls; each `stop` gets the answers since `start`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, call } from './calls.ts';

export interface Whom {
  readonly url: string;
  readonly light: Call;
  readonly health: Call;
}

/** The answers since the start: status and milliseconds of each. */
export interface Seen {
  readonly light: readonly (readonly [status: number, ms: number])[];
  readonly health: readonly (readonly [status: number, ms: number])[];
}

const PAUSE_MS = 4;
const BETWEEN_PROBES_MS = 20;

let whom: Whom | undefined;
let round = 0;
let under: Promise<Seen> | undefined;

process.on('message', async (message: Whom | 'start' | 'stop') => {
  if (message === 'start') {
    round += 1;
    under = seen(round);
  } else if (message === 'stop') {
    round += 1;
    process.send!(await under);
  } else {
    whom = message;
  }
});
process.on('disconnect', () => process.exit(0));

async function seen(during: number): Promise<Seen> {
  const [light, health] = await Promise.all([
    again(whom!.light, PAUSE_MS, during),
    again(whom!.health, BETWEEN_PROBES_MS, during),
  ]);
  return { light, health };
}

async function again(asked: Call, pauseMs: number, during: number) {
  const all: [number, number][] = [];
  do {
    const { status, ms } = await call(whom!.url, asked);
    all.push([status, Math.round(ms * 1_000) / 1_000]);
    await sleep(pauseMs);
  } while (round === during);
  return all;
}
