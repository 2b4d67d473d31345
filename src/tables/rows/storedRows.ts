/**
 * Rows of a page that are not in memory: read from the store as of the moment at which the page was
 * found, as bytes.
 *
 *     rows in memory ──► those that are missing are read at F ──► all rows; large ones with how they are read
 *
 * A collection that was dropped before the read reads as empty, even at a moment when it existed.
 * The page's own rows are then missing. A row also counts as missing if it lacks a related document
 * that the index knows, or one of a collection that has changed since F.
 */
import type { Db, Timestamp } from 'mongodb';
import { queryValue } from '../../store/bson/storeValue.ts';
import type { Deadline } from '../../store/deadline.ts';
import { isOutOfTime, isOvertaken } from '../../store/faults.ts';
import type { RowId } from '../../textindex/index.ts';
import type { Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import type { Tables } from '../index/tables.ts';
import type { Page } from '../search/page.ts';
import { type LargeRow, pageOfRows } from './largeRows.ts';
import { MomentReader, StoredRow } from './momentReader.ts';
import { keysOf } from './relatedDocuments.ts';

/** Where rows are read, and the tables that know what they relate to. */
export interface RowStore {
  readonly db: Db;
  readonly resources: Resources;
  readonly tables: Pick<Tables, 'relations' | 'of'>;
}

/** A page whose ids were found at `asOf`, and the rows that are in memory. */
export interface FoundPage {
  readonly resource: Resource;
  readonly ids: readonly RowId[];
  readonly rows: readonly (JoinedRow | undefined)[];
  readonly asOf: Timestamp;
}

/** Told when rows cannot be read. */
type OnFallback = (reason: 'row_missing' | 'rows_unreadable', error?: unknown) => void;

/** Completes a page; called in the step in which the ids were found. Undefined when in doubt. */
export async function completed(
  { resource, ids, rows, asOf }: FoundPage,
  store: RowStore,
  deadline: Deadline,
  onFallback: OnFallback,
): Promise<Pick<Page, 'rows' | 'large'> | 'overtaken' | undefined> {
  const missing = ids.filter((_, position) => !rows[position]).map(queryValue);
  const shown = Object.values(resource.record);
  const reader = new MomentReader(store, { resource, shown, at: asOf });
  const isWhole = wholeSince(resource, store.tables);
  try {
    // One that cannot be asked for is missing in the page, whatever becomes of the others.
    const read = missing.includes(undefined) ? [] : await reader.rows(missing, deadline);
    let next = 0;
    const all = rows.map((row) => row ?? read[next++]);
    const isThere = (row: JoinedRow | LargeRow | undefined): row is JoinedRow | LargeRow =>
      row !== undefined && (!(row instanceof StoredRow) || isWhole(row));
    if (all.every(isThere)) {
      return pageOfRows(all, async (some, time) => {
        const found = await reader.whole(some, time);
        return found.filter((row): row is StoredRow => row !== undefined && isWhole(row));
      });
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

/** Tells, from now on, whether a row has all related documents that were there when this was called. */
function wholeSince({ joins }: Resource, tables: RowStore['tables']): (row: StoredRow) => boolean {
  const versions = joins.map(({ field }) => tables.of(field.to).version);
  return (row) =>
    joins.every((join, i) => {
      if (row.joined[join.by]?.length !== 0) return true;
      const keys = keysOf(join, row.document);
      // Whether there were some is unknown of a collection that has changed.
      if (keys.length > 0 && tables.of(join.field.to).version !== versions[i]) return false;
      return !keys.some((key) => tables.relations.leadsTo(join.field, key));
    });
}
