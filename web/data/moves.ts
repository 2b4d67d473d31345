/** Steps that keys, buttons and commands share: they change the view and the open record. */
import { viewOf } from '../state/address.ts';
import { initialView, type TableName } from '../state/view.ts';
import { addressFields, firstTable, tableOf } from '../tables/tables.ts';
import { paused } from './asking.ts';
import { cursor, go, shown, view } from './store.ts';

/** A table as it begins; a member stays in the project they look at. */
export const viewFor = (name: TableName) => ({
  ...initialView(name),
  project: tableOf(name).views.project ? view.peek().project : null,
});

export function openAddress(address: string): void {
  const { pathname, search } = new URL(address, location.origin);
  go(viewOf(pathname, search, addressFields, firstTable()));
}

/** A link that changes the view here, and still opens elsewhere with the keys that browsers have for it. */
export function follow(event: MouseEvent, act: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  act();
}

export const openRow = (key: string) =>
  go({ ...view.value, open: key }, view.value.open === null ? 'push' : 'replace');

/** Closing a record moves the focus to its row, or to the cursor's. */
export function closePanel(): void {
  const key = view.peek().open;
  go({ ...view.peek(), open: null, tab: 'record' });
  const rows = [...document.querySelectorAll<HTMLElement>('tr.row')];
  (rows.find(({ dataset }) => dataset.key === key) ?? rows[cursor.peek()])?.focus();
}

/** Goes to a page that is there. */
export function goToPage(page: number): void {
  const pages = shown.value?.answer.meta.pagination.total_pages ?? 1;
  const next = Math.min(Math.max(1, Math.trunc(page) || 1), Math.max(1, pages));
  if (next !== view.value.page) go({ ...view.value, page: next });
}

/** Who has closed what had the focus goes on at the row that keys act on. */
export function focusRow(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('tr.row[tabindex="0"]')?.focus({ preventScroll: true });
  });
}

export function togglePause(): void {
  paused.value = !paused.peek();
}

export function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  box?.focus();
  box?.select();
}
