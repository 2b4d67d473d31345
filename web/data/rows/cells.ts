/** Values as elements of the page: cells of rows, and members of the open record. */

import { signal } from '@preact/signals';
import type { Row } from '../../present/answer.ts';
import type { Spot } from '../../present/deeds.ts';
import { keyOf, shown } from '../store.ts';
import { type CellOf, cellMenu } from './cellMenu.ts';

/** The record that is open, as it shows. */
export const recordShown = signal<Row | undefined>(undefined);

const CELLS = '[data-column]';

function cellOf(element: HTMLElement): CellOf | undefined {
  const key = element.closest<HTMLElement>('[data-key]')?.dataset.key;
  const row =
    key === undefined ? recordShown.peek() : shown.peek()?.rows.find((one) => keyOf(one) === key);
  return row && { row, column: element.dataset.column! };
}

/** Opens the menu of the element's value: there, or at its lower edge. */
export function openCellMenu(element: HTMLElement, at?: Spot): void {
  const cell = cellOf(element);
  if (!cell) return;
  const { left, bottom } = element.getBoundingClientRect();
  const from = element.closest<HTMLElement>('tr.row, .panel') ?? element;
  cellMenu.value = { cell, at: at ?? { left, top: bottom }, from };
}

/** Opens the menu of the value that many before or after this one. */
export function cellBeside({ column }: CellOf, from: HTMLElement, step: number): void {
  const all = [...from.querySelectorAll<HTMLElement>(CELLS)];
  const next = all[all.findIndex((one) => one.dataset.column === column) + step];
  if (!next) return;
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  openCellMenu(next);
}

/** Opens the menu of the first value of a row or record. */
export function openFirstCell(within: Element): void {
  const first = within.querySelector<HTMLElement>(CELLS);
  if (first) openCellMenu(first);
}
