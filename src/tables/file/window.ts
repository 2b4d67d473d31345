/** The window of a table: the date field that decides, and how far back it reaches. */
import type { Window } from '../definition/window.ts';
import { give } from './lists.ts';
import { fieldNamed, type OpenTable } from './references.ts';
import type { StoredFields } from './storedFields.ts';
import type { WrittenTable, WrittenWindow } from './written.ts';

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 168 * HOUR_MS };

export function readWindow({ window }: WrittenTable, table: OpenTable): WrittenWindow | undefined {
  const spot = table.spot.in('window');
  const at = spot.in('field');
  if (window?.field === undefined || spot.isWrong || at.hasWrong) return undefined;
  const field = fieldNamed(window.field, table, at)?.field;
  if (field && (field.kind !== 'stored' || field.type !== 'date' || field.several)) {
    at.add(`${window.field} cannot decide on a window: only a field with one date can`);
    return undefined;
  }
  give(window.field, 'range', table, at);
  return window;
}

export function compileWindow(window: WrittenWindow, stored: StoredFields): Window {
  const { field, span } = window;
  const spanMs = Number(span.slice(0, -1)) * UNITS[span.at(-1)!]!;
  return { field, path: stored[field]!.path, spanMs };
}
