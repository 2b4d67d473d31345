/**
 * The course that every fault takes:
 *
 *     all is well ─► load ─► fault on ─► healed ─► index back ─► load ends ─► history ─► judged
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { type Exchange, isAnswered } from './exchange.ts';
import type { Fault } from './fault.ts';
import { longestGap, noticed, type ReaderGap, readerGaps } from './gaps.ts';
import {
  backInTime,
  beforeAsked,
  type ChangeFigures,
  wrongAnswers,
  wrongChanges,
  wrongStatuses,
} from './judge.ts';
import type { Stage } from './stage.ts';

/** The figures and the problems of one fault. */
export interface Outcome {
  readonly fault: Fault;
  readonly requests: number;
  /** Requests without a successful answer, by code. */
  readonly refused: ReadonlyMap<string, number>;
  readonly slowestMs: number;
  /** Longest time in which an instance answered no search. */
  readonly gapMs: number;
  /** Longest time from one answer to a reader to their next, their rest left out. */
  readonly readerGap: Pick<ReaderGap, 'ms' | 'waitedMs'>;
  /** Longest time that a right still counted after it was taken away; undefined: not judged. */
  readonly rightMs: number | undefined;
  readonly compared: number;
  readonly byIndex: number;
  /** Answers of the moment that another instance had told, or a later one. */
  readonly elsewhere: number;
  readonly changes: ChangeFigures;
  readonly written: number;
  /** From the heal until both instances answered by their index again. */
  readonly backMs: number;
  readonly wrong: readonly string[];
}

/** Load after the index is back, milliseconds. */
const AFTER_MS = 1_000;
/** Searches in a row that an instance has to answer by its index, to be back. */
const IN_A_ROW = 10;
const BACK_MS = 60_000;
/** A request that takes longer than `QUERY_TIMEOUT_MS` and this is wrong. */
const TIME_LIMIT_MS = 15_000;
const GRACE_MS = 5_000;
/** A request and the end of its connection may meet on their way. */
const MEETING_MS = 50;
const NEVER_READ = { ms: Number.POSITIVE_INFINITY, waitedMs: 0 };
/** An index has to keep this part of its share of the answers while a fault is on. */
const HELD_SHARE = 0.7;

export async function runFault(fault: Fault, stage: Stage): Promise<Outcome> {
  const { cluster, load, rights, history, restMs, beforeMs } = stage;
  stage.problems.length = 0;
  stage.endsAt = undefined;
  await cluster.whole();
  await stage.followed();
  const from = await stage.known();
  const firstEvent = history.events.length;
  await load.start();
  rights.start();
  await sleep(beforeMs);
  const onAt = performance.now();
  const before = load.exchanges.length;
  await fault.inject(stage);
  const offAt = performance.now();
  await fault.heal?.(stage);
  const healedAt = performance.now();
  const backAt = await indexBack(stage, healedAt);
  await sleep(AFTER_MS);
  await Promise.all([load.stop(), rights.stop()]);
  await cluster.whole();
  const problems = [
    ...stage.problems,
    ...((await fault.verify?.(stage)) ?? []),
    ...(await rights.givenBack()),
  ];
  // Later answers are of the moment at which the next fault begins, or of a later one.
  await history.read();

  const { exchanges, written } = load;
  // It may need a moment to cope.
  const during = exchanges.filter(
    ({ startedAt }) => startedAt >= (onAt + offAt) / 2 && startedAt <= offAt,
  );
  const events = history.events.slice(firstEvent);
  const { wrong: changed, figures } = wrongChanges(exchanges, events);
  const isExpected = expectedOf(fault, stage);
  const right = fault.clouds ? undefined : rights.figures();
  const { maxGapMs } = stage;
  const wrong = [
    ...problems,
    ...(right?.wrong ?? []),
    ...(maxGapMs === undefined ? [] : noticed(exchanges, onAt, restMs, maxGapMs)),
    ...wrongAnswers(exchanges, from, stage.same),
    ...backInTime(exchanges, events),
    ...beforeAsked(exchanges, events),
    ...changed,
    ...wrongStatuses(exchanges, isExpected),
    ...tooSlow(exchanges),
    ...(fault.indexHolds ? notHeld(exchanges.slice(0, before), during) : []),
    ...(backAt === undefined ? ['the index did not come back'] : []),
  ];
  const answered = exchanges.filter(isAnswered);
  return {
    fault,
    requests: exchanges.length,
    refused: refusalsOf(exchanges),
    slowestMs: Math.max(...exchanges.map(({ startedAt, endedAt }) => endedAt - startedAt)),
    gapMs: longestGap(
      stage.instances.map(({ name }) => name),
      answered,
      onAt,
    ),
    readerGap: readerGaps(answered, onAt, restMs)[0] ?? NEVER_READ,
    rightMs: right?.lateMs,
    compared: answered.length,
    byIndex: answered.filter(({ route }) => route === 'index').length,
    elsewhere: answered.filter(({ notBefore }) => notBefore !== undefined).length,
    changes: figures,
    written,
    backMs: (backAt ?? Number.POSITIVE_INFINITY) - healedAt,
    wrong,
  };
}

