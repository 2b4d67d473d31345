/** The columns that show, in the address; their widths and which of them stay in sight, kept in this browser. */
import { computed } from '@preact/signals';
import { firstWidth, MAX_WIDTH, MIN_WIDTH } from '../../tables/columns.ts';
import { columnOf } from '../../tables/tables.ts';
import { prefer, preferences } from '../preferences.ts';
import { go, table, view } from '../store.ts';

const chosenColumns = computed(() => view.value.columns);

/** The columns that show: those of the address that are there, or the table's own. Pinned ones stand first. */
const shownColumns = computed((): readonly string[] => {
  const { name, columns, description } = table.value;
  const wanted = (chosenColumns.value ?? columns).filter((one) =>
    Object.hasOwn(description.columns, one),
  );
  const all = wanted.length > 0 ? wanted : columns;
  const names = namesPinned(name);
  return [
    ...all.filter((one) => names.includes(one)),
    ...all.filter((one) => !names.includes(one)),
  ];
});
export const columnsShown = () => shownColumns.value;

/** @param pinned how many of them are pinned; else as many as before, less those that are hidden */
export function setColumns(next: readonly string[], pinned?: number): void {
  const { name, columns } = table.peek();
  const before = columnsShown();
  const kept = preferences.peek().pinned;
  // Where nobody has pinned one, the first is pinned, whichever it is.
  if (pinned !== undefined || kept[name] !== undefined) {
    const still = before.slice(0, pinnedOf(name)).filter((one) => next.includes(one));
    // Other views show the others.
    const others = namesPinned(name).filter((one) => !before.includes(one));
    prefer({
      pinned: { ...kept, [name]: [...next.slice(0, pinned ?? still.length), ...others] },
    });
  }
  const same = next.join() === columns.join();
  go({ ...view.peek(), columns: same ? null : next }, 'replace');
}

/** Puts the column behind so many others. @param pinned as for `setColumns` */
export function putColumn(column: string, to: number, pinned?: number): void {
  const others = columnsShown().filter((one) => one !== column);
  setColumns([...others.slice(0, to), column, ...others.slice(to)], pinned);
}

/**
 * Puts the column in front of the one that shows at this place, or behind all. Between pinned ones it is
 * pinned as well; at their end nothing changes.
 */
export function moveColumn(column: string, place: number): void {
  const { name } = table.peek();
  const at = columnsShown().indexOf(column);
  const to = place > at ? place - 1 : place;
  if (to === at) return;
  const wasPinned = at < pinnedOf(name);
  const pinned = pinnedOf(name) - (wasPinned ? 1 : 0);
  const isPinned = to < pinned || (to === pinned && wasPinned);
  const isChosen = preferences.peek().pinned[name] !== undefined;
  putColumn(column, to, isChosen ? pinned + (isPinned ? 1 : 0) : undefined);
}

/** Pixels. */
export function widthOf(name: string, column: string): number {
  const { widths, times } = preferences.value;
  return widths[`${name} ${column}`] ?? firstWidth(columnOf(name, column), times);
}

/** Undefined: as wide as it was at first. */
export function setWidth(name: string, column: string, width: number | undefined): void {
  const { [`${name} ${column}`]: _, ...rest } = preferences.peek().widths;
  prefer({
    widths: width === undefined ? rest : { ...rest, [`${name} ${column}`]: within(width) },
  });
}

const within = (width: number) => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(width)));

/** How many columns at the left stay in sight while the others are scrolled. */
export function pinnedOf(name: string): number {
  const pinned = preferences.value.pinned[name] ?? 1;
  if (typeof pinned === 'number') return pinned;
  return columnsShown().filter((one) => pinned.includes(one)).length;
}

/** None where a number of columns is pinned, whichever they are. */
function namesPinned(name: string): readonly string[] {
  const pinned = preferences.value.pinned[name];
  return Array.isArray(pinned) ? pinned : [];
}

/** The table's own columns, at their own widths, the first one pinned. */
export function resetColumns(): void {
  const { name, columns } = table.peek();
  const { widths, pinned } = preferences.peek();
  const { [name]: _, ...others } = pinned;
  const prefix = `${name} `;
  prefer({
    pinned: others,
    widths: Object.fromEntries(Object.entries(widths).filter(([key]) => !key.startsWith(prefix))),
  });
  setColumns(columns);
}
