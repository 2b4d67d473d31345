/** The menu of a column: which one is open, and the commands in it. */
import { effect, signal } from '@preact/signals';
import type { Deed } from '../../present/deeds.ts';
import { facetOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { groupBy } from '../moves.ts';
import { sorts, table, view } from '../store.ts';
import { columnsShown, pinnedOf, putColumn, setColumns } from './columns.ts';
import { setSort, sortAlsoBy, sortOfColumn, sortShown } from './sorting.ts';

/** The column whose menu is open, and its head. */
export const headMenu = signal<{ readonly column: string; readonly head: Element } | undefined>(
  undefined,
);

export const closeHeadMenu = () => {
  headMenu.value = undefined;
};
// Its figures are of the view that it was opened on: back and forward show another one.
effect(() => {
  view.value;
  closeHeadMenu();
});

/**
 * Closes the menu, acts, and moves the focus to the column's head: it may stand in another place then.
 * Where the column is hidden, the focus goes to the head that stands in its place.
 */
export function closeFor(act: () => void, column: string): void {
  const at = columnsShown().indexOf(column);
  closeHeadMenu();
  act();
  setTimeout(() => {
    const now = columnsShown().indexOf(column);
    const heads = document.querySelectorAll<HTMLElement>('.head-sort');
    (heads[now < 0 ? at : now] ?? heads[heads.length - 1])?.focus();
  });
}

interface Command extends Deed {
  readonly icon: 'up' | 'down' | 'lines' | 'keep' | 'slash';
}

/** The icon `up` stands for ascending order. */
export function commandsOf(column: string): readonly Command[] {
  const { name } = table.value;
  const field = sortOfColumn(column);
  const counted = facetOf(table.value, column);
  const columns = columnsShown();
  const at = columns.indexOf(column);
  const pinned = pinnedOf(name);
  const isPinned = at < pinned;
  const commands: Command[] = [];
  const add = (title: string, icon: Command['icon'], act: () => void) =>
    commands.push({ title, icon, act });
  if (field !== undefined) {
    add(say('Sort ascending'), 'up', () => setSort([{ by: field, order: 'asc' }]));
    add(say('Sort descending'), 'down', () => setSort([{ by: field, order: 'desc' }]));
    if (sorts.value.length > 0 && sortShown(field) === undefined)
      add(say('Also sort by this'), 'lines', () => sortAlsoBy(field));
  }
  if (counted !== undefined) add(say('Group by this column'), 'lines', () => groupBy(counted));
  add(say(isPinned ? 'Unpin' : 'Pin to the left'), 'keep', () => {
    // Behind the others that are pinned.
    if (isPinned) putColumn(column, pinned - 1, pinned - 1);
    else putColumn(column, pinned, pinned + 1);
  });
  if (columns.length > 1) {
    add(say('Hide column'), 'slash', () => setColumns(columns.filter((one) => one !== column)));
  }
  return commands;
}
