/** Steps that keys, buttons and commands share: they change the view and the open record. */
import { effect } from '@preact/signals';
import type { ViewValue } from '../../clients/typescript/viewAddress.ts';
import { otherView, withoutDates } from '../query/question.ts';
import { addressOf } from '../state/address.ts';
import {
  comparing,
  initialView,
  isRanked,
  type TableName,
  type View,
  withCondition,
} from '../state/view.ts';
import { addressFields, tableOf } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { closeDialog } from './dialogs.ts';
import { notices, notify } from './notices.ts';
import { isShown } from './rows/arrivals.ts';
import { rowsCame } from './rows/asking.ts';
import { person } from './service/session.ts';
import {
  ask,
  cursor,
  facetSearch,
  go,
  group,
  keyOf,
  paginationShown,
  question,
  shown,
  view,
} from './store.ts';
import { tellUnread } from './unread.ts';
import { defaultOf, viewAt } from './views.ts';

/** A table and the address that it opens with. */
export const linkTo = (name: TableName) => ({
  name,
  href: addressOf(beginningOf(name).opened, addressFields),
});

export function openTable(name: TableName): void {
  const { opened, address } = beginningOf(name);
  go(opened);
  tellUnread(address);
}

// Nobody finds what another person searched values by, was about to do, or could undo.
effect(() => {
  person.value;
  closeDialog();
  facetSearch.value = {};
  notices.value = [];
});

/** The view that a table opens with: its default one. A member stays in the project they look at. */
function beginningOf(name: TableName) {
  const project = tableOf(name).views.project ? view.peek().project : null;
  return defaultOf(name, project) ?? { opened: { ...initialView(name), project }, address: '' };
}

/** Opens a saved view. */
export function openAddress(address: string): void {
  go(viewAt(address));
  tellUnread(address);
}

export const openRow = (key: string) =>
  go({ ...view.value, open: key }, view.value.open === null ? 'push' : 'replace');

/** Closing a record moves the focus to its row, or to the one that Tab leads to. */
export function closePanel(): void {
  const key = view.peek().open;
  go({ ...view.peek(), open: null, tab: 'record' });
  ((key === null ? undefined : rowElement(key)) ?? rowOfTab())?.focus();
}

export const groupBy = (field: string): void => ask({ group: field });

/** Shows the rows in place of the groups; of one group alone, where a value is given. */
export function ungroup(field: string, value?: ViewValue): void {
  const { conditions } = view.peek();
  const only =
    value !== undefined && ({ kind: 'values', field, not: false, values: [value] } as const);
  ask({ group: null, conditions: only ? withCondition(conditions, only) : conditions });
}

/** Compares the filters to come with the present ones. */
export function setBaseline(): void {
  const now = view.peek();
  // Without bars and counts by value there is nothing to compare.
  const { facets, times } = tableOf(now.table).description;
  if (!question.peek() || facets.length + times.length === 0) return;
  go({ ...now, compare: comparing('with', isRanked(now.compare)), other: withoutDates(now, now) });
  notify(say('Baseline set: change the filters to compare with it.'));
}

/** Shows the rows of the baseline, compared with those that showed. */
export function swapBaseline(): void {
  const now = view.peek();
  const { q, conditions } = otherView(now);
  ask({ q, conditions, other: withoutDates(now, now) });
}

/** Goes to a page that is there. */
export function goToPage(page: number): void {
  const pages = shown.value?.answer.meta.pagination.total_pages ?? 1;
  const next = Math.min(Math.max(1, Math.trunc(page) || 1), Math.max(1, pages));
  if (next !== view.value.page && group.value === undefined) go({ ...view.value, page: next });
}

/** The key of the row before or after this one on the page; undefined where the page ends. */
export function neighbour(key: string, step: number): string | undefined {
  const keys = (shown.value?.rows ?? []).map(keyOf);
  const at = keys.indexOf(key);
  return at < 0 ? undefined : keys[at + step];
}

/** Opens a row of the page, which keys then act on. */
function openOther(key: string): void {
  cursor.value = (shown.peek()?.rows ?? []).findIndex((row) => keyOf(row) === key);
  openRow(key);
}

/** Whether a row comes before or after this one: on its page, or on the one beside that. */
export function leadsOn(key: string, step: 1 | -1): boolean {
  if (neighbour(key, step) !== undefined) return true;
  const { current_page = 1, total_pages = 1 } = paginationShown.value ?? {};
  const isThere = neighbour(key, 0) !== undefined;
  return isThere && current_page + step >= 1 && current_page + step <= total_pages;
}

/** Opens the row before or after this one. */
export function openBeside(key: string, step: 1 | -1): void {
  const next = neighbour(key, step);
  if (next === undefined) void turnPage(step);
  else openOther(next);
}

/** The view of the page that a step has turned to, while its rows are on their way. */
let turning: View | undefined;

/** From an end of the page to the row beyond it, which keys then act on; it opens where one is open. */
export async function turnPage(step: 1 | -1): Promise<void> {
  const { page, open } = view.peek();
  if (view.peek() === turning) return;
  goToPage(page + step);
  const asked = view.peek();
  if (asked.page === page) return;
  turning = asked;
  await rowsCame();
  turning = undefined;
  const rows = shown.peek()?.rows ?? [];
  const beyond = step > 0 ? rows[0] : rows.at(-1);
  // Somebody may have gone elsewhere, or the service does not answer.
  if (view.peek() !== asked || !isShown(asked) || !beyond) return;
  cursor.value = rows.indexOf(beyond);
  if (open !== null) openRow(keyOf(beyond));
}

/** The next row is meant, unless a key has led on already: its record opens where this one's is open. */
export function goOn(key: string): void {
  const next = neighbour(key, 1);
  if (next === undefined) return;
  if (view.peek().open === key) openOther(next);
  const at = document.activeElement?.closest<HTMLElement>('tr.row');
  if (at?.dataset.key === key) rowElement(next)?.focus();
}

export const rowOfTab = () => document.querySelector<HTMLElement>('tr.row[tabindex="0"]');

const rowElement = (key: string) =>
  [...document.querySelectorAll<HTMLElement>('tr.row')].find(({ dataset }) => dataset.key === key);

export function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  box?.focus();
  box?.select();
}
