/** Rows are selected for an action: one, a range, all of the page, or all that match. */
import type { Row } from '../../present/answer.ts';
import { isPicked, NONE_CHOSEN, partChosen } from '../../present/chosen.ts';
import type { TableName } from '../../state/view.ts';
import { type Action, tableOf } from '../../tables/tables.ts';
import { openDialog } from '../dialogs.ts';
import { chosen, group, isChoosing, keyOf, shown, view } from '../store.ts';

/** Groups stand in place of the rows: then there is none to select. */
export const canChoose = (name: TableName): boolean =>
  tableOf(name).actions.length > 0 && group.peek() === undefined;

/** The row that was selected or cleared last: a range begins there. */
let anchor: string | undefined;

export function toggleChosen(key: string): void {
  if (!canChoose(view.peek().table)) return;
  anchor = key;
  set([key], !isPicked(key, chosen.peek()));
}

/** Gives all rows between the last one that was toggled and this one the state of that one. */
export function chooseRange(key: string): void {
  const keys = rowsShown().map(keyOf);
  const from = keys.indexOf(anchor ?? '');
  const to = keys.indexOf(key);
  if (from < 0 || to < 0 || !isChoosing.peek()) {
    toggleChosen(key);
    return;
  }
  const range = keys.slice(Math.min(from, to), Math.max(from, to) + 1);
  set(range, isPicked(keys[from]!, chosen.peek()));
}

/**
 * Moves the end of a range from one row to the next. A step away from the range's beginning selects
 * the next row; a step back clears the row it leaves.
 */
export function moveRange(from: string, to: string): void {
  if (!canChoose(view.peek().table)) return;
  if (!isPicked(from, chosen.peek())) toggleChosen(from);
  const keys = rowsShown().map(keyOf);
  const [began, left, next] = [anchor ?? '', from, to].map((key) => keys.indexOf(key));
  const isBack = began! >= 0 && Math.abs(next! - began!) < Math.abs(left! - began!);
  set([isBack ? from : to], !isBack);
}

/** Selects all rows of the page, or clears them where all are selected; other pages keep theirs. */
export function togglePage(): void {
  if (!canChoose(view.peek().table)) return;
  const picked = chosen.peek();
  if (picked === 'all') chosen.value = NONE_CHOSEN;
  else {
    const keys = rowsShown().map(keyOf);
    set(keys, partChosen(keys, picked) !== 'all');
  }
}

const rowsShown = (): readonly Row[] => shown.peek()?.rows ?? [];

function set(keys: readonly string[], isOn: boolean): void {
  const picked = chosen.peek();
  const rows = new Map(rowsShown().map((row) => [keyOf(row), row]));
  // After "all rows that match", the rows of this page stay selected.
  const next = new Map(picked === 'all' ? rows : picked);
  for (const key of keys) {
    const row = rows.get(key);
    if (!isOn) next.delete(key);
    else if (row) next.set(key, row);
  }
  chosen.value = next;
}

export function chooseAll(): void {
  if (canChoose(view.peek().table)) chosen.value = 'all';
}

/** Opens the confirmation of an action on the selected rows. */
export function begin(action: Action): void {
  const picked = chosen.peek();
  const now = new Map(rowsShown().map((row) => [keyOf(row), row]));
  // The rows of this page as they are now.
  const on = picked === 'all' ? 'all' : [...picked].map(([key, row]) => now.get(key) ?? row);
  openDialog({ kind: 'action', action: action.id, on });
}