/** When both instances had begun to answer by their index again. */
async function indexBack(
  { load, instances }: Stage,
  healedAt: number,
): Promise<number | undefined> {
  const backAt = (slot: number): number | undefined => {
    const since = load.exchanges.filter(
      (one) => one.instance === instances[slot] && one.search && one.startedAt >= healedAt,
    );
    const rows = since.slice(-IN_A_ROW);
    const all = rows.length === IN_A_ROW && rows.every(({ route }) => route === 'index');
    return all ? rows[0]!.endedAt : undefined;
  };
  const times = await Promise.all(
    [...instances.keys()].map((slot) =>
      until(() => backAt(slot), 'no index', BACK_MS).catch(() => undefined),
    ),
  );
  return times.includes(undefined) ? undefined : Math.max(...(times as number[]));
}

/** Failures that are right: changes of removed documents, requests to an instance told to end. */
function expectedOf(fault: Fault, stage: Stage): (one: Exchange) => boolean {
  const { endsAt = Number.POSITIVE_INFINITY } = stage;
  return ({ status, change, instance, startedAt, endedAt }) => {
    if (fault.removes && status === 404 && change !== undefined) return true;
    const decides = fault.endsInstance === 'killed' ? endedAt : startedAt;
    return status === null && !stage.instances.includes(instance) && decides > endsAt - MEETING_MS;
  };
}

function refusalsOf(exchanges: readonly Exchange[]): Map<string, number> {
  const refused = new Map<string, number>();
  for (const { status, code } of exchanges) {
    if (status !== null && status < 400) continue;
    const name = code ?? String(status);
    refused.set(name, (refused.get(name) ?? 0) + 1);
  }
  return refused;
}

function tooSlow(exchanges: readonly Exchange[]): string[] {
  return exchanges
    .filter(({ startedAt, endedAt }) => endedAt - startedAt > TIME_LIMIT_MS + GRACE_MS)
    .map(({ instance, status, startedAt, endedAt, search, change }) => {
      const seconds = ((endedAt - startedAt) / 1_000).toFixed(1);
      return `${instance.name}: ${status} after ${seconds} s to ${JSON.stringify(search ?? change)}`;
    });
}

/** Fewer answers say nothing of shares: the machine is too busy. */
const ENOUGH = 20;

/** Instances that answer less by their index than they did before. */
function notHeld(before: readonly Exchange[], during: readonly Exchange[]): string[] {
  return [...new Set(during.map(({ instance }) => instance.name))].flatMap((name) => {
    const own = (one: Exchange) => one.instance.name === name;
    const [was, is] = [indexShare(before.filter(own)), indexShare(during.filter(own))];
    if (during.filter(own).filter(isAnswered).length < ENOUGH) return [];
    const percent = (share: number) => `${Math.round(100 * share)} %`;
    if (is >= HELD_SHARE * was) return [];
    return [`${name} answered ${percent(is)} by its index, and ${percent(was)} before`];
  });
}

const indexShare = (exchanges: readonly Exchange[]): number => {
  const answered = exchanges.filter(isAnswered);
  return answered.filter(({ route }) => route === 'index').length / Math.max(1, answered.length);
};
