/** What the writer and the one who watches it agree on: the numbers of changes, and the clock. */
import type { Cell } from '../../src/textindex/api.ts';
import type { Place } from '../store.ts';

export interface WriterJob {
  readonly place: Place;
  readonly rate: number;
  readonly count: number;
}

export interface Written {
  /** Number of each change, and when the majority acknowledged it. */
  readonly acknowledged: readonly (readonly [number: number, at: number])[];
  /** From the first change to the last. */
  readonly ms: number;
}

/** Later than any date of the generated tasks; a change's number is counted from here. */
const FIRST_DATE = Date.UTC(2090, 0, 1);

export const dateOf = (number: number): Date => new Date(FIRST_DATE + number);

export function numberOf(cell: Cell): number | undefined {
  if (!(cell instanceof Date)) return undefined;
  const number = cell.getTime() - FIRST_DATE;
  return number >= 0 ? number : undefined;
}

/** Milliseconds on the clock that all processes of the machine share. */
export const clock = (): number => Number(process.hrtime.bigint()) / 1e6;

/** One change in five is a new task. */
export const isInsert = (number: number): boolean => number % 5 === 4;
