/** An action on rows, from its plan to its outcomes. */
import type { Action, Skip } from '../tables/action.ts';
import type { Row } from '../tables/columns.ts';
import { tableOf } from '../tables/tables.ts';
import { keyTextOf } from './rowName.ts';

/** The rows that it is for; and those that were selected, too, and are skipped. */
export interface Plan {
  readonly action: Action;
  readonly rows: readonly Row[];
  /** How many are skipped, by reason. */
  readonly skipped: readonly Skipped[];
  /** Skipped rows, where they are known one by one. */
  readonly left: readonly { readonly key: string; readonly why: string }[];
}

export interface Skipped {
  readonly words: string;
  readonly count: number;
}

/** An action in progress. */
export interface Progress {
  readonly total: number;
  readonly outcomes: readonly Outcome[];
}

/** The result for one row. */
export interface Outcome {
  readonly key: string;
  readonly end: 'done' | 'refused' | 'unknown';
  readonly why?: string;
}

/** Why the action skips the row; undefined where it does not. */
export function skipOf({ skips }: Action, row: Row) {
  for (const skip of skips) {
    const why = skip.reason(row);
    if (why !== undefined) return { skip, why };
  }
  return undefined;
}

export function planFor(action: Action, rows: readonly Row[]): Plan {
  const keyOf = keyFor(action);
  const of = rows.map((row) => ({ row, found: skipOf(action, row) }));
  const left = of.flatMap(({ row, found }) =>
    found ? [{ key: keyOf(row), why: found.why, skip: found.skip }] : [],
  );
  const skipped = skippedOf(action, (one) => left.filter(({ skip }) => skip === one).length);
  return { action, rows: of.flatMap(({ row, found }) => (found ? [] : [row])), skipped, left };
}

export const skippedOf = ({ skips }: Action, count: (skip: Skip) => number): readonly Skipped[] =>
  skips.map((skip) => ({ words: skip.words, count: count(skip) })).filter((one) => one.count > 0);

/** Whichever table is looked at meanwhile. */
export const keyFor =
  ({ table }: Action) =>
  (row: Row): string =>
    keyTextOf(row, tableOf(table));
