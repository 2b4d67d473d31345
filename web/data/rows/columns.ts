/** The columns that show, in the address; their widths, kept in this browser, and how many stay in sight. */
import { computed } from '@preact/signals';
import { firstWidth, MAX_WIDTH, MIN_WIDTH } from '../../tables/columns.ts';
import { columnOf } from '../../tables/tables.ts';
import { prefer, preferences } from '../preferences.ts';
import { go, table, view } from '../store.ts';

const chosenColumns = computed(() => view.value.columns);

/** The columns that show: those of the address that are there, or the table's own. */
const shownColumns = computed((): readonly string[] => {
  const { columns } = table.value;
  const known = table.value.description.columns;
  const wanted = (chosenColumns.value ?? columns).filter((one) => Object.hasOwn(known, one));
  return wanted.length > 0 ? wanted : columns;
});
export const columnsShown = () => shownColumns.value;

export function setColumns(next: readonly string[]): void {
  const same = next.join() === table.peek().columns.join();
  go({ ...view.peek(), columns: same ? null : next }, 'replace');
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
export const pinnedOf = (name: string): number => preferences.value.pinned[name] ?? 1;

export const pin = (name: string, count: number): void =>
  prefer({ pinned: { ...preferences.peek().pinned, [name]: Math.max(0, count) } });

/** The table's own columns, at their own widths. */
export function resetColumns(): void {
  setColumns(table.value.columns);
  const { widths } = preferences.peek();
  const prefix = `${table.value.name} `;
  prefer({
    widths: Object.fromEntries(Object.entries(widths).filter(([key]) => !key.startsWith(prefix))),
  });
}
