/** One attack: carried out, measured from outside, and held against the bars. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, carryOut, type Field } from './attack.ts';
import { Answers } from './calls.ts';
import type { Noticed } from './light.ts';
import type { Stage } from './stage.ts';

const MB = 2 ** 20;

/** Most resident memory above an idle service's, bytes. */
const PEAK = 300 * MB;
const RELEASED_WITHIN_MS = 20_000;
/** Longest that requests, and that sockets may hold the event loop, milliseconds. */
const HELD_MS = { requests: 100, sockets: 250 };
/** How many times as long a light caller may wait, and how long at most, milliseconds. */
const TIMES_IDLE = 5;
const LIGHT_MS = 250;
/** Where the control is slow as well: so many times as slow. */
const TIMES_CONTROL = 5;
const HEALTH_MS = 50;

export interface Outcome {
  readonly name: string;
  readonly callers: number;
  readonly answers: Answers;
  /** Bytes above idle. */
  readonly peak: number;
  /** Bytes above idle when nothing was held any more, or 20 s later. */
  readonly after: number;
  /** From its beginning until then, milliseconds. */
  readonly tookMs: number;
  /** Quotas that callers still held then, such as "downloads 2"; empty when there were none. */
  readonly stillHeld: string;
  readonly heldMs: number;
  readonly noticed: Noticed;
  readonly verdicts: readonly Verdict[];
}

export interface Verdict {
  readonly bar: string;
  readonly ok: boolean;
  /** Missed as it stands, and kept against the control. */
  readonly byControl?: boolean;
}

export type RunOptions = Pick<Field, 'lastsMs' | 'floodMs'>;

/** Carries out an attack by so many callers. */
export async function runAttack(
  attack: Attack,
  callers: 1 | 10,
  stage: Stage,
  { lastsMs, floodMs }: RunOptions,
): Promise<Outcome> {
  const { victim, tokens, stir } = stage;
  const { url, port } = victim;
  const field = { url, port, stir, tokens: tokens.slice(0, callers), lastsMs, floodMs };
  const named = { name: attack.name, callers, kind: attack.kind };
  return await measured(named, stage, (answers) => carryOut(attack, { ...field, answers }));
}

/** Measures the service during any work. */
export async function measured(
  { name, callers, kind = 'flood' }: Pick<Outcome, 'name' | 'callers'> & { kind?: Attack['kind'] },
  stage: Stage,
  work: (answers: Answers) => Promise<void>,
): Promise<Outcome> {
  const { victim, light } = stage;
  const answers = new Answers();
  const began = performance.now();
  await victim.forgetPeak();
  await victim.held();
  const noticed = await light.during(() => work(answers));
  const heldMs = await victim.held();
  const peak = victim.peak() - stage.resident;
  const stillHeld = await heldAtLast(stage);
  const after = victim.resident() - stage.resident;
  const tookMs = performance.now() - began;
  const outcome = {
    ...{ name, callers, answers, peak, after, tookMs, stillHeld, heldMs, noticed },
  };
  const mayHoldMs = kind === 'flood' ? HELD_MS.requests : HELD_MS.sockets;
  return { ...outcome, verdicts: verdictsOn(outcome, stage, mayHoldMs) };
}

/** Waits until callers hold nothing, for 20 s at most; returns the rest, such as "downloads 2". */
async function heldAtLast({ victim }: Stage): Promise<string> {
  const until = performance.now() + RELEASED_WITHIN_MS;
  for (;;) {
    const held = [...(await victim.holdings())].filter(([, units]) => units > 0);
    if (held.length === 0 || performance.now() > until) {
      return held.map((one) => one.join(' ')).join(', ');
    }
    await sleep(50);
  }
}

function verdictsOn(
  outcome: Omit<Outcome, 'verdicts'>,
  { idle, control }: Stage,
  mayHoldMs: number,
): Verdict[] {
  const { answers, peak, stillHeld, heldMs, noticed } = outcome;
  const asControl = (bar: string, value: number, most: number, ofControl: number): Verdict => {
    const ok = value <= most;
    const byControl = !ok && value <= TIMES_CONTROL * ofControl;
    return { bar, ok: ok || byControl, byControl };
  };
  const most = Math.min(TIMES_IDLE * idle.p99, LIGHT_MS);
  return [
    { bar: 'answers', ok: answers.wrong.size === 0 },
    { bar: 'memory', ok: peak <= PEAK },
    { bar: 'released', ok: stillHeld === '' },
    asControl('loop', heldMs, mayHoldMs, control.heldMs),
    { bar: 'refused', ok: noticed.refused === 0 },
    asControl('light', noticed.p99, most, control.p99),
    asControl('health', noticed.healthP99, HEALTH_MS, control.healthP99),
  ];
}

export const missed = ({ verdicts }: Outcome): readonly string[] =>
  verdicts.filter(({ ok }) => !ok).map(({ bar }) => bar);
