/** Remarks on a page that is not the one asked for. */
import type { Pagination } from 'table-search/client';

export interface AskedPage {
  readonly page: number;
  readonly perPage: number;
}

const grouped = (count: number) => count.toLocaleString('en-US');

/** A sentence where the service has cut the page, and one where the page does not exist. */
export function pageNotes(asked: AskedPage, shown: Pagination): readonly string[] {
  const { total_items: total, per_page: most, current_page: current } = shown;
  const notes: string[] = [];
  if (most < asked.perPage && total > most) {
    const limit = `the service limits a page to ${grouped(most)}`;
    notes.push(`Showing ${grouped(most)} of ${grouped(total)} rows: ${limit}.`, EXPORT);
  }
  if (current < asked.page && total > 0) {
    notes.push(`Page ${grouped(asked.page)} does not exist; showing page ${grouped(current)}.`);
  }
  return notes;
}

const EXPORT = '`table-search export` writes all rows of one moment.';
