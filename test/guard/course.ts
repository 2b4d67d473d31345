/** One attack: carried out, measured from outside, and held against the bars. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, carryOut, type Field } from './attack.ts';
import { Answers } from './calls.ts';
import type { Noticed } from './light.ts';
import type { Stage } from './stage.ts';

const MB = 2 ** 20;

/** Most resident memory above what an idle service has, bytes. */
const PEAK = 300 * MB;
/** What counts as given back, bytes above idle. */
const BACK = 100 * MB;
const BACK_WITHIN_MS = 20_000;
/** Longest that the event loop may be held, milliseconds. */
const HELD_MS = 100;
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
  /** Bytes above idle when it was given back, or 20 s later. */
  readonly after: number;
  /** From its beginning until it was given back, milliseconds. */
  readonly tookMs: number;
  /** Until memory and all that callers held was given back; infinite when it was not. */
  readonly backMs: number;
  /** What callers still held then, whatever the collector left: nothing, or "downloads 2". */
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

/** What is waited for after an attack: what callers hold, or memory as well. */
type WaitsFor = 'released' | 'back';

export interface RunOptions
  extends Partial<Pick<Field, 'share' | 'floodMs'>>,
    Pick<Field, 'lastsMs'> {
  /** `back` where it is left out. */
  readonly waitsFor?: WaitsFor | undefined;
}

/** Carries out an attack by so many callers. */
export async function runAttack(
  attack: Attack,
  callers: 1 | 10,
  stage: Stage,
  { lastsMs, share = 1, floodMs = Number.POSITIVE_INFINITY, waitsFor }: RunOptions,
): Promise<Outcome> {
  const { victim, tokens, stir } = stage;
  const { url, port } = victim;
  const field = { url, port, stir, tokens: tokens.slice(0, callers), lastsMs, share, floodMs };
  const named = { name: attack.name, callers, waitsFor };
  return await measured(named, stage, (answers) => carryOut(attack, { ...field, answers }));
}

/** Measures whatever is done to the service. */
export async function measured(
  {
    name,
    callers,
    waitsFor = 'back',
  }: Pick<Outcome, 'name' | 'callers'> & Pick<RunOptions, 'waitsFor'>,
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
  const peak = (await victim.peak()) - stage.resident;
  const { backMs, stillHeld } = await givenBack(stage, waitsFor);
  const after = (await victim.resident()) - stage.resident;
  const tookMs = performance.now() - began;
  const outcome = {
    ...{ name, callers, answers, peak, after, tookMs, backMs, stillHeld, heldMs, noticed },
  };
  return { ...outcome, verdicts: verdictsOn(outcome, stage) };
}

async function givenBack(
  { victim, resident }: Stage,
  waitsFor: WaitsFor,
): Promise<Pick<Outcome, 'backMs' | 'stillHeld'>> {
  const started = performance.now();
  for (;;) {
    const held = [...(await victim.holdings())].filter(([, units]) => units > 0);
    const stillHeld = held.map((one) => one.join(' ')).join(', ');
    const ms = performance.now() - started;
    const released = stillHeld === '';
    const back = released && (await victim.resident()) - resident < BACK;
    if (back) return { backMs: ms, stillHeld };
    if (ms > BACK_WITHIN_MS || (released && waitsFor === 'released')) {
      return { backMs: Number.POSITIVE_INFINITY, stillHeld };
    }
    await sleep(waitsFor === 'released' ? 50 : 500);
  }
}

function verdictsOn(outcome: Omit<Outcome, 'verdicts'>, { idle, control }: Stage): Verdict[] {
  const { answers, peak, backMs, stillHeld, heldMs, noticed } = outcome;
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
    { bar: 'back', ok: Number.isFinite(backMs) },
    asControl('loop', heldMs, HELD_MS, control.heldMs),
    { bar: 'refused', ok: noticed.refused === 0 },
    asControl('light', noticed.p99, most, control.p99),
    asControl('health', noticed.healthP99, HEALTH_MS, control.healthP99),
  ];
}

export const missed = ({ verdicts }: Outcome): readonly string[] =>
  verdicts.filter(({ ok }) => !ok).map(({ bar }) => bar);
