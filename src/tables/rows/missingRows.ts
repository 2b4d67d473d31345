/**
 * The rows of a page that are not in memory: read as of the moment at which the page was found.
 *
 *     rows in memory ──► those that are missing are read at F ──► all rows; large ones with how they are read
 */
import type { Timestamp } from 'mongodb';
import type { Deadline } from '../../store/deadline.ts';
import { isOutOfTime, isOvertaken } from '../../store/faults.ts';
import type { RowId } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import type { Page } from '../search/search.ts';
import { isLarge, type LargeRow, withoutLarge } from './largeRows.ts';
import type { StoredRows } from './storedRows.ts';

export interface MissingRowsDeps {
  readonly storedRows: StoredRows;
  /** Told when they cannot be read. */
  readonly onFallback: (reason: 'row_missing' | 'rows_unreadable', error?: unknown) => void;
}

/** A page whose ids were found at `asOf`, and the rows that are in memory. */
export interface FoundPage {
  readonly resource: Resource;
  readonly ids: readonly RowId[];
  readonly rows: readonly (JoinedRow | undefined)[];
  readonly asOf: Timestamp;
}

/** Completes a page; called in the step in which the ids were found. Undefined when in doubt. */
export async function withMissing(
  { storedRows, onFallback }: MissingRowsDeps,
  { resource, ids, rows, asOf }: FoundPage,
  deadline: Deadline,
): Promise<Pick<Page, 'rows' | 'large'> | 'overtaken' | undefined> {
  const missing = ids.filter((_, position) => !rows[position]);
  const reads = storedRows.open(resource, asOf);
  try {
    const read = await reads.rows(missing, deadline);
    let next = 0;
    const all = rows.map((row) => row ?? read[next++]);
    if (all.every((row): row is JoinedRow | LargeRow => row !== undefined)) {
      const large = all.some(isLarge) ? { rows: all, read: reads.large } : undefined;
      return { rows: withoutLarge(all), ...(large && { large }) };
    }
    onFallback('row_missing');
  } catch (error) {
    if (isOvertaken(error)) return 'overtaken';
    // A store that does not answer will not answer the pipeline either.
    if (deadline.isOver || isOutOfTime(error)) throw error;
    onFallback('rows_unreadable', error);
  }
  return undefined;
}
