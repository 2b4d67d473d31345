/** Keys and their meanings, in the order of the help; `data/keys.ts` has the actions. */
import type { TableName } from '../state/view.ts';
import { tableOf } from '../tables/tables.ts';

const OF_ROWS = {
  '/': 'Search',
  j: 'Next row',
  k: 'Previous row',
  Enter: 'Open row',
  Escape: 'Close panel, clear selection or show rows',
  '.': 'Actions on a value',
  x: 'Select row',
  'Shift J': 'Select down to the next row',
  'Shift K': 'Select up to the previous row',
  a: 'Select all rows on this page',
  'Shift A': 'Select all that match',
  ArrowRight: 'Next page',
  ArrowLeft: 'Previous page',
  n: 'Show new rows',
  p: 'Pause or resume updates',
  l: 'Open task log',
} as const;

const OF_THE_PAGE = {
  z: 'Undo',
  f: 'Show or hide filters',
  e: 'Export',
  b: 'Set these filters as baseline',
  v: 'Saved views',
  y: 'Copy link',
  '?': 'Keyboard shortcuts',
} as const;

export type PageKey = keyof typeof OF_ROWS | keyof typeof OF_THE_PAGE;

/** Digits from 1 on lead to as many tables. */
export const PLACES = 9;

const listed = (titles: Readonly<Record<string, string>>) =>
  Object.entries(titles).map(([keys, title]) => ({ keys, title }));

/** Rows are selected for actions, and actions are undone. */
const OF_ACTIONS = new Set(['x', 'Shift J', 'Shift K', 'a', 'Shift A', 'z']);

/** The keys that do something in the table, with those of its actions and without digits. */
export function keysOf(
  name: TableName,
): readonly { readonly keys: string; readonly title: string }[] {
  const { actions, tabs } = tableOf(name);
  const own = actions.flatMap(({ key }) => (key ? [key] : []));
  return [...listed(OF_ROWS), ...own, ...listed(OF_THE_PAGE)].filter(({ keys }) =>
    keys === 'l' ? tabs.includes('log') : actions.length > 0 || !OF_ACTIONS.has(keys),
  );
}
