/** All faults, in the order in which they come. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { stepDownTwice } from '../support/replicaSet.ts';
import { until } from '../support/until.ts';
import { drop, hugeDocuments, placeByRename, wrongTypes } from './contents.ts';
import type { Fault } from './fault.ts';
import { dropUnknownToMajority, lostHistory, rollBack } from './histories.ts';
import { checkpointOf } from './instance.ts';
import type { Stage } from './stage.ts';

/** No fault: its figures are the yardstick for the others. */
const calm: Fault = {
  name: 'calm',
  what: 'nothing happens',
  inject: (stage) => stage.wait(),
  indexHolds: true,
};

const killPrimary: Fault = {
  name: 'kill',
  what: 'the primary is killed with -9, and started again',
  async inject(stage) {
    const primary = await stage.cluster.primary();
    await primary.kill();
    await stage.wait();
    await primary.start();
  },
};

const freezePrimary: Fault = {
  name: 'freeze',
  what: 'the primary is stopped with SIGSTOP, and goes on later',
  async inject(stage) {
    const primary = await stage.cluster.primary();
    primary.freeze();
    await stage.wait();
    primary.thaw();
  },
};

const loseMajority: Fault = {
  name: 'majority',
  what: 'both secondaries are stopped with SIGSTOP, and go on later',
  async inject(stage) {
    const others = stage.cluster.others(await stage.cluster.primary());
    for (const member of others) member.freeze();
    await stage.wait();
    for (const member of others) member.thaw();
  },
};

const stepDowns: Fault = {
  name: 'stepdown',
  what: 'the primary steps down, and then its successor',
  async inject(stage) {
    await stepDownTwice(stage.cluster.client);
    await stage.wait(0.5);
  },
};

const cut: Fault = {
  name: 'cut',
  what: 'the instances lose their connections, and get no new ones',
  async inject(stage) {
    for (const front of stage.cluster.fronts()) front.cut();
    await stage.wait();
  },
  heal: restore,
};

const silentCut: Fault = {
  name: 'silence',
  what: 'nothing gets through to the store any more, and no connection ends',
  async inject(stage) {
    for (const front of stage.cluster.fronts()) front.silence();
    await stage.wait();
  },
  heal: restore,
};

const silentPrimary: Fault = {
  name: 'silent-primary',
  what: 'the instances get nothing through to the primary, which goes on',
  async inject(stage) {
    const primary = await stage.cluster.primary();
    for (const front of stage.cluster.fronts(primary)) front.silence();
    await stage.wait();
  },
  heal: restore,
};

const slow = (name: string, what: string, delayMs: number, share: number): Fault => ({
  name,
  what,
  async inject(stage) {
    for (const front of stage.cluster.fronts()) front.slow(delayMs);
    await stage.wait(share);
  },
  heal: restore,
  indexHolds: true,
});

const isolatedPrimary: Fault = {
  name: 'isolated',
  what: 'the primary and the other members do not hear each other; the instances hear all',
  clouds: true,
  async inject(stage) {
    stage.cluster.isolate(await stage.cluster.primary());
    await stage.wait(1.5);
  },
  heal: restore,
};

const endWhileSilent: Fault = {
  name: 'sigterm',
  what: 'an instance gets SIGTERM while the store is silent, and ends in order',
  endsInstance: 'told',
  async inject(stage) {
    for (const front of stage.cluster.fronts()) front.silence();
    await sleep(1_000);
    const [instance] = stage.instances;
    const started = performance.now();
    stage.endsAt = started;
    const code = await instance!.stop();
    const seconds = (performance.now() - started) / 1_000;
    if (code !== 0) stage.problems.push(`ended with ${code} after ${seconds.toFixed(1)} s`);
  },
  async heal(stage) {
    stage.cluster.restore();
    await stage.replace(0);
  },
};

/** When an instance is killed after its start, milliseconds: it reads, catches up, is live, writes. */
const KILLED_AFTER_MS = [0, 150, 400, 900, 1_600, 2_500];

const killInstance: Fault = {
  name: 'restart',
  what: 'an instance is killed again and again, and goes on from its checkpoint',
  endsInstance: 'killed',
  async inject(stage) {
    // A quick machine comes here before there is a checkpoint to go on from.
    const file = checkpointOf(stage.launch, stage.instances[0]!.name);
    await until(() => existsSync(file), 'no checkpoint is written').catch((error) => {
      throw new Error(`${error.message}: ${aboutCheckpoints(stage)}`, { cause: error });
    });
    const end = performance.now() + stage.seconds * 1_000;
    stage.endsAt = performance.now();
    for (let round = 0; round === 0 || performance.now() < end; round++) {
      await stage.instances[0]!.kill();
      await stage.replace(0);
      await sleep(KILLED_AFTER_MS[round % KILLED_AFTER_MS.length]);
    }
  },
  async verify(stage) {
    const said = aboutCheckpoints(stage);
    return said.includes('"checkpoint read"') ? [] : [said];
  },
};

/** The lines of the log of the first instance. */
const aboutCheckpoints = ({ instances: [instance] }: Stage): string =>
  JSON.stringify(instance!.lines.filter(({ msg }) => String(msg).includes('checkpoint')));

const shortHistory: Fault = {
  name: 'short-history',
  what: 'the servers keep no history of documents: reads at a past moment are refused',
  async inject(stage) {
    await setHistory(stage, 0);
    await stage.wait();
  },
  heal: (stage) => setHistory(stage, 300),
};

function setHistory({ cluster }: Stage, seconds: number): Promise<void> {
  const command = { setParameter: 1, minSnapshotHistoryWindowInSeconds: seconds };
  return cluster.tell(cluster.set.members, command);
}

async function restore(stage: Stage): Promise<void> {
  stage.cluster.restore();
  await until(() => stage.cluster.primary().catch(() => false as const), 'no primary', 30_000);
}

export const FAULTS: readonly Fault[] = [
  calm,
  killPrimary,
  freezePrimary,
  stepDowns,
  cut,
  silentCut,
  silentPrimary,
  slow('slow', 'everything between service and store takes 100 ms longer, each way', 100, 1.5),
  slow('slow-for-long', 'the same with 60 ms, for long', 60, 4),
  isolatedPrimary,
  loseMajority,
  { ...rollBack, heal: restore },
  { ...dropUnknownToMajority, heal: restore },
  drop,
  placeByRename,
  hugeDocuments,
  wrongTypes,
  killInstance,
  shortHistory,
  { ...lostHistory, heal: restore },
  endWhileSilent,
];
