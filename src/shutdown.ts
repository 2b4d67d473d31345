/**
 * An end in order: each part closes after everything that uses it, and none can hold up the others.
 *
 *     server (requests finish) ─▶ services ─▶ client ─▶ mongod
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

export interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** After this many milliseconds the next step begins all the same. */
  readonly withinMs: number;
}

/** Runs the steps one after the other; returns whether all of them ended well and in time. */
export async function runInOrder(steps: readonly Step[], log: Log): Promise<boolean> {
  let clean = true;
  for (const step of steps) {
    const failure = await outcome(step);
    if (failure === undefined) continue;
    clean = false;
    log.warn({ step: step.name, err: failure }, 'shutdown step failed');
  }
  return clean;
}

/** Undefined, or why the step did not end well. */
async function outcome({ run, withinMs }: Step): Promise<unknown> {
  const over = new AbortController();
  const late = new Error(`not done after ${withinMs} ms`);
  try {
    const isLate = sleep(withinMs, late, { signal: over.signal });
    return await Promise.race([
      Promise.resolve()
        .then(run)
        .then(() => undefined),
      isLate,
    ]);
  } catch (error) {
    return error ?? new Error('failed without a reason');
  } finally {
    over.abort();
  }
}
