/** Keys for all that can be done with the pointer. Letters do nothing while somebody types. */
import type { Row } from '../present/answer.ts';
import { NONE_CHOSEN } from '../present/chosen.ts';
import { type PageKey, PLACES } from '../present/keys.ts';
import { painted } from '../present/paint.ts';
import { addressOf } from '../state/address.ts';
import { ACTIONS, addressFields, tablesFor } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { copyLink } from './copy.ts';
import { openDialog, sheet } from './dialogs.ts';
import {
  closePanel,
  focusSearch,
  goToPage,
  leadsOn,
  neighbour,
  openRow,
  openTable,
  rowOfTab,
  setBaseline,
  turnPage,
  ungroup,
} from './moves.ts';
import { notify, undoLatest } from './notices.ts';
import { prefer, preferences } from './preferences.ts';
import { showWaiting } from './rows/arrivals.ts';
import { togglePause } from './rows/asking.ts';
import { openFirstCell } from './rows/cells.ts';
import { begin, chooseAll, moveRange, toggleChosen, togglePage } from './rows/selecting.ts';
import { isAdmin, session } from './service/session.ts';
import { chosen, cursor, go, group, isChoosing, keyOf, shown, table, view } from './store.ts';

/** Whether a step turns the page: others lead nowhere until its rows are there. */
let isTurning = false;

function move(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr.row')];
  if (rows.length === 0 || isTurning) return;
  const { open, page } = view.peek();
  const placeOf = (key: string | null) => rows.findIndex(({ dataset }) => dataset.key === key);
  // The record may have been opened by its address, or its row moved.
  const from = [open, focusedKey() ?? null].map(placeOf).find((at) => at >= 0);
  const at = from === undefined ? cursor.peek() : from + step;
  // The heads are one step up from the first row; from record to record the way leads past them.
  if (at < 0 && (open === null || page === 1)) {
    document.querySelector<HTMLElement>(HEADS)?.focus();
    return;
  }
  // At the end of all rows the last one stays the one that is meant.
  if (from !== undefined && !rows[at] && leadsOn(rows[from]!.dataset.key!, step)) {
    void turn(step);
    return;
  }
  const next = rows[Math.max(0, Math.min(rows.length - 1, at))]!;
  next.focus();
  if (open !== null) openRow(next.dataset.key!);
}

async function turn(step: 1 | -1): Promise<void> {
  isTurning = true;
  await turnPage(step);
  await painted();
  isTurning = false;
  if (focusedKey() !== undefined || document.activeElement === document.body) rowOfTab()?.focus();
}

/** Heads of columns, as far as they can be used. */
const HEADS = 'thead :is(input, button, [role=separator])';

/** The key of the row with the focus, as people see it. */
const focusedKey = () => document.activeElement?.closest<HTMLElement>('tr.row')?.dataset.key;

/** The row that a key is meant for: the open one, or the one with the focus; no other. */
function rowMeant(): Row | undefined {
  const key = focusedKey() ?? view.peek().open;
  return key === null ? undefined : shown.peek()?.rows.find((one) => keyOf(one) === key);
}

/** Acts on the row that is meant, or says that none is. */
function withRow(act: (row: Row) => void): void {
  const row = rowMeant();
  if (row) act(row);
  else notify(say('Go to a row first, by the arrow keys or j and k.'));
}

/** Selects from the row that is meant to the next one. */
function reach(step: 1 | -1): void {
  withRow((row) => {
    const next = neighbour(keyOf(row), step);
    if (next === undefined) return;
    moveRange(keyOf(row), next);
    move(step);
  });
}

/** On the rows that are selected, or else on the one that is meant. */
function act(id: string): void {
  const action = table.peek().actions.find((one) => one.id === id);
  if (!action) return;
  if (isChoosing.peek()) begin(action);
  else withRow((row) => openDialog({ kind: 'action', action: id, on: [row], goesOn: true }));
}

