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
import type { Join, Resource, Resources } from '../definition/definition.ts';
import type { JoinedRow } from '../definition/record.ts';
import type { Tables } from '../index/tables.ts';
import type { Page } from '../search/page.ts';
import { isLarge, type LargeRow, withoutLarge } from './largeRows.ts';
import { MomentReader, StoredRow } from './momentReader.ts';
import { keysOf } from './relatedDocuments.ts';

export interface StoredRowsOptions {
  readonly db: Db;
  readonly resources: Resources;
  readonly tables: Pick<Tables, 'relations' | 'versionOf'>;
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

export class StoredRows {
  readonly #options: StoredRowsOptions;

  constructor(options: StoredRowsOptions) {
    this.#options = options;
  }

  /** Completes a page; called in the step in which the ids were found. Undefined when in doubt. */
  async complete(
    { resource, ids, rows, asOf }: FoundPage,
    deadline: Deadline,
    onFallback: OnFallback,
  ): Promise<Pick<Page, 'rows' | 'large'> | 'overtaken' | undefined> {
    const missing = ids.filter((_, position) => !rows[position]);
    const reader = new MomentReader(this.#options, resource, Object.values(resource.record), asOf);
    const versions = resource.joins.map((join) => this.#versionOf(join));
    const isWhole = (row: StoredRow) => !this.#isTorn(resource, row, versions);
    try {
      const read = await readAll(reader, missing, deadline);
      let next = 0;
      const all = rows.map((row) => row ?? read[next++]);
      const isThere = (row: JoinedRow | LargeRow | undefined): row is JoinedRow | LargeRow =>
        row !== undefined && (!(row instanceof StoredRow) || isWhole(row));
      if (all.every(isThere)) {
        const large = async (some: readonly unknown[], time: Deadline) => {
          const found = await reader.whole(some, time);
          return found.filter((row): row is StoredRow => row !== undefined && isWhole(row));
        };
        return {
          rows: withoutLarge(all),
          ...(all.some(isLarge) && { large: { rows: all, read: large } }),
        };
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

  #versionOf({ to }: Join): number {
    return this.#options.tables.versionOf(to);
  }

  /** Whether related documents are missing that were there, or of which that is unknown. */
  #isTorn({ joins, fields }: Resource, row: StoredRow, versions: readonly number[]): boolean {
    const { relations } = this.#options.tables;
    return joins.some((join, i) => {
      if (row.joined[join.as]?.length !== 0) return false;
      const keys = keysOf(join, row.document);
      if (keys.length > 0 && this.#versionOf(join) !== versions[i]) return true;
      const field = fields[join.by];
      return field?.kind === 'related' && keys.some((key) => relations.leadsTo(field, key));
    });
  }
}

/**
 * One entry for each id: a row, or the size of a large one; undefined for an id without a document, or
 * one that cannot be asked for.
 */
async function readAll(
  reader: MomentReader,
  ids: readonly RowId[],
  deadline: Deadline,
): Promise<readonly (StoredRow | LargeRow | undefined)[]> {
  const asked = ids.map(queryValue).filter((id) => id !== undefined);
  const rows = await reader.rows(asked, deadline);
  let next = 0;
  return ids.map((id) => (queryValue(id) === undefined ? undefined : rows[next++]));
}
