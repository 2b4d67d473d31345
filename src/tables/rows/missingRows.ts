/**
 * The rows of a page that are not in memory: read as of the moment at which the page was found.
 *
 *     local rows ──► those that are missing are read at F ──► all rows; large ones with how they are read
 */
import type { Timestamp } from 'mongodb';
import type { Deadline } from '../../store/deadline.ts';
import { isOutOfTime, isOvertaken } from '../../store/faults.ts';
import { type RowId, scalarKey } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import type { Page } from '../search/search.ts';
import { isLarge, type LargeRow, withoutLarge } from './largeRows.ts';
import type { LocalRow } from './localRows.ts';
import type { RowCache } from './rowCache.ts';

export interface MissingRowsDeps {
  readonly rowCache: Pick<RowCache, 'read' | 'large'>;
  /** Told when they cannot be read. */
  readonly onFallback: (reason: 'row_missing' | 'rows_unreadable', error?: unknown) => void;
}

/** A page whose ids were found at `asOf`, and the rows that are known without a read. */
export interface FoundPage {
  readonly resource: Resource;
  readonly ids: readonly RowId[];
  readonly rows: readonly LocalRow[];
  readonly asOf: Timestamp;
}

/** Completes a page; called in the step in which the ids were found. Undefined when in doubt. */
export async function withMissing(
  { rowCache, onFallback }: MissingRowsDeps,
  { resource, ids, rows, asOf }: FoundPage,
  deadline: Deadline,
): Promise<Pick<Page, 'rows' | 'large'> | 'overtaken' | undefined> {
  const missing = ids.filter((_, position) => !rows[position]);
  const large = rowCache.large(resource, asOf);
  let isRead = false;
  try {
    const read =
      missing.length === 0 ? NO_ROWS : await rowCache.read(resource, missing, asOf, deadline);
    const all = ids.map((id, position) => rows[position] ?? read.get(scalarKey(id)));
    if (all.every((row): row is JoinedRow | LargeRow => row !== undefined)) {
      isRead = all.some(isLarge);
      return { rows: withoutLarge(all), ...(isRead && { large: { rows: all, ...large } }) };
    }
    onFallback('row_missing');
  } catch (error) {
    if (isOvertaken(error)) return 'overtaken';
    // A store that does not answer will not answer the pipeline either.
    if (deadline.isOver || isOutOfTime(error)) throw error;
    onFallback('rows_unreadable', error);
  } finally {
    if (!isRead) large.end();
  }
  return undefined;
}

const NO_ROWS: ReadonlyMap<string, JoinedRow> = new Map();
