/**
 * Answers as they come in: shown at once where that moves nothing under somebody's eyes, else kept
 * until they ask for them. Cells of rows that stay are brought up to date in place, and flash.
 */

import { batch, effect, signal } from '@preact/signals';
import type { Answer, Row } from '../../present/answer.ts';
import { NONE_CHOSEN } from '../../present/chosen.ts';
import { kept, merged } from '../../present/merge.ts';
import { marked } from '../../present/paint.ts';
import type { TableName, View } from '../../state/view.ts';
import {
  askedFor,
  chosen,
  cursor,
  flashes,
  isChoosing,
  keyOf,
  matchedBy,
  searched,
  shown,
  view,
  waiting,
} from '../store.ts';

/** Whether rows must stay where they are: somebody points at them, is at one by keys, reads on below, or has chosen some. */
export const pointing = signal(false);
export const scrolled = signal(false);

/** The facet that somebody points at, by its place: values in it and above it stay where they are. */
export const pointedFacet = signal<number | undefined>(undefined);
effect(() => {
  // The next text has other values: who types does not aim at those of the text before.
  searched.value;
  pointedFacet.value = undefined;
});

const isAtRow = () => document.activeElement?.closest('tr.row') != null;

function isHeld(): boolean {
  const isAimed = pointing.peek() || isAtRow();
  return isAimed || scrolled.peek() || isChoosing.peek() || view.peek().open !== null;
}

/** Whether rows that the view asks for are shown. */
export function isShown(asked: View): boolean {
  const now = shown.peek();
  return now !== undefined && askedFor(now.of) === askedFor(asked);
}

/** The answer to a new question; counts that are still to come stay as they were. */
export function show(answer: Answer, to: View): void {
  const before = shown.peek();
  const { facets = before?.answer.facets, histogram = before?.answer.histogram } = answer;
  batch(() => {
    shown.value = {
      answer: { ...answer, ...(facets && { facets }), ...(histogram && { histogram }) },
      rows: kept(before?.rows ?? [], answer.data, keyOf),
      of: to,
      compare: answer.facets ? to.compare : (before?.compare ?? null),
    };
    if (before && matchedBy(before.of) !== matchedBy(to)) {
      // Somebody may have selected rows of the search before while this one was on its way.
      chosen.value = NONE_CHOSEN;
      if (!isAtRow()) cursor.value = 0;
    }
    waiting.value = undefined;
    if (flashes.peek().size > 0) flashes.value = new Map();
  });
  marked('rows');
}

/** A later answer to the question that is shown. */
export function arrive(answer: Answer, { compare }: View): void {
  const last = shown.peek();
  if (!last) return;
  const before = { ...last, compare };
  const { rows, count, same, flash } = merged(before.rows, answer.data, keyOf);
  batch(() => {
    if (flash.size > 0 || flashes.peek().size > 0) flashes.value = flash;
    if (!same && isHeld()) {
      shown.value = { ...before, answer, rows };
      waiting.value = count;
    } else {
      shown.value = { ...before, answer, rows: same ? rows : kept(rows, answer.data, keyOf) };
      waiting.value = undefined;
    }
  });
}

/** Shows the rows that waited. */
export function showWaiting(): void {
  const before = shown.peek();
  if (waiting.peek() === undefined || !before) return;
  batch(() => {
    shown.value = { ...before, rows: before.answer.data };
    waiting.value = undefined;
  });
}

/** The same, unless something holds the rows. */
export function release(): void {
  if (!isHeld()) showWaiting();
}

/** Puts the record that an action answered in the place of its row, while its table shows. */
export function put(record: Row, table: TableName): void {
  const before = shown.peek();
  if (before?.of.table !== table) return;
  const key = keyOf(record);
  const rows = before.rows.map((row) => (keyOf(row) === key ? { ...row, ...record } : row));
  const { flash } = merged(before.rows, rows, keyOf);
  batch(() => {
    shown.value = { ...before, rows };
    flashes.value = flash;
  });
}