const DEEDS: Readonly<Record<PageKey, () => void>> = {
  '/': focusSearch,
  j: () => move(1),
  k: () => move(-1),
  Enter: () => withRow((row) => openRow(keyOf(row))),
  Escape: closeOne,
  '.': openMenu,
  x: () => withRow((row) => toggleChosen(keyOf(row))),
  'Shift J': () => reach(1),
  'Shift K': () => reach(-1),
  a: togglePage,
  'Shift A': chooseAll,
  ArrowRight: () => goToPage(view.peek().page + 1),
  ArrowLeft: () => goToPage(view.peek().page - 1),
  n: showWaiting,
  p: togglePause,
  l: openLog,
  z: undoLatest,
  f: () => prefer({ sides: !preferences.peek().sides }),
  e: () => openDialog({ kind: 'export' }),
  b: setBaseline,
  v: () => openDialog({ kind: 'views' }),
  // To the view as it is.
  y: () => copyLink(addressOf(view.peek(), addressFields)),
  '?': () => openDialog({ kind: 'help' }),
};

/** The deed of each key, with and without Shift. */
export const deeds: ReadonlyMap<string, () => void> = new Map([
  ...Object.entries(DEEDS),
  ...ACTIONS.flatMap(({ id, key }) => (key ? [[key.keys, () => act(id)] as const] : [])),
  ...Array.from({ length: PLACES }, (_, at) => [String(at + 1), () => openPlace(at)] as const),
]);
const ALSO: Readonly<Record<string, string>> = { ArrowDown: 'j', ArrowUp: 'k' };

function openPlace(at: number): void {
  const name = tablesFor(isAdmin.peek())[at];
  if (name) openTable(name);
}

function closeOne(): void {
  if (sheet.peek() !== 'none') sheet.value = 'none';
  else if (view.peek().open !== null) closePanel();
  else if (isChoosing.peek()) chosen.value = NONE_CHOSEN;
  else if (group.peek() !== undefined) ungroup(group.peek()!);
  else showWaiting();
}

/** Opens the menu of the first value; arrows lead to the others. */
function openMenu(): void {
  const within = document.activeElement?.closest('.panel, tr.row');
  if (within) openFirstCell(within);
  else withRow(() => openFirstCell(document.querySelector('.panel')!));
}

function openLog(): void {
  if (!table.peek().tabs.includes('log')) return;
  const { open: key } = view.peek();
  const show = (open: string) => go({ ...view.peek(), open, tab: 'log' });
  if (key !== null) show(key);
  else withRow((row) => show(keyOf(row)));
}

/** Elements that use letters or arrows themselves. */
const TYPES = 'input:not([type=checkbox]), textarea, select, [role=slider]';
/** Elements that arrows scroll, or walk through. */
const ARROWED =
  '[role=tab], [role=toolbar], pre, thead, .log-lines, .facets, .panel-body, .chips, .timeline';

/** The action of a key press; undefined where the browser's own stays. */
function deedOf(event: KeyboardEvent): (() => void) | undefined {
  const { key, shiftKey } = event;
  if (event.altKey || document.querySelector('dialog[open], :popover-open')) return undefined;
  if (event.ctrlKey || event.metaKey) {
    return key.toLowerCase() === 'k' && !shiftKey
      ? () => openDialog({ kind: 'palette' })
      : undefined;
  }
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.matches(TYPES)) return undefined;
  if (key.length === 1 && !preferences.peek().shortcuts) return undefined;
  if (key === 'Enter' && (target.closest('a, button') || focusedKey() === undefined))
    return undefined;
  if (key.startsWith('Arrow') && (shiftKey || target.closest(ARROWED))) return undefined;
  return deeds.get(shiftKey && /^[A-Z]$/.test(key) ? `Shift ${key}` : (ALSO[key] ?? key));
}

export function startKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (!session.peek() || event.defaultPrevented) return;
    const deed = deedOf(event);
    if (!deed) return;
    event.preventDefault();
    deed();
  });
}
