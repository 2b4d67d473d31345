/**
 * How many rows the first saved views have, asked again every few seconds while somebody looks.
 *
 * No watches: over HTTP/1.1 a browser has six connections for all tabs of a service, and each watch
 * holds one. A count takes the index less than a millisecond. A count that takes longer is requested
 * less often.
 */
import { effect, signal } from '@preact/signals';
import { viewedAt } from '../../clients/typescript/viewAddress.ts';
import type { TableName } from '../state/view.ts';
import { addressFields, tablesFor } from '../tables/tables.ts';
import { countRows } from './rows/asking.ts';
import { isAdmin, refusal, session } from './service/session.ts';
import { viewAt, views } from './views.ts';

/** Views with a count. */
const COUNTED = 8;
/** Least time between two questions for one count, milliseconds. */
const EVERY_MS = 5_000;
/** The same, as a multiple of the time that the answer took. */
const REST = 20;
const LOOK_MS = 1_000;

/** Counts by address; none for a view that the service could not count. */
export const viewCounts = signal<ReadonlyMap<string, number>>(new Map());

/** When each count is due, by `performance.now()`. */
const due = new Map<string, number>();

export function startCounting(): void {
  effect(() => {
    session.value;
    due.clear();
    viewCounts.value = new Map();
  });
  void round();
}

async function round(): Promise<void> {
  await countDue().finally(() => setTimeout(round, LOOK_MS));
}

/** One question after the other, so that typing never waits for more than one of them. */
async function countDue(): Promise<void> {
  for (const { address } of views.peek().slice(0, COUNTED)) {
    const token = session.peek()?.token;
    if (document.hidden || token === undefined || refusal.peek() !== undefined) return;
    const began = performance.now();
    if ((due.get(address) ?? 0) > began) continue;
    const of = viewAt(address);
    // Its table is gone, or not known yet.
    if (!tablesFor(isAdmin.peek()).includes(of.table)) continue;
    // Without a filter that the caller cannot set it would be the count of other rows.
    const count = hasUnread(address, of.table)
      ? undefined
      : await countRows(of, AbortSignal.timeout(EVERY_MS)).catch(() => undefined);
    const now = performance.now();
    due.set(address, now + Math.max(EVERY_MS, REST * (now - began)));
    // Rights are those of the caller who asked.
    if (session.peek()?.token === token) note(address, count);
  }
}

/** Whether a condition of the address cannot be read. */
function hasUnread(address: string, table: TableName): boolean {
  const { search } = new URL(address, location.origin);
  return viewedAt(search, addressFields(table)!, new Date()).unread.length > 0;
}

function note(address: string, count: number | undefined): void {
  const before = viewCounts.peek();
  if (before.get(address) === count) return;
  const next = new Map(before);
  if (count === undefined) next.delete(address);
  else next.set(address, count);
  viewCounts.value = next;
}
