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
  /** Until memory and all that callers held was given back; infinite when it was not. */
  readonly backMs: number;
  /** Whether all that callers held was given back by then, whatever the collector left. */
  readonly released: boolean;
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

/** Carries out an attack by so many callers. */
export async function runAttack(
  attack: Attack,
  callers: 1 | 10,
  stage: Stage,
  { lastsMs, share = 1 }: Partial<Pick<Field, 'share'>> & Pick<Field, 'lastsMs'>,
): Promise<Outcome> {
  const { victim, tokens } = stage;
  const { url, port } = victim;
  const field = { url, port, tokens: tokens.slice(0, callers), lastsMs, share };
  return await measured({ name: attack.name, callers }, stage, (answers) =>
    carryOut(attack, { ...field, answers }),
  );
}

/** Measures whatever is done to the service. */
export async function measured(
  { name, callers }: Pick<Outcome, 'name' | 'callers'>,
  stage: Stage,
  work: (answers: Answers) => Promise<void>,
): Promise<Outcome> {
  const { victim, light } = stage;
  const answers = new Answers();
  await victim.forgetPeak();
  await victim.held();
  const noticed = await light.during(() => work(answers));
  const heldMs = await victim.held();
  const peak = (await victim.peak()) - stage.resident;
  const { backMs, released } = await givenBack(stage);
  const after = (await victim.resident()) - stage.resident;
  const outcome = { name, callers, answers, peak, after, backMs, released, heldMs, noticed };
  return { ...outcome, verdicts: verdictsOn(outcome, stage) };
}

async function givenBack({
  victim,
  resident,
}: Stage): Promise<Pick<Outcome, 'backMs' | 'released'>> {
  const started = performance.now();
  for (;;) {
    const holdings = [...(await victim.holdings()).values()];
    const held = holdings.reduce((sum, n) => sum + n, 0);
    const ms = performance.now() - started;
    const released = held === 0;
    if (released && (await victim.resident()) - resident < BACK) return { backMs: ms, released };
    if (ms > BACK_WITHIN_MS) return { backMs: Number.POSITIVE_INFINITY, released };
    await sleep(500);
  }
}

function verdictsOn(outcome: Omit<Outcome, 'verdicts'>, { idle, control }: Stage): Verdict[] {
  const { answers, peak, backMs, released, heldMs, noticed } = outcome;
  const asControl = (bar: string, value: number, most: number, ofControl: number): Verdict => {
    const ok = value <= most;
    const byControl = !ok && value <= TIMES_CONTROL * ofControl;
    return { bar, ok: ok || byControl, byControl };
  };
  const most = Math.min(TIMES_IDLE * idle.p99, LIGHT_MS);
  return [
    { bar: 'answers', ok: answers.wrong.size === 0 },
    { bar: 'memory', ok: peak <= PEAK },
    { bar: 'released', ok: released },
    { bar: 'back', ok: Number.isFinite(backMs) },
    asControl('loop', heldMs, HELD_MS, control.heldMs),
    { bar: 'refused', ok: noticed.refused === 0 },
    asControl('light', noticed.p99, most, control.p99),
    asControl('health', noticed.healthP99, HEALTH_MS, control.healthP99),
  ];
}

export const missed = ({ verdicts }: Outcome): readonly string[] =>
  verdicts.filter(({ ok }) => !ok).map(({ bar }) => bar);
