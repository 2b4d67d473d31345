/** What keys, buttons and commands do alike: to the view, to what is chosen, to what is open. */
import { viewOf } from '../state/address.ts';
import { initialView, TABLES, type TableName } from '../state/view.ts';
import { addressFields, TABLE } from '../tables/tables.ts';
import { type Action, actionsFor } from './actions.ts';
import { paused } from './asking.ts';
import { dialog } from './dialogs.ts';
import type { Row } from './service.ts';
import { type Chosen, chosen, cursor, go, keyOf, NONE_CHOSEN, shown, view } from './store.ts';

export const tablesFor = (admin: boolean): readonly TableName[] =>
  TABLES.filter((name) => admin || TABLE[name].views.member || TABLE[name].views.project);

/** A table as it begins; a member stays in the project they look at. */
export const viewFor = (name: TableName) => ({
  ...initialView(name),
  project: TABLE[name].views.project ? view.peek().project : null,
});

export function openAddress(address: string): void {
  const { pathname, search } = new URL(address, location.origin);
  go(viewOf(pathname, search, addressFields));
}

/** A link that changes the view here, and still opens elsewhere with the keys that browsers have for it. */
export function follow(event: MouseEvent, act: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  act();
}

export const openRow = (key: string) =>
  go({ ...view.value, open: key }, view.value.open === null ? 'push' : 'replace');

/** Who closes a record is at its row again, or at the one that keys act on. */
export function closePanel(): void {
  const key = view.peek().open;
  go({ ...view.peek(), open: null, tab: 'record' });
  const rows = [...document.querySelectorAll<HTMLElement>('tr.row')];
  (rows.find(({ dataset }) => dataset.key === key) ?? rows[cursor.peek()])?.focus();
}

/** Rows are chosen to do something to them. */
export const canChoose = (name: TableName): boolean => actionsFor(name).length > 0;

export function toggleChosen(key: string): void {
  if (!canChoose(view.peek().table)) return;
  const picked = chosen.peek();
  const rows = shown.peek()?.rows ?? [];
  // Of all that match, those that show are left.
  const next = new Map(picked === 'all' ? rows.map((row) => [keyOf(row), row]) : picked);
  const row = rows.find((one) => keyOf(one) === key);
  if (!next.delete(key) && row) next.set(key, row);
  chosen.value = next;
}

const isPicked = (row: Row, picked: Chosen) => picked === 'all' || picked.has(keyOf(row));

/** Whether all rows of the page are chosen. */
export const isPageChosen = (rows: readonly Row[], picked: Chosen): boolean =>
  rows.length > 0 && rows.every((row) => isPicked(row, picked));

/** Chooses all rows of the page, or lets go of them where all are chosen; those of other pages stay as they are. */
export function togglePage(): void {
  if (!canChoose(view.peek().table)) return;
  const picked = chosen.peek();
  const rows = shown.peek()?.rows ?? [];
  if (picked === 'all') {
    chosen.value = NONE_CHOSEN;
    return;
  }
  const isOff = isPageChosen(rows, picked);
  const next = new Map(picked);
  for (const row of rows) {
    if (isOff) next.delete(keyOf(row));
    else next.set(keyOf(row), row);
  }
  chosen.value = next;
}

/** Goes to a page that is there. */
export function goToPage(page: number): void {
  const pages = shown.value?.answer.meta.pagination.total_pages ?? 1;
  const next = Math.min(Math.max(1, Math.trunc(page) || 1), Math.max(1, pages));
  if (next !== view.value.page) go({ ...view.value, page: next });
}

/** Opens the confirmation of an action on what is chosen. */
export function begin(action: Action): void {
  const picked = chosen.peek();
  const now = new Map((shown.peek()?.rows ?? []).map((row) => [keyOf(row), row]));
  // Those of this page as they are now.
  const on = picked === 'all' ? 'all' : [...picked].map(([key, row]) => now.get(key) ?? row);
  dialog.value = { kind: 'action', action: action.id, on };
}

export function chooseAll(): void {
  if (canChoose(view.peek().table)) chosen.value = 'all';
}

export function togglePause(): void {
  paused.value = !paused.peek();
}

export function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  box?.focus();
  box?.select();
}
