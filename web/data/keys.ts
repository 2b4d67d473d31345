/** Keys for all that can be done with the pointer. Letters do nothing while somebody types. */
import { actionsFor } from './actions.ts';
import { showWaiting } from './arrivals.ts';
import { dialog, sheet } from './dialogs.ts';
import {
  closePanel,
  focusSearch,
  goToPage,
  openRow,
  tablesFor,
  togglePause,
  viewFor,
} from './moves.ts';
import { prefer, preferences } from './preferences.ts';
import { begin, chooseAll, toggleChosen, togglePage } from './selecting.ts';
import { isAdmin, session } from './session.ts';
import {
  chosen,
  cursor,
  go,
  isChoosing,
  keyOf,
  NONE_CHOSEN,
  shown,
  table,
  view,
  waiting,
} from './store.ts';

export interface Key {
  readonly keys: string;
  readonly title: string;
  readonly act: () => void;
}

function move(step: number): void {
  const rows = document.querySelectorAll<HTMLElement>('tr.row');
  if (rows.length === 0) return;
  const isThere = document.activeElement?.closest('tr.row') !== null;
  const at = isThere || view.peek().open !== null ? cursor.peek() + step : cursor.peek();
  const next = Math.min(rows.length - 1, Math.max(0, at));
  cursor.value = next;
  rows[next]!.focus();
  if (view.peek().open !== null) openCursor();
}

function openCursor(): void {
  const row = shown.peek()?.rows[cursor.peek()];
  if (row) openRow(keyOf(row));
}

/** What is chosen, or else the row that keys act on. */
function act(id: string): void {
  const action = actionsFor(table.peek().name).find((one) => one.id === id);
  if (!action) return;
  if (isChoosing.peek()) begin(action);
  else {
    const { open: key } = view.peek();
    const rows = shown.peek()?.rows ?? [];
    const row = key === null ? rows[cursor.peek()] : rows.find((one) => keyOf(one) === key);
    if (row) dialog.value = { kind: 'action', action: action.id, on: [row] };
  }
}

const PLACES = ['First', 'Second', 'Third', 'Fourth', 'Fifth'].map((one) => `${one} table`);

export const KEYS: readonly Key[] = [
  { keys: '/', title: 'Search', act: focusSearch },
  { keys: 'j', title: 'Next row', act: () => move(1) },
  { keys: 'k', title: 'Previous row', act: () => move(-1) },
  { keys: 'Enter', title: 'Open row', act: openCursor },
  { keys: 'Escape', title: 'Close panel or clear selection', act: closeOne },
  { keys: 'x', title: 'Select row', act: chooseCursor },
  { keys: 'a', title: 'Select all rows on this page', act: togglePage },
  { keys: 'Shift A', title: 'Select all that match', act: chooseAll },
  { keys: 'ArrowRight', title: 'Next page', act: () => goToPage(view.peek().page + 1) },
  { keys: 'ArrowLeft', title: 'Previous page', act: () => goToPage(view.peek().page - 1) },
  { keys: 'n', title: 'Show new rows', act: showWaiting },
  { keys: 'p', title: 'Pause or resume updates', act: togglePause },
  { keys: 'l', title: 'Open task log', act: openLog },
  { keys: 'c', title: 'Cancel tasks', act: () => act('cancel') },
  { keys: 's', title: 'Preserve tasks', act: () => act('preserve') },
  { keys: 'f', title: 'Show or hide filters', act: toggleSides },
  { keys: 'e', title: 'Export', act: () => open('export') },
  { keys: 'v', title: 'Saved views', act: () => open('views') },
  { keys: '?', title: 'Keyboard shortcuts', act: () => open('help') },
  ...[1, 2, 3, 4, 5].map((place) => ({
    keys: String(place),
    title: PLACES[place - 1]!,
    act: () => {
      const name = tablesFor(isAdmin.peek())[place - 1];
      if (name) go(viewFor(name));
    },
  })),
];

const byKey = new Map(KEYS.map((one) => [one.keys, one.act]));
const ALSO: Readonly<Record<string, string>> = { ArrowDown: 'j', ArrowUp: 'k' };

function open(kind: 'export' | 'views' | 'help' | 'palette'): void {
  dialog.value = { kind };
}

function closeOne(): void {
  if (sheet.peek() !== 'none') sheet.value = 'none';
  else if (view.peek().open !== null) closePanel();
  else if (isChoosing.peek()) chosen.value = NONE_CHOSEN;
  else if (waiting.peek()) showWaiting();
}

function chooseCursor(): void {
  const row = shown.peek()?.rows[cursor.peek()];
  if (row) toggleChosen(keyOf(row));
}

function openLog(): void {
  if (table.peek().name !== 'tasks') return;
  const row = shown.peek()?.rows[cursor.peek()];
  const key = view.peek().open ?? (row && keyOf(row));
  if (key) go({ ...view.peek(), open: key, tab: 'log' });
}

function toggleSides(): void {
  prefer({ sides: !preferences.peek().sides });
}

/** Elements that use letters or arrows themselves. */
const TYPES = 'input:not([type=checkbox]), textarea, select, [role=slider]';
/** Elements that arrows scroll, or walk through. */
const ARROWED = '[role=tab], pre, .log-lines, .facets, .panel-body';

/** What a key does where it was pressed; undefined where it does what it always does. */
function deedOf(event: KeyboardEvent): (() => void) | undefined {
  const { key, shiftKey } = event;
  if (event.ctrlKey || event.metaKey) {
    return key.toLowerCase() === 'k' ? () => open('palette') : undefined;
  }
  if (event.altKey || document.querySelector('dialog[open]')) return undefined;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.matches(TYPES)) return undefined;
  if (key === 'Enter' && target.closest('a, button')) return undefined;
  if (key.startsWith('Arrow') && target.closest(ARROWED)) return undefined;
  return byKey.get(shiftKey && key === 'A' ? 'Shift A' : (ALSO[key] ?? key));
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
