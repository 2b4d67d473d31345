/** Widths of columns, kept in this browser, and how many columns stay in sight. */
import { columnOf } from '../tables/tables.ts';
import { prefer, preferences } from './preferences.ts';

export const MIN_WIDTH = 56;
export const MAX_WIDTH = 1_000;

/** Room for the longest age: a moment takes half as much again. Pixels. */
const AGE_WIDTH = 118;

/** Pixels. */
export function widthOf(name: string, column: string): number {
  const { widths, times } = preferences.value;
  const { look, width } = columnOf(name, column);
  const isAge = look === 'date' && times === 'relative';
  return widths[`${name} ${column}`] ?? (isAge ? Math.min(AGE_WIDTH, width) : width);
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
