/** The agreement between the writer and its watcher: the numbers of changes, and the clock. */
import { GENERATED_FROM } from '../../src/dev/fixtures/generate/plan.ts';
import type { Cell } from '../../src/textindex/index.ts';
import { percentile } from '../measure.ts';
import type { Place } from '../store.ts';

export interface WriterJob {
  readonly task: 'write';
  readonly place: Place;
  /** Changed documents a second. */
  readonly rate: number;
  readonly count: number;
  /** Documents that are changed by one write. */
  readonly together: number;
  /** The moment of the first write, on `clock`; the writer has to be ready before it. */
  readonly startAt: number;
}

export interface RestoreJob {
  readonly task: 'restore';
  readonly place: Place;
}

export interface Written {
  /** Number of each change, and when the majority acknowledged it. */
  readonly acknowledged: readonly (readonly [number: number, at: number])[];
  /** From the first change to the last. */
  readonly ms: number;
}

/**
 * From the majority's acknowledgement, as the writer hears of it, until a change was seen,
 * milliseconds; 0 where it was seen before. A writer without a processor hears late.
 */
export interface Visible {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Changes that were never seen. */
  readonly lost: number;
}

/** `seen`: when each number was, on `clock`. */
export function visibleOf({ acknowledged }: Written, seen: ReadonlyMap<number, number>): Visible {
  const lags = acknowledged.map(([number, at]) => (seen.get(number) ?? Infinity) - at);
  const shown = lags.map((lag) => Math.max(0, lag));
  return {
    p50: percentile(shown, 0.5),
    p99: percentile(shown, 0.99),
    max: shown.reduce((most, lag) => Math.max(most, lag), 0),
    lost: lags.filter((lag) => lag === Infinity).length,
  };
}

/** Later than any date of the generated tasks; a change's number is counted from here. */
const FIRST_DATE = Date.UTC(2090, 0, 1);

export const dateOf = (number: number): Date => new Date(FIRST_DATE + number);

export function numberOf(cell: Cell): number | undefined {
  if (!(cell instanceof Date)) return undefined;
  const number = cell.getTime() - FIRST_DATE;
  return number >= 0 ? number : undefined;
}

/** The task that a change of so many changes, or copies; throws where it would be changed twice. */
export function changedId(tasks: number, count: number): (number: number) => number {
  if (count > tasks) throw new Error(`${count} changes of ${tasks} tasks`);
  const step = Math.floor(tasks / count);
  return (number) => GENERATED_FROM + number * step;
}

/** Milliseconds on the clock that all processes of the machine share. */
export const clock = (): number => Number(process.hrtime.bigint()) / 1e6;

/** One write in five is of new tasks. */
export const isInsert = (number: number, together: number): boolean =>
  Math.floor(number / together) % 5 === 4;
